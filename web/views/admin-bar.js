/** The banner of an administrator who acts for somebody: never to be overlooked, with the way out in it. */
import { h, icon } from "../dom.js";
import { formatTime, visible } from "../format.js";

/** `onEnd()` ends the impersonation. */
export function adminBar({ user, effectiveUser, impersonation }, onEnd) {
  const may = impersonation.mode === "edit" ? "What you change is recorded under your name." : "You are looking only.";
  return h("div", { class: "admin-bar", role: "region", "aria-label": "Acting for somebody" },
    icon("warning"),
    h("p", {}, h("b", {}, `${visible(user.displayName)}, you act for ${visible(effectiveUser.displayName)}. `), `${may} Until ${formatTime(impersonation.expiresAt)}. `,
      h("span", { class: "admin-reason", dir: "auto" }, `Reason: ${visible(impersonation.reason)}`)),
    h("button", { type: "button", class: "small", onclick: onEnd }, "End"));
}
