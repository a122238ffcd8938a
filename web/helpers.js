/**
 * Numbers that people do not have and can work out: monthly sales from price, customers and days; labor from people, hours and
 * wage. Pure: what is typed goes in, the number of the plan and its sum come out.
 */
const SALES = "revenue.monthlyAuv";
const WEEKS_PER_MONTH = 52 / 12;

/** By field: what is asked, each with its kind, in order. */
export const HELPERS = {
  [SALES]: { key: "sales", asked: [["price", "money"], ["visits", "count"], ["days", "count"]] },
  "operatingCosts.laborPct": { key: "labor", asked: [["people", "count"], ["hours", "count"], ["wage", "money"]] },
};

/**
 * `{value, monthly}`: the field's value and what a month comes to, in cents; null where something is missing, or a share of no
 * sales is asked.
 */
export function workOut(path, values, inputs) {
  if (!HELPERS[path] || values.some((value) => value === null || value < 0)) return null;
  const monthly = Math.round((values.reduce((product, value) => product * value, 1) * WEEKS_PER_MONTH) / 100) * 100;
  if (path === SALES) return { value: monthly, monthly };
  const sales = inputs[SALES]?.currentValue ?? 0;
  return sales > 0 ? { value: Number((monthly / sales).toFixed(3)), monthly } : null;
}
