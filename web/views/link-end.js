/** What stands where a link leads no further: why, and what to do. */
import { h } from "../dom.js";
import { follow } from "../router.js";
import { t } from "../texts.js";

export function endOfLink(title, help) {
  return h("div", { class: "link-end", role: "alert" }, h("h2", {}, title), h("p", {}, help), h("a", { class: "quiet button", href: "/", onclick: follow }, t("invitation.signIn")));
}
