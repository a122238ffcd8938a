/**
 * Search in the conversation: all of it is read, matches are marked where they stand, and one goes from one to the next.
 */
import { h, icon } from "../dom.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";

const MARKS = "search";

export class SearchBar {
  #chat;
  #transcript;
  #found = [];
  #at = -1;
  #asked = 0;
  #box = h("input", { type: "search", autocomplete: "off", "aria-label": t("search.label"), placeholder: t("search.label"), oninput: () => this.#search() });
  #count = h("span", { class: "search-count", role: "status" });

  constructor(chat, transcript) {
    this.#chat = chat;
    this.#transcript = transcript;
    chat.addEventListener("history", () => this.#refresh());
    this.element = h("form", { class: "search-bar", role: "search", hidden: true, onsubmit: (event) => { event.preventDefault(); this.#go(1); }, onkeydown: (event) => this.#key(event) },
      this.#box, this.#count,
      h("button", { type: "button", class: "tool", "aria-label": t("search.previous"), onclick: () => this.#go(-1) }, icon("up")),
      h("button", { type: "submit", class: "tool", "aria-label": t("search.next") }, icon("down")),
      h("button", { type: "button", class: "tool", "aria-label": t("search.close"), onclick: () => this.#end() }, icon("cross")));
  }

  open() {
    this.element.hidden = false;
    this.#box.focus();
    this.#box.select();
  }

  close() {
    this.#asked += 1;
    this.element.hidden = true;
    this.#box.value = "";
    this.#show([]);
  }

  #end() {
    this.close();
    this.#chat.focus();
  }

  #key(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.#end();
  }

  async #search() {
    const asked = (this.#asked += 1);
    const words = this.#box.value.trim().toLowerCase();
    const { history } = this.#chat;
    if (words === "" || !history) return this.#show([]);
    if (history.before) {
      try {
        await history.all();
      } catch (error) {
        return void (this.#count.textContent = errorText(error));
      }
      if (asked !== this.#asked || history !== this.#chat.history) return;
      this.#transcript.show(history);
    }
    this.#show(matches(history, words), words);
  }

  /** The conversation has changed while the search is open: what is new is found, and the match one is at stays. */
  #refresh() {
    const words = this.#box.value.trim().toLowerCase();
    const { history } = this.#chat;
    if (this.element.hidden || words === "" || !history) return;
    // Typed before the conversation was there: what is far back has not been read yet.
    if (history.before) return void this.#search();
    const current = this.#found[this.#at]?.id;
    const found = matches(history, words);
    const at = found.findIndex((message) => message.id === current);
    if (at < 0) return this.#show(found, words);
    this.#found = found;
    this.#at = at;
    this.#mark(words);
    this.#tell();
  }

  #show(found, words = "") {
    this.#found = found;
    this.#at = found.length;
    this.#mark(words);
    this.#count.textContent = words === "" ? "" : t("search.none");
    if (found.length > 0) this.#go(-1);
  }

  /** Where a browser cannot mark ranges, the messages are still found. */
  #mark(words) {
    if (typeof Highlight !== "function") return;
    CSS.highlights.set(MARKS, new Highlight(...this.#found.flatMap((message) => rangesOf(this.#transcript.elementOf(message.id), words))));
  }

  #tell() {
    this.#count.textContent = t("search.at", { at: this.#at + 1, count: this.#found.length });
  }

  #go(step) {
    if (this.#found.length === 0) return;
    this.#at = (this.#at + step + this.#found.length) % this.#found.length;
    this.#tell();
    const element = this.#transcript.elementOf(this.#found[this.#at].id);
    if (element) this.#transcript.scrollTo(element);
  }
}

function matches(history, words) {
  return history.messages.filter((message) => message.content.toLowerCase().includes(words));
}

/** Where `words` stand in the texts of an element. */
function rangesOf(element, words) {
  const ranges = [];
  if (!element) return ranges;
  const walker = document.createTreeWalker(element.querySelector(".bubble, .prose"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.toLowerCase();
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const range = new Range();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}
