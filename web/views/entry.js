/** The frame of what is shown before anybody is signed in: words on one side, a form on the other, and the languages. */
import { h } from "../dom.js";
import { LANGUAGES, chooseLanguage, currentLanguage } from "../texts.js";
import { brandMark } from "./brand-mark.js";

/** `again()` draws the page anew, in another language. */
export function entryFrame(words, side, again) {
  return h("main", { class: "sign-in" },
    h("div", { class: "sign-in-card" },
      h("div", { class: "sign-in-words" }, brandMark(), words),
      h("div", { class: "sign-in-side" }, side)),
    h("p", { class: "languages" }, LANGUAGES.filter(([code]) => code !== currentLanguage()).map(([code, name]) =>
      h("button", { type: "button", class: "link", lang: code, onclick: async () => { await chooseLanguage(code); again(); } }, name))));
}
