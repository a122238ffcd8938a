/**
 * The field catalogue as the page needs it: every field of one plan, in sections, with its label, help and limits.
 *
 * The catalogue knows the common fields; the brand knows its own startup costs and may label and explain a field its own
 * way. The server gives labels and help in the reader's language; a brand's own words stay as they are.
 */
import { formatValue, visible } from "./format.js";
import { t } from "./texts.js";

/** Sections in the order in which a plan is usually thought through. */
export const SECTIONS = ["revenue", "operatingCosts", "startupCosts", "financing", "startupCapital", "workingCapitalAndValuation", "profitabilityAndDistributions", "profile"];

/**
 * @typedef {object} Field
 * @property {string} path
 * @property {string} label
 * @property {string} help      one plain sentence, or ""
 * @property {string[]} aliases
 * @property {string} kind
 * @property {boolean} core     one of the figures a plan should not leave at the brand's default
 * @property {number|null} min  soft limits; a value beyond them is pointed at, never refused
 * @property {number|null} max
 * @property {{min: number, max: number}|null} hard  beyond them a value is refused
 * @property {"month"|"year"|null} period  what an amount of money is for
 */

/** Merges catalogue, brand and stored inputs into `[{key, title, fields}]`. */
export function sectionsOf(catalogue, brand, inputs) {
  const fields = new Map();
  for (const entry of catalogue) fields.set(entry.path, fromCatalogue(entry));
  for (const row of brand?.startupCostTemplate ?? []) {
    const path = `startupCosts.${row.slug}`;
    const before = fields.get(path) ?? fromCatalogue({ path, label: path, kind: "money" });
    fields.set(path, { ...before, label: ownOr(row.label, before.catalogLabel, before.label), ...ownWords(row, before) });
  }
  for (const [path, parameter] of Object.entries(brand?.parameters ?? {})) {
    const field = fields.get(path);
    if (field) fields.set(path, { ...field, label: ownOr(parameter.label, field.catalogLabel, field.label), ...ownWords(parameter, field) });
  }
  for (const path of Object.keys(inputs)) if (!fields.has(path)) fields.set(path, unknown(path));
  return SECTIONS.map((key) => ({
    key, title: t(`section.${key}`), fields: [...fields.values()].filter((field) => field.path in inputs && field.path.startsWith(`${key}.`)),
  })).filter((section) => section.fields.length > 0);
}

/** A brand's own words where they differ from the catalogue's, else the reader's. */
function ownOr(own, common, shown) {
  const words = visible(own);
  return words === "" || words === common ? shown : words;
}

function ownWords(entry, field) {
  // The fields of a plan have its brand's names already.
  const aliases = [...new Set([...field.aliases, ...(entry.aliases ?? []).map(visible)])];
  return { aliases, help: visible(entry.help) || field.help };
}

/** The inputs to show: the plan's own, or the brand's defaults for a plan that has none yet. */
export function inputsOf(plan, brand) {
  if (plan.financialInputs) return plan.financialInputs;
  const inputs = {};
  for (const [path, parameter] of Object.entries(brand?.parameters ?? {})) inputs[path] = placeholder(parameter.value, null);
  for (const row of brand?.startupCostTemplate ?? []) {
    const range = row.item7Low === null || row.item7Low === undefined ? null : { low: row.item7Low, high: row.item7High };
    inputs[`startupCosts.${row.slug}`] = placeholder(row.defaultAmount, range);
  }
  return inputs;
}

/**
 * What is worth saying about a value, in plain words, or null. It points and never judges: the number stays.
 */
export function remarkOn(field, input) {
  const { currentValue: value, item7Range: range } = input;
  if (value === null || value === undefined) return null;
  const say = (amount) => formatValue(field.kind, amount);
  if (range) {
    if (value > range.high) return t("remark.above", { low: say(range.low), high: say(range.high) });
    if (value < range.low) return t("remark.below", { low: say(range.low), high: say(range.high) });
    return null;
  }
  if (field.max !== null && value > field.max) return t("remark.high", { low: say(field.min), high: say(field.max) });
  if (field.min !== null && value < field.min) return t("remark.low", { low: say(field.min), high: say(field.max) });
  return null;
}

const LOAN = "financing.loanAmount";
const OWN_SHARE = "financing.downPaymentPct";

/**
 * Of loan amount and owner's share one decides; what the other comes to, and from which it follows: `{from, value}`, null for
 * every number that decides itself. `metrics` are those of the plan.
 */
export function derivedOf(path, input, metrics) {
  if (!input?.derived || !metrics) return null;
  const { loanAmount, totalInvestment } = metrics;
  if (path === LOAN) return { from: OWN_SHARE, value: loanAmount };
  return { from: LOAN, value: totalInvestment > 0 ? Number(Math.max(0, 1 - loanAmount / totalInvestment).toFixed(4)) : null };
}

/** Inputs with these values in the place of the plan's, which are kept as `planned`. Of loan and share the one that is given decides. */
export function withOverrides(inputs, overrides = {}) {
  const given = Object.entries(overrides).filter(([path]) => inputs[path]);
  const changed = given.filter(([path, value]) => inputs[path].currentValue !== value);
  const result = { ...inputs, ...Object.fromEntries(changed.map(([path, value]) => [path, { ...inputs[path], currentValue: value, planned: inputs[path].currentValue, source: "" }])) };
  const deciding = [LOAN, OWN_SHARE].find((path) => given.some(([entry]) => entry === path));
  for (const path of deciding ? [LOAN, OWN_SHARE] : []) if (result[path]) result[path] = { ...result[path], derived: path !== deciding };
  return result;
}

/** What is wrong with a value that no plan can hold, in the field's own unit; null where it may stand. */
export function refusalOf(field, value) {
  const { hard, kind } = field;
  if (!hard || (value >= hard.min && value <= hard.max)) return null;
  const say = (amount) => formatValue(kind, amount);
  if (kind === "percent") return t("refuse.percent", { low: String(hard.min * 100), high: String(hard.max * 100) });
  if (kind === "money" && value < hard.min) return t("refuse.least", { low: say(hard.min) });
  if (kind === "money") return t("refuse.most", { high: say(hard.max) });
  return t("refuse.number", { low: say(hard.min), high: say(hard.max) });
}

/**
 * Whose number it is: `{key, word, sentence}`. `by` is who made the change, where it is known: `{id, displayName}`;
 * `owner` is `{id, name, isReader}`.
 */
export function sourceOf(source, by = null, owner = { isReader: true }) {
  if (source === "brand_default") return { key: "brand", word: t("source.brand"), sentence: t("source.brand.help") };
  const other = by && owner.id && by.id !== owner.id ? visible(by.displayName) : "";
  const name = source?.startsWith("admin:") ? visible(source.slice(6)) : other;
  if (name) return { key: "support", word: t("source.support"), sentence: t("source.support.help", { name }) };
  if (source === "user_entry") {
    return owner.isReader ? { key: "you", word: t("source.you"), sentence: t("source.you.help") }
      : { key: "you", word: t("source.owner"), sentence: t("source.owner.help", { name: owner.name }) };
  }
  return { key: "advisor", word: t("source.advisor"), sentence: t("source.advisor.help") };
}

function fromCatalogue({ path, label, catalogLabel = label, kind, core = false, soft, hard = null, help = "", aliases = [] }) {
  return {
    path, kind: kindOf(path, kind), core, label: visible(label) || path, catalogLabel: visible(catalogLabel), aliases,
    help: visible(help), min: soft?.min ?? null, max: soft?.max ?? null, hard, period: periodOf(path, catalogLabel),
  };
}

/** The catalogue's kind; a month in which something starts is a point in time, not a length. */
export function kindOf(path, kind) {
  return kind === "months" && path.endsWith("Month") ? "month" : kind;
}

/** The period of an amount, by its name; without one no period may be typed. */
function periodOf(path, label) {
  const name = `${path.split(".").at(-1)} ${label}`;
  if (/month(ly)?\b|Monthly/.test(name)) return "month";
  return /\byear\b|annual|Annual|Yearly|Salary|salary/.test(name) ? "year" : null;
}

/** A row that the brand has dropped since the plan was made: its name is all that is left of it. */
function unknown(path) {
  const words = visible(path.split(".").at(-1)).replace(/([A-Z])/g, " $1").toLowerCase();
  return fromCatalogue({ path, label: words.charAt(0).toUpperCase() + words.slice(1), kind: path.startsWith("startupCosts.") ? "money" : "count" });
}

function placeholder(value, item7Range) {
  return { currentValue: value, source: "brand_default", brandDefault: value, item7Range, lastModifiedAt: null, isCustom: false };
}
