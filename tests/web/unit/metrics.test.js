import test from "node:test";
import assert from "node:assert/strict";
import { directionOf, formatDifference, formatMetric, metricHelp, metricLabel, tellingChanges, useMetrics } from "../../../web/metrics.js";
import { loadAllTexts } from "../../../web/texts.js";
import { inputsOf, remarkOn, sectionsOf, sourceOf } from "../../../web/fields.js";

await loadAllTexts();
useMetrics([
  { name: "breakEvenMonth", label: "Break-even month", kind: "month", better: "lower", help: "The first of three good months." },
  { name: "paybackMonth", label: "Investment paid back", kind: "month", better: "lower", help: "" },
  { name: "dscrYear1", label: "Loan coverage (DSCR), year 1", kind: "multiple", better: "higher", help: "" },
  { name: "lowestCash", label: "Lowest cash", kind: "money", better: "higher", help: "" },
  { name: "fiveYearOwnerCashFlow", label: "Cash to the owner over 5 years", kind: "money", better: "higher", help: "" },
  { name: "monthlyPayment", label: "Loan payment per month", kind: "money", better: "lower", help: "" },
  { name: "loanAmount", label: "Loan amount", kind: "money", better: null, help: "" },
]);

test("differences are written in the unit of the result", () => {
  assert.equal(formatDifference("breakEvenMonth", 9, 7), "2 months earlier");
  assert.equal(formatDifference("breakEvenMonth", 7, 8), "1 month later");
  assert.equal(formatDifference("lowestCash", 100_000, -50_049), "−$1,500");
  assert.equal(formatDifference("dscrYear1", 0.61, 1.04), "+0.43×");
  for (const [before, after] of [[1, 1], [null, 2], [2, null], [1, 1.0001]]) assert.equal(formatDifference("dscrYear1", before, after), "");
});

test("labels and help are the catalogue's, values are written by their kind", () => {
  assert.equal(metricLabel("breakEvenMonth"), "Break-even month");
  assert.equal(metricHelp("breakEvenMonth"), "The first of three good months.");
  assert.equal(metricLabel("addedLater"), "addedLater");
  assert.equal(formatMetric("breakEvenMonth", 9), "month 9");
  assert.equal(formatMetric("breakEvenMonth", null), "not within 5 years");
  assert.equal(formatMetric("dscrYear1", 0.6), "0.60×");
  assert.equal(formatMetric("dscrYear1", null), "no loan");
  assert.equal(formatMetric("lowestCash", 2492105), "$24,921");
  assert.equal(formatMetric("monthlyPayment", 373910), "$3,739.10");
});

test("never is worse than late, and earlier is better", () => {
  assert.equal(directionOf("breakEvenMonth", 9, 8), "better");
  assert.equal(directionOf("breakEvenMonth", 9, null), "worse");
  assert.equal(directionOf("paybackMonth", null, 42), "better");
  assert.equal(directionOf("lowestCash", 2492105, 2732105), "better");
  assert.equal(directionOf("loanAmount", 1, 2), "");
});

test("a ratio that covers nothing is no figure, and orders nothing", () => {
  for (const nothing of [0, -0.6]) assert.equal(formatMetric("dscrYear1", nothing), "not covered");
  assert.equal(directionOf("dscrYear1", -3.11, -2.82), "");
  assert.equal(directionOf("dscrYear1", -0.2, 0.1), "better");
  assert.equal(directionOf("dscrYear1", 0.1, -0.2), "worse");
  assert.equal(formatDifference("dscrYear1", -3.11, -2.82), "");
  assert.equal(formatDifference("dscrYear1", -3.11, 0.5), "");
  assert.equal(formatDifference("lowestCash", -100_000, -50_000), "+$500");
});

test("the telling changes come first, and those that look the same are left out", () => {
  const changes = [
    { metric: "fiveYearOwnerCashFlow", before: 1, after: 2 }, { metric: "lowestCash", before: 2492105, after: 2732105 },
    { metric: "breakEvenMonth", before: 9, after: 8 },
  ];
  assert.deepEqual(tellingChanges(changes).map((change) => change.metric), ["breakEvenMonth", "lowestCash"]);
});

test("a remark names the range and leaves the number to its author", () => {
  const rent = { kind: "money", min: 50000, max: 2500000 };
  const input = (currentValue, item7Range = { low: 300000, high: 700000 }) => ({ currentValue, item7Range });
  assert.equal(remarkOn(rent, input(700000)), null);
  assert.match(remarkOn(rent, input(900000)), /^Above the franchisor’s published range \(\$3,000–\$7,000\)\.$/);
  assert.match(remarkOn(rent, input(200000)), /^Below the franchisor’s/);
  assert.match(remarkOn(rent, input(40000, null)), /^Lower than the \$500 to \$25,000/);
  assert.equal(remarkOn({ kind: "money", min: null, max: null }, input(40000, null)), null);
});

test("whose number it is", () => {
  const sam = { id: "s", name: "Sam", isReader: true };
  const avery = { id: "a", displayName: "Avery\u202E Stone" };
  assert.equal(sourceOf("brand_default").word, "Brand");
  assert.equal(sourceOf("brand_default", avery, sam).word, "Brand");
  assert.equal(sourceOf("user_entry").word, "You");
  assert.equal(sourceOf("user_entry", { id: "s" }, { ...sam, isReader: false }).word, "Owner");
  assert.equal(sourceOf("ai_populated", { id: "s" }, sam).word, "Advisor");
  assert.deepEqual(sourceOf("ai_populated", avery, sam), { key: "support", word: "Support", sentence: "Entered by Avery Stone (support)." });
  assert.equal(sourceOf("admin:Avery\u202E Stone").sentence, "Entered by Avery Stone (support).");
});

test("a brand's own startup costs are fields too, and a plan without inputs shows the placeholders", () => {
  const brand = {
    parameters: { "operatingCosts.rentMonthly": { value: 450000, label: "Rent" } },
    startupCostTemplate: [{ slug: "mural", label: "Mural", defaultAmount: 500000, item7Low: null, item7High: null }],
  };
  const inputs = inputsOf({ financialInputs: null }, brand);
  const catalogue = [{ path: "operatingCosts.rentMonthly", label: "Rent per month", kind: "money", core: true, soft: { min: 50000, max: 2500000 } }];
  const sections = sectionsOf(catalogue, brand, inputs);
  assert.deepEqual(sections.map((section) => [section.title, section.fields.map((field) => [field.label, field.core])]),
    [["Operating costs", [["Rent", true]]], ["Startup costs", [["Mural", false]]]]);
  assert.equal(inputs["startupCosts.mural"].currentValue, 500000);
  const dropped = sectionsOf([], null, { "startupCosts.dogWashStation": inputs["startupCosts.mural"] });
  assert.equal(dropped[0].fields[0].label, "Dog wash station");
});
