/**
 * One sentence of help where a word stands: a button with the word, and one bubble for whichever is open. The bubble is
 * the browser's own popover: Escape and a click elsewhere close it.
 */
import { h, put } from "../dom.js";
import { t } from "../texts.js";

let bubble = null;

/** A word that explains itself; plain text where there is nothing to explain. `more` are further lines. */
export function explained(words, help, { className = "", more = [] } = {}) {
  if (!help) return h("span", { class: className, dir: "auto" }, words);
  return h("button", { type: "button", class: `explained ${className}`.trim(), dir: "auto", "aria-label": t("help.label", { words }), onclick: (event) => show(event.currentTarget, words, help, more) }, words);
}

function show(button, words, help, more) {
  bubble ??= h("div", { class: "help", popover: "auto", role: "note", tabindex: "-1" });
  // Within the landmark of its word.
  (button.closest("main, dialog") ?? document.body).append(bubble);
  put(bubble, h("b", { dir: "auto" }, words), h("p", { dir: "auto" }, help), more.filter(Boolean).map((line) => h("p", { class: "soft" }, line)));
  bubble.showPopover();
  const place = button.getBoundingClientRect();
  const below = place.bottom + 6 + bubble.offsetHeight < window.innerHeight;
  bubble.style.left = `${Math.max(8, Math.min(place.left, window.innerWidth - bubble.offsetWidth - 8))}px`;
  bubble.style.top = `${below ? place.bottom + 6 : Math.max(8, place.top - 6 - bubble.offsetHeight)}px`;
  bubble.ontoggle = (event) => event.newState === "closed" && bubble.contains(document.activeElement) && button.focus();
  bubble.focus({ preventScroll: true });
}
