/**
 * Rows of amounts, from top to bottom with one amount for every column. What is paid has a minus sign, and a total is what the
 * lines above it add up to: whoever adds a printed column finds the printed total. Pure.
 *
 * Kinds: a "line" is added; a "total" is the sum of all lines since the last "group", or since the top; a "sum" is that of the
 * last two totals; a "ratio" is no amount.
 */

export const line = (key, of = (period) => period[key]) => ({ kind: "line", key, of });
export const total = (key, of = (period) => period[key]) => ({ kind: "total", key, of });
export const sum = (key, of) => ({ kind: "sum", key, of });
export const ratio = (key, of) => ({ kind: "ratio", key, of });
export const group = (key) => ({ kind: "group", key });

/** A line that is subtracted. A period that does not have it, such as opening day, has no amount. */
export function less(key, of = (period) => period[key]) {
  return line(key, (period) => {
    const amount = of(period);
    return amount === undefined ? null : 0 - amount;
  });
}

/** The rows for these periods. Lines without any amount are left out. */
export function rowsOf(spec, periods) {
  return spec
    .map(({ kind, key, of }) => ({ kind, key, cells: kind === "group" ? [] : periods.map((period) => of(period) ?? null) }))
    .filter(({ kind, cells }) => kind !== "line" || cells.some((cell) => cell !== 0 && cell !== null));
}
