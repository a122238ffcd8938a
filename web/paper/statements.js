/**
 * The statements of a projection as rows: profit and loss, cash flow, balance sheet, the months of year 1, quarters, the loan.
 * Every amount is the engine's, in cents; nothing is computed here but sums over three months. Pure.
 */
import { group, less, line, ratio, rowsOf, sum, total } from "./rows.js";

/** Costs below the contribution, in the order in which they are printed. */
const COSTS = ["rent", "utilities", "insurance", "telecomIt", "vehicles", "maintenance", "marketing", "merchantFees", "managementSalaries", "ownerSalary",
  "payrollTax", "technologyFee", "supplies", "professionalFees", "otherFixed", "otherOpex"];
const DIRECT = ["materials", "royalty", "adFund", "directLabor"];
const BALANCE = {
  assets: ["cash", "receivables", "inventory", "prepaid", "deposits", "fixedAssets", "intangibles"],
  liabilities: ["payables", "taxPayable", "loan"],
};
/** What a quarter has of its months. */
const FLOWS = ["revenue", "operatingEbitda", "interest", "workingCapitalChange", "taxesPaid", "operatingCashFlow", "principal", "ownerDraw", "netCashFlow"];

const cost = (key) => less(key, ({ lines }) => lines?.[key]);
/** Costs that the engine has learned to name since this was written. */
const others = ({ lines }) => Object.keys(lines).filter((key) => ![...DIRECT, ...COSTS, "startupExpense"].includes(key)).map(cost);

export function profitAndLoss({ annual }) {
  return rowsOf([
    line("revenue"), ...DIRECT.slice(0, 3).map(cost), total("grossProfit"), cost("directLabor"), total("contribution"),
    ...COSTS.map(cost), ...others(annual[0]), total("operatingEbitda"),
    less("startupExpense"), less("depreciation"), less("amortization"), less("interest"), total("preTaxIncome"), less("tax"), total("netIncome"),
  ], annual);
}

/** What the owner and the bank put in before the first month, and what opening costs. */
const OPENING = [line("loanReceived"), line("paidIn"), less("startupPaid")];
const OPERATING = [less("interest"), line("workingCapitalChange"), less("taxesPaid"), total("operatingCashFlow")];
const CASH = [less("principal"), less("ownerDraw"), ...OPENING, total("netCashFlow"), line("beginningCash"), total("endingCash")];

export function cashFlow(outputs) {
  return rowsOf([line("operatingEbitda"), ...OPERATING, ...CASH], [openingDay(outputs), ...yearsOf(outputs)]);
}

function openingDay({ opening }) {
  const { loan, paidIn, cash } = opening;
  return { loanReceived: loan, paidIn, startupPaid: loan + paidIn - cash, netCashFlow: cash, beginningCash: 0, endingCash: cash };
}

function yearsOf({ annual, opening }) {
  return annual.map((year, at) => ({ ...year, beginningCash: at === 0 ? opening.cash : annual[at - 1].endingCash }));
}

export function balanceSheet({ opening, annual }) {
  const lines = (keys) => keys.map((key) => line(key, ({ balance }) => balance[key]));
  return rowsOf([
    group("assets"), ...lines(BALANCE.assets), total("totalAssets", ({ balance }) => balance.totalAssets),
    group("liabilities"), ...lines(BALANCE.liabilities), total("totalLiabilities", ({ balance }) => balance.totalLiabilities),
    group("equity"), line("paidIn", ({ balance }) => balance.paidIn), line("earnings", ({ balance }) => balance.earnings), less("draws", ({ balance }) => balance.draws),
    total("ownersEquity", ({ balance }) => balance.equity), sum("liabilitiesAndEquity", ({ balance }) => balance.totalLiabilities + balance.equity),
  ], [opening, ...annual]);
}

/** Year 1 in two tables, so that the letters stay large: `[{periods, rows}]`, a period being "opening", a month or "year". */
export function firstYear(outputs) {
  const months = outputs.monthly.slice(0, 12);
  const halves = [
    [["opening", openingDay(outputs)], ...months.slice(0, 6).map((month) => [month.month, month])],
    [...months.slice(6).map((month) => [month.month, month]), ["year", yearsOf(outputs)[0]]],
  ];
  return halves.map((periods) => ({ periods: periods.map(([name]) => name), rows: rowsOf(eachLine(outputs), periods.map(([, period]) => period)) }));
}

/** Sales, each cost and the cash of a period. */
function eachLine({ annual }) {
  return [line("revenue"), ...[...DIRECT, ...COSTS].map(cost), ...others(annual[0]), total("operatingEbitda"), ...OPERATING, ...CASH];
}

/** Years 2 to 5 by quarter, two years in a table: `[{periods, rows}]`, a period being `{year, quarter}`. */
export function quarters(outputs) {
  return [[2, 3], [4, 5]].map((pair) => {
    const periods = pair.flatMap((year) => [1, 2, 3, 4].map((quarter) => ({ year, quarter })));
    return { periods, rows: rowsOf(eachLine(outputs), periods.map(({ year, quarter }) => quarterOf(outputs, year, quarter))) };
  });
}

function quarterOf({ monthly }, year, quarter) {
  const from = (year - 1) * 12 + (quarter - 1) * 3;
  const months = monthly.slice(from, from + 3);
  const added = (of) => months.reduce((before, month) => before + of(month), 0);
  return {
    ...Object.fromEntries(FLOWS.map((key) => [key, added((month) => month[key])])),
    lines: Object.fromEntries(Object.keys(months[0].lines).map((key) => [key, added(({ lines }) => lines[key])])),
    beginningCash: months[0].beginningCash, endingCash: months[2].endingCash,
  };
}

/** The loan by year: what is owed, what is paid, and what there is to pay it from. */
export function loanByYear({ opening, annual }) {
  const periods = annual.map((year, at) => ({ ...year, loanBefore: at === 0 ? opening.loan : annual[at - 1].loanBalance }));
  return rowsOf([
    group("loanOwed"), line("loanBefore"), less("principal"), total("loanBalance"),
    group("loanPaid"), line("interest"), line("principal"), total("loanPayments", (year) => year.interest + year.principal),
    group("loanCover"), line("operatingEbitda"), less("ownerDraw"), less("taxesPaid"), total("earnedAfterOwner", (year) => year.operatingEbitda - year.ownerDraw - year.taxesPaid),
    ratio("dscr", (year) => year.dscr), ratio("dscrAfterOwner", (year) => year.dscrAfterOwner),
  ], periods);
}
