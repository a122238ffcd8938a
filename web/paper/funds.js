/**
 * Where the money comes from, what it is used for, and startup costs beside the franchisor's published ranges (Item 7). Pure.
 */

/**
 * Sources and uses, equal to the cent: `{sources, uses}` of `[{key | label, cents}]`. `rows` are the startup costs
 * `{label, cents}` of the plan; what owner and bank bring beyond them is kept in reserve, which is a use.
 */
export function sourcesAndUses({ opening, metrics }, rows) {
  const { loan, paidIn } = opening;
  const { totalInvestment } = metrics;
  const reserve = loan + paidIn - totalInvestment;
  const extra = paidIn - Math.max(0, totalInvestment - loan);
  const named = rows.reduce((sum, { cents }) => sum + cents, 0);
  const some = (entries) => entries.filter(({ cents }) => cents !== 0);
  return {
    sources: some([{ key: "loan", cents: loan }, { key: "ownersCash", cents: paidIn - extra }, { key: "extraCash", cents: extra }]),
    // A row that the brand has dropped since has no name any more, and the total must still be right.
    uses: some([...rows, { key: "otherStartup", cents: totalInvestment - named }, { key: "reserve", cents: reserve }]),
  };
}

/** Shares of a whole in tenths of a percent. They add up to 1,000: what rounding leaves over goes to the largest remainders. */
export function sharesOf(amounts) {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  if (whole <= 0) return amounts.map(() => 0);
  const exact = amounts.map((amount) => (amount / whole) * 1000);
  const shares = exact.map(Math.floor);
  const left = Math.round(1000 - shares.reduce((sum, share) => sum + share, 0));
  const order = exact.map((share, at) => [share - shares[at], at]).sort(([one], [other]) => other - one);
  for (const [, at] of order.slice(0, left)) shares[at] += 1;
  return shares;
}

/**
 * Startup costs beside Item 7: rows with the columns low, high, this plan, and where that is. `rows` are
 * `{label, cents, range}`, `range` null where the document has none.
 */
export function item7Rows(rows) {
  const inside = rows.filter(({ range }) => range);
  const outside = rows.filter(({ range, cents }) => !range && cents !== 0);
  const added = (entries, of) => entries.reduce((sum, entry) => sum + of(entry), 0);
  const planned = (entries) => added(entries, ({ cents }) => cents);
  const lines = (entries) => entries.map(({ label, cents, range }) => ({ kind: "line", label, cells: [range?.low ?? null, range?.high ?? null, cents, range ? positionOf(cents, range) : null] }));
  const ends = { low: added(inside, ({ range }) => range.low), high: added(inside, ({ range }) => range.high) };
  const total = (key, entries, range) => ({ kind: "total", key, cells: [range?.low ?? null, range?.high ?? null, planned(entries), range ? positionOf(planned(entries), range) : null] });
  if (inside.length === 0) return [...lines(outside), total("totalInvestment", outside, null)];
  if (outside.length === 0) return [...lines(inside), total("totalInvestment", inside, ends)];
  return [
    { kind: "group", key: "inItem7", cells: [] }, ...lines(inside), total("totalItem7", inside, ends),
    { kind: "group", key: "notInItem7", cells: [] }, ...lines(outside), total("totalNotItem7", outside, null),
    { kind: "sum", key: "totalInvestment", cells: [null, null, planned(rows), null] },
  ];
}

function positionOf(cents, { low, high }) {
  return cents < low ? "below" : cents > high ? "above" : "within";
}

/** Sources, or uses, as rows with amount and share. */
export function shareRows(entries) {
  const amounts = entries.map(({ cents }) => cents);
  const shares = sharesOf(amounts);
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  const cell = (share) => (whole === 0 ? null : { tenths: share });
  return [
    ...entries.map(({ key, label, cents }, at) => ({ kind: "line", key, label, cells: [cents, cell(shares[at])] })),
    { kind: "total", key: "total", cells: [whole, cell(1000)] },
  ];
}
