import test from "node:test";
import assert from "node:assert/strict";
import { directionOf, formatMetric, metricLabel, tellingChanges } from "../../../web/metrics.js";
import { inputsOf, remarkOn, sectionsOf, sourceOf } from "../../../web/fields.js";

test("the two months that sound alike have words of their own", () => {
  assert.equal(metricLabel("breakEvenMonth"), "First covers its costs");
  assert.equal(metricLabel("stableFromMonth"), "Covers them every month from");
  assert.equal(formatMetric("breakEvenMonth", null), "not in 60 months");
  assert.equal(formatMetric("dscrYear1", -0.6), "−0.60×");
  assert.equal(formatMetric("dscrYear1", null), "no loan");
});

test("never is worse than late, and earlier is better", () => {
  assert.equal(directionOf("breakEvenMonth", 9, 8), "better");
  assert.equal(directionOf("breakEvenMonth", 9, null), "worse");
  assert.equal(directionOf("paybackMonth", null, 42), "better");
  assert.equal(directionOf("lowestCash", 2492105, 2732105), "better");
  assert.equal(directionOf("loanAmount", 1, 2), "");
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
  assert.match(remarkOn(rent, input(900000)), /^Above the \$3,000 to \$7,000 .*Your number stands\.$/);
  assert.match(remarkOn(rent, input(200000)), /^Below the/);
  assert.match(remarkOn(rent, input(40000, null)), /^Lower than the \$500 to \$25,000/);
  assert.equal(remarkOn({ kind: "money", min: null, max: null }, input(40000, null)), null);
});

test("whose number it is", () => {
  assert.equal(sourceOf("brand_default").word, "Default");
  assert.equal(sourceOf("user_entry").word, "Yours");
  assert.equal(sourceOf("ai_populated").word, "AI");
  assert.deepEqual(sourceOf("admin:Avery\u202E Stone"), { key: "admin", word: "Admin", sentence: "Entered by Avery Stone." });
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
    [["Running costs", [["Rent", true]]], ["Opening costs", [["Mural", false]]]]);
  assert.equal(inputs["startupCosts.mural"].currentValue, 500000);
  const dropped = sectionsOf([], null, { "startupCosts.dogWashStation": inputs["startupCosts.mural"] });
  assert.equal(dropped[0].fields[0].label, "Dog wash station");
});
