/** What is worth a second look before a lender sees it, each leading to its number. For the owner: it is never printed. */
import { h, icon } from "../dom.js";
import { datedMonth, formatDollars, formatPercent, formatValue } from "../format.js";
import { formatMetric } from "../metrics.js";
import { fieldPath, follow } from "../router.js";
import { findingsOf } from "../second-look.js";
import { t } from "../texts.js";

const WANTED = 1.25;

/** `{count, content}` for `{brand, fields, inputs, outputs, proposals}` of a plan. */
export function secondLook(planId, { brand, fields, inputs, outputs, proposals }) {
  const wanted = brand?.thresholds?.dscr?.ok ?? WANTED;
  const findings = findingsOf({ fields, inputs, outputs, proposals, wanted });
  return { count: findings.length, content: [
    h("p", { class: "soft" }, t(findings.length === 0 ? "second.none" : "second.help")),
    findings.length > 0 && h("ul", {}, findings.map((finding) => h("li", { "data-finding": finding.key, "data-path": finding.path },
      h("a", { href: fieldPath(planId, finding.path), onclick: follow }, icon("arrow"), h("span", {}, sentenceOf(finding, fields, wanted)))))),
  ] };
}

function sentenceOf({ key, path, parent, value, count, month, low, high }, fields, wanted) {
  const find = (wantedPath) => fields.find((field) => field.path === wantedPath);
  const labelOf = (one) => find(one)?.label ?? one;
  const say = (amount) => formatValue(find(path)?.kind ?? "count", amount);
  const cover = () => ({ value: formatMetric("dscrYear1", value), wanted: formatMetric("dscrYear1", wanted) });
  if (key === "cover" || key === "coverAfter") return t(`second.${key}`, cover());
  if (key === "cash") return t("second.cash", { count, value: formatDollars(value), month: datedMonth(month) });
  if (key === "breakEven") return t("second.breakEven", { value: formatPercent(value) });
  return t(`second.${key}`, { field: labelOf(path), value: say(value), low: say(low), high: say(high), parent: parent && labelOf(parent), zero: parent && formatValue(find(parent)?.kind ?? "count", 0) });
}
