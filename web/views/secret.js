/**
 * Something that is shown once: a link or a token, in a box of its own with a button that copies it. Where the browser does
 * not let the page copy, it is selected, and the reader is told which keys do.
 */
import { h, icon } from "../dom.js";
import { t } from "../texts.js";

/** `words` says what it is. */
export function secretBox(words, value) {
  const box = h("input", { type: "text", readonly: true, value, class: "secret", "aria-label": words, autocomplete: "off", spellcheck: "false", onfocus: () => box.select() });
  const said = h("p", { class: "soft", role: "status" });
  const button = h("button", { type: "button", class: "primary", onclick: async () => {
    said.textContent = "";
    said.textContent = t(await copied(box) ? "secret.copied" : isApple() ? "secret.copyApple" : "secret.copyKeys");
  } }, icon("copy"), t("secret.copy"));
  return h("div", { class: "secret-box" }, h("div", { class: "secret-line" }, box, button), said);
}

/** Copies what is in the box, one way or the other; leaves it selected. */
async function copied(box) {
  box.focus();
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
    return true;
  } catch {
    // No permission, or no secure context: the older way needs neither.
    return document.execCommand("copy");
  }
}

function isApple() {
  return /Mac|iP(hone|ad)/.test(navigator.platform);
}
