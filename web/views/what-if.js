/**
 * Values to try: a slider and a box for each. Nothing is written until they are saved as a scenario or put into the plan.
 * At most one request is on its way; of several moves only the newest is asked for.
 */
import { h, icon, put, spoken } from "../dom.js";
import { editableValue, formatValue } from "../format.js";
import { readTyped } from "../typed.js";
import { boxed } from "./boxed.js";
import { whichButtons, whichWords } from "./number-box.js";
import { refusalOf } from "../fields.js";
import { directionOf, formatMetric, metricLabel } from "../metrics.js";
import { t } from "../texts.js";
import { rangeOf, round } from "../slider-range.js";

/** Shown until something else is chosen. */
const FIRST = ["revenue.monthlyAuv", "operatingCosts.rentMonthly", "operatingCosts.laborPct", "financing.loanAmount"];
const EFFECTS = ["dscrYear1", "breakEvenMonth", "paybackMonth", "lowestCash"];

export class WhatIf extends EventTarget {
  #workspace;
  #values = {};
  #shown = [];
  #rows = new Map();
  #title = h("h2", { id: "what-if-title" });
  #list = h("ul", { class: "sliders" });
  #add = h("select", { "aria-label": t("whatIf.add"), onchange: () => this.#addChosen() });
  #effects = h("dl", { class: "effects", "aria-live": "polite" });
  #problem = h("p", { class: "problem", role: "alert" });
  #actions = h("div", { class: "actions" });

  /** Dispatches "values" when a value has changed, with `detail` the values; "save", "update", "adopt" for the buttons. */
  constructor(workspace) {
    super();
    this.#workspace = workspace;
    this.element = h("section", { class: "card-section what-if", "aria-labelledby": "what-if-title" },
      this.#title, h("p", { class: "soft" }, t("whatIf.help")), this.#list,
      h("div", { class: "select add-number" }, this.#add), this.#effects, this.#problem, this.#actions);
  }

  get values() {
    return this.#values;
  }

  get isEmpty() {
    return Object.keys(this.#values).length === 0;
  }

  /** Begins with these values; those that the plan has already are left out. */
  start(values) {
    this.#values = {};
    for (const [path, value] of Object.entries(values)) if (this.#workspace.field(path) && value !== this.#current(path)) this.#values[path] = value;
    const paths = [...new Set([...Object.keys(this.#values), ...FIRST])];
    this.#shown = paths.filter((path) => this.#workspace.field(path)).slice(0, Math.max(FIRST.length, Object.keys(this.#values).length));
    this.#draw();
  }

  /** Takes one number in, with `value` or as it is, and goes there. */
  tryOut(path, value) {
    if (!this.#shown.includes(path)) this.#shown.unshift(path);
    if (value !== null) this.#keep(path, value);
    this.#draw();
    const row = this.#rows.get(path);
    row.element.scrollIntoView({ block: "center" });
    row.slider.focus({ preventScroll: true });
    if (value !== null) this.#tell();
  }

  /** What the values lead to; `outputs` is null where nothing is tried. `scenario` is the one being changed, or null. */
  showEffects(outputs, scenario) {
    const before = this.#workspace.outputs.metrics;
    put(this.#title, scenario ? t("whatIf.titleOf", { name: scenario.name }) : t("whatIf.title"));
    put(this.#effects, outputs && EFFECTS.map((name) => {
      const [was, is] = [before[name], outputs.metrics[name]].map((value) => formatMetric(name, value));
      return h("div", { class: was === is ? "" : directionOf(name, before[name], outputs.metrics[name]), "data-effect": name }, h("dt", {}, metricLabel(name)),
        h("dd", {}, was !== is && [h("span", {}, was), icon("arrow"), spoken(t("moved.to"))], h("b", {}, is)));
    }));
    const act = (name) => () => this.dispatchEvent(new Event(name));
    const wasFocused = this.#actions.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    put(this.#actions, !this.#workspace.readOnly && !this.isEmpty && [
      scenario ? button("update", "primary small", t("whatIf.update", { name: scenario.name }), act("update")) : button("save", "primary small", t("whatIf.save"), act("save")),
      scenario && button("save", "quiet small", t("whatIf.saveNew"), act("save")),
      button("adopt", "quiet small", t("whatIf.adopt"), act("adopt")),
    ], !this.isEmpty && button("reset", "quiet small", t("whatIf.reset"), () => { this.start({}); this.#tell(); this.#title.focus(); }));
    if (wasFocused) this.#actions.querySelector(`[data-act="${wasFocused}"]`)?.focus();
  }

  showProblem(words) {
    put(this.#problem, words);
  }

  #current(path) {
    return this.#workspace.inputs[path]?.currentValue;
  }

  #draw() {
    this.#rows.clear();
    put(this.#list, this.#shown.map((path) => {
      const row = this.#row(this.#workspace.field(path));
      this.#rows.set(path, row);
      return row.element;
    }));
    const others = this.#workspace.sections.map(({ title, fields }) => [title, fields.filter(({ path }) => !this.#shown.includes(path))]);
    put(this.#add, h("option", { value: "" }, t("whatIf.add")), others.map(([title, fields]) => fields.length > 0 && h("optgroup", { label: title }, fields.map((field) => h("option", { value: field.path }, field.label)))));
  }

  #row(field) {
    const { path, kind, label } = field;
    const input = this.#workspace.inputs[path];
    const value = this.#values[path] ?? input.currentValue;
    const range = rangeOf(field, input, value);
    const was = h("span", { class: "soft was" });
    const slider = h("input", { type: "range", min: String(range.min), max: String(range.max), step: String(range.step), "aria-label": label });
    const box = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": t("whatIf.exact", { field: label }) });
    const show = (shown) => {
      slider.value = String(shown);
      slider.setAttribute("aria-valuetext", formatValue(kind, shown));
      box.value = editableValue(kind, shown);
      put(was, shown !== input.currentValue && t("whatIf.was", { value: formatValue(kind, input.currentValue) }));
    };
    const take = (wanted) => {
      box.removeAttribute("aria-invalid");
      put(this.#problem);
      this.#keep(path, wanted);
      show(wanted);
      this.#tell();
    };
    slider.addEventListener("input", () => take(round(kind, Number(slider.value))));
    box.addEventListener("change", () => {
      const { value: typed, choices } = readTyped(field, box.value);
      const refusal = typed === null ? t("refuse.unreadable") : refusalOf(field, typed);
      if (!refusal) return take(typed);
      box.setAttribute("aria-invalid", "true");
      if (choices.length === 0) return put(this.#problem, refusal);
      put(this.#problem, whichWords(box.value, choices), h("span", { class: "actions which" }, whichButtons(kind, choices, take)));
    });
    show(value);
    return { slider, element: h("li", { "data-slider": path },
      h("div", { class: "slider-head" }, h("span", { dir: "auto" }, label), was,
        h("span", { class: "exact" }, boxed(kind, box))),
      slider) };
  }

  #keep(path, value) {
    if (value === this.#current(path)) delete this.#values[path];
    else this.#values[path] = value;
  }

  #addChosen() {
    const path = this.#add.value;
    if (path) this.tryOut(path, null);
  }

  #tell() {
    this.dispatchEvent(new Event("values"));
  }
}

function button(name, className, words, onclick) {
  return h("button", { type: "button", class: className, "data-act": name, onclick }, words);
}
