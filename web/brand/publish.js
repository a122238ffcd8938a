/** What is asked before a brand is published: every change, from what to what, and how many plans it concerns. */
import { h, icon } from "../dom.js";
import { t } from "../texts.js";
import { dialog } from "../views/dialogs.js";
import { editWords } from "./words.js";

/** `edits` in words, as a list. `standing` is how many plans stand at a default, by path. */
export function editList(edits, fields, standing = new Map()) {
  return h("ul", { class: "edit-list" }, edits.map((edit) => {
    const { label, part, before, after } = editWords(edit, fields);
    const plans = ["value", "defaultAmount"].includes(edit.part) ? standing.get(edit.path) ?? 0 : 0;
    return h("li", { "data-edit": `${edit.path} ${edit.part}` },
      h("p", {}, h("b", { dir: "auto" }, label), h("span", { class: "soft" }, part)),
      h("p", { class: "edit-values" },
        before !== null && h("span", { class: "edit-before", dir: "auto" }, h("span", { class: "spoken" }, t("desk.before")), before),
        before !== null && after !== null && icon("arrow"),
        after !== null && h("span", { class: "edit-after", dir: "auto" }, h("span", { class: "spoken" }, t("desk.after")), after)),
      plans > 0 && h("p", { class: "soft" }, t("desk.standing", { count: plans })));
  }));
}

/** `preview` is the server's; `publish()` does it, `then()` is called once it is done. */
export function publishDialog({ edits, fields, preview }, publish, then) {
  const standing = new Map(preview.movedDefaults.map(({ field, plans }) => [field, plans]));
  const element = dialog(t("desk.publish.title", { count: edits.length }), t("brand.save"), [
    editList(edits, fields, standing),
    h("p", {}, preview.movedDefaults.length === 0 ? t("desk.touches.none") : t("desk.touches", { count: preview.plans })),
    h("p", { class: "soft" }, t("desk.touches.help")),
  ], publish, { then });
  element.classList.add("publish-dialog");
  return element;
}

/** Asks before something unpublished is left: "discard", "keep" (where a draft is kept), or null to stay. */
export function leaveDialog(count, { mayKeep }) {
  return new Promise((resolve) => {
    let answer = null;
    // Back, pressed once more, asks once more.
    document.querySelector(".leave-dialog")?.close();
    const element = dialog(t("desk.leave.title", { count }), t("desk.leave.discard"), [h("p", {}, t(mayKeep ? "desk.leave.question" : "desk.leave.signOut"))], async () => { answer = "discard"; }, { danger: true });
    const [, stay] = element.querySelectorAll(".actions button");
    stay.textContent = t("desk.leave.stay");
    if (mayKeep) stay.before(h("button", { type: "button", class: "quiet", onclick: () => { answer = "keep"; element.close(); } }, t("desk.leave.keep")));
    element.classList.add("leave-dialog");
    stay.focus();
    element.addEventListener("close", () => resolve(answer));
  });
}
