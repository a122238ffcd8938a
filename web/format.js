/**
 * Between stored values and words: cents to dollars, decimals to percent, and back.
 *
 * Money stays a whole number of cents and percentages are shifted as text, so no value is ever changed by showing it.
 */

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const CENTS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const PLAIN = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const UNITS = { months: ["month", "months"], days: ["day", "days"], years: ["year", "years"] };

/** "$4,200", with cents only where there are some. */
export function formatMoney(cents) {
  return minus(cents % 100 === 0 ? DOLLARS.format(cents / 100) : CENTS.format(cents / 100));
}

/** "$24,921": for results, where cents only distract. */
export function formatDollars(cents) {
  return minus(DOLLARS.format(Math.round(cents / 100)));
}

/** 0.1025 → "10.25%". */
export function formatPercent(decimal) {
  return minus(`${PLAIN.format(Number((decimal * 100).toFixed(6)))}%`);
}

/** A field's value as a person would write it. */
export function formatValue(kind, value) {
  if (value === null || value === undefined) return "not set";
  if (kind === "money") return formatMoney(value);
  if (kind === "percent") return formatPercent(value);
  if (kind === "multiple") return `${PLAIN.format(value)}×`;
  const [one, many] = UNITS[kind] ?? ["", ""];
  return `${PLAIN.format(value)} ${Math.abs(value) === 1 ? one : many}`.trim();
}

/** What an edit box starts with: the value without its unit. */
export function editableValue(kind, value) {
  if (value === null || value === undefined) return "";
  if (kind === "money") return value % 100 === 0 ? String(value / 100) : (value / 100).toFixed(2);
  if (kind === "percent") return String(Number((value * 100).toFixed(6)));
  return String(value);
}

/** The unit that stands beside an edit box, as `[before, after]`. */
export function unitOf(kind) {
  if (kind === "money") return ["$", ""];
  if (kind === "percent") return ["", "%"];
  if (kind === "multiple") return ["", "×"];
  return ["", UNITS[kind]?.[1] ?? ""];
}

/**
 * Reads what somebody typed: "$4,200.50", "4.2k", "10.25 %", "18 months". Null when it is not one plain number.
 * Digits are moved as text: 10.25 percent is 0.1025, not 0.10250000000000001.
 */
export function parseValue(kind, text) {
  const match = /^([-−]?)\s*\$?\s*(\d[\d,]{0,17}|)(?:\.(\d{0,8}))?\s*(k|m|%|×|x|days?|months?|years?)?$/i.exec(text.trim());
  if (!match) return null;
  const [, sign, whole, fraction = "", suffix = ""] = match;
  const digits = whole.replaceAll(",", "");
  if (digits === "" && fraction === "") return null;
  const scale = { k: 3, m: 6 }[suffix.toLowerCase()] ?? 0;
  if (scale > 0 && kind !== "money") return null;
  const shift = scale + (kind === "money" ? 2 : kind === "percent" ? -2 : 0);
  const value = Number(`${sign ? "-" : ""}${digits || "0"}.${fraction || "0"}e${shift}`);
  if (kind === "percent" || kind === "multiple") return value;
  return Number.isSafeInteger(value) ? value : null;
}

/** A real minus sign instead of a hyphen: it lines up with the digits and never ends a line. */
export function minus(text) {
  return text.replace("-", "−");
}

/** An instant as the reader's clock shows it. */
export function formatTime(timestamp) {
  const at = new Date(timestamp);
  return Number.isNaN(at.getTime()) ? "" : TIME.format(at);
}

/** 187 → "3:07". */
export function formatCountdown(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

export function plural(count, one, many = `${one}s`) {
  return `${PLAIN.format(count)} ${count === 1 ? one : many}`;
}

/**
 * A name or label without the characters that cannot be seen: they could make one plan look like another, or turn
 * the text around it. (Zero width, bidirectional controls, tags, variation selectors, other controls.)
 */
export function visible(text) {
  return String(text ?? "").replace(/[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u2028\u2029]/gu, "").trim();
}
