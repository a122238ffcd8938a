/**
 * The disclosed Item 7 range as a small bar with the plan's value on it. Drawn with SVG attributes in percent: it is
 * as wide as its place, the mark stays round, and the page needs no inline style.
 */
import { s } from "../dom.js";
import { formatValue } from "../format.js";
import { t } from "../texts.js";

/** `value` may lie outside; then the scale grows until it fits and the mark leaves the band. */
export function rangeBar(kind, value, { low, high }) {
  const from = Math.min(low, value);
  const to = Math.max(high, value);
  const pad = (to - from) * 0.12 || Math.abs(to) * 0.1 || 1;
  const share = (amount) => ((amount - from + pad) / (to - from + 2 * pad)) * 100;
  const percent = (number) => `${number.toFixed(2)}%`;
  const position = value > high ? "above" : value < low ? "below" : "inside";
  return s("svg", {
    class: `range-bar ${position === "inside" ? "inside" : "outside"}`, role: "img",
    "aria-label": t(`range.${position}`, { low: formatValue(kind, low), high: formatValue(kind, high), value: formatValue(kind, value) }),
  },
    s("rect", { class: "range-track", y: 6, width: "100%", height: 4, rx: 2 }),
    s("rect", { class: "range-band", x: percent(share(low)), y: 6, width: percent(Math.max(1, share(high) - share(low))), height: 4, rx: 2 }),
    s("circle", { class: "range-mark", cx: percent(share(value)), cy: 8, r: 5.5 }));
}
