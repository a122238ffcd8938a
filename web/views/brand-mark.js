/** The product's mark: a rising line that leaves the ground. */
import { h, s } from "../dom.js";

export function brandMark() {
  return h("div", { class: "logo" },
    s("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
      s("rect", { class: "logo-tile", width: 32, height: 32, rx: 9 }),
      s("path", { class: "logo-ground", d: "M7 24.5h18" }),
      s("path", { class: "logo-line", d: "M7 20c5 0 6.5-2 9-5.5S21 9 25 8" })),
    h("span", {}, "Plan Advisor"));
}
