/**
 * The page's own words, in the language of the reader. The words themselves are in `texts/`, one file per language.
 *
 * What the sign-in and a conversation need in English is always there; the rest, and another language, are loaded when they are wanted.
 * What few visits need, accounts, the brand's desk and what goes to a lender, has files of its own in every language.
 * English stands in for what a language lacks.
 */
import { EN } from "./texts/en.js";
import { EN_DESK } from "./texts/en-desk.js";

const LOADERS = { es: async () => (await import("./texts/es.js")).ES };
/** Words that few visits need, by part and language. */
const PARTS = {
  account: {
    en: async () => (await import("./texts/en-account.js")).EN_ACCOUNT,
    es: async () => (await import("./texts/es-account.js")).ES_ACCOUNT,
  },
  brand: {
    en: async () => (await import("./texts/en-brand.js")).EN_BRAND,
    es: async () => (await import("./texts/es-brand.js")).ES_BRAND,
  },
  paper: {
    en: async () => (await import("./texts/en-paper.js")).EN_PAPER,
    es: async () => (await import("./texts/es-paper.js")).ES_PAPER,
  },
};
const CHOICE = "language";
const wanted = new Set();
let language = "en";
let english = { ...EN, ...EN_DESK };
let texts = english;
let plurals = new Intl.PluralRules("en");

export const LANGUAGES = [["en", "English"], ["es", "Español"]];

/** Takes the language that was chosen before, or the browser's first one that we have. */
export async function startLanguage() {
  await useLanguage(chosen() ?? preferred());
}

/** Loads the words for everything that is not at once in sight. */
export async function loadAllTexts() {
  const { EN_MORE } = await import("./texts/en-more.js");
  addEnglish(EN_MORE);
}

/** Loads the words of a part, if it has its own; from then on a change of language brings them along. */
export async function loadTexts(part) {
  if (!PARTS[part]) return;
  wanted.add(part);
  addEnglish(await PARTS[part].en());
  const code = language;
  const words = await ownWords(part, code);
  // Another language may have come meanwhile, and it has brought its own.
  if (code === language && code !== "en") texts = { ...texts, ...words };
}

function addEnglish(more) {
  const isEnglish = texts === english;
  english = { ...english, ...more };
  if (isEnglish) texts = english;
}

/** English stands in where a language's own words cannot be loaded. */
async function ownWords(part, code) {
  return code === "en" ? {} : PARTS[part][code]().catch(() => ({}));
}

/** Stores the choice; the caller draws the page again. */
export async function chooseLanguage(code) {
  try {
    localStorage.setItem(CHOICE, code);
  } catch { /* then it is for this page only */ }
  await useLanguage(code);
}

export function currentLanguage() {
  return language;
}

async function useLanguage(code) {
  const words = LOADERS[code] ? await LOADERS[code]().catch(() => null) : null;
  texts = words ? Object.assign({}, words, ...await Promise.all([...wanted].map((part) => ownWords(part, code)))) : english;
  language = words ? code : "en";
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/** The text of `key`, its `{places}` filled. A text with forms takes the one for `values.count`. */
export function t(key, values = {}) {
  return parts(key, values).map(String).join("");
}

/** The same where a place holds an element: a list of texts and elements. */
export function parts(key, values = {}) {
  let text = texts[key] ?? english[key];
  if (text === undefined) throw new Error(`There is no text ${key}`);
  if (typeof text !== "string") text = text[plurals.select(values.count)] ?? text.other;
  return text.split(/(\{[a-zA-Z]+\})/).filter((part) => part !== "")
    .map((part) => (part.startsWith("{") && part.slice(1, -1) in values ? values[part.slice(1, -1)] : part));
}

/** The text of `key`, or null: for keys that are made of codes and paths the server may add to. */
export function known(key, values = {}) {
  return key in texts || key in english ? t(key, values) : null;
}

/** The text of `key` in the reader's language only; null in English. For texts that the server sends in English. */
export function translated(key) {
  return texts === english ? null : texts[key] ?? null;
}

function chosen() {
  try {
    const code = localStorage.getItem(CHOICE);
    return LANGUAGES.some(([known]) => known === code) ? code : null;
  } catch {
    return null;
  }
}

function preferred() {
  for (const tag of navigator.languages ?? []) {
    const code = tag.toLowerCase().split("-")[0];
    if (LANGUAGES.some(([known]) => known === code)) return code;
  }
  return "en";
}
