/**
 * What the advisor heard in a message: a line for each value it added to the plan, with its undo, and a card with a
 * question for each it was not sure of. A proposal is settled once: used, changed, or ignored.
 *
 * A card shows the current state: it follows the plan and its own value, wherever they were changed.
 */
import { authorName } from "../author.js";
import { h, icon, put } from "../dom.js";
import { formatValue, visible } from "../format.js";
import { kindOf, remarkOn } from "../fields.js";
import { errorText } from "../errors.js";
import { reasonOf } from "../reason.js";
import { parts, t } from "../texts.js";

export class ValueCard {
  #desk;
  #value;
  #shown = "";
  #busy = false;

  constructor(desk, value) {
    this.#desk = desk;
    this.#value = value;
    this.element = h("li", { "data-field": value.field, "data-value": value.id, tabindex: "-1" });
    this.show();
  }

  get value() {
    return this.#value;
  }

  get isOpen() {
    return this.#value.status === "proposed" && !this.#isOvertaken;
  }

  /** Whether a later message was about the same number; cards outside the conversation are never shown for such a value. */
  get #isOvertaken() {
    return this.#desk.isOvertaken?.(this.#value) ?? false;
  }

  /** Whether what this value wrote still stands and can be taken back here. */
  get canUndo() {
    const { changeId, undoneAt, field } = this.#value;
    return Boolean(changeId) && !undoneAt && !this.#desk.workspace.readOnly && this.#desk.workspace.undoable(field)?.id === changeId;
  }

  update(value) {
    this.#value = value;
    this.show();
  }

  /** Draws what has changed; never while an answer is on its way, or while its edit box is in use and it is still open. */
  show() {
    const { workspace } = this.#desk;
    const input = workspace.inputs[this.#value.field];
    const key = JSON.stringify([this.#value, input?.currentValue, this.canUndo, workspace.readOnly, this.#desk.authorOf?.(this.#value)?.displayName, this.#state, this.#isListed]);
    if (this.#busy || key === this.#shown || (this.isOpen && this.element.querySelector("form"))) return;
    this.#shown = key;
    this.element.className = `value ${this.#state}`;
    put(this.element, this.isOpen && !this.#isListed ? this.#question() : this.#line());
  }

  /** Whether it is in the one list of all that waits. */
  get #isListed() {
    return this.isOpen && (this.#desk.isListed?.(this.#value) ?? false);
  }

  focus() {
    (this.element.querySelector("button") ?? this.element).focus();
  }

  get #field() {
    return this.#desk.workspace.field(this.#value.field);
  }

  get #kind() {
    return kindOf(this.#value.field, this.#value.kind);
  }

  /** What became of it: its status, and what came after that. */
  get #state() {
    if (this.#value.undoneAt) return "undone";
    if (this.#isOvertaken) return "overtaken";
    if (this.#desk.isGivenLater?.(this.#value)) return "given";
    return this.#isListed ? "listed" : this.#value.status;
  }

  #label() {
    return this.#field?.label ?? (visible(this.#value.label) || this.#value.field);
  }

  #words(amount) {
    return formatValue(this.#kind, amount);
  }

  #line() {
    const { status, value, previousValue, undoneAt } = this.#value;
    const isSaved = (status === "applied" || status === "accepted") && !undoneAt;
    const isInPlan = isSaved || status === "unchanged" || this.#state === "given";
    const why = status === "invalid" && this.#why();
    return [
      h("div", { class: "value-line" },
        icon(isInPlan ? "check" : undoneAt ? "undo" : this.#isOvertaken ? "later" : this.#isListed ? "question" : "cross"),
        h("span", { class: "value-label", dir: "auto" }, this.#label()),
        h("span", { class: "value-amount" },
          isSaved && previousValue !== null && this.#words(previousValue) !== this.#words(value) && [h("s", {}, this.#words(previousValue)), icon("arrow")],
          h("b", {}, this.#words(value)))),
      isSaved && this.#remark(true),
      why && h("p", { class: "value-note" }, why),
      this.#quote(),
      h("div", { class: "value-foot" },
        h("span", { class: "value-status" }, t(`value.${this.#state}`)),
        this.canUndo && h("button", { type: "button", class: "link undo", "aria-label": t("value.undo.label", { label: this.#label() }), onclick: () => this.#settle(() => this.#undo()) }, icon("undo"), t("undo"))),
      this.#problem(),
    ];
  }

  #question() {
    const { value } = this.#value;
    const input = this.#desk.workspace.inputs[this.#value.field];
    const why = this.#why();
    return h("div", { class: "proposal", role: "group", "aria-label": t("proposal.label", { label: this.#label() }) },
      h("p", { class: "proposal-lead" }, t("proposal.lead")),
      h("p", { class: "proposal-value" }, h("span", { dir: "auto" }, this.#label()), h("b", {}, this.#words(value))),
      input && h("p", { class: "soft now" }, t("proposal.now", { value: this.#words(input.currentValue) })),
      this.#quote(),
      why && h("p", { class: "value-note" }, why),
      this.#remark(false),
      !this.#desk.workspace.readOnly && h("div", { class: "actions" },
        h("button", { type: "button", class: "primary small", onclick: () => this.#settle(() => this.#accept()) }, t("proposal.use", { value: this.#words(value) })),
        h("button", { type: "button", class: "quiet small", onclick: () => this.#correct() }, t("proposal.change")),
        h("button", { type: "button", class: "quiet small", onclick: () => this.#settle(() => this.#dismiss()) }, t("proposal.ignore"))),
      this.#problem());
  }

  /** Why it waits. Where the person's own words say it, those. */
  #why() {
    return reasonOf(this.#value, this.#kind, this.#words(this.#value.value));
  }

  #quote() {
    const { evidence } = this.#value;
    const author = this.#value.author ?? this.#desk.authorOf?.(this.#value);
    const words = evidence && h("q", { dir: "auto" }, evidence);
    const name = author?.isAssistant && authorName(author);
    if (name) return h("p", { class: "value-quote" }, words ? parts("value.saidBy", { name, words }) : t("open.author", { name }));
    if (author) return words && h("p", { class: "value-quote" }, parts("value.saidBySupport", { name: visible(author.displayName), words }));
    const { owner } = this.#desk.workspace;
    if (!owner.isReader) return words && h("p", { class: "value-quote" }, parts("value.saidByOwner", { name: owner.name, words }));
    return words && h("p", { class: "value-quote" }, parts("value.said", { words }));
  }

  /** What is worth saying about the number; `isKept` where it is in the plan. */
  #remark(isKept) {
    const input = this.#desk.workspace.inputs[this.#value.field];
    const remark = this.#value.rangeCode && this.#field && remarkOn(this.#field, { currentValue: this.#value.value, item7Range: input?.item7Range });
    return remark && h("p", { class: "remark" }, icon("warning"), isKept ? `${remark} ${t("remark.kept")}` : remark);
  }

  #problem() {
    return h("p", { class: "problem", role: "alert" });
  }

  async #correct() {
    const { NumberBox } = await import("./number-box.js");
    const take = (value) => this.#settle(() => this.#accept(value));
    const field = this.#field ?? { path: this.#value.field, kind: this.#kind, min: null, max: null };
    const box = new NumberBox(field, {
      value: this.#value.value, range: this.#desk.workspace.inputs[this.#value.field]?.item7Range, take,
      attributes: { "aria-label": t("proposal.yours", { label: this.#label() }) },
    });
    const cancel = () => { this.#shown = ""; put(this.element); this.show(); this.focus(); };
    const save = (event) => {
      event.preventDefault();
      const value = box.read();
      if (value !== null) take(value);
    };
    put(this.element.querySelector(".actions"),
      h("form", { class: "field-box", onsubmit: save, onkeydown: (event) => { if (event.key === "Escape") { event.preventDefault(); cancel(); } } },
        box.element,
        h("button", { type: "submit", class: "primary small" }, t("save")),
        h("button", { type: "button", class: "quiet small", onclick: cancel }, t("cancel"))),
      box.notes);
    box.input.focus();
    box.input.select();
  }

  async #accept(value) {
    const { workspace, client } = this.#desk;
    const { planId } = workspace;
    const { extractedValue, updatedOutputs } = await client.accept(planId, this.#value.id, value);
    this.#value = extractedValue;
    this.#desk.settled?.([extractedValue.id], updatedOutputs?.changes ?? []);
    await workspace.absorb(planId, [extractedValue.field]);
    const change = workspace.undoable(extractedValue.field);
    this.#desk.notify(t("toast.now", { label: this.#label(), value: this.#words(extractedValue.value) }), change && (() => workspace.undo(change)));
  }

  async #dismiss() {
    const { workspace, client } = this.#desk;
    this.#value = (await client.dismiss(workspace.planId, this.#value.id)).extractedValue;
    this.#desk.notify(t("toast.stays", { label: this.#label() }));
  }

  async #undo() {
    const { workspace } = this.#desk;
    const change = workspace.undoable(this.#value.field);
    await workspace.undo(change);
    this.#value = { ...this.#value, undoneAt: new Date().toISOString() };
    this.#desk.notify(t("toast.again", { label: this.#label(), value: this.#words(change.oldValue) }));
  }

  /** Does one thing once; whatever comes of it, the conversation is read again and the focus goes on to what is open next. */
  async #settle(decide) {
    if (this.#busy) return;
    this.#busy = true;
    for (const button of this.element.querySelectorAll("button")) button.disabled = true;
    let problem = null;
    try {
      await decide();
    } catch (error) {
      problem = error.status === 409 ? t("error.settled") : errorText(error);
    }
    this.#busy = false;
    this.#shown = "";
    if (problem) for (const button of this.element.querySelectorAll("button")) button.disabled = false;
    // What is on the server now, also after a refusal: another person may have answered.
    await this.#desk.sync().catch(() => {});
    if (!problem || !this.isOpen) {
      this.#shown = "";
      put(this.element);
    }
    this.show();
    if (problem) this.#complain(problem);
    this.#desk.focusAfter(this);
  }

  #complain(sentence) {
    this.element.querySelector(".problem").textContent = sentence;
  }
}
