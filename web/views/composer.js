/**
 * Where the user writes. Enter sends, Shift+Enter breaks the line; while the advisor writes, the same place stops it.
 * The text is a draft: the owner of this view gets every change and stores it.
 */
import { h, icon, put } from "../dom.js";
import { isComposing, plainLines } from "../typing.js";
import { t } from "../texts.js";

const LIMIT = 8000;
const WARN_FROM = 7500;
const EXAMPLE_WIDTH = 520;

export class Composer {
  #box;
  #button = h("button", { type: "submit", class: "round" });
  #count = h("span", { class: "composer-count" });
  #notice = h("div", { class: "composer-notice", hidden: true });
  #running = false;
  #blocked = null;
  #actions;

  /** `actions`: `onSend(text)`, `onStop()`, `onDraft(text)`, `onCancelEdit()`. */
  constructor(actions) {
    this.#actions = actions;
    this.#box = h("textarea", {
      rows: "1", id: "message", autocomplete: "off", "aria-label": t("composer.label"), "aria-describedby": "composer-hint", 
      oninput: () => { this.#fit(); actions.onDraft(this.#box.value); }, onkeydown: (event) => this.#key(event),
    });
    this.element = h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); this.#submit(); } },
      this.#notice,
      h("div", { class: "composer-box" }, this.#box, this.#button),
      h("p", { class: "composer-hint", id: "composer-hint" }, h("span", {}, t("composer.hint")), this.#count));
    this.running = false;
    new ResizeObserver(() => this.#showPlaceholder()).observe(this.#box);
  }

  set running(running) {
    this.#running = running;
    this.#button.className = running ? "round stop" : "round send";
    this.#button.setAttribute("aria-label", t(running ? "composer.stop" : "composer.send"));
    put(this.#button, icon(running ? "stop" : "send"));
    this.#fit();
  }

  set text(text) {
    this.#box.value = text;
    this.#fit();
    this.#actions.onDraft(text);
  }

  get text() {
    return this.#box.value;
  }

  get isBlocked() {
    return this.#box.disabled;
  }

  focus() {
    this.#box.focus();
    this.#box.setSelectionRange(this.#box.value.length, this.#box.value.length);
  }

  /** Disables the box and shows the reason in it; null enables it again. */
  block(reason) {
    this.#box.disabled = reason !== null;
    this.#blocked = reason;
    this.#showPlaceholder();
    this.#fit();
  }

  /** The example stands there only where all of it fits. */
  #showPlaceholder() {
    const words = this.#blocked ?? t(this.#box.clientWidth < EXAMPLE_WIDTH ? "composer.placeholder.short" : "composer.placeholder");
    if (this.#box.placeholder !== words) this.#box.placeholder = words;
  }

  /** Says that what is sent now takes the place of the last message; null ends it. */
  showEditing(isEditing) {
    this.#notice.hidden = !isEditing;
    put(this.#notice, isEditing && [
      h("span", {}, t("composer.editing")),
      h("button", { type: "button", class: "link", onclick: () => this.#actions.onCancelEdit() }, t("cancel")),
    ]);
  }

  #key(event) {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    if (!this.#running) this.#submit();
  }

  #submit() {
    if (this.#running) return void this.#actions.onStop();
    const text = plainLines(this.#box.value).trim();
    const characters = [...text].length;
    if (characters === 0 || characters > LIMIT || this.#box.disabled) return;
    this.text = "";
    this.#actions.onSend(text);
  }

  /** Grows with the text up to a third of the window; the row count is an attribute, so no inline style is needed. */
  #fit() {
    this.#box.rows = 1;
    const line = Number.parseFloat(getComputedStyle(this.#box).lineHeight) || 24;
    const wanted = Math.round((this.#box.scrollHeight - 2 * Number.parseFloat(getComputedStyle(this.#box).paddingTop || "0")) / line);
    this.#box.rows = Math.min(Math.max(1, wanted), Math.max(3, Math.floor(window.innerHeight / 3 / line)));
    const characters = [...this.#box.value.trim()].length;
    this.#count.textContent = characters < WARN_FROM ? "" : t("composer.count", { number: characters.toLocaleString("en-US"), limit: LIMIT.toLocaleString("en-US") });
    this.#count.classList.toggle("over", characters > LIMIT);
    this.#button.disabled = !this.#running && (characters === 0 || characters > LIMIT || this.#box.disabled);
  }
}

