/**
 * The results of the plan. Each figure has its label and a sentence; the disclaimer is below all of them.
 */
import { h, icon, put } from "../dom.js";
import { datedMonth, formatDollars, formatMoney } from "../format.js";
import { directionOf, formatMetric, isUncovered, metricHelp, metricLabel } from "../metrics.js";
import { chartsOf } from "../chart-data.js";
import { follow, planPath } from "../router.js";
import { currentLanguage, t } from "../texts.js";
import { Chart } from "./chart.js";
import { explained } from "./help.js";
import { rangeBar } from "./range-bar.js";
import { secondLook } from "./second-look.js";
import { timeline } from "./timeline.js";

const CHARTS = ["cash", "revenue-costs", "break-even"];

export class ResultsPanel {
  #workspace;
  #client;
  #body = h("div", { class: "panel-body", tabindex: "0", role: "group", "aria-label": t("results.title") });
  #charts = new Map();
  #scenarios = h("a", { class: "link", hidden: true, onclick: follow }, t("scenarios.open"), icon("arrow"));
  #chartList = h("div", { class: "charts" });
  #second = h("details", { class: "second-look", open: true }, h("summary", {}, h("h3", {}, t("second.title"))), h("div", {}));
  #proposals;

  /** `proposals()` gives what waits for an answer in the whole plan. */
  constructor(workspace, client, { proposals = () => [] } = {}) {
    this.#workspace = workspace;
    this.#client = client;
    this.#proposals = proposals;
    this.element = h("section", { class: "panel results-panel", "aria-labelledby": "results-title", "data-view": "results" },
      h("header", { class: "panel-head results-head" }, h("h2", { id: "results-title", tabindex: "-1" }, t("results.title")), this.#scenarios),
      this.#body);
    workspace.addEventListener("change", () => this.#update());
  }

  #update() {
    const { outputs, planId } = this.#workspace;
    this.#scenarios.hidden = !outputs;
    this.#scenarios.href = planPath(planId, "scenarios");
    if (!outputs) return void put(this.#body, h("div", { class: "empty" },
      h("p", {}, t("results.none")),
      h("p", { class: "soft" }, t("results.none.help"))));
    // What the keyboard stands on stays where it is while the figures around it change.
    const focused = this.#body.contains(document.activeElement) ? document.activeElement : null;
    this.#showCharts(outputs);
    put(this.#body, this.#moments(outputs.metrics), this.#money(outputs.metrics), this.#second, this.#chartList,
      this.#years(outputs.annual ?? []), this.#item7(outputs), this.#closing());
    this.look();
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }

  /** What is worth a second look: after a change of the plan, and of what waits for an answer. */
  look() {
    const { planId, brand, fields, inputs, outputs } = this.#workspace;
    if (!outputs) return;
    const { title, content } = secondLook(planId, { brand, fields, inputs, outputs, proposals: this.#proposals() });
    put(this.#second.querySelector("h3"), title);
    put(this.#second.lastElementChild, content);
  }

  /** Brings a result, or what is worth a second look, into view and goes there; the head where it is not shown. */
  reveal(name) {
    this.#second.open ||= name === "second";
    const find = (selector) => this.element.querySelector(selector);
    const place = (name === "second" ? find(".second-look") : find(`[data-metric="${name}"]`)) ?? (name.startsWith("dscr") ? find(".years") : null) ?? find("h2");
    place.scrollIntoView({ block: "center" });
    (place.querySelector("summary, button") ?? place).focus({ preventScroll: true });
    place.classList.add("revealed");
    place.addEventListener("animationend", () => place.classList.remove("revealed"), { once: true });
  }

  #moments(metrics) {
    const { breakEvenMonth: first, stableFromMonth: stable, paybackMonth: payback } = metrics;
    return h("div", { class: "moments" },
      timeline([{ key: "first", month: first }, { key: "stable", month: stable }, { key: "payback", month: payback }], stable),
      h("dl", { class: "metrics" },
        this.#metric("breakEvenMonth", "first", t(first === null ? "results.first.never" : stable !== null && stable > first ? "results.first.unstable" : "results.first", { last: datedMonth(stable - 1) })),
        this.#metric("stableFromMonth", "stable", t(stable === null ? "results.stable.never" : stable === 1 ? "results.stable.always" : "results.stable", { last: datedMonth(stable - 1) })),
        this.#metric("paybackMonth", "payback", t(payback === null ? "results.payback.never" : metrics.monthsNegative > 0 ? "results.payback.short" : "results.payback", { count: metrics.monthsNegative }))));
  }

  #money(metrics) {
    const cover = metrics.dscrYear1;
    const covered = cover === null ? "results.cover.none" : isUncovered("dscrYear1", cover) ? "results.cover.nothing" : "results.cover";
    return h("dl", { class: "metrics grid" },
      this.#metric("lowestCash", "", t(metrics.monthsNegative > 0 ? "results.lowest.negative" : "results.lowest", { month: datedMonth(metrics.lowestCashMonth), count: metrics.monthsNegative })),
      this.#metric("dscrYear1", cover === null ? "" : this.#levelOf(cover, "dscr"), t(covered, { earned: cover !== null && `$${cover.toFixed(2)}`, wanted: `$${this.#threshold("dscr").toFixed(2)}` })),
      this.#metric("monthlyPayment", "", t("results.payment", { amount: formatDollars(metrics.loanAmount) })),
      this.#metric("ownerCash", "", t("results.ownerCash", { amount: formatDollars(metrics.totalInvestment) })));
  }

  #threshold(name) {
    return this.#workspace.brand?.thresholds?.[name]?.ok ?? 1.25;
  }

  /** Good news and bad news do not look the same. */
  #levelOf(value, name) {
    const { ok, watch } = this.#workspace.brand?.thresholds?.[name] ?? { ok: 1.25, watch: 1.15 };
    return value >= ok ? "level-ok" : value >= watch ? "level-watch" : "level-alert";
  }

  #metric(name, mark, sentence) {
    const metrics = this.#workspace.outputs.metrics;
    const moved = this.#workspace.moved.metrics.get(name);
    // What reads the same has not changed for who reads it.
    const change = moved && formatMetric(name, moved.before) !== formatMetric(name, moved.after) ? moved : null;
    return h("div", { class: `metric${change ? " moved" : ""}`, "data-metric": name },
      h("dt", {}, mark && h("span", { class: `mark ${mark}`, "aria-hidden": "true" }), explained(metricLabel(name), metricHelp(name))),
      h("dd", {},
        h("span", { class: "metric-value" }, formatMetric(name, metrics[name])),
        change && h("span", { class: `delta ${directionOf(name, change.before, change.after)}` }, t("results.was", { value: formatMetric(name, change.before) })),
        h("span", { class: "metric-sentence" }, sentence)));
  }

  #showCharts(outputs) {
    const before = this.#workspace.outputsBefore;
    const old = before && chartsOf(before);
    for (const [index, chart] of chartsOf(outputs).entries()) {
      const { name } = chart;
      if (!this.#charts.has(name)) {
        this.#charts.set(name, new Chart(name));
        this.#chartList.append(h("figure", {}, h("figcaption", {}, h("h3", {}, t(`chart.${name}`)), legend(chart),
          h("button", { type: "button", class: "tool", "aria-label": t("chart.enlarge", { chart: t(`chart.${name}`) }), title: t("chart.enlarge.title"), onclick: () => this.#enlarge(name) }, icon("enlarge"))),
        this.#charts.get(name).element));
      }
      this.#charts.get(name).show(chart, old?.[index] ?? null);
    }
  }

  #enlarge(name) {
    const { outputs, outputsBefore } = this.#workspace;
    const index = CHARTS.indexOf(name);
    const chart = new Chart(name, { height: Math.max(240, Math.round(window.innerHeight * 0.55)) });
    const shown = chartsOf(outputs)[index];
    const element = h("dialog", { class: "wide", "aria-labelledby": "chart-title", onclose: () => element.remove() },
      h("div", { class: "card-head" }, h("h2", { id: "chart-title" }, t(`chart.${name}`)), legend(shown),
        h("button", { type: "button", class: "tool", "aria-label": t("close"), onclick: () => element.close() }, icon("cross"))),
      chart.element, h("p", { class: "standing" }, t("standing")));
    document.body.append(element);
    element.showModal();
    chart.show(shown, outputsBefore && chartsOf(outputsBefore)[index]);
  }

  #years(annual) {
    return annual.length > 0 && yearsTable(annual);
  }

  #item7({ item7, metrics }) {
    if (!item7) return null;
    const others = metrics.totalInvestment - item7.planTotal;
    return h("div", { class: "item7" },
      h("h3", {}, t("item7.title")),
      rangeBar("money", item7.planTotal, item7),
      h("p", {}, t(`item7.${item7.position}`, { total: formatMoney(item7.planTotal), low: formatMoney(item7.low), high: formatMoney(item7.high) }),
        others !== 0 && ` ${t("item7.rest", { rest: formatMoney(others), total: formatMoney(metrics.totalInvestment) })}`));
  }

  #closing() {
    const { planId } = this.#workspace;
    return h("footer", { class: "closing" },
      h("div", { class: "actions" },
        h("a", { class: "primary button small", href: planPath(planId, "print"), onclick: follow }, t("print.open")),
        h("a", { class: "quiet button small", href: this.#client.xlsxUrl(planId, null, currentLanguage()), download: true }, t("xlsx")),
        h("a", { class: "quiet button small", href: this.#client.csvUrl(planId, null, currentLanguage()), download: true }, t("csv"))),
      h("p", { class: "soft" }, t("results.rounded")),
      h("p", { class: "standing" }, t("standing")));
  }
}

/** The five years, for the panel and for print. */
export function yearsTable(annual) {
  return h("div", { class: "years", tabindex: "0", role: "group", "aria-label": t("years.title") },
    h("table", {},
      h("caption", {}, t("years.title")),
      h("thead", {}, h("tr", {}, ["year", "sales", "profit", "cover", "cash"].map((key) => h("th", { scope: "col" }, t(`years.${key}`))))),
      h("tbody", {}, annual.map((year) => h("tr", {},
        h("th", { scope: "row" }, String(year.year)),
        h("td", {}, formatDollars(year.revenue)),
        h("td", {}, formatDollars(year.operatingEbitda)),
        h("td", {}, formatMetric("dscrYear1", year.dscr)),
        h("td", {}, formatDollars(year.endingCash)))))));
}

function legend(chart) {
  return chart.lines.length > 1 && h("span", { class: "legend", "aria-hidden": "true" }, chart.lines.map((line) => h("span", { class: line.key }, t(`chart.legend.${line.key}`))));
}
