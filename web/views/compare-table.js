/**
 * The plan beside its scenarios: the numbers that differ on top, then the results that differ, then what is the same.
 * On narrow screens each row's label is above its values, so that four columns need no sideways scrolling.
 */
import { h, icon, put, spoken } from "../dom.js";
import { formatDollars, formatValue } from "../format.js";
import { directionOf, formatDifference, formatMetric, metricHelp, metricKind, metricLabel } from "../metrics.js";
import { t } from "../texts.js";
import { swatch } from "./chart.js";

const RESULTS = ["breakEvenMonth", "stableFromMonth", "paybackMonth", "dscrYear1", "minDscr", "lowestCash", "monthlyPayment", "totalInvestment", "ownerCash",
  "projectedAnnualRevenueYear1", "fiveYearOwnerCashFlow", "fiveYearRoiPct"];
const YEARS = ["revenue", "operatingEbitda", "endingCash"];

export class CompareTable {
  #table = h("table", { class: "compare-table", role: "table" });
  #showsSame = false;
  element = h("div", { class: "compare-frame" }, this.#table);

  /**
   * `columns` are `{key, name, overrides, outputs, actions}`, the plan first; `actions` is an element or null. `fields` and
   * `inputs` are the plan's.
   */
  show(columns, { fields, inputs }) {
    const [base] = columns;
    const differing = fields.filter(({ path }) => columns.some(({ overrides }) => path in overrides && overrides[path] !== inputs[path].currentValue));
    const isSame = (name) => columns.every(({ outputs }) => outputs.metrics[name] === base.outputs.metrics[name]);
    const results = RESULTS.filter((name) => name in base.outputs.metrics);
    const moved = results.filter((name) => !isSame(name));
    const same = results.filter(isSame);
    const isAlone = columns.length === 1;
    this.#table.dataset.columns = String(columns.length);
    put(this.#table,
      h("caption", { class: "spoken" }, t("compare.caption")),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("th", { role: "columnheader", scope: "col" }, spoken(t("compare.what"))), columns.map((column, index) => this.#head(column, index)))),
      differing.length > 0 && this.#group(t("compare.inputs"), columns, differing.map((field) => row(field.label, field.path, columns.map((column) => inputCell(field, inputs[field.path].currentValue, column))))),
      (isAlone || moved.length > 0) && this.#group(t("results.title"), columns, (isAlone ? results : moved).map((name) => metricRow(name, columns))),
      this.#group(t("years.title"), columns, YEARS.flatMap((line) => yearRows(line, columns))),
      same.length > 0 && !isAlone && this.#sameGroup(same, columns));
  }

  #head({ key, name, actions }, index) {
    return h("th", { role: "columnheader", scope: "col", class: "column", "data-column": key },
      h("div", { class: "column-head" }, swatch(`line-${index}`), h("span", { class: "column-name", dir: "auto" }, name), actions));
  }

  #group(title, columns, rows) {
    return h("tbody", { role: "rowgroup" }, h("tr", { role: "row", class: "group" }, h("th", { role: "rowheader", scope: "rowgroup", colspan: String(columns.length + 1) }, title)), rows);
  }

  /** What no column changes, on demand. */
  #sameGroup(names, columns) {
    const rows = names.map((name) => metricRow(name, columns));
    const body = h("tbody", { role: "rowgroup" });
    const button = h("button", { type: "button", class: "link", "aria-expanded": String(this.#showsSame), onclick: () => {
      this.#showsSame = !this.#showsSame;
      button.setAttribute("aria-expanded", String(this.#showsSame));
      for (const entry of rows) entry.hidden = !this.#showsSame;
    } }, t("compare.same", { count: names.length }));
    for (const entry of rows) entry.hidden = !this.#showsSame;
    return put(body, h("tr", { role: "row", class: "group" }, h("th", { role: "rowheader", scope: "rowgroup", colspan: String(columns.length + 1) }, button)), rows);
  }
}

function row(label, id, cells) {
  return h("tr", { role: "row", "data-row": id }, h("th", { role: "rowheader", scope: "row", dir: "auto" }, label), cells);
}

function inputCell(field, current, { overrides, key }) {
  const value = overrides[field.path] ?? current;
  const differs = key !== "plan" && value !== current;
  return h("td", { role: "cell", class: differs ? "differs" : "" }, formatValue(field.kind, value));
}

function metricRow(name, columns) {
  const before = columns[0].outputs.metrics[name];
  return row(h("span", { title: metricHelp(name) }, metricLabel(name)), name, columns.map(({ outputs }, index) => resultCell(name, before, outputs.metrics[name], index)));
}

function resultCell(name, before, value, index) {
  const direction = index === 0 ? "" : directionOf(name, before, value);
  const difference = index === 0 ? "" : formatDifference(name, before, value);
  return h("td", { role: "cell" }, h("span", { class: "cell-value" }, formatResult(name, value)),
    difference && h("span", { class: `delta ${direction}` }, direction && icon(direction === "better" ? "check" : "warning"), direction && spoken(`${t(`compare.${direction}`)}: `), difference));
}

/** Without cents, which only take width here. */
function formatResult(name, value) {
  return metricKind(name) === "money" && value !== null ? formatDollars(value) : formatMetric(name, value);
}

/** Years 1 and 5 of a line. */
function yearRows(line, columns) {
  return [0, 4].filter((year) => columns[0].outputs.annual[year]).map((year) =>
    row(t("compare.year", { line: t(`row.${line}`), year: year + 1 }), `${line}-${year + 1}`, columns.map(({ outputs }) => h("td", { role: "cell" }, formatDollars(outputs.annual[year][line])))));
}
