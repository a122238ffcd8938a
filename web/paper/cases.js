/** The plan in other cases: lower sales, a later opening, and the owner's strongest levers. */
import { h } from "../dom.js";
import { formatMoney, formatValue } from "../format.js";
import { formatMetric } from "../metrics.js";
import { t } from "../texts.js";
import { part } from "./table.js";

const SALES = "revenue.monthlyAuv";
const RAMP = "revenue.monthsToReachAuv";
const COLUMNS = ["dscrYear1", "dscrAfterOwnerYear1", "breakEvenMonth", "lowestCash", "lowestCashMonth"];
const LATER = 3;
const LONGEST = 1200;
const LEVERS = 3;
/** Values of a case that the server takes at most. */
const MOST = 40;

/**
 * `[{kind, path?, value?, percent?, outputs}]`, each computed by the server; `inputs` as they are printed. Levers are those of
 * the plan itself: a scenario has none.
 */
export async function casesOf(client, planId, inputs, scenario) {
  const current = (path) => inputs[path]?.currentValue ?? 0;
  const cases = [
    ...[10, 20].map((percent) => ({ kind: "sales", percent, path: SALES, value: Math.round((current(SALES) * (100 - percent)) / 100) })),
    { kind: "later", path: RAMP, value: Math.min(LONGEST, current(RAMP) + LATER) },
    ...(scenario ? [] : (await leversOf(client, planId)).map((lever) => ({ kind: "lever", ...lever }))),
  ];
  const asked = cases.map((entry) => ({ ...entry, overrides: { ...scenario?.overrides, [entry.path]: entry.value } })).filter(({ overrides }) => Object.keys(overrides).length <= MOST);
  return Promise.all(asked.map(async ({ overrides, ...entry }) => ({ ...entry, outputs: await client.whatIf(planId, overrides) })));
}

async function leversOf(client, planId) {
  const { items } = await client.sensitivity(planId, { metric: "dscrYear1", step: 10 });
  return items.filter(({ controlled, helps }) => controlled && helps).slice(0, LEVERS).map((item) => ({ path: item.path, value: item[item.helps].value }));
}

export function whatIf(cases, outputs, inputs, fields) {
  const nameOf = ({ kind, path, value, percent }) => {
    if (kind !== "lever") return t(`print.case.${kind}`, { percent: `${percent}%` });
    const field = fields.find((entry) => entry.path === path);
    const say = (amount) => formatValue(field?.kind ?? "count", amount);
    return t("print.case.lever", { field: field?.label ?? path, value: say(value), now: say(inputs[path]?.currentValue) });
  };
  const say = (name, value) => (name === "lowestCash" ? formatMoney(value) : formatMetric(name, value));
  const row = (kind, words, metrics) => h("tr", { "data-case": kind }, h("th", { scope: "row", dir: "auto" }, words), COLUMNS.map((name) => h("td", {}, say(name, metrics[name]))));
  return part("what-if", t("print.whatIf"),
    h("table", { class: "print-cases" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("print.case")), COLUMNS.map((name) => h("th", { scope: "col" }, t(`paper.${name}`))))),
      h("tbody", {}, row("plan", t("print.case.plan"), outputs.metrics), cases.map((entry) => row(entry.kind, nameOf(entry), entry.outputs.metrics)))),
    h("p", { class: "print-note" }, t("print.whatIf.how"), cases.some(({ kind }) => kind === "lever") && ` ${t("print.whatIf.levers")}`));
}
