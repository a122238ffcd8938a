/**
 * Reads a growing answer to screen readers sentence by sentence. A live region on the text itself would read every
 * token, or the whole answer again with each.
 */
import { h } from "../dom.js";

const KEPT = 20;

export class Announcer {
  element = h("div", { class: "spoken", role: "status", "aria-live": "polite", "aria-atomic": "false" });
  #said = 0;

  start() {
    this.#said = 0;
  }

  /** Says the sentences of `text` that are complete and have not been said. */
  follow(text, { ended = false } = {}) {
    const rest = text.slice(this.#said);
    const end = ended ? rest.length : lastSentenceEnd(rest);
    if (end === 0) return;
    this.say(plainWords(rest.slice(0, end)));
    this.#said += end;
  }

  /** Takes back what was said: it is not to be found in the page any more. */
  forget() {
    this.element.replaceChildren();
  }

  say(text) {
    if (text.trim() === "") return;
    this.element.append(h("p", {}, text.trim()));
    while (this.element.childElementCount > KEPT) this.element.firstElementChild.remove();
  }
}

/** What is heard of Markdown: its words, and of a link those that stand for it. */
export function plainWords(text) {
  return text.replace(/\[([^\]]*)\]\([^)\s]*\)/g, "$1").replace(/[*_`#>|]/g, "");
}

function lastSentenceEnd(text) {
  let end = 0;
  for (const match of text.matchAll(/[.!?:]\s|\n/g)) end = match.index + match[0].length;
  return end;
}
