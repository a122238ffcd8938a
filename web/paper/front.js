/** The first pages of the package: what is asked for, what comes of it, and what the owner tells. */
import { h } from "../dom.js";
import { calendarMonth, formatDate, formatMoney, formatPercent, formatTime, formatValue, readable, visible } from "../format.js";
import { formatMetric, metricKind } from "../metrics.js";
import { currentLanguage, t } from "../texts.js";
import { part } from "./table.js";

export const STORY = ["team", "business", "market", "customers", "loan", "risks"];
const RESULTS = ["breakEvenMonth", "breakEvenSalesMonthly", "breakEvenSalesPct", "stableFromMonth", "dscrYear1", "dscrAfterOwnerYear1", "minDscr",
  "lowestCash", "lowestCashMonth", "monthsNegative", "openingCash", "reserveGap", "projectedAnnualRevenueYear1", "fiveYearOwnerCashFlow", "totalInvestment", "ownerCash",
  "equityPct", "paybackMonth"];
/** What sounds like good news and does not know that cash is below zero. */
const BLIND = ["paybackMonth", "reserveGap", "fiveYearOwnerCashFlow"];
const CHARTS = ["cash", "revenue-costs"];

/** `plan`, `brand`, `owner`, `outputs`, `inputs`, `scenario`, and `at`, when it is printed. */
export function cover({ plan, brand, owner, outputs, inputs, scenario, at }) {
  return h("section", { class: "print-cover" },
    h("p", { class: "print-kind" }, t("print.kind")),
    h("h2", { dir: "auto" }, nameOf(plan)),
    scenario && h("p", { class: "print-scenario", dir: "auto" }, t("print.scenario.kind", { name: visible(scenario.name) })),
    h("dl", {},
      pair(t("print.owner"), owner.name), pair(t("print.brand"), visible(brand.name)), calendarMonth(1) && pair(t("print.opening"), calendarMonth(1)),
      pair(t("print.date"), formatTime(at)), pair(t("print.version"), t("print.version.value", { version: plan.version, time: formatTime(plan.updatedAt) }))),
    outputs && request(outputs, inputs, visible(brand.name)),
    h("p", { class: "standing" }, standing(brand)));
}

export function nameOf(plan) {
  return visible(plan.name) || t("plan.unnamed");
}

/** The sentence that stands on every page. */
export function standing(brand) {
  return t("print.standing", { brand: visible(brand.name) });
}

/** What stands on every page beside it. */
export function running({ plan, at }) {
  return t("print.running", { name: nameOf(plan), version: plan.version, date: formatDate(at) });
}

function request({ opening, metrics }, inputs, brand) {
  const value = (path) => inputs[path]?.currentValue ?? 0;
  const interestOnly = value("financing.interestOnlyMonths");
  return h("div", { class: "print-request", "data-part": "request" }, h("h3", {}, t("print.request")), opening.loan === 0 ? h("p", {}, t("print.request.none")) : h("dl", {},
    pair(t("print.request.amount"), formatMoney(opening.loan)),
    pair(t("print.request.term"), formatValue("months", value("financing.loanTermMonths"))),
    pair(t("print.request.rate"), formatPercent(value("financing.interestRate"))),
    interestOnly > 0 && pair(t("print.request.interestOnly"), formatValue("months", interestOnly)),
    pair(t("print.request.payment"), formatMetric("monthlyPayment", metrics.monthlyPayment)),
    pair(t("print.request.purpose"), t("print.request.purpose.text", { total: formatMoney(metrics.totalInvestment), brand }))));
}

export function results({ metrics }, chartUrl) {
  const say = (name) => (metricKind(name) === "money" && metrics[name] !== null ? formatMoney(metrics[name]) : formatMetric(name, metrics[name]));
  const shown = RESULTS.filter((name) => name in metrics && (name !== "monthsNegative" || metrics.monthsNegative > 0));
  return part("results", t("print.results"),
    h("table", { class: "print-results" },
      h("thead", {}, h("tr", {}, ["print.result", "print.value", "print.meaning"].map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, shown.map((name) => h("tr", { "data-result": name },
        h("th", { scope: "row" }, t(`paper.${name}`)), h("td", { class: "number" }, say(name)),
        h("td", { class: "soft" }, t(`paper.${name}.help`), metrics.monthsNegative > 0 && BLIND.includes(name) && ` ${t("print.cashBelow", { count: metrics.monthsNegative })}`))))),
    h("div", { class: "print-charts" }, CHARTS.map((name) => h("img", { src: chartUrl(name, currentLanguage()), alt: t(`chart.${name}`), width: "720", height: "360" }))));
}

/** What the owner tells, as it was written; nothing of what is left out. */
export function story(texts) {
  const told = STORY.filter((key) => readable(texts?.[key]).trim() !== "");
  return told.length > 0 && part("story", t("story.title.print"), told.map((key) => h("div", { class: "print-story", "data-story": key }, h("h3", {}, t(`story.${key}`)),
    readable(texts[key]).split(/\n+/).filter((line) => line.trim() !== "").map((line) => h("p", { dir: "auto" }, line)))));
}

export function pair(words, value) {
  return h("div", {}, h("dt", {}, words), h("dd", { dir: "auto" }, value));
}
