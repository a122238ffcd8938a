import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { EN as FIRST } from "../../../web/texts/en.js";
import { EN_DESK } from "../../../web/texts/en-desk.js";
import { EN_MORE } from "../../../web/texts/en-more.js";
import { EN_ACCOUNT } from "../../../web/texts/en-account.js";
import { EN_BRAND } from "../../../web/texts/en-brand.js";
import { EN_PAPER } from "../../../web/texts/en-paper.js";
import { ES as ES_MORE } from "../../../web/texts/es.js";
import { ES_ACCOUNT } from "../../../web/texts/es-account.js";
import { ES_BRAND } from "../../../web/texts/es-brand.js";
import { ES_PAPER } from "../../../web/texts/es-paper.js";

const EN = { ...FIRST, ...EN_DESK, ...EN_MORE, ...EN_ACCOUNT, ...EN_BRAND, ...EN_PAPER };
const ES = { ...ES_MORE, ...ES_ACCOUNT, ...ES_BRAND, ...ES_PAPER };
/** Every code with which a single sign-on may come back. */
const PROBLEMS = ["unavailable", "refused", "failed", "expired", "no_cookie", "too_many", "not_invited", "email_unverified", "link_taken"];
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

test("no text stands in two parts of a language, and the sign-in finds its own in the first", () => {
  assert.equal(Object.keys(EN).length, [FIRST, EN_DESK, EN_MORE, EN_ACCOUNT, EN_BRAND, EN_PAPER].flatMap(Object.keys).length);
  assert.equal(Object.keys(ES).length, [ES_MORE, ES_ACCOUNT, ES_BRAND, ES_PAPER].flatMap(Object.keys).length);
  for (const file of ["app.js", "screens/sign-in.js", "views/entry.js", "views/toast.js", "errors.js", "format.js"]) {
    for (const [, key] of readFileSync(new URL(file, WEB), "utf8").matchAll(/\b(?:t|parts|known)\("([^"]+)"/g)) assert.ok(key in FIRST, `${file}: ${key}`);
  }
  for (const file of ["screens/desk.js", ...["chat", "transcript", "message", "composer", "top-bar", "banner", "view-switch", "open-card", "confirmation-card"].map((view) => `views/${view}.js`)]) {
    for (const [, key] of readFileSync(new URL(file, WEB), "utf8").matchAll(/\b(?:t|parts|known)\("([^"]+)"/g)) assert.ok(key in FIRST || key in EN_DESK, `${file}: ${key}`);
  }
});

test("Spanish has every text, with the same places to fill", () => {
  assert.deepEqual(Object.keys(EN).filter((key) => !(key in ES)), []);
  assert.deepEqual(Object.keys(ES).filter((key) => !(key in EN) && !isServers(key)), []);
  for (const key of Object.keys(EN)) assert.deepEqual(places(ES[key]), places(EN[key]), key);
});

test("no Spanish sentence ends right behind a time, whose p.m. brings its own period", () => {
  for (const [key, text] of Object.entries(ES)) for (const form of Object.values(forms(text))) assert.doesNotMatch(form, /\{(?:time|until)\}\./, key);
});

test("what accounts need is in the same part in both languages, and no view of plans asks for it", () => {
  assert.deepEqual(Object.keys(EN_ACCOUNT).sort(), Object.keys(ES_ACCOUNT).sort());
  for (const file of ["screens/desk.js", "screens/print.js", "screens/scenarios.js", "screens/brand.js", "screens/prompts.js", "views/dialogs.js", "views/top-bar.js", "views/message.js", "views/transcript.js"]) {
    for (const [, key] of readFileSync(new URL(file, WEB), "utf8").matchAll(/\b(?:t|parts|known)\("([^"]+)"/g)) assert.ok(!(key in EN_ACCOUNT), `${file}: ${key}`);
  }
});

test("what goes to a lender is in the same part in both languages, and nothing that is shown at first asks for it", () => {
  assert.deepEqual(Object.keys(EN_PAPER).sort(), Object.keys(ES_PAPER).sort());
  const late = /^(?:paper|screens\/(?:print|story)|views\/(?:second-look|documents-part))/;
  for (const file of readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("texts/") && !late.test(name))) {
    for (const [, key] of readFileSync(new URL(file, WEB), "utf8").matchAll(/\b(?:t|parts|known)\("([^"]+)"/g)) assert.ok(!(key in EN_PAPER), `${file}: ${key}`);
  }
});

test("what a brand's desk says is in the same part in both languages, and nothing that is shown at first asks for it", () => {
  assert.deepEqual(Object.keys(EN_BRAND).sort(), Object.keys(ES_BRAND).sort());
  const late = /^(?:brand|screens\/(?:brand|people))/;
  for (const file of readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("texts/") && !late.test(name))) {
    for (const [, key] of readFileSync(new URL(file, WEB), "utf8").matchAll(/\b(?:t|parts|known)\("([^"]+)"/g)) assert.ok(!(key in EN_BRAND), `${file}: ${key}`);
  }
});

test("nobody is addressed in what a lender reads", () => {
  const isPrinted = (key) => /^(?:print|paper|row)\./.test(key) && !["print.hint", "print.story"].includes(key);
  for (const [texts, words] of [[EN_PAPER, /\byou(?:rs?|rself)?\b/i], [ES_PAPER, /\b(?:usted|su negocio)\b/i]]) {
    for (const [key, text] of Object.entries(texts).filter(([key]) => isPrinted(key))) assert.doesNotMatch(Object.values(forms(text)).join(" "), words, key);
  }
});

test("every end of a single sign-on is a sentence that says what to do", () => {
  for (const texts of [EN, ES]) for (const code of PROBLEMS) assert.match(texts[`problem.sso_${code}`] ?? code, /^\p{Lu}.+ .+\.$/u);
});

test("texts with forms have the one for all other counts", () => {
  for (const texts of [EN, ES]) for (const [key, text] of Object.entries(texts)) assert.equal(typeof forms(text).other, "string", key);
});
