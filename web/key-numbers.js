/**
 * The key numbers of a plan in order, and which one to ask next. Pure: what is stored and what was put off goes in.
 */

/**
 * `states`: "confirmed" (no longer the brand's default, or what another number decides), "waiting" (a proposal is open), "unknown" and "skipped" (put off by the
 * user), "brand" (still the brand's default).
 */
export function keyNumbers(fields, inputs, openPaths, putOff) {
  return fields.map((field) => {
    const { source, derived } = inputs[field.path];
    const isOwn = source !== "brand_default" || derived;
    const state = isOwn ? "confirmed" : openPaths.has(field.path) ? "waiting" : putOff[field.path] ?? "brand";
    return { field, state };
  });
}

/** The next number to ask after `path`, going round once; null when none is left that was not put off. */
export function nextQuestion(numbers, path = null) {
  const at = numbers.findIndex(({ field }) => field.path === path);
  const round = [...numbers.slice(at + 1), ...numbers.slice(0, at + 1)];
  return round.find(({ state }) => state === "brand" || state === "waiting")?.field ?? null;
}

export function countOf(numbers, state) {
  return numbers.filter((number) => number.state === state).length;
}
