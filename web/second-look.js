/**
 * What a lender may ask about before the figures are believed: open answers, numbers that contradict each other, numbers that
 * count nothing or are far from the usual, results beside their benchmarks, cash below zero. It points and never judges. Pure.
 */
import { derivedOf, remarkOn } from "./fields.js";

const RENT = "operatingCosts.rentMonthly";
const LOAN = "financing.loanAmount";
const SALES = "revenue.monthlyAuv";
const RESERVE = "startupCosts.additionalFunds";
const DRAW = "profitabilityAndDistributions.ownerDrawMonthly";
const MANAGER = "operatingCosts.managementSalariesAnnual";
const LABOR = "operatingCosts.laborPct";
const PREOPENING = "startupCosts.preopeningPayroll";
const WAGES = [LABOR, MANAGER, "operatingCosts.ownerSalaryAnnual"];
/** Costs that make little sense at the brand's default while what they belong to is zero. */
const CHILDREN = {
  "startupCosts.rentDeposits": RENT, "startupCosts.utilityDeposits": "operatingCosts.utilitiesMonthly", "startupCosts.insuranceDeposit": "operatingCosts.insuranceMonthly",
  "startupCosts.loanFees": LOAN, "startupCosts.openingInventory": "operatingCosts.cogsPct",
};
/** Numbers that the engine passes over while another is zero. */
const IDLE = {
  "operatingCosts.rentAbatementMonths": RENT, "operatingCosts.managerStartMonth": MANAGER, "profitabilityAndDistributions.ownerDrawStartMonth": DRAW,
  "financing.interestRate": LOAN, "financing.loanTermMonths": LOAN, "financing.interestOnlyMonths": LOAN,
};
/** Which number a benchmark that is missed leads to. What the findings say themselves, coverage and cash below zero, is not said twice. */
const ADVICE = { break_even: SALES, five_year_roi: SALES, loan_term: "financing.loanTermMonths", dscr: null, months_negative: null };
/** More would hide what else is to be looked at. */
const MOST_OUTLIERS = 5;
/** How far zero is below a range: as a ratio it has no end, and it is often meant. */
const ZERO_IS = 10;
/** Context for the advisor: no figure is computed from them. */
const UNREAD = ["profile.locationCount", "profile.staffCount"];

/**
 * `[{key, path, …values}]`, in the order in which they are said. `proposals` are those of the whole plan, `wanted` the coverage
 * that lenders look for.
 */
export function findingsOf({ fields, inputs, outputs, proposals, wanted }) {
  const metrics = outputs?.metrics ?? null;
  const known = new Map(fields.map((field) => [field.path, field]));
  const open = proposals.filter(({ field }) => known.has(field)).map(({ field, value }) => ({ key: "open", path: field, value }));
  if (!metrics) return open;
  return [...open, ...contradictions(known, inputs, metrics), ...idle(known, inputs, metrics), ...outliers(fields, inputs), ...advice(outputs.advisories ?? []), ...results(metrics, wanted), ...shares(fields, inputs)];
}

function valueOf(path, inputs, metrics) {
  return path === LOAN ? metrics.loanAmount : inputs[path]?.currentValue;
}

function contradictions(known, inputs, metrics) {
  const isDefault = (path) => known.has(path) && inputs[path].source === "brand_default" && inputs[path].currentValue > 0;
  const isZero = (path) => valueOf(path, inputs, metrics) === 0;
  const orphans = Object.entries(CHILDREN).filter(([path, parent]) => isDefault(path) && isZero(parent)).map(([path, parent]) => ({ key: "orphan", path, parent, value: inputs[path].currentValue }));
  return isDefault(PREOPENING) && WAGES.every(isZero) ? [...orphans, { key: "staff", path: PREOPENING, value: inputs[PREOPENING].currentValue }] : orphans;
}

function idle(known, inputs, metrics) {
  // Only a number that somebody has set: a default that counts nothing deceives nobody.
  const isSet = (path) => known.has(path) && inputs[path].isCustom;
  const values = (path) => ({ path, value: inputs[path].currentValue });
  const derived = [...known.keys()].filter(isSet).map((path) => ({ path, from: derivedOf(path, inputs[path], metrics)?.from })).filter(({ from }) => from);
  return [
    ...derived.map(({ path, from }) => ({ key: "derived", path, parent: from })),
    ...Object.entries(IDLE).filter(([path, parent]) => isSet(path) && valueOf(parent, inputs, metrics) === 0).map(([path, parent]) => ({ key: "unusedWhile", parent, ...values(path) })),
    ...UNREAD.filter(isSet).map((path) => ({ key: "unused", ...values(path) })),
  ];
}

/** The server's remarks on benchmarks; one that the page does not know leads nowhere. */
function advice(advisories) {
  return advisories.filter(({ code, level, message }) => level !== "ok" && message && ADVICE[code] !== null).map(({ code, message }) => ({ key: "advice", code, message, path: ADVICE[code] ?? null }));
}

function results({ minDscr, dscrAfterOwnerYear1: after, monthsNegative, lowestCash, lowestCashMonth, breakEvenSalesPct: share }, wanted) {
  const isThin = (cover) => cover !== null && cover !== undefined && cover < wanted;
  return [
    isThin(minDscr) && { key: "cover", path: LOAN, value: minDscr },
    isThin(after) && { key: "coverAfter", path: DRAW, value: after },
    monthsNegative > 0 && { key: "cash", path: RESERVE, count: monthsNegative, value: lowestCash, month: lowestCashMonth },
    share > 1 && { key: "breakEven", path: SALES, value: share },
  ].filter(Boolean);
}

/** The person's own numbers outside of the published range, or of what plans usually have; the farthest first. */
function outliers(fields, inputs) {
  return fields.filter((field) => {
    const input = inputs[field.path];
    return (input?.isCustom || "planned" in Object(input)) && !input.derived && !isShare(field) && remarkOn(field, input);
  }).map(({ path, min, max }) => {
    const { currentValue: value, item7Range: range } = inputs[path];
    return { key: range ? "published" : "range", path, value, low: range?.low ?? min, high: range?.high ?? max };
  }).filter(({ low, high }) => low !== null && high !== null).sort((one, other) => farness(other) - farness(one)).slice(0, MOST_OUTLIERS);
}

function farness({ value, low, high }) {
  if (value > high) return high > 0 ? value / high : ZERO_IS;
  return value > 0 ? low / value : ZERO_IS;
}

function isShare({ kind, path }) {
  return kind === "percent" && path.startsWith("operatingCosts.");
}

/** Shares of sales outside of what plans usually have. */
function shares(fields, inputs) {
  return fields.filter((field) => isShare(field) && remarkOn(field, inputs[field.path]))
    .map(({ path, min, max }) => ({ key: "share", path, value: inputs[path].currentValue, low: min, high: max }));
}
