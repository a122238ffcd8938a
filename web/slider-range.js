/** The range of a slider: from zero to about twice the value, with the published range in it, in steps that are easy to read. */

/** `{min, max, step}` for a field and its input; `value` must be in the range. */
export function rangeOf({ kind, hard }, { currentValue, item7Range }, value) {
  const known = [currentValue, value, item7Range?.low, item7Range?.high].filter((entry) => Number.isFinite(entry));
  const top = Math.max(...known);
  const step = stepOf(kind, top);
  const wanted = top > 0 ? top * 2 : step * 50;
  const low = Math.max(hard?.min ?? 0, Math.min(0, ...known));
  return { min: round(kind, Math.floor(low / step) * step), max: round(kind, Math.min(hard?.max ?? Infinity, Math.ceil(wanted / step) * step)), step };
}

/** What a position means: without what binary fractions leave behind the last digit. */
export function round(kind, value) {
  return kind === "percent" || kind === "multiple" ? Number(value.toFixed(6)) : Math.round(value);
}

/** For money about a hundredth of the value, as 1, 2 or 5 times a power of ten, at least a dollar. */
function stepOf(kind, value) {
  if (kind === "percent") return 0.0025;
  if (kind === "multiple") return 0.05;
  if (kind !== "money") return 1;
  const wanted = Math.max(100, value / 100);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [5, 2, 1].map((factor) => factor * power).find((size) => size <= wanted);
}
