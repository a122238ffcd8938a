/** A box for a number with its unit inside of the frame, whichever side it belongs to: boxes below each other stand in one column. */
import { h } from "../dom.js";
import { unitOf } from "../format.js";

export function boxed(kind, input) {
  const [before, after] = unitOf(kind);
  const unit = (words) => words && h("span", { class: "unit", "aria-hidden": "true" }, words);
  return h("span", { class: "boxed", onclick: () => input.focus() }, unit(before), input, unit(after));
}
