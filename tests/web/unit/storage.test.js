import test from "node:test";
import assert from "node:assert/strict";

class Storage {
  getItem(key) { return Object.hasOwn(this, key) ? this[key] : null; }
  setItem(key, value) { this[key] = String(value); }
  removeItem(key) { delete this[key]; }
}
globalThis.localStorage = new Storage();
globalThis.sessionStorage = new Storage();
const { drafts, forgetAll, outbox, rememberFor, seenReset } = await import("../../../web/storage.js");

test("the next person at a browser does not find what a session left that ended by itself", () => {
  rememberFor("sam");
  drafts.set("plan", "My rent is a secret");
  outbox.keep("plan", { key: "k", text: "secret" });
  localStorage.setItem("language", "es");
  rememberFor("riley");
  assert.deepEqual(Object.keys(localStorage), ["language"]);
  assert.deepEqual(Object.keys(sessionStorage), []);
  rememberFor("sam");
  assert.equal(drafts.get("plan"), "");
});

test("an administrator who acts for somebody keeps their own drafts, and a reload keeps one's own", () => {
  rememberFor("avery");
  drafts.set("plan", "hello");
  rememberFor("sam", "avery");
  drafts.set("plan", "in Sam's name");
  rememberFor("avery");
  assert.equal(drafts.get("plan"), "hello");
  rememberFor("avery");
  assert.equal(drafts.get("plan"), "hello");
  seenReset.set("2026-11-25T10:00:00Z");
  assert.equal(seenReset.get(), "2026-11-25T10:00:00Z");
  forgetAll();
  assert.deepEqual(Object.keys(localStorage), ["language"]);
});
