/** Which value of one number brings a result to a target, all else unchanged. It states what follows and changes nothing. */
import { h, put } from "../dom.js";
import { errorText } from "../errors.js";
import { editableValue, formatValue } from "../format.js";
import { readTyped } from "../typed.js";
import { boxed } from "./boxed.js";
import { whichButtons, whichWords } from "./number-box.js";
import { TELLING, formatMetric, metricKind, metricLabel, metricNames } from "../metrics.js";
import { t } from "../texts.js";

/** What moves most results of most plans. */
const OTHER_WAYS = ["revenue.monthlyAuv", "operatingCosts.laborPct", "operatingCosts.rentMonthly", "profitabilityAndDistributions.ownerDrawMonthly"];
const FIRST_FIELD = "operatingCosts.rentMonthly";

export class GoalSeek {
  #workspace;
  #client;
  #tryOut;
  #metric = h("select", { onchange: () => this.#startAtPlan() });
  #target = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value: "1.25", "aria-describedby": "goal-problem" });
  #box = h("div", {});
  #path = h("select", {});
  #problem = h("p", { class: "problem", role: "alert", id: "goal-problem" });
  #answer = h("div", { class: "goal-answer", role: "status" });
  #asked = 0;

  /** `tryOut(path, value)` takes a value over into the what-if. */
  constructor(workspace, client, { tryOut }) {
    this.#workspace = workspace;
    this.#client = client;
    this.#tryOut = tryOut;
    this.element = h("section", { class: "card-section goal-seek", "aria-labelledby": "goal-title" },
      h("h2", { id: "goal-title" }, t("goal.title")),
      h("form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); this.#seek(); } },
        h("label", {}, h("span", {}, t("goal.metric")), h("div", { class: "select" }, this.#metric)),
        h("label", {}, h("span", {}, t("goal.target")), this.#box),
        h("label", {}, h("span", {}, t("goal.path")), h("div", { class: "select" }, this.#path)),
        h("button", { type: "submit", class: "quiet" }, t("goal.find"))),
      this.#problem, this.#answer);
  }

  update() {
    const { outputs, sections } = this.#workspace;
    const metric = this.#metric.value || "dscrYear1";
    const path = this.#path.value || FIRST_FIELD;
    const names = metricNames().filter((name) => name in outputs.metrics);
    put(this.#metric, [["goal.asked", (name) => TELLING.includes(name)], ["goal.more", (name) => !TELLING.includes(name)]].map(([title, isIn]) =>
      h("optgroup", { label: t(title) }, names.filter(isIn).map((name) => h("option", { value: name, selected: name === metric }, metricLabel(name))))));
    put(this.#path, sections.map(({ title, fields }) => h("optgroup", { label: title }, fields.map((field) => h("option", { value: field.path, selected: field.path === path }, field.label)))));
    this.#showUnit();
  }

  /** A target in the unit of another result says nothing: begin where the plan is. */
  #startAtPlan() {
    const metric = this.#metric.value;
    this.#target.value = editableValue(metricKind(metric), this.#workspace.outputs.metrics[metric]);
    this.#showUnit();
  }

  #showUnit() {
    put(this.#box, boxed(metricKind(this.#metric.value), this.#target));
  }

  async #seek() {
    const metric = this.#metric.value;
    const kind = metricKind(metric);
    const { value: target, choices } = readTyped({ kind }, this.#target.value);
    const choose = (value) => {
      this.#target.value = editableValue(kind, value);
      this.#seek();
    };
    put(this.#answer);
    put(this.#problem, choices.length > 0 ? [whichWords(this.#target.value, choices), h("span", { class: "actions which" }, whichButtons(kind, choices, choose))] : target === null && t("refuse.unreadable"));
    this.#target.setAttribute("aria-invalid", String(target === null));
    if (target === null) return this.#target.focus();
    const asked = (this.#asked += 1);
    const { planId } = this.#workspace;
    try {
      const found = await this.#client.goalSeek(planId, { metric, target, path: this.#path.value });
      if (asked === this.#asked && planId === this.#workspace.planId) this.#show(metric, target, this.#path.value, found);
    } catch (error) {
      if (asked === this.#asked && error.status !== 401) put(this.#problem, errorText(error));
    }
  }

  #show(metric, target, path, { outcome, value: exact, result, base, range, holdsTo }) {
    const field = this.#workspace.field(path);
    const value = outcome === "unreachable" ? exact : roundedAway(field.kind, exact, base.value);
    const say = (amount) => formatValue(field.kind, amount);
    const isSame = value === base.value;
    const key = outcome === "unreachable" ? (isSame ? "goal.nowhere" : "goal.unreachable") : !isSame ? `goal.${outcome}` : holdsTo ? "goal.met" : "goal.met.always";
    const values = { low: say(range.low), high: say(range.high), until: holdsTo && say(holdsTo.value), metric: metricLabel(metric), target: formatMetric(metric, target), result: formatMetric(metric, result), field: field.label, value: say(value), now: say(base.value) };
    put(this.#answer,
      h("p", {}, t(key, values)),
      !isSame && h("button", { type: "button", class: "link", onclick: () => this.#tryOut(path, value) }, t("goal.try", { value: say(value) })),
      outcome === "unreachable" && this.#otherWays(path));
  }

  /** Other numbers that may bring the result there. */
  #otherWays(path) {
    const ways = OTHER_WAYS.filter((way) => way !== path).map((way) => this.#workspace.field(way)).filter(Boolean);
    return h("div", { class: "beginnings", role: "group", "aria-label": t("goal.otherWays") }, h("span", { class: "soft" }, t("goal.otherWays")),
      ways.map((field) => h("button", { type: "button", class: "chip", onclick: () => { this.#path.value = field.path; this.#seek(); } }, field.label)));
  }
}

/** A figure that people would plan with, and that still reaches the goal: away from the plan's, to whole dollars or tenths of a percent. */
export function roundedAway(kind, value, from) {
  const step = { money: 100, percent: 0.001 }[kind];
  if (!step || value === from) return value;
  const steps = value / step;
  const whole = value > from ? Math.ceil(steps - 1e-6) : Math.floor(steps + 1e-6);
  return Number((whole * step).toFixed(6));
}
