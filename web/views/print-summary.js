/**
 * What the browser prints from where one works: the summary of the package, made of what the page has already, so that nobody waits.
 * The sentence about whose assumptions they are is on every page.
 */
import { h } from "../dom.js";
import { cover, results, running, standing } from "../paper/front.js";
import { yearsTable } from "./results.js";

/** Puts the summary into `screen` whenever something is printed, until `signal` ends that. `workspace` is the plan as it is open. */
export function printsSummary(screen, workspace, signal) {
  let sheet = null;
  addEventListener("beforeprint", () => {
    sheet?.remove();
    sheet = workspace.outputs && summary(workspace);
    if (sheet) screen.append(sheet);
  }, { signal });
  addEventListener("afterprint", () => sheet?.remove(), { signal });
}

function summary({ plan, brand, owner, outputs, inputs }) {
  const data = { plan, brand, owner, outputs, inputs, scenario: null, at: new Date().toISOString() };
  const figures = results(outputs, () => "");
  // Pictures are asked for, and a print does not wait.
  figures.querySelector(".print-charts").remove();
  return h("div", { class: "print-sheet print-summary" }, h("table", { class: "print-frame" },
    h("tbody", {}, h("tr", {}, h("td", {}, cover(data), figures, h("section", {}, yearsTable(outputs.annual ?? []))))),
    h("tfoot", {}, h("tr", {}, h("td", {}, h("div", { class: "print-foot" }, h("p", {}, running(data)), h("p", { class: "standing" }, standing(brand))))))));
}
