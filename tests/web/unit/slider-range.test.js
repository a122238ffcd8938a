import test from "node:test";
import assert from "node:assert/strict";
import { rangeOf, round } from "../../../web/slider-range.js";

const range = (kind, currentValue, { hard = { min: 0, max: 1e10 }, item7Range = null, value = currentValue } = {}) => rangeOf({ kind, hard }, { currentValue, item7Range }, value);

test("a slider reaches from zero to about twice the value in readable steps", () => {
  assert.deepEqual(range("money", 450_000), { min: 0, max: 900_000, step: 2_000 });
  assert.deepEqual(range("percent", 0.38, { hard: { min: 0, max: 1 } }), { min: 0, max: 0.76, step: 0.0025 });
  assert.deepEqual(range("months", 18, { hard: { min: 0, max: 60 } }), { min: 0, max: 36, step: 1 });
  assert.deepEqual(range("multiple", 2.5), { min: 0, max: 5, step: 0.05 });
});

test("it holds the value, the published range and what is tried, within the hard bounds", () => {
  for (const kind of ["money", "percent", "months", "multiple", "count"]) {
    for (const current of [0, 1, 7, 123, 98_765, 1e9]) {
      const hard = { min: 0, max: 5e9 };
      const { min, max, step } = range(kind, current, { hard, item7Range: { low: 2, high: current + 10 }, value: current * 1.5 });
      assert.ok(min >= hard.min && min <= current && max >= current * 1.5 && max >= current + 10 && step > 0, JSON.stringify({ kind, current, min, max, step }));
      assert.ok(max <= hard.max);
    }
  }
  assert.ok(range("money", -500_000, { hard: { min: -1e9, max: 1e9 } }).min <= -500_000);
});

test("positions lose what binary fractions add", () => {
  assert.equal(round("percent", 0.1 + 0.2), 0.3);
  assert.equal(round("money", 419_999.9999), 420_000);
});
