/**
 * One card for all values that wait for an answer: a row with a tick for each, and one button for those that are ticked. They
 * are settled together, so that one undo takes them back.
 */
import { authorName } from "../author.js";
import { h, icon, put } from "../dom.js";
import { formatValue, visible } from "../format.js";
import { kindOf } from "../fields.js";
import { errorText } from "../errors.js";
import { reasonOf } from "../reason.js";
import { t } from "../texts.js";

/** Fewer have a card of their own below their message. */
export const FROM = 2;

export class OpenCard {
  #desk;
  #ids = "";
  #unticked = new Set();
  #open = [];
  #use = h("button", { type: "button", class: "primary small", onclick: () => this.#settle("accept") });
  #problem = h("p", { class: "problem", role: "alert" });
  #rows = h("ul", { class: "values" });
  #title = h("h3", { id: "open-card-title", tabindex: "-1" });

  /** `desk` is what messages need: see `Transcript`; `settled(ids, updatedOutputs)` is told what was decided. */
  constructor(desk) {
    this.#desk = desk;
    this.element = h("section", { class: "open-card", "aria-labelledby": "open-card-title", hidden: true }, this.#title, this.#rows,
      h("div", { class: "actions" }, this.#use,
        h("button", { type: "button", class: "quiet small", onclick: () => this.#settle("dismiss") }, t("open.ignore"))), this.#problem);
  }

  /** Takes over what waits now. */
  show(open) {
    this.#open = open;
    const isShown = open.length >= FROM && !this.#desk.workspace.readOnly;
    this.element.hidden = !isShown;
    const ids = JSON.stringify(open.map((value) => [value.id, this.#desk.workspace.inputs[value.field]?.currentValue]));
    if (!isShown || ids === this.#ids) return;
    this.#ids = ids;
    this.#title.textContent = t("open.title", { count: open.length });
    put(this.#rows, open.map((value) => this.#row(value)));
    put(this.#problem);
    this.#count();
  }

  focus() {
    this.#title.focus();
  }

  #row(value) {
    const { workspace } = this.#desk;
    const field = workspace.field(value.field);
    const kind = kindOf(value.field, value.kind);
    const now = workspace.inputs[value.field]?.currentValue;
    const author = value.author ?? this.#desk.authorOf(value);
    const box = h("input", { type: "checkbox", checked: !this.#unticked.has(value.id), onchange: () => {
      if (box.checked) this.#unticked.delete(value.id);
      else this.#unticked.add(value.id);
      this.#count();
    } });
    return h("li", { class: "value", "data-value": value.id, "data-field": value.field },
      h("label", {}, box, h("span", { class: "open-label", dir: "auto" }, field?.label ?? visible(value.label)),
        h("span", { class: "value-amount" }, now !== undefined && now !== value.value && [h("s", {}, formatValue(kind, now)), icon("arrow")], h("b", {}, formatValue(kind, value.value)))),
      h("p", { class: "soft" }, reasonOf(value, kind, formatValue(kind, value.value))),
      author && h("p", { class: "soft" }, t("open.author", { name: author.isAssistant ? authorName(author) : t("message.author", { name: visible(author.displayName) }) })));
  }

  get #ticked() {
    return this.#open.filter((value) => !this.#unticked.has(value.id)).map((value) => value.id);
  }

  #count() {
    const { length } = this.#ticked;
    this.#use.disabled = length === 0;
    this.#use.textContent = length === this.#open.length ? t("open.useAll", { count: length }) : t("open.use", { count: length });
  }

  async #settle(verdict) {
    const ticked = this.#ticked;
    // Whoever wants none of them and ignores "these" means all.
    const ids = ticked.length > 0 ? ticked : this.#open.map(({ id }) => id);
    const { workspace, client } = this.#desk;
    const { planId } = workspace;
    for (const button of this.element.querySelectorAll("button")) button.disabled = true;
    put(this.#problem);
    try {
      const { extractedValues, updatedOutputs } = await client.resolveProposals(planId, { [verdict]: ids });
      this.#desk.settled(ids, updatedOutputs?.changes ?? []);
      if (verdict === "accept") await workspace.absorb(planId, extractedValues.map((value) => value.field));
      const change = verdict === "accept" && extractedValues.find((value) => value.changeId);
      this.#desk.notify(t(verdict === "accept" ? "open.used" : "open.ignored", { count: ids.length }), change ? async () => {
        await client.undoGroup(planId, { changeId: change.changeId });
        await workspace.absorb(planId);
      } : undefined);
    } catch (error) {
      put(this.#problem, error.status === 409 ? t("error.settled") : errorText(error));
    }
    for (const button of this.element.querySelectorAll("button")) button.disabled = false;
    this.#ids = "";
    await this.#desk.sync().catch(() => {});
    this.#desk.focusAfter();
  }
}
