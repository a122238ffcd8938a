/** What is worth a second look before a lender sees it, each leading to its number. For the owner: it is never printed. */
import { h, icon } from "../dom.js";
import { datedMonth, formatDollars, formatPercent, formatValue } from "../format.js";
import { formatMetric, isUncovered } from "../metrics.js";
import { fieldPath, follow } from "../router.js";
import { findingsOf } from "../second-look.js";
import { t } from "../texts.js";

/** Where a brand has no benchmark of its own. */
const USUAL = { dscr: 1.25, breakEvenMonth: 18, fiveYearRoiPct: 1 };

/** `{title, count, content}` for `{brand, fields, inputs, outputs, proposals}` of a plan. */
export function secondLook(planId, { brand, fields, inputs, outputs, proposals }) {
  const wanted = (name) => brand?.thresholds?.[name]?.ok ?? USUAL[name];
  const findings = findingsOf({ fields, inputs, outputs, proposals, wanted: wanted("dscr") });
  const say = (finding) => sentenceOf(finding, { fields, metrics: outputs?.metrics, wanted });
  return { count: findings.length, title: findings.length > 0 ? `${t("second.title")} (${findings.length})` : t("second.title"), content: [
    h("p", { class: "soft" }, t(findings.length === 0 ? "second.none" : "second.help")),
    findings.length > 0 && h("ul", {}, findings.map((finding) => h("li", { "data-finding": finding.code ?? finding.key, "data-path": finding.path }, finding.path === null
      ? say(finding)
      : h("a", { href: fieldPath(planId, finding.path), onclick: follow }, icon("arrow"), h("span", {}, say(finding)))))),
  ] };
}

function sentenceOf(finding, { fields, metrics, wanted }) {
  const { key, path, parent, value, count, month, low, high } = finding;
  const find = (wantedPath) => fields.find((field) => field.path === wantedPath);
  const labelOf = (one) => find(one)?.label ?? one;
  const say = (amount) => formatValue(find(path)?.kind ?? "count", amount);
  if (key === "advice") return adviceOf(finding, metrics, wanted);
  if (key === "cover") return t(isUncovered("minDscr", value) ? "second.cover.nothing" : "second.cover", { earned: inCents(value), wanted: `$${wanted("dscr").toFixed(2)}` });
  if (key === "coverAfter") return t("second.coverAfter", { value: formatMetric("dscrYear1", value), wanted: formatMetric("dscrYear1", wanted("dscr")) });
  if (key === "cash") return t("second.cash", { count, value: formatDollars(value), month: datedMonth(month) });
  if (key === "breakEven") return t("second.breakEven", { value: formatPercent(value) });
  return t(`second.${key}`, { field: labelOf(path), value: say(value), low: say(low), high: say(high), parent: parent && labelOf(parent), zero: parent && formatValue(find(parent)?.kind ?? "count", 0) });
}

/** The server's remark on a benchmark in the page's own words, from the same figures; its own for a code the page does not know. */
function adviceOf({ code, message }, { breakEvenMonth: month, fiveYearRoiPct: roi }, wanted) {
  if (code === "break_even") return t(month === null ? "second.late.never" : "second.late", { month: month && datedMonth(month), wanted: wanted("breakEvenMonth") });
  if (code === "five_year_roi" && roi !== null) return t(roi < -1 ? "second.roi.loss" : "second.roi", { back: inCents(Math.abs(1 + roi)), wanted: `$${(1 + wanted("fiveYearRoiPct")).toFixed(2)}` });
  return code === "loan_term" ? t("second.loanTerm") : message;
}

/** 0.61 → "61¢", 1.07 → "$1.07". */
function inCents(value) {
  const cents = Math.round(value * 100);
  return Math.abs(cents) < 100 ? `${cents < 0 ? "−" : ""}${Math.abs(cents)}¢` : `${value < 0 ? "−" : ""}$${Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
