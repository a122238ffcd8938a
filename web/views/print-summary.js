/**
 * What the browser prints from where one works: the summary of the package, made of what the page has already, so that nobody waits.
 * The sentence about whose assumptions they are is on every page.
 */
import { h } from "../dom.js";
import { useOpeningMonth, visible } from "../format.js";
import { inputsOf } from "../fields.js";
import { useMetrics } from "../metrics.js";
import { cover, results, running, standing, story } from "../paper/front.js";
import { yearsTable } from "./results.js";

/**
 * Puts the summary into `screen` whenever something is printed, until `signal` ends that. `look()` is the plan as it is then:
 * `{plan, brand, owner, outputs, inputs}`, with `story`, its texts, and `more`, what follows the figures, where there are any.
 */
export function printsSummary(screen, look, signal) {
  let sheet = null;
  addEventListener("beforeprint", () => {
    sheet?.remove();
    const data = look();
    sheet = data.outputs && summary(data);
    if (sheet) screen.append(sheet);
  }, { signal });
  addEventListener("afterprint", () => sheet?.remove(), { signal });
}

/** The same for a screen that has not opened the plan: it is read once. `more()` adds to it. */
export async function printsPlan(context, screen, planId, { signal, more = () => ({}) }) {
  const { client } = context;
  const [plan, owner, metrics, outputs] = await Promise.all([client.plan(planId), ownerOf(context, planId), client.metrics(), client.outputs(planId)]);
  const brand = await client.brand(plan.brandId);
  useMetrics(metrics);
  useOpeningMonth(plan.openingMonth);
  printsSummary(screen, () => ({ plan, brand, owner, outputs, inputs: inputsOf(plan, brand), ...more() }), signal);
}

/** Whose plan it is, by the name that is printed. */
export async function ownerOf({ client, session }, planId) {
  const plans = await client.listPlans();
  const owner = plans.find(({ id }) => id === planId)?.owner ?? session.effectiveUser;
  return { id: owner.id, name: visible(owner.displayName), isReader: false };
}

function summary({ plan, brand, owner, outputs, inputs, story: texts, more }) {
  const data = { plan, brand, owner, outputs, inputs, scenario: null, at: new Date().toISOString() };
  const figures = results(outputs, () => "");
  // Pictures are asked for, and a print does not wait.
  figures.querySelector(".print-charts").remove();
  return h("div", { class: "print-sheet print-summary" }, h("table", { class: "print-frame" },
    h("tbody", {}, h("tr", {}, h("td", {}, cover(data), figures, h("section", {}, yearsTable(outputs.annual ?? [])), texts && story(texts), more))),
    h("tfoot", {}, h("tr", {}, h("td", {}, h("div", { class: "print-foot" }, h("p", {}, running(data)), h("p", { class: "standing" }, standing(brand))))))));
}
