/** The banners of an administrator who views a plan or impersonates its owner, with their actions. */
import { h, icon } from "../dom.js";
import { formatClock, visible } from "../format.js";
import { follow, viewPath } from "../router.js";
import { t } from "../texts.js";

/** During an impersonation; `onEnd()` ends it. */
export function actingBanner({ user, effectiveUser, impersonation }, onEnd) {
  const until = formatClock(impersonation.expiresAt);
  const names = { name: visible(user.displayName), other: visible(effectiveUser.displayName), until };
  return banner([h("b", {}, t(impersonation.mode === "edit" ? "banner.edit" : "banner.read", names)), ` ${t("banner.until", names)} `,
    h("span", { class: "admin-reason", dir: "auto" }, t("banner.reason", { reason: visible(impersonation.reason) }))],
  h("button", { type: "button", class: "small", onclick: onEnd }, t("banner.end")));
}

/** While viewing a plan without impersonation; `onAct()` asks for a reason, null where it is not possible. */
export function viewOnlyBanner(ownerName, onAct) {
  return banner([h("b", {}, t("banner.viewOnly", { name: ownerName })), ` ${t("banner.viewOnly.help")}`],
    h("a", { class: "button small", href: viewPath("people"), onclick: follow }, t("people.title")),
    onAct && h("button", { type: "button", class: "small", onclick: onAct }, t("banner.act")));
}

function banner(words, ...actions) {
  return h("div", { class: "admin-bar", role: "region", "aria-label": t("banner.label") }, icon("warning"), h("p", {}, words), h("div", { class: "actions" }, actions));
}
