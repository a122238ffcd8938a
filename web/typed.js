/**
 * What people type into a box for a number, in English and in Spanish: "$4,200.50", "4.2k", "4200 al mes", "10 años".
 *
 * Amounts are in US notation. Where a text can mean two numbers, as 350.000 and a loan's 10 (years or months) can, none is
 * taken: whoever typed it is asked. The API's own rules know nothing of this.
 */

const NUMBER = /^([-−]?)\s*(?:US)?\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,15}|)(?:\.(\d{0,8}))?\s*(.*)$/i;
/** Thousands parted by dots, as in most of the world: 350.000, 1.350.000,50. */
const DOTTED = /^([-−]?)\s*(?:US)?\$?\s*(\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2}))?(?![\d,])\s*(.*)$/i;
const SCALE = /^(k|m|thousand|million|mil|mill[oó]n(?:es)?)(?!\p{L})\s*(.*)$/iu;
const DOLLARS = /^(?:de )?(?:dollars?|usd|bucks|d[oó]lar(?:es)?)(?!\p{L})\s*/iu;
const PERIOD = /^(?:\/\s*|per |a |each |every |al |por |cada )?(month|mo|year|yr|day|monthly|yearly|annually|mes|mensual(?:es)?|a[ñn]o|anual(?:es)?|d[ií]a)\.?$/iu;
/** More than these, without a unit, are asked back. */
const MOST_YEARS = 40;
const YEARS = /^(?:years?|yrs?|a[ñn]os?)$/iu;
const WORDS = {
  money: /^$/, percent: /^(?:%|percent|per cent|por ?ciento)?$/i, multiple: /^(?:×|x|times|veces)?$/i,
  months: /^(?:months?|mo|mes(?:es)?)?$/i, days: /^(?:days?|d[ií]as?)?$/iu, years: /^(?:years?|yrs?|a[ñn]os?)?$/iu, month: /^$/, count: /^$/,
};

/**
 * `{value, choices}` of a text for a field `{kind, period, max}`: the value where there is one and only one, else null; `choices`
 * are what it may mean where that has to be asked.
 */
export function readTyped({ kind, period = null, max = null }, text) {
  const trimmed = text.trim();
  const dotted = kind === "money" && DOTTED.exec(trimmed);
  if (dotted) {
    const [, sign, whole, cents = "", rest] = dotted;
    const thousands = numberOf(kind, `${sign}${whole.replaceAll(".", "")}.${cents}`, rest, period);
    // Several groups, or a decimal comma behind them, have one meaning only.
    if (cents !== "" || whole.split(".").length > 2) return sure(thousands);
    if (!SCALE.test(rest.trim())) return { value: null, choices: [thousands, plain(kind, trimmed, period)].filter((value) => value !== null) };
  }
  const value = plain(kind, trimmed, period);
  // A term that may be as long as ten years is thought of in years, whatever it is counted in.
  if (kind === "months" && max >= 120 && /^\d+$/.test(trimmed) && value > 0 && value * 12 <= max) return { value: null, choices: [value * 12, value] };
  // No loan has so many years: whoever types 120 may think of months.
  if (kind === "years" && /^\d+$/.test(trimmed) && value > MOST_YEARS) return { value: null, choices: [value / 12, value].filter(Number.isInteger) };
  return sure(value);
}

/** The one value that a text has, or null. */
export function parseValue(kind, text, period = null) {
  return readTyped({ kind, period }, text).value;
}

function sure(value) {
  return { value, choices: [] };
}

function plain(kind, text, period) {
  const match = NUMBER.exec(kind === "month" ? text.replace(/^(?:month|mes)\s+/i, "") : text);
  if (!match) return null;
  const [, sign, whole, fraction = "", rest] = match;
  const digits = whole.replaceAll(",", "");
  return digits === "" && fraction === "" ? null : numberOf(kind, `${sign}${digits || "0"}.${fraction}`, rest, period);
}

/** Digits are moved as text: 10.25 percent is 0.1025, not 0.10250000000000001. */
function numberOf(kind, digits, rest, period) {
  const unit = takeUnit(kind, rest.trim(), period);
  if (unit === null) return null;
  const shift = unit.scale + (kind === "money" ? 2 : kind === "percent" ? -2 : 0);
  const value = Number(`${digits.replace("−", "-")}0e${shift}`) * unit.times;
  if (kind === "percent" || kind === "multiple") return value;
  return Number.isSafeInteger(value) ? value : null;
}

/** What stands behind a number: `{scale, times}`, or null where it does not fit the field. */
function takeUnit(kind, words, period) {
  if (kind !== "money") {
    if (kind === "months" && YEARS.test(words)) return { scale: 0, times: 12 };
    if (kind === "years" && words !== "" && WORDS.months.test(words)) return { scale: 0, times: 1 / 12 };
    return WORDS[kind]?.test(words) ? { scale: 0, times: 1 } : null;
  }
  const scaled = SCALE.exec(words);
  const scale = scaled ? (/^mill|^m$/i.test(scaled[1]) ? 6 : 3) : 0;
  const rest = (scaled ? scaled[2] : words).replace(DOLLARS, "");
  const per = PERIOD.exec(rest);
  const fits = per ? periodOf(per[1]) === period : rest === "";
  return fits ? { scale, times: 1 } : null;
}

function periodOf(word) {
  if (/^(?:mo|me)/i.test(word)) return "month";
  return /^d/i.test(word) ? "day" : "year";
}
