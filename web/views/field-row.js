/**
 * One field of the plan: what it means, its source, its range, and an edit box in its place on demand.
 *
 * A row updates itself in place and never while it is being edited, so an answer that arrives meanwhile takes neither
 * the focus nor the digits away.
 */
import { h, icon, put, spoken } from "../dom.js";
import { formatValue, unitOf, visible } from "../format.js";
import { isComposing } from "../typing.js";
import { derivedOf, refusalOf, remarkOn, sourceOf } from "../fields.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";
import { explained } from "./help.js";
import { NumberBox } from "./number-box.js";
import { rangeBar } from "./range-bar.js";

export class FieldRow {
  #workspace;
  #field;
  #notify;
  #editing = false;

  /** `notify(text, undo?)` shows the user what a write did. */
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

  edit() {
    if (!this.#workspace.readOnly && !this.#editing) this.#edit();
  }

  #input() {
    return this.#workspace.inputs[this.#field.path];
  }

  /** What the number comes to where another one decides it, else null. */
  #derived() {
    return derivedOf(this.#field.path, this.#input(), this.#workspace.outputs?.metrics);
  }

  #reading(moved) {
    const { kind, label } = this.#field;
    const input = this.#input();
    const derived = this.#derived();
    const value = formatValue(kind, derived ? derived.value : input.currentValue);
    const remark = !derived && remarkOn(this.#field, input);
    return [
      h("div", { class: "field-line" },
        this.#label(moved),
        this.#workspace.readOnly
          ? h("span", { class: "field-value" }, value)
          : h("button", { type: "button", class: "field-value", "aria-label": t("field.editLabel", { label, value }), onclick: () => this.#edit() }, value),
        derived ? h("span", { class: "badge brand", title: t("source.derived.help") }, t("source.derived")) : this.#badge(input)),
      derived && h("p", { class: "soft follows" }, t("field.follows", { field: this.#workspace.field(derived.from)?.label ?? derived.from })),
      input.item7Range && input.currentValue !== null && h("div", { class: "field-range" },
        rangeBar(kind, input.currentValue, input.item7Range),
        h("span", { class: "field-range-words" }, `${formatValue(kind, input.item7Range.low)} – ${formatValue(kind, input.item7Range.high)}`)),
      remark && h("p", { class: "remark" }, icon("warning"), `${remark} ${t("remark.kept")}`),
    ];
  }

  #label(moved = false) {
    const { label, help, kind } = this.#field;
    const input = this.#input();
    const more = input.isCustom ? [t("field.default", { value: formatValue(kind, input.brandDefault) })] : [];
    return h("span", { class: "field-label" }, explained(label, help, { more }), moved && spoken(` (${t("field.moved")})`));
  }

  #badge(input) {
    const { by, words } = this.#workspace.originOf(this.#field.path);
    const { key, word, sentence } = sourceOf(input.source, by, this.#workspace.owner);
    if (!words) return h("span", { class: `badge ${key}`, title: sentence }, word);
    const isReader = !by || by.id === this.#workspace.owner.id ? this.#workspace.owner.isReader : false;
    const who = isReader ? t("origin.you") : t(key === "support" ? "origin.support" : "origin.other", { name: visible(by?.displayName) || this.#workspace.owner.name });
    const tip = `evidence-${this.#field.path.replaceAll(".", "-")}`;
    return h("span", { class: "evidence" },
      h("button", { type: "button", class: `badge ${key}`, "aria-describedby": tip, onkeydown: hideOnEscape, onblur: showAgain, onmouseleave: showAgain }, word),
      h("span", { class: "evidence-tip", role: "tooltip", id: tip },
        h("span", { class: "evidence-lead" }, who),
        h("q", { dir: "auto" }, words)));
  }

  #edit() {
    const { kind, label, path } = this.#field;
    const input = this.#input();
    const after = unitOf(kind)[1];
    const choice = h("div", { class: "actions conflict" });
    const derived = this.#derived();
    const take = (value) => (value === input.currentValue && input.isCustom && !derived ? this.#close() : this.#save(value, input.currentValue, parts));
    const box = new NumberBox(this.#field, {
      value: derived ? derived.value : input.currentValue, range: input.item7Range, take,
      attributes: { "aria-label": after ? t("field.in", { label, unit: after === "%" ? t("unit.percent.name") : after }) : label },
    });
    const undoable = this.#workspace.undoable(path);
    const parts = { box, choice };
    const save = (event) => {
      event.preventDefault();
      const value = box.read();
      if (value !== null) take(value);
    };
    this.#editing = true;
    put(this.element,
      h("form", { class: "field-edit", onsubmit: save, onkeydown: (event) => { if (event.key === "Escape" && !isComposing(event)) { event.preventDefault(); this.#close(); } } },
        this.#label(),
        h("div", { class: "field-box" },
          box.element,
          h("button", { type: "submit", class: "primary small" }, t("save")),
          h("button", { type: "button", class: "quiet small", onclick: () => this.#close() }, t("cancel"))),
        box.notes, choice,
        h("div", { class: "field-extras" },
          undoable && h("button", { type: "button", class: "link", onclick: () => this.#write(() => this.#workspace.undo(undoable), () => t("toast.again", { label, value: formatValue(kind, undoable.oldValue) }), parts) },
            icon("undo"), t("field.undo", { value: formatValue(kind, undoable.oldValue) })),
          input.isCustom && h("button", { type: "button", class: "link", onclick: () => this.#write(() => this.#workspace.edit(path, null), () => t("toast.reset", { label }), parts) },
            icon("reset"), t("field.reset", { value: formatValue(kind, input.brandDefault) })))));
    box.input.focus();
    box.input.select();
  }

  /** Saves over what stood there when the edit began. Where that has changed meanwhile, the user decides. */
  async #save(value, expected, parts) {
    const { kind, label, path } = this.#field;
    const write = () => this.#workspace.edit(path, value);
    const sentence = () => t("toast.now", { label, value: formatValue(kind, value) });
    const conflict = async () => {
      await this.#workspace.refresh();
      const now = this.#input().currentValue;
      // Only another field has changed: nothing stands against this one.
      if (now === expected) return this.#save(value, expected, parts);
      parts.box.complain(t("field.changed", { value: formatValue(kind, now) }));
      put(parts.choice,
        h("button", { type: "button", class: "quiet small", onclick: () => this.#close() }, t("field.keep", { value: formatValue(kind, now) })),
        h("button", { type: "button", class: "quiet small", onclick: () => this.#save(value, now, parts) }, t("field.overwrite", { value: formatValue(kind, value) })));
      return parts.choice.firstElementChild.focus();
    };
    await this.#write(write, sentence, { ...parts, value, conflict });
  }

  async #write(write, sentence, { box, choice, value = null, conflict = null }) {
    const before = this.#workspace.undoable(this.path);
    const buttons = [...this.element.querySelectorAll("button")];
    if (buttons.some((button) => button.disabled)) return;
    for (const button of buttons) button.disabled = true;
    put(choice);
    try {
      await write();
      this.#close();
      const change = this.#workspace.undoable(this.path);
      this.#notify(sentence(), change && change.id !== before?.id ? () => this.#workspace.undo(change) : null);
    } catch (error) {
      for (const button of buttons) button.disabled = false;
      if (error.code === "VERSION_MISMATCH" && conflict) return conflict().catch((cause) => box.complain(errorText(cause)));
      box.complain((error.code === "VALIDATION_ERROR" && value !== null && refusalOf(this.#field, value)) || errorText(error));
    }
  }

  #close() {
    this.#editing = false;
    this.update(this.#field);
    this.element.querySelector("button.field-value")?.focus();
  }
}

function hideOnEscape(event) {
  if (event.key === "Escape") event.currentTarget.parentElement.classList.add("dismissed");
}

function showAgain(event) {
  event.currentTarget.parentElement.classList.remove("dismissed");
}
