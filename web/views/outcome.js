/**
 * What the numbers lead to. Every figure stands with the words that say what it is, and the sentence that says whose
 * it is stands below all of them.
 */
import { h, icon, put, spoken } from "../dom.js";
import { formatDollars, formatMoney } from "../format.js";
import { directionOf, formatMetric, metricLabel } from "../metrics.js";
import { rangeBar } from "./range-bar.js";
import { timeline } from "./timeline.js";

export const STANDING_SENTENCE = "These projections are yours, based on your assumptions. They are not a statement by the franchisor and actual results will differ.";

/** The server draws them with their titles, for light and dark; here is what they show, in words. */
const CHARTS = [
  ["cash", "Line chart: cash at the end of each of the 60 months."],
  ["revenue-costs", "Line chart: sales and all costs in each of the 60 months."],
  ["break-even", "Line chart: the cash that has come back to you, less what you put in, month by month."],
];

export class OutcomePanel {
  #workspace;
  #client;
  #body = h("div", { class: "panel-body", tabindex: "0", role: "group", "aria-label": "Results" });
  #shownCharts = "";
  #charts = h("div", { class: "charts" });

  constructor(workspace, client) {
    this.#workspace = workspace;
    this.#client = client;
    this.element = h("section", { class: "panel outcome-panel", "aria-labelledby": "outcome-title", "data-view": "outcome" },
      h("header", { class: "panel-head" }, h("h2", { id: "outcome-title" }, "Where it leads")),
      this.#body);
    workspace.addEventListener("change", () => this.#update());
  }

  #update() {
    const { outputs } = this.#workspace;
    if (!outputs) return void put(this.#body, h("div", { class: "empty" },
      h("p", {}, "Nothing to project yet."),
      h("p", { class: "soft" }, "Tell the advisor one number of your plan. The rest starts from the brand’s placeholders, and the results appear here.")));
    this.#updateCharts();
    put(this.#body, this.#moments(outputs.metrics), this.#money(outputs.metrics), this.#advisories(outputs.advisories ?? []), this.#charts,
      this.#years(outputs.annual ?? []), this.#item7(outputs.item7), this.#closing());
  }

  #moments(metrics) {
    const { breakEvenMonth: first, stableFromMonth: stable, paybackMonth: payback } = metrics;
    return h("div", { class: "moments" },
      timeline([{ key: "first", month: first }, { key: "stable", month: stable }, { key: "payback", month: payback }], stable),
      h("dl", { class: "metrics" },
        this.#metric("breakEvenMonth", "first", first === null
          ? "In none of the 60 months do sales pay all costs and the loan payment three months in a row."
          : "The first of three months in a row in which sales pay all costs and the loan payment."),
        this.#metric("stableFromMonth", "stable", stable === null
          ? "The last of the 60 months still falls short."
          : stable === 1 ? "No month falls short, from the first one on." : `Month ${stable - 1} is the last one that falls short. After it, none does.`),
        this.#metric("paybackMonth", "payback", payback === null
          ? "Within 60 months the business does not return the cash you put in."
          : "By then the business has returned the cash you put in.")));
  }

  #money(metrics) {
    const cover = metrics.dscrYear1;
    return h("dl", { class: "metrics grid" },
      this.#metric("lowestCash", "", `At its lowest in month ${metrics.lowestCashMonth}${metrics.monthsNegative > 0 ? `; below zero in ${metrics.monthsNegative} of 60 months` : ""}.`),
      this.#metric("dscrYear1", "", cover === null || cover === undefined
        ? "There are no loan payments to cover."
        : `For each $1.00 of loan payments, operations bring ${cover < 0 ? `−$${Math.abs(cover).toFixed(2)}` : `$${cover.toFixed(2)}`}.`),
      this.#metric("monthlyPayment", "", `On a loan of ${formatDollars(metrics.loanAmount)}.`),
      this.#metric("ownerCash", "", `Of ${formatDollars(metrics.totalInvestment)} in total.`));
  }

  #metric(name, mark, sentence) {
    const metrics = this.#workspace.outputs.metrics;
    const change = this.#workspace.moved.metrics.get(name);
    return h("div", { class: `metric${change ? " moved" : ""}`, "data-metric": name },
      h("dt", {}, mark && h("span", { class: `mark ${mark}`, "aria-hidden": "true" }), metricLabel(name)),
      h("dd", {},
        h("span", { class: "metric-value" }, formatMetric(name, metrics[name])),
        change && h("span", { class: `delta ${directionOf(name, change.before, change.after)}` },
          spoken("It was "), formatMetric(name, change.before), icon("arrow"), spoken(" and is now "), formatMetric(name, change.after)),
        h("span", { class: "metric-sentence" }, sentence)));
  }

  #advisories(advisories) {
    const speaking = advisories.filter((advisory) => advisory.level !== "ok" && advisory.message);
    return speaking.length > 0 && h("ul", { class: "advisories", "aria-label": "Worth knowing" },
      speaking.map((advisory) => h("li", { class: advisory.level }, icon("warning"), h("span", {}, advisory.message))));
  }

  /** The pictures are exchanged only when the plan has a new version, so they do not blink with every refresh. */
  #updateCharts() {
    const { planId, plan } = this.#workspace;
    const key = `${planId}:${plan.version}`;
    if (key === this.#shownCharts) return;
    this.#shownCharts = key;
    put(this.#charts, CHARTS.map(([name, alt]) =>
      h("img", { src: this.#client.chartUrl(planId, name, plan.version), alt, width: "720", height: "360", decoding: "async" })));
  }

  #years(annual) {
    return annual.length > 0 && h("div", { class: "years", tabindex: "0", role: "group", "aria-label": "Five years" },
      h("table", {},
        h("caption", {}, "Five years"),
        h("thead", {}, h("tr", {}, ["Year", "Sales", "From operations", "Loan cover", "Cash at its end"].map((word) => h("th", { scope: "col" }, word)))),
        h("tbody", {}, annual.map((year) => h("tr", {},
          h("th", { scope: "row" }, String(year.year)),
          h("td", {}, formatDollars(year.revenue)),
          h("td", {}, formatDollars(year.operatingEbitda)),
          h("td", {}, formatMetric("dscrYear1", year.dscr)),
          h("td", {}, formatDollars(year.endingCash)))))));
  }

  #item7(item7) {
    return item7 && h("div", { class: "item7" },
      h("h3", {}, "Opening costs beside Item 7"),
      rangeBar("money", item7.planTotal, item7),
      h("p", {}, `${formatMoney(item7.planTotal)} in your plan is ${item7.position} the ${formatMoney(item7.low)} to ${formatMoney(item7.high)} of the disclosure document.`));
  }

  #closing() {
    return h("footer", { class: "closing" },
      h("p", { class: "standing" }, STANDING_SENTENCE),
      h("a", { href: this.#client.csvUrl(this.#workspace.planId), download: true }, "All 60 months as a spreadsheet (CSV)"));
  }
}
