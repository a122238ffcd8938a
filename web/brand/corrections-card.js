/** The brand's corrections of defaults that a plan stands at. Each is taken by one tap, as an ordinary change, or left by one. */
import { h, icon, spoken } from "../dom.js";
import { formatDate, formatValue } from "../format.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";

/** `found` is `{corrections, version}`; `again()` asks anew. */
export function correctionsCard(workspace, { corrections, version }, { notify, again }) {
  const { planId, client, readOnly } = workspace;
  const act = async (event, write) => {
    for (const button of event.currentTarget.closest("section").querySelectorAll("button")) button.disabled = true;
    try {
      await write();
    } catch (error) {
      if (error.status !== 401) notify(error.status === 412 ? t("desk.correction.meanwhile") : errorText(error));
      if (error.status === 412) await workspace.refresh().catch(() => {});
    }
    await again().catch(() => {});
  };
  const leave = (event, fields) => act(event, () => client.leaveCorrections(planId, fields, version));
  const take = (event, { field, after, label }) => act(event, async () => {
    await workspace.edit(field, after);
    const change = workspace.undoable(field);
    notify(t("desk.correction.taken", { label, value: sayOf(workspace, field)(after) }), change && (() => workspace.undo(change)));
  });
  return [
    h("h3", { id: "corrections-title", tabindex: "-1" }, icon("info"), t("desk.corrections", { count: corrections.length })),
    h("p", { class: "soft" }, readOnly ? t("desk.corrections.owner") : t("desk.corrections.help")),
    h("ul", {}, corrections.map((one) => row(workspace, one, { take, leave }))),
    !readOnly && corrections.length > 1 && h("button", { type: "button", class: "link", onclick: (event) => leave(event, corrections.map(({ field }) => field)) }, t("desk.correction.leaveAll")),
  ];
}

function row(workspace, one, { take, leave }) {
  const say = sayOf(workspace, one.field);
  const label = workspace.field(one.field)?.label ?? one.label;
  const [before, after] = [say(one.before), say(one.after)];
  return h("li", { "data-correction": one.field },
    h("p", {}, h("b", { dir: "auto" }, label), " ", h("span", { class: "correction-values" }, before, icon("arrow"), spoken(` ${t("desk.after")} `), after), h("span", { class: "soft" }, ` · ${formatDate(one.correctedAt)}`)),
    !workspace.readOnly && h("div", { class: "actions" },
      h("button", { type: "button", class: "primary small", "aria-label": t("desk.correction.takeOf", { label, after }), onclick: (event) => take(event, { ...one, label }) }, t("desk.correction.take", { after })),
      h("button", { type: "button", class: "quiet small", "aria-label": t("desk.correction.leaveOf", { label, before }), onclick: (event) => leave(event, [one.field]) }, t("desk.correction.leave", { before }))));
}

function sayOf(workspace, path) {
  const kind = workspace.field(path)?.kind;
  return (value) => formatValue(kind, value);
}
