import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { EN as FIRST } from "../../../web/texts/en.js";
import { EN_MORE } from "../../../web/texts/en-more.js";
import { ES } from "../../../web/texts/es.js";

const EN = { ...FIRST, ...EN_MORE };
const WEB = new URL("../../../web/", import.meta.url);
const forms = (text) => (typeof text === "string" ? { other: text } : text);
const places = (text) => [...new Set(Object.values(forms(text)).flatMap((form) => form.match(/\{[a-zA-Z]+\}/g) ?? []))].sort();
/** What the page says for the server: in English the API's catalogs have it. */
const isServers = (key) => /^(field|metric)\.[a-zA-Z0-9.]+$/.test(key) && !(key in EN);

test("every text that the page asks for is there", () => {
  const files = readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("texts/"));
  for (const file of files) {
    for (const [, key] of readFileSync(new URL(file, WEB), "utf8").matchAll(/\b(?:t|parts)\("([^"]+)"/g)) assert.ok(key in EN, `${file}: ${key}`);
  }
});

test("no text stands in both parts of English, and the sign-in finds its own in the first", () => {
  assert.deepEqual(Object.keys(FIRST).filter((key) => key in EN_MORE), []);
  for (const file of ["app.js", "screens/sign-in.js", "views/toast.js", "errors.js", "format.js"]) {
    for (const [, key] of readFileSync(new URL(file, WEB), "utf8").matchAll(/\b(?:t|parts|known)\("([^"]+)"/g)) assert.ok(key in FIRST, `${file}: ${key}`);
  }
});

test("Spanish has every text, with the same places to fill", () => {
  assert.deepEqual(Object.keys(EN).filter((key) => !(key in ES)), []);
  assert.deepEqual(Object.keys(ES).filter((key) => !(key in EN) && !isServers(key)), []);
  for (const key of Object.keys(EN)) assert.deepEqual(places(ES[key]), places(EN[key]), key);
});

test("texts with forms have the one for all other counts", () => {
  for (const texts of [EN, ES]) for (const [key, text] of Object.entries(texts)) assert.equal(typeof forms(text).other, "string", key);
});
