/**
 * The results in words a franchisee cannot confuse. Two of them sound alike and are not:
 * the *first* month that covers its costs, and the month *from which every month* does.
 */
import { formatDollars, formatMoney, formatPercent, minus } from "./format.js";

const month = (value) => (value === null || value === undefined ? "not in 60 months" : `month ${value}`);
const cover = (value) => (value === null || value === undefined ? "no loan" : minus(`${value.toFixed(2)}×`));
const dollars = (value) => (value === null || value === undefined ? "none" : formatDollars(value));
const percent = (value) => (value === null || value === undefined ? "none" : formatPercent(Number(value.toFixed(3))));

/** `better` says which direction is the easier one, for the little mark beside a change; null where it is neither. */
const METRICS = {
  breakEvenMonth: { label: "First covers its costs", show: month, better: "down" },
  stableFromMonth: { label: "Covers them every month from", show: month, better: "down" },
  paybackMonth: { label: "Your cash is back", show: month, better: "down" },
  dscrYear1: { label: "Loan cover, year 1", show: cover, better: "up" },
  dscrYear2: { label: "Loan cover, year 2", show: cover, better: "up" },
  dscrYear3: { label: "Loan cover, year 3", show: cover, better: "up" },
  dscrYear4: { label: "Loan cover, year 4", show: cover, better: "up" },
  dscrYear5: { label: "Loan cover, year 5", show: cover, better: "up" },
  minDscr: { label: "Weakest year of loan cover", show: cover, better: "up" },
  lowestCash: { label: "Lowest cash", show: dollars, better: "up" },
  lowestCashMonth: { label: "Month of the lowest cash", show: month, better: null },
  monthsNegative: { label: "Months below zero", show: (value) => String(value), better: "down" },
  openingCash: { label: "Cash on opening day", show: dollars, better: "up" },
  totalInvestment: { label: "Total investment", show: dollars, better: null },
  loanAmount: { label: "Loan", show: dollars, better: null },
  ownerCash: { label: "Your cash in", show: dollars, better: null },
  equityPct: { label: "Your share of the investment", show: percent, better: null },
  monthlyPayment: { label: "Loan payment per month", show: (value) => (value === null ? "none" : formatMoney(value)), better: "down" },
  projectedAnnualRevenueYear1: { label: "Sales, year 1", show: dollars, better: "up" },
  fiveYearOwnerCashFlow: { label: "Cash to the owner over 5 years", show: dollars, better: "up" },
  fiveYearRoiPct: { label: "Return on your cash over 5 years", show: percent, better: "up" },
  reserveTarget: { label: "Reserve you aim for", show: dollars, better: null },
  reserveGap: { label: "Short of that reserve", show: dollars, better: "down" },
};

/** Those a turn's summary names, most telling first. */
const TELLING = ["breakEvenMonth", "stableFromMonth", "paybackMonth", "dscrYear1", "lowestCash", "monthlyPayment", "totalInvestment",
  "ownerCash", "projectedAnnualRevenueYear1", "fiveYearOwnerCashFlow"];

export function metricLabel(name) {
  return METRICS[name]?.label ?? name;
}

export function formatMetric(name, value) {
  return METRICS[name] ? METRICS[name].show(value) : String(value);
}

/** "better", "worse" or "" for a change; reaching a month at all is better than never. */
export function directionOf(name, before, after) {
  const better = METRICS[name]?.better;
  if (!better || before === after) return "";
  const never = better === "down" ? Infinity : -Infinity;
  const rose = (after ?? never) > (before ?? never);
  return rose === (better === "up") ? "better" : "worse";
}

/** The changes worth naming, in telling order, at most `limit`. */
export function tellingChanges(changes, limit = 4) {
  const shows = (change) => formatMetric(change.metric, change.before) !== formatMetric(change.metric, change.after);
  return TELLING.map((name) => changes.find((change) => change.metric === name)).filter((change) => change && shows(change)).slice(0, limit);
}
