/**
 * Sixty months as one line, with the moments that matter on it. The same numbers stand in words beside it, so the
 * drawing is for the eye only.
 */
import { h, s } from "../dom.js";
import { t } from "../texts.js";

const LEFT = 8;
const RIGHT = 332;
const MONTHS = 60;
/** Marks of neighboring months stand this far apart, so that none hides another. */
const APART = 9;
/** Room for the month above a mark. */
const LETTERS = 18;
const x = (month) => Number((LEFT + ((month - 1) / (MONTHS - 1)) * (RIGHT - LEFT)).toFixed(1));

/** `marks` is `[{key, month}]`; months that are never reached are left out. */
export function timeline(marks, stableFrom) {
  return h("div", { class: "timeline" }, s("svg", { viewBox: "0 0 340 50", "aria-hidden": "true" },
    s("line", { class: "timeline-line", x1: LEFT, x2: RIGHT, y1: 20, y2: 20 }),
    stableFrom && s("line", { class: "timeline-stable", x1: x(stableFrom), x2: RIGHT, y1: 20, y2: 20 }),
    [1, 12, 24, 36, 48, 60].map((month) => [
      s("line", { class: "timeline-tick", x1: x(month), x2: x(month), y1: 28, y2: 32 }),
      s("text", { class: "timeline-year", x: x(month), y: 45, "text-anchor": month === 1 ? "start" : month === 60 ? "end" : "middle" }, month === 1 ? t("metric.month", { month }) : String(month)),
    ]),
    labelled(apart(marks.filter((mark) => mark.month)))));
}

/** Each mark with its month above it, unless the one before it would be covered. */
function labelled(marks) {
  let free = -Infinity;
  return marks.map(({ key, month, at }) => {
    const isFree = at - free >= LETTERS;
    if (isFree) free = at;
    return [isFree && s("text", { class: "timeline-year", x: at, y: 10, "text-anchor": "middle" }, String(month)), s("circle", { class: `timeline-mark ${key}`, cx: at, cy: 20, r: 6 })];
  });
}

function apart(marks) {
  let free = LEFT;
  return marks.map(({ key, month }) => ({ key, month, at: x(month) })).sort((one, other) => one.at - other.at).map(({ key, month, at }) => {
    const place = Math.max(at, free);
    free = place + APART;
    return { key, month, at: place };
  });
}
