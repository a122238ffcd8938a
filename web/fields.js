/**
 * The field catalogue as the page needs it: every field of one plan, in sections, with its label and limits.
 *
 * The catalogue knows the common fields, the brand knows its own startup costs and may label a field its own way.
 */
import { formatValue, visible } from "./format.js";

/** Sections in the order in which a plan is usually thought through. */
const SECTIONS = [
  ["revenue", "Sales"],
  ["operatingCosts", "Running costs"],
  ["startupCosts", "Opening costs"],
  ["financing", "Financing"],
  ["startupCapital", "Startup capital"],
  ["workingCapitalAndValuation", "Working capital and value"],
  ["profitabilityAndDistributions", "Profit and draws"],
  ["profile", "About the business"],
];

/**
 * @typedef {object} Field
 * @property {string} path
 * @property {string} label
 * @property {string} kind
 * @property {boolean} core     one of the figures a plan should not leave at a placeholder
 * @property {number|null} min  soft limits; a value beyond them is pointed at, never refused
 * @property {number|null} max
 */

/** Merges catalogue, brand and stored inputs into `[{key, title, fields}]`. */
export function sectionsOf(catalogue, brand, inputs) {
  const fields = new Map();
  for (const entry of catalogue) fields.set(entry.path, fromCatalogue(entry));
  for (const row of brand?.startupCostTemplate ?? []) {
    const path = `startupCosts.${row.slug}`;
    fields.set(path, { core: false, min: null, max: null, ...fields.get(path), path, kind: "money", label: visible(row.label) || path });
  }
  for (const [path, parameter] of Object.entries(brand?.parameters ?? {})) {
    if (fields.has(path)) fields.get(path).label = visible(parameter.label) || fields.get(path).label;
  }
  for (const path of Object.keys(inputs)) if (!fields.has(path)) fields.set(path, unknown(path));
  return SECTIONS.map(([key, title]) => ({
    key, title, fields: [...fields.values()].filter((field) => field.path in inputs && field.path.startsWith(`${key}.`)),
  })).filter((section) => section.fields.length > 0);
}

/** The inputs to show: the plan's own, or the brand's placeholders for a plan that has none yet. */
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
    if (value > range.high) return `Above the ${say(range.low)} to ${say(range.high)} of the disclosure document (Item 7). Your number stands.`;
    if (value < range.low) return `Below the ${say(range.low)} to ${say(range.high)} of the disclosure document (Item 7). Your number stands.`;
    return null;
  }
  if (field.max !== null && value > field.max) return `Higher than the ${say(field.min)} to ${say(field.max)} that plans usually hold here. Worth a second look.`;
  if (field.min !== null && value < field.min) return `Lower than the ${say(field.min)} to ${say(field.max)} that plans usually hold here. Worth a second look.`;
  return null;
}

/** Whose number it is: `{key, word, sentence}`. */
export function sourceOf(source) {
  if (source === "user_entry") return { key: "yours", word: "Yours", sentence: "You entered this." };
  if (source === "ai_populated") return { key: "ai", word: "AI", sentence: "The advisor wrote this down from what you said." };
  if (source?.startsWith("admin:")) return { key: "admin", word: "Admin", sentence: `Entered by ${visible(source.slice(6))}.` };
  return { key: "default", word: "Default", sentence: "A planning placeholder set by the brand administrator." };
}

function fromCatalogue({ path, label, kind, core = false, soft }) {
  return { path, label: visible(label) || path, kind, core, min: soft?.min ?? null, max: soft?.max ?? null };
}

/** A row that the brand has dropped since the plan was made: its name is all that is left of it. */
function unknown(path) {
  const words = visible(path.split(".").at(-1)).replace(/([A-Z])/g, " $1").toLowerCase();
  return { path, label: words.charAt(0).toUpperCase() + words.slice(1), kind: path.startsWith("startupCosts.") ? "money" : "count", core: false, min: null, max: null };
}

function placeholder(value, item7Range) {
  return { currentValue: value, source: "brand_default", brandDefault: value, item7Range, lastModifiedAt: null, isCustom: false };
}
