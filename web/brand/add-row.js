/** Asks what a new startup cost is called; a name that another one has is pointed at, and taken. */
import { h } from "../dom.js";
import { visible } from "../format.js";
import { t } from "../texts.js";
import { dialog } from "../views/dialogs.js";

export function addRowDialog(brand, add) {
  const remark = h("p", { class: "remark", role: "status" });
  const same = (text) => brand.startupCostTemplate.some((row) => visible(row.label).toLowerCase() === visible(text).toLowerCase());
  const label = h("input", { type: "text", required: true, maxlength: "120", autocomplete: "off", oninput: () => { remark.textContent = same(label.value) ? t("desk.row.same") : ""; } });
  dialog(t("desk.row.add.title"), t("desk.row.add.button"), [
    h("label", {}, h("span", {}, t("brand.label")), label), remark, h("p", { class: "soft" }, t("desk.row.add.help")),
  ], async () => {
    if (visible(label.value) === "") throw Object.assign(new Error(), { code: "NO_LABEL", message: t("desk.problem.label") });
  }, { then: () => add(label.value.trim()) });
}
