/**
 * Where the user writes. Enter sends, Shift+Enter breaks the line; while the advisor writes, the same place stops it.
 */
import { h, icon, put } from "../dom.js";

const LIMIT = 8000;
const WARN_FROM = 7500;

export class Composer {
  #box;
  #button = h("button", { type: "submit", class: "round" });
  #count = h("span", { class: "composer-count" });
  #running = false;
  #onSend;
  #onStop;

  constructor({ onSend, onStop }) {
    this.#onSend = onSend;
    this.#onStop = onStop;
    this.#box = h("textarea", {
      rows: "1", id: "message", placeholder: "Tell me about your plan", autocomplete: "off",
      "aria-label": "Message to the advisor", "aria-describedby": "composer-hint",
      oninput: () => this.#fit(), onkeydown: (event) => this.#key(event),
    });
    this.element = h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); this.#submit(); } },
      h("div", { class: "composer-box" }, this.#box, this.#button),
      h("p", { class: "composer-hint", id: "composer-hint" }, h("span", {}, h("kbd", {}, "Enter"), " sends, ", h("kbd", {}, "Shift"), " + ", h("kbd", {}, "Enter"), " breaks the line"), this.#count));
    this.running = false;
  }

  set running(running) {
    this.#running = running;
    this.#button.className = running ? "round stop" : "round send";
    this.#button.setAttribute("aria-label", running ? "Stop the answer" : "Send");
    put(this.#button, icon(running ? "stop" : "send"));
    this.#fit();
  }

  set text(text) {
    this.#box.value = text;
    this.#fit();
  }

  get text() {
    return this.#box.value;
  }

  focus() {
    this.#box.focus();
    this.#box.setSelectionRange(this.#box.value.length, this.#box.value.length);
  }

  disable(placeholder) {
    this.#box.disabled = true;
    this.#box.placeholder = placeholder;
    this.#button.disabled = true;
  }

  #key(event) {
    // While an input method composes a character, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!this.#running) this.#submit();
  }

  #submit() {
    if (this.#running) return void this.#onStop();
    const text = this.#box.value.trim();
    const characters = [...text].length;
    if (characters === 0 || characters > LIMIT || this.#box.disabled) return;
    this.text = "";
    this.#onSend(text);
  }

  /** Grows with the text up to a third of the window; the row count is an attribute, so no inline style is needed. */
  #fit() {
    this.#box.rows = 1;
    const line = Number.parseFloat(getComputedStyle(this.#box).lineHeight) || 24;
    const wanted = Math.round((this.#box.scrollHeight - 2 * Number.parseFloat(getComputedStyle(this.#box).paddingTop || "0")) / line);
    this.#box.rows = Math.min(Math.max(1, wanted), Math.max(3, Math.floor(window.innerHeight / 3 / line)));
    const characters = [...this.#box.value.trim()].length;
    this.#count.textContent = characters < WARN_FROM ? "" : `${characters.toLocaleString("en-US")} of ${LIMIT.toLocaleString("en-US")} characters`;
    this.#count.classList.toggle("over", characters > LIMIT);
    if (!this.#running) this.#button.disabled = characters === 0 || characters > LIMIT || this.#box.disabled;
    else this.#button.disabled = false;
  }
}
