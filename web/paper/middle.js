/** The figures of the package: funds, startup costs beside Item 7, statements, the loan. */
import { h } from "../dom.js";
import { calendarMonth, datedMonth, visible } from "../format.js";
import { formatMetric } from "../metrics.js";
import { t } from "../texts.js";
import { item7Rows, shareRows, sourcesAndUses } from "./funds.js";
import { balanceSheet, cashFlow, firstYear, loanByYear, profitAndLoss, quarters } from "./statements.js";
import { amountTable, part } from "./table.js";

/** The startup costs of a plan: `[{label, cents, range}]`. */
export function startupRows(sections, inputs) {
  const fields = sections.find(({ key }) => key === "startupCosts")?.fields ?? [];
  return fields.map(({ path, label }) => ({ label: visible(label), cents: inputs[path].currentValue ?? 0, range: inputs[path].item7Range ?? null }));
}

export function funds(outputs, rows) {
  const { sources, uses } = sourcesAndUses(outputs, rows);
  const table = (title, entries) => amountTable([t("print.dollars"), t("print.share")], shareRows(entries), { first: title });
  return part("funds", t("print.sources"), table(t("print.sources.title"), sources), table(t("print.uses"), uses));
}

export function item7(rows) {
  const isDisclosed = rows.some(({ range }) => range);
  const say = (cell) => t(`print.position.${cell}`);
  return part("item7", t("print.item7"), !isDisclosed && h("p", {}, t("print.item7.none")),
    amountTable([t("print.item7.low"), t("print.item7.high"), t("print.item7.plan"), t("print.item7.mark")], item7Rows(rows), { say }));
}

export function statements(outputs) {
  const years = outputs.annual.map(({ year }) => t("print.year", { year }));
  const withOpening = [t("print.opening.column"), ...years];
  return [
    part("profit", t("print.profit"), amountTable(years, profitAndLoss(outputs))),
    part("cash", t("print.cash"), amountTable(withOpening, cashFlow(outputs))),
    part("balance", t("print.balance"), amountTable(withOpening, balanceSheet(outputs))),
    part("year1", t("print.year1"), firstYear(outputs).map(({ periods, rows }, at) => amountTable(periods.map(nameOfMonth), rows, { caption: t("print.year1.half", { from: at * 6 + 1, to: at * 6 + 6 }) }))),
    part("quarters", t("print.quarters"), quarters(outputs).map(({ periods, rows }) => amountTable(periods.map(nameOfQuarter), rows, { caption: t("print.quarters.pair", { from: periods[0].year, to: periods.at(-1).year }) }))),
  ];
}

function nameOfMonth(period) {
  if (period === "opening") return t("print.opening.column");
  return period === "year" ? t("print.year", { year: 1 }) : t("print.month", { month: datedMonth(period) });
}

function nameOfQuarter({ year, quarter }) {
  const first = calendarMonth((year - 1) * 12 + (quarter - 1) * 3 + 1);
  return t("print.quarter", { year, quarter }) + (first && ` (${first})`);
}

export function loan(outputs) {
  const { opening, annual } = outputs;
  return part("loan", t("print.loan"), opening.loan === 0 ? h("p", {}, t("print.loan.none"))
    : amountTable(annual.map(({ year }) => t("print.year", { year })), loanByYear(outputs), { say: (cell) => formatMetric("dscrYear1", cell) }));
}
