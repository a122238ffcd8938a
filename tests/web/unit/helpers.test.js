import test from "node:test";
import assert from "node:assert/strict";
import { workOut } from "../../../web/helpers.js";
import { roundedAway } from "../../../web/views/goal-seek.js";

const inputs = { "revenue.monthlyAuv": { currentValue: 5_000_000 } };

test("price, customers and days make monthly sales; people, hours and wage a share of them", () => {
  assert.deepEqual(workOut("revenue.monthlyAuv", [9500, 6, 5], inputs), { value: 1_235_000, monthly: 1_235_000 });
  assert.deepEqual(workOut("operatingCosts.laborPct", [2, 35, 1800], inputs), { value: 0.109, monthly: 546_000 });
});

test("nothing is made of what is missing, of no sales, or for another number", () => {
  assert.equal(workOut("revenue.monthlyAuv", [9500, null, 5], inputs), null);
  assert.equal(workOut("revenue.monthlyAuv", [9500, -6, 5], inputs), null);
  assert.equal(workOut("operatingCosts.laborPct", [2, 35, 1800], {}), null);
  assert.equal(workOut("operatingCosts.rentMonthly", [1, 1, 1], inputs), null);
});

test("a found value is rounded away from the plan's, so that it still reaches the goal", () => {
  assert.equal(roundedAway("money", 1_957_497, 1_550_000), 1_957_500);
  assert.equal(roundedAway("money", 445_001, 450_000), 445_000);
  assert.equal(roundedAway("percent", 0.37841, 0.38), 0.378);
  assert.equal(roundedAway("money", 450_000, 450_000), 450_000);
  assert.equal(roundedAway("months", 7, 3), 7);
});
