/** The few keys that do something by themselves. */
import { h } from "../dom.js";
import { t } from "../texts.js";

const KEYS = [["Enter", "send"], ["Shift + Enter", "line"], ["Esc", "stop"], ["← →", "chart"], ["?", "this"]];

export function keysDialog() {
  const element = h("dialog", { "aria-labelledby": "keys-title", onclose: () => element.remove() },
    h("div", { class: "dialog-body" },
      h("h2", { id: "keys-title" }, t("keys.title")),
      h("dl", { class: "keys" }, KEYS.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(`keys.${what}`))))),
      h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => element.close() }, t("close")))));
  document.body.append(element);
  element.showModal();
}
