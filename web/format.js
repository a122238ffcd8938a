/**
 * Between stored values and words: cents to dollars, decimals to percent, and back.
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
  if (kind === "month") return t("metric.month", { month: formatNumber(value) });
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

const NUMBER = /^([-−]?)\s*(?:US)?\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,15}|)(?:\.(\d{0,8}))?\s*(.*)$/i;
const SCALES = { k: 3, thousand: 3, m: 6, million: 6 };
const PERIOD = /^(?:\/|per |a |each |every )?\s*(month|mo|year|yr|day|monthly|yearly|annually)\.?$/i;
const WORDS = {
  money: /^(?:dollars?|usd|bucks)?$/i, percent: /^(?:%|percent|per cent)?$/i, multiple: /^(?:×|x|times)?$/i,
  months: /^(?:months?|mo)?$/i, days: /^days?$|^$/i, years: /^(?:years?|yrs?)?$/i, month: /^$/, count: /^$/,
};

/**
 * Reads what was typed: "$4,200.50", "4.2k", "$4,200 per month", "10.25 %", "18 months". Null when it is not one
 * plain number, or one for another period than `period` ("month", "year" or null).
 * Digits are moved as text: 10.25 percent is 0.1025, not 0.10250000000000001.
 */
export function parseValue(kind, text, period = null) {
  const match = NUMBER.exec(kind === "month" ? text.trim().replace(/^(?:month|mes)\s+/i, "") : text.trim());
  if (!match) return null;
  const [, sign, whole, fraction = "", rest] = match;
  const digits = whole.replaceAll(",", "");
  if (digits === "" && fraction === "") return null;
  const unit = takeUnit(kind, rest.trim(), period);
  if (unit === null || (unit.scale > 0 && kind !== "money")) return null;
  const shift = unit.scale + (kind === "money" ? 2 : kind === "percent" ? -2 : 0);
  const value = Number(`${sign ? "-" : ""}${digits || "0"}.${fraction || "0"}e${shift}`) * unit.times;
  if (kind === "percent" || kind === "multiple") return value;
  return Number.isSafeInteger(value) ? value : null;
}

/** What stands behind a number: `{scale, times}`, or null where it does not fit the field. */
function takeUnit(kind, words, period) {
  const scaled = /^(k|m|thousand|million)\b\s*(.*)$/i.exec(words);
  const scale = scaled && kind === "money" ? SCALES[scaled[1].toLowerCase()] : 0;
  let rest = scale ? scaled[2] : words;
  if (kind === "money") {
    rest = rest.replace(/^(?:dollars?|usd|bucks)\b\s*/i, "");
    const per = PERIOD.exec(rest);
    if (per) return samePeriod(per[1], period) ? { scale, times: 1 } : null;
  }
  if (kind === "months" && /^(?:years?|yrs?)$/i.test(rest)) return { scale: 0, times: 12 };
  return WORDS[kind]?.test(rest) ? { scale, times: 1 } : null;
}

function samePeriod(word, period) {
  const named = /^(?:mo|month)/i.test(word) ? "month" : /^day/i.test(word) ? "day" : "year";
  return named === period;
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
