/** The end of a single sign-on in a tab of its own: the tab before it goes on by itself. */
import { h } from "../dom.js";
import { follow } from "../router.js";
import { t } from "../texts.js";
import { TopBar } from "../views/top-bar.js";

export function signedInScreen(context) {
  const element = h("div", { class: "screen" }, new TopBar(context).element,
    h("main", { class: "page trouble" }, h("h1", {}, t("signedIn.title")), h("p", {}, t("signedIn.help")), h("a", { class: "quiet button", href: "/", onclick: follow }, t("signedIn.go"))));
  return { element, go: async () => { document.title = t("title.app"); } };
}
