/** An address that leads nowhere, in words. */
import { h } from "../dom.js";
import { follow, viewPath } from "../router.js";
import { t } from "../texts.js";
import { TopBar } from "../views/top-bar.js";

export function nowhereScreen(context) {
  const element = h("div", { class: "screen" }, new TopBar(context).element, h("main", { class: "page trouble" },
    h("h1", {}, t("nowhere.title")),
    h("p", {}, t("nowhere.help")),
    h("a", { class: "primary button", href: viewPath(""), onclick: follow }, t("nowhere.home"))));
  return { element, go: async () => {} };
}
