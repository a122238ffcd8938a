/**
 * Stored values in words: cents as dollars, decimals as percent. The way back is in `typed.js`.
 *
 * Money stays a whole number of cents and percentages are shifted as text, so no value is ever changed by showing it.
 * Amounts are US dollars in US notation in every language; dates and units are the reader's.
 */
import { currentLanguage, t } from "./texts.js";

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const CENTS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const SHORT = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", notation: "compact", maximumFractionDigits: 1 });
const PLAIN = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const UNITS = ["months", "days", "years"];
/** The calendar month of opening, "2027-03", or null. */
let opening = null;

/** "$4,200", with cents only where there are some. */
export function formatMoney(cents) {
  return minus(cents % 100 === 0 ? DOLLARS.format(cents / 100) : CENTS.format(cents / 100));
}

/** "$24,921": for results, where cents only distract. */
export function formatDollars(cents) {
  return minus(DOLLARS.format(Math.round(cents / 100)));
}

/** "$24.9K": for axes. */
export function formatShort(cents) {
  return minus(SHORT.format(cents / 100));
}

/** 0.1025 → "10.25%". */
export function formatPercent(decimal) {
  return minus(`${PLAIN.format(Number((decimal * 100).toFixed(6)))}%`);
}

export function formatNumber(value) {
  return minus(PLAIN.format(value));
}

/** A field's value as a person would write it. */
export function formatValue(kind, value) {
  if (value === null || value === undefined) return t("value.none");
  if (kind === "money") return formatMoney(value);
  if (kind === "percent") return formatPercent(value);
  if (kind === "multiple") return `${formatNumber(value)}×`;
  if (kind === "month") return t("metric.month", { month: datedMonth(value) });
  // Twelve months and more read as years where they are whole: a loan is over ten years.
  if (kind === "months" && value >= 24 && value % 12 === 0) return t("unit.years.long", { count: value / 12, months: formatNumber(value) });
  return UNITS.includes(kind) ? t(`unit.${kind}`, { count: value, number: formatNumber(value) }) : formatNumber(value);
}

/** What an edit box starts with: the value without its unit, its thousands separated as everywhere else. */
export function editableValue(kind, value) {
  if (value === null || value === undefined) return "";
  if (kind === "money") return (value % 100 === 0 ? DOLLARS : CENTS).format(value / 100).replace("$", "");
  if (kind === "percent") return String(Number((value * 100).toFixed(6)));
  return PLAIN.format(value);
}

/** The unit that stands beside an edit box, as `[before, after]`. */
export function unitOf(kind) {
  if (kind === "money") return ["$", ""];
  if (kind === "percent") return ["", "%"];
  if (kind === "multiple") return ["", "×"];
  if (kind === "month") return [t("unit.month.name"), ""];
  return ["", UNITS.includes(kind) ? t(`unit.${kind}.name`) : ""];
}

/** A real minus sign instead of a hyphen: it lines up with the digits and never ends a line. */
export function minus(text) {
  return text.replace("-", "−");
}

/** An instant as the reader's clock shows it: date and time. */
export function formatTime(timestamp) {
  return dated(timestamp, { dateStyle: "medium", timeStyle: "short" });
}

export function formatClock(timestamp) {
  return dated(timestamp, { timeStyle: "short" });
}

/** The day of an instant; a date without a time is that day everywhere. */
export function formatDate(date) {
  return dated(date, { dateStyle: "medium", timeZone: date.length === 10 ? "UTC" : undefined });
}

/** From here on months of the plan have dates: month 1 is `month`, "2027-03"; null takes the dates away. */
export function useOpeningMonth(month) {
  opening = /^\d{4}-\d{2}$/.test(month) ? month : null;
}

/** When a month of the plan is, "Mar 2027"; "" where the opening is not known. */
export function calendarMonth(number) {
  if (opening === null) return "";
  const [year, month] = opening.split("-").map(Number);
  return dated(Date.UTC(year, month - 2 + number, 1), { month: "short", year: "numeric", timeZone: "UTC" });
}

/** "8", or "8 (Oct 2027)" where the opening is known. */
export function datedMonth(number) {
  const date = calendarMonth(number);
  return date ? `${formatNumber(number)} (${date})` : formatNumber(number);
}

/** "Today", "Yesterday", or the date. */
export function formatDay(timestamp, now = new Date()) {
  const day = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
  const days = Math.round((day(now) - day(new Date(timestamp))) / 86_400_000);
  if (days === 0 || days === 1) return t(days === 0 ? "day.today" : "day.yesterday");
  return dated(timestamp, { dateStyle: "full" });
}

function dated(timestamp, style) {
  const at = new Date(timestamp);
  return Number.isNaN(at.getTime()) ? "" : new Intl.DateTimeFormat(`${currentLanguage()}-US`, style).format(at);
}

/** 187 → "3:07". */
export function formatCountdown(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/**
 * A longer text that others wrote, such as a model's, without what turns its direction or hides in it: bidirectional controls,
 * tags, characters without width, controls but line breaks and tabs. Joiners and variation selectors stay: some scripts and
 * emoji need them.
 */
export function readable(text) {
  return String(text ?? "").replace(/(?![\n\t\r\u200C\u200D])[\p{Cc}\p{Cf}]/gu, "");
}

/**
 * A name or label without the characters that cannot be seen: they could make one plan look like another, or turn
 * the text around it. (Zero width, bidirectional controls, tags, variation selectors, other controls.)
 */
export function visible(text) {
  return String(text ?? "").replace(/[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u2028\u2029]/gu, "").trim();
}
