/** Tells people that somebody's link has chosen a new password for their account. Shown until they have seen it in this browser. */
import { h, icon } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { seenReset } from "../storage.js";
import { t } from "../texts.js";

/** Which accounts at identity providers still sign the person in after recovery, or "". */
export function stillSignsIn(remaining) {
  const names = (remaining?.identities ?? []).map((identity) => visible(identity.label));
  return names.length === 0 ? "" : t("identities.remain", { names: names.join(", ") });
}

/** What signing out everywhere has ended; `only: "here"` where the session had gone before, so that nothing else has. */
export function signedOutWords(outcome) {
  if (outcome?.only === "here") return t("sessions.everywhere.gone");
  return [t("sessions.everywhere.done"), stillSignsIn(outcome)].filter(Boolean).join(" ");
}

/** A bar for the top of the page, or null. It is not shown to an administrator who acts for the person. */
export function resetNotice(session) {
  const reset = session?.passwordReset;
  if (!reset || session.impersonation || seenReset.get() === reset.at) return null;
  const words = { time: formatTime(reset.at), name: visible(reset.issuedBy) };
  const bar = h("div", { class: "admin-bar", role: "alert", "data-part": "reset-notice" }, icon("warning"),
    h("p", {}, t(reset.issuedBy ? "reset.notice" : "reset.notice.operator", words)),
    h("div", { class: "actions" }, h("button", { type: "button", class: "small", onclick: () => { seenReset.set(reset.at); bar.remove(); } }, t("reset.notice.seen"))));
  return bar;
}
