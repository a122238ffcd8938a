/** The plan in other cases, as the server computes them for every kind of paper. */
import { h } from "../dom.js";
import { formatMoney } from "../format.js";
import { formatMetric } from "../metrics.js";
import { t } from "../texts.js";
import { part } from "./table.js";

const COLUMNS = ["dscrYear1", "dscrAfterOwnerYear1", "breakEvenMonth", "lowestCash", "lowestCashMonth"];

/** `cases`: `[{kind, name, metrics}]`. */
export function whatIf(cases, outputs) {
  const say = (name, value) => (name === "lowestCash" ? formatMoney(value) : formatMetric(name, value));
  const row = ({ kind, name, metrics }) => h("tr", { "data-case": kind }, h("th", { scope: "row", dir: "auto" }, name), COLUMNS.map((column) => h("td", { class: column === "lowestCash" && "number" }, say(column, metrics[column]))));
  return part("what-if", t("print.whatIf"),
    h("table", { class: "print-cases" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("print.case")), COLUMNS.map((name) => h("th", { scope: "col" }, t(`paper.${name}`))))),
      h("tbody", {}, [{ kind: "plan", name: t("print.case.plan"), metrics: outputs.metrics }, ...cases].map(row))),
    h("p", { class: "print-note" }, t("print.whatIf.how"), cases.some(({ kind }) => kind === "lever") && ` ${t("print.whatIf.levers")}`));
}
