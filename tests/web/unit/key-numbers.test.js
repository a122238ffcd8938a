import test from "node:test";
import assert from "node:assert/strict";
import { countOf, keyNumbers, nextQuestion } from "../../../web/key-numbers.js";
import { chartsOf, ticks } from "../../../web/chart-data.js";
import { fieldPath, parseRoute, planPath, resultPath } from "../../../web/router.js";

test("the next question goes round once and passes what was put off", () => {
  const fields = ["a", "b", "c", "d"].map((path) => ({ path }));
  const inputs = { a: { source: "user_entry" }, b: { source: "brand_default" }, c: { source: "brand_default" }, d: { source: "brand_default" } };
  const numbers = keyNumbers(fields, inputs, new Set(["d"]), { b: "unknown" });
  assert.deepEqual(numbers.map(({ state }) => state), ["confirmed", "unknown", "brand", "waiting"]);
  assert.equal(countOf(numbers, "confirmed"), 1);
  assert.equal(nextQuestion(numbers).path, "c");
  assert.equal(nextQuestion(numbers, "c").path, "d");
  assert.equal(nextQuestion(numbers, "d").path, "c");
  assert.equal(nextQuestion(numbers.slice(0, 2)), null);
});

test("addresses name a plan, its view and a message", () => {
  const id = "0199c0de-0000-7000-8000-000000000001";
  const parse = (path) => parseRoute(new URL(path, "http://x"));
  assert.deepEqual(parse(planPath(id, "print")), { planId: id, view: "print", message: null, field: null, result: null });
  assert.deepEqual(parse(planPath(id, "", id)), { planId: id, view: "", message: id, field: null, result: null });
  assert.deepEqual(parse(fieldPath(id, "operatingCosts.rentMonthly")), { planId: id, view: "plan", message: null, field: "operatingCosts.rentMonthly", result: null });
  assert.deepEqual(parse(resultPath(id, "dscrYear1")), { planId: id, view: "results", message: null, field: null, result: "dscrYear1" });
  assert.equal(parse(`/plans/${id}#f-<b>`).field, null);
  assert.equal(parse(`/plans/${id}/results#r-"]`).result, null);
  assert.deepEqual(parse("/?view=people"), { planId: null, view: "people", message: null, field: null, result: null });
  for (const nowhere of ["/nonsense", "/plans/7/results?view=people"]) assert.equal(parse(nowhere).view, "nowhere");
  assert.deepEqual(parse("/plans/7"), { planId: null, view: "nowhere", message: null, field: null, result: null });
});

test("charts begin with opening day and mark what the results name", () => {
  const monthly = Array.from({ length: 60 }, (_, index) => ({ month: index + 1, revenue: 100, operatingEbitda: 40, interest: 10, principal: 20, operatingCashFlow: 50, endingCash: index }));
  const [cash, sales, back] = chartsOf({ metrics: { openingCash: 7, ownerCash: 300, lowestCashMonth: 1, breakEvenMonth: null, paybackMonth: 10 }, monthly });
  assert.deepEqual(cash.lines[0].points.slice(0, 2), [[0, 7], [1, 0]]);
  assert.deepEqual(sales.lines[1].points[0], [1, 90]);
  assert.deepEqual(sales.marks, []);
  assert.deepEqual(back.lines[0].points[10], [10, 0]);
  assert.deepEqual(ticks(-50, 130), [-50, 0, 50, 100, 150]);
});
