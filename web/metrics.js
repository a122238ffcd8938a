/**
 * The results in words. Labels, help and directions are the metric catalogue's; in another language the page's own.
 */
import { datedMonth, formatDollars, formatMoney, formatNumber, formatPercent, minus } from "./format.js";
import { t, translated } from "./texts.js";

const SHOW = {
  money: formatDollars,
  percent: (value) => formatPercent(Number(value.toFixed(3))),
  month: (value) => t("metric.month", { month: datedMonth(value) }),
  multiple: (value) => minus(`${value.toFixed(2)}×`),
  count: formatNumber,
};
/** What stands where there is no figure. */
const NONE = { month: "metric.never", multiple: "metric.noLoan" };

/** Those a turn's summary names, most telling first. */
export const TELLING = ["breakEvenMonth", "stableFromMonth", "paybackMonth", "dscrYear1", "lowestCash", "monthlyPayment", "totalInvestment",
  "ownerCash", "projectedAnnualRevenueYear1", "fiveYearOwnerCashFlow"];

let catalogue = new Map();

/** Takes over the catalogue as the API lists it. */
export function useMetrics(metrics) {
  catalogue = new Map(metrics.map((metric) => [metric.name, metric]));
}

/** Whether the catalogue is here. */
export function knowsMetrics() {
  return catalogue.size > 0;
}

export function metricNames() {
  return [...catalogue.keys()];
}

export function metricLabel(name) {
  return translated(`metric.${name}`) ?? catalogue.get(name)?.label ?? name;
}

export function metricHelp(name) {
  return translated(`metric.${name}.help`) ?? catalogue.get(name)?.help ?? "";
}

export function formatMetric(name, value) {
  const kind = catalogue.get(name)?.kind;
  if (value === null || value === undefined) return t(NONE[kind] ?? "metric.none");
  if (name === "monthlyPayment") return formatMoney(value);
  if (isUncovered(name, value)) return t("metric.notCovered");
  return SHOW[kind]?.(value) ?? String(value);
}

/** Whether a loan coverage says that nothing is earned. Such ratios order nothing: a larger payment brings them nearer to zero. */
export function isUncovered(name, value) {
  return metricKind(name) === "multiple" && value !== null && value <= 0;
}

/** "money", "percent", "month", "multiple" or "count". */
export function metricKind(name) {
  return catalogue.get(name)?.kind ?? "count";
}

/** "+$3,210", "−0.12×", "2 months earlier"; "" where nothing can be subtracted or nothing is left. */
export function formatDifference(name, before, after) {
  if (before === null || after === null || before === after) return "";
  if (isUncovered(name, before) || isUncovered(name, after)) return "";
  const difference = after - before;
  if (metricKind(name) === "month") return t(difference < 0 ? "metric.earlier" : "metric.later", { count: Math.abs(difference) });
  const words = metricKind(name) === "percent" ? t("metric.points", { number: formatNumber(Number((difference * 100).toFixed(1))) }) : metricKind(name) === "money" ? formatDollars(difference) : formatMetric(name, difference);
  return /[1-9]/.test(words) ? `${difference > 0 ? "+" : ""}${words}` : "";
}

/** "better", "worse" or "" for a change; reaching a month at all is better than never. */
export function directionOf(name, before, after) {
  const better = catalogue.get(name)?.better;
  if (!better || before === after || (isUncovered(name, before) && isUncovered(name, after))) return "";
  const never = better === "lower" ? Infinity : -Infinity;
  const rose = (after ?? never) > (before ?? never);
  return rose === (better === "higher") ? "better" : "worse";
}

/** The changes worth naming, in telling order, at most `limit`. */
export function tellingChanges(changes, limit = 4) {
  const shows = (change) => formatMetric(change.metric, change.before) !== formatMetric(change.metric, change.after);
  return TELLING.map((name) => changes.find((change) => change.metric === name)).filter((change) => change && shows(change)).slice(0, limit);
}
