/** What the charts show: lines of month and cents, and the months worth marking. Pure, from a projection. */

/** `{name, lines: [{key, points: [[month, cents]]}], marks: [{key, month, line}]}` for each chart. */
export function chartsOf({ metrics, monthly }) {
  const line = (key, value) => ({ key, points: monthly.map((row) => [row.month, value(row)]) });
  const cash = line("cash", (row) => row.endingCash);
  cash.points.unshift([0, metrics.openingCash]);
  const back = line("back", accumulated(-metrics.ownerCash));
  back.points.unshift([0, -metrics.ownerCash]);
  return [
    { name: "cash", lines: [cash], marks: marks("cash", { lowest: metrics.lowestCashMonth }) },
    {
      name: "revenue-costs",
      lines: [line("sales", (row) => row.revenue), line("costs", allCosts)],
      marks: marks("sales", { breakEven: metrics.breakEvenMonth }),
    },
    { name: "break-even", lines: [back], marks: marks("back", { payback: metrics.paybackMonth }) },
  ];
}

function marks(line, months) {
  return Object.entries(months).filter(([, month]) => month !== null).map(([key, month]) => ({ key, month, line }));
}

/** Everything that is paid in a month, the loan's principal with it. */
function allCosts(row) {
  return row.revenue - row.operatingEbitda + row.interest + row.principal;
}

/** The cash that has come back to the owner so far, before draws. */
function accumulated(start) {
  let position = start;
  return (row) => (position += row.operatingCashFlow - row.principal);
}

/** Round steps that cover `low` to `high` in about `count` of them: 1, 2 or 5 times a power of ten. */
export function ticks(low, high, count = 4) {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= count) ?? power * 10;
  const values = [];
  for (let at = Math.floor(low / step); at <= Math.ceil(high / step); at += 1) values.push(at * step);
  return values;
}
