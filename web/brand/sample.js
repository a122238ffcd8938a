/** A new plan as a franchisee of the brand would begin with it: computed by the server from the draft, stored nowhere. */
import { h } from "../dom.js";
import { formatValue } from "../format.js";
import { sectionsOf } from "../fields.js";
import { formatMetric, metricHelp, metricLabel, useMetrics } from "../metrics.js";
import { t } from "../texts.js";
import { rangeBar } from "../views/range-bar.js";
import { yearsTable } from "../views/results.js";
import { sheet } from "./sheet.js";

const RESULTS = ["breakEvenMonth", "paybackMonth", "dscrYear1", "lowestCash", "monthlyPayment", "totalInvestment", "ownerCash", "fiveYearOwnerCashFlow"];

/** `sample` is the server's; `isDraft` says whether something in it is not published. */
export async function showSample(client, { brand, catalogue, sample, isDraft }) {
  useMetrics(await client.metrics());
  const inputs = sample.financialInputs;
  sheet(t("desk.sample"), [
    h("p", { class: "soft" }, t(isDraft ? "desk.sample.draft" : "desk.sample.help")),
    h("dl", { class: "sample-results" }, RESULTS.filter((name) => name in sample.metrics).map((name) => h("div", { title: metricHelp(name) },
      h("dt", {}, metricLabel(name)), h("dd", { "data-metric": name }, formatMetric(name, sample.metrics[name]))))),
    yearsTable(sample.annual),
    sectionsOf(catalogue, brand, inputs).map((section) => h("section", {}, h("h3", {}, section.title),
      h("ul", { class: "fields" }, section.fields.map((field) => row(field, inputs[field.path]))))),
    h("p", { class: "soft" }, t("standing")),
  ]);
}

function row(field, { currentValue, item7Range, derived }) {
  return h("li", { class: "field default", "data-sample": field.path },
    h("div", { class: "field-line" }, h("span", { class: "field-label", dir: "auto" }, field.label),
      h("span", { class: "field-value" }, derived ? t("desk.sample.derived") : formatValue(field.kind, currentValue)), h("span", { class: "badge brand" }, t("source.brand"))),
    item7Range && h("div", { class: "field-range" }, rangeBar(field.kind, currentValue, item7Range),
      h("span", { class: "field-range-words" }, `${formatValue(field.kind, item7Range.low)} – ${formatValue(field.kind, item7Range.high)}`)));
}
