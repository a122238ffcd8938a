/** What stands where a link leads no further: why, and what to do. */
import { h, put } from "../dom.js";
import { follow } from "../router.js";
import { t } from "../texts.js";

export function showEnd(place, title, help) {
  put(place, h("div", { class: "link-end", tabindex: "-1" }, h("h2", {}, title), h("p", {}, help), h("a", { class: "quiet button", href: "/", onclick: follow }, t("invitation.signIn"))));
  place.firstElementChild.focus();
}
