/** A wide window that only shows something. */
import { h } from "../dom.js";
import { t } from "../texts.js";

export function sheet(title, content) {
  const element = h("dialog", { class: "sheet", "aria-labelledby": "sheet-title", onclose: () => element.remove() },
    h("header", { class: "sheet-head" }, h("h2", { id: "sheet-title", tabindex: "-1", autofocus: true }, title), h("button", { type: "button", class: "quiet", onclick: () => element.close() }, t("close"))),
    h("div", { class: "sheet-body", tabindex: "0", role: "group", "aria-labelledby": "sheet-title" }, content));
  document.body.append(element);
  element.showModal();
  return element;
}
