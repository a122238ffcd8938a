/**
 * One field of the plan: whose number it is, what the range says, and an edit box in its place on demand.
 *
 * A row updates itself in place and never while it is being edited, so an answer that arrives meanwhile takes neither
 * the focus nor the digits away.
 */
import { h, icon, put, spoken } from "../dom.js";
import { editableValue, formatValue, parseValue, unitOf } from "../format.js";
import { remarkOn, sourceOf } from "../fields.js";
import { rangeBar } from "./range-bar.js";

export class FieldRow {
  #workspace;
  #field;
  #notify;
  #editing = false;

  /** `notify(text, undo?)` tells the user what a write did. */
  constructor(workspace, field, notify) {
    this.#workspace = workspace;
    this.#notify = notify;
    this.element = h("li", { class: "field", "data-path": field.path });
    this.update(field);
  }

  get path() {
    return this.#field.path;
  }

  update(field) {
    this.#field = field;
    const moved = this.#workspace.moved.fields.has(field.path);
    this.element.classList.toggle("moved", moved);
    this.element.classList.toggle("default", this.#input().source === "brand_default");
    if (!this.#editing) put(this.element, this.#reading(moved));
  }

  #input() {
    return this.#workspace.inputs[this.#field.path];
  }

  #reading(moved) {
    const { kind, label } = this.#field;
    const input = this.#input();
    const value = formatValue(kind, input.currentValue);
    const remark = remarkOn(this.#field, input);
    return [
      h("div", { class: "field-line" },
        h("span", { class: "field-label", dir: "auto" }, label, moved && spoken(" (just changed)")),
        this.#workspace.readOnly
          ? h("span", { class: "field-value" }, value)
          : h("button", { type: "button", class: "field-value", "aria-label": `${label}: ${value}. Edit`, onclick: () => this.#edit() }, value),
        this.#badge(input)),
      input.item7Range && input.currentValue !== null && h("div", { class: "field-range" },
        rangeBar(kind, input.currentValue, input.item7Range),
        h("span", { class: "field-range-words" }, `${formatValue(kind, input.item7Range.low)} – ${formatValue(kind, input.item7Range.high)}`)),
      remark && h("p", { class: "remark" }, icon("warning"), remark),
    ];
  }

  #badge(input) {
    const { key, word, sentence } = sourceOf(input.source);
    const evidence = this.#workspace.evidenceFor(this.#field.path);
    if (!evidence) return h("span", { class: `badge ${key}`, title: sentence }, word);
    const tip = `evidence-${this.#field.path.replaceAll(".", "-")}`;
    return h("span", { class: "evidence" },
      h("button", { type: "button", class: `badge ${key}`, "aria-describedby": tip, onkeydown: hideOnEscape, onblur: showAgain, onmouseleave: showAgain }, word),
      h("span", { class: "evidence-tip", role: "tooltip", id: tip },
        h("span", { class: "evidence-lead" }, "You said"),
        h("q", { dir: "auto" }, evidence)));
  }

  #edit() {
    const { kind, label, path } = this.#field;
    const input = this.#input();
    const [before, after] = unitOf(kind);
    const problem = h("p", { class: "problem", id: `problem-${path}`, role: "alert" });
    const box = h("input", {
      type: "text", inputmode: "decimal", autocomplete: "off", value: editableValue(kind, input.currentValue),
      "aria-label": `${label}${after ? ` in ${after === "%" ? "percent" : after}` : ""}`, "aria-describedby": problem.id,
    });
    const undoable = this.#workspace.undoable(path);
    const save = async (event) => {
      event?.preventDefault();
      const value = parseValue(kind, box.value);
      if (value === null) return void refuse(box, problem, "Please write one number.");
      if (value === input.currentValue && input.isCustom) return this.#close();
      await this.#write(() => this.#workspace.edit(path, value), () => `${label} is now ${formatValue(kind, value)}.`, { box, problem });
    };
    this.#editing = true;
    put(this.element,
      h("form", { class: "field-edit", onsubmit: save, onkeydown: (event) => event.key === "Escape" && this.#close() },
        h("span", { class: "field-label", dir: "auto" }, label),
        h("div", { class: "field-box" },
          before && h("span", { class: "unit", "aria-hidden": "true" }, before), box, after && h("span", { class: "unit", "aria-hidden": "true" }, after),
          h("button", { type: "submit", class: "primary small" }, "Save"),
          h("button", { type: "button", class: "quiet small", onclick: () => this.#close() }, "Cancel")),
        problem,
        h("div", { class: "field-extras" },
          undoable && h("button", { type: "button", class: "link", onclick: () => this.#write(() => this.#workspace.undo(undoable), () => `${label} is ${formatValue(kind, undoable.oldValue)} again.`, { box, problem }) },
            icon("undo"), `Undo: back to ${formatValue(kind, undoable.oldValue)}`),
          input.isCustom && h("button", { type: "button", class: "link", onclick: () => this.#write(() => this.#workspace.edit(path, null), () => `${label} is back at the brand’s placeholder.`, { box, problem }) },
            icon("reset"), `Reset to default, ${formatValue(kind, input.brandDefault)}`))));
    box.focus();
    box.select();
  }

  async #write(write, sentence, { box, problem }) {
    const before = this.#workspace.undoable(this.path);
    this.element.querySelectorAll("button").forEach((button) => { button.disabled = true; });
    try {
      await write();
      this.#close();
      const change = this.#workspace.undoable(this.path);
      this.#notify(sentence(), change && change.id !== before?.id ? () => this.#workspace.undo(change) : null);
    } catch (error) {
      this.element.querySelectorAll("button").forEach((button) => { button.disabled = false; });
      // Somebody else was faster. What they wrote is worth seeing before it is written over.
      if (error.code === "VERSION_MISMATCH") await this.#workspace.refresh();
      refuse(box, problem, error.details?.find((detail) => detail.field === this.path)?.message ?? error.message);
    }
  }

  #close() {
    this.#editing = false;
    this.update(this.#field);
    this.element.querySelector("button.field-value")?.focus();
  }
}

function refuse(box, problem, sentence) {
  box.setAttribute("aria-invalid", "true");
  problem.textContent = sentence;
  box.focus();
}

function hideOnEscape(event) {
  if (event.key === "Escape") event.currentTarget.parentElement.classList.add("dismissed");
}

function showAgain(event) {
  event.currentTarget.parentElement.classList.remove("dismissed");
}
