/**
 * What the advisor heard in a message: a line for each value it wrote down, and a card with a question for each it
 * did not dare to. A proposal is settled once: accepted, corrected, or dismissed.
 */
import { h, icon, put } from "../dom.js";
import { editableValue, formatValue, parseValue, unitOf, visible } from "../format.js";

const SETTLED = {
  applied: "Saved", unchanged: "Already so", accepted: "Accepted", dismissed: "Dismissed", invalid: "Not usable",
};

/** A list of all values of one answer. `notify(text, undo?)` tells what a decision did. */
export function valueList(workspace, values, notify) {
  return h("ul", { class: "values", "aria-label": "Values from this message" },
    values.map((value) => new ValueCard(workspace, value, notify).element));
}

class ValueCard {
  #workspace;
  #value;
  #notify;

  constructor(workspace, value, notify) {
    this.#workspace = workspace;
    this.#value = value;
    this.#notify = notify;
    this.element = h("li", { "data-field": value.field });
    this.#show();
  }

  #show() {
    const proposed = this.#value.status === "proposed";
    this.element.className = `value ${this.#value.status}`;
    put(this.element, proposed ? this.#question() : this.#line());
  }

  #label() {
    return visible(this.#value.label) || this.#value.field;
  }

  #words(amount) {
    return formatValue(this.#value.kind, amount);
  }

  #line() {
    const { status, value, previousValue, rangeWarning, note, evidence } = this.#value;
    const saved = status === "applied" || status === "accepted";
    return [
      h("div", { class: "value-line" },
        icon(saved ? "check" : status === "unchanged" ? "check" : "cross"),
        h("span", { class: "value-label", dir: "auto" }, this.#label()),
        h("span", { class: "value-amount" },
          saved && previousValue !== null && previousValue !== value && [h("s", {}, this.#words(previousValue)), icon("arrow")],
          h("b", {}, this.#words(value))),
        h("span", { class: "value-status" }, SETTLED[status] ?? status)),
      rangeWarning && h("p", { class: "remark" }, icon("warning"), visible(rangeWarning)),
      note && h("p", { class: "value-note" }, visible(note)),
      evidence && h("p", { class: "value-quote" }, "You said ", h("q", { dir: "auto" }, evidence)),
    ];
  }

  #question() {
    const { value, previousValue, rangeWarning, note, evidence } = this.#value;
    return h("div", { class: "proposal", role: "group", "aria-label": `Proposed value for ${this.#label()}` },
      h("p", { class: "proposal-lead" }, "Shall I write this down?"),
      h("p", { class: "proposal-value" }, h("span", { dir: "auto" }, this.#label()), h("b", {}, this.#words(value))),
      previousValue !== null && h("p", { class: "soft" }, `Now in the plan: ${this.#words(previousValue)}`),
      evidence && h("p", { class: "value-quote" }, "You said ", h("q", { dir: "auto" }, evidence)),
      note && h("p", { class: "value-note" }, visible(note)),
      rangeWarning && h("p", { class: "remark" }, icon("warning"), visible(rangeWarning)),
      !this.#workspace.readOnly && h("div", { class: "actions" },
        h("button", { type: "button", class: "primary small", onclick: () => this.#settle(() => this.#accept()) }, "Accept"),
        h("button", { type: "button", class: "quiet small", onclick: () => this.#correct() }, "Correct"),
        h("button", { type: "button", class: "quiet small", onclick: () => this.#settle(() => this.#dismiss()) }, "Dismiss")),
      h("p", { class: "problem", role: "alert" }));
  }

  #correct() {
    const [before, after] = unitOf(this.#value.kind);
    const box = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value: editableValue(this.#value.kind, this.#value.value), "aria-label": `Your value for ${this.#label()}` });
    const save = (event) => {
      event.preventDefault();
      const value = parseValue(this.#value.kind, box.value);
      if (value === null) return void this.#complain("Please write one number.", box);
      return this.#settle(() => this.#accept(value));
    };
    put(this.element.querySelector(".actions"),
      h("form", { class: "field-box", onsubmit: save, onkeydown: (event) => event.key === "Escape" && this.#showAgain() },
        before && h("span", { class: "unit", "aria-hidden": "true" }, before), box, after && h("span", { class: "unit", "aria-hidden": "true" }, after),
        h("button", { type: "submit", class: "primary small" }, "Save"),
        h("button", { type: "button", class: "quiet small", onclick: () => this.#showAgain() }, "Cancel")));
    box.focus();
    box.select();
  }

  #showAgain() {
    this.#show();
    this.element.querySelector("button")?.focus();
  }

  async #accept(value) {
    const { planId, client } = this.#workspace;
    const { extractedValue, updatedOutputs } = await client.accept(planId, this.#value.id, value);
    this.#value = extractedValue;
    await this.#workspace.absorb(updatedOutputs, [extractedValue.field]);
    this.#notify(`${this.#label()} is now ${this.#words(extractedValue.value)}.`);
  }

  async #dismiss() {
    const { planId, client } = this.#workspace;
    this.#value = (await client.dismiss(planId, this.#value.id)).extractedValue;
    this.#notify(`${this.#label()} stays as it was.`);
  }

  async #settle(decide) {
    for (const button of this.element.querySelectorAll("button")) button.disabled = true;
    try {
      await decide();
      this.#show();
    } catch (error) {
      for (const button of this.element.querySelectorAll("button")) button.disabled = false;
      this.#complain(error.message);
    }
  }

  #complain(sentence, box) {
    this.element.querySelector(".problem").textContent = sentence;
    box?.setAttribute("aria-invalid", "true");
    box?.focus();
  }
}
