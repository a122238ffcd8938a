import test from "node:test";
import assert from "node:assert/strict";
import { calendarMonth, datedMonth, editableValue, formatCountdown, formatDollars, formatMoney, formatPercent, formatValue, useOpeningMonth, visible } from "../../../web/format.js";
import { parseValue } from "../../../web/typed.js";
import { isComposing, plainLines } from "../../../web/typing.js";
import { seeded } from "./support/random.js";

test("money is shown with cents only where there are some", () => {
  assert.equal(formatMoney(420000), "$4,200");
  assert.equal(formatMoney(373910), "$3,739.10");
  assert.equal(formatMoney(-15233318), "−$152,333.18");
  assert.equal(formatDollars(-15233318), "−$152,333");
});

test("each kind has its unit", () => {
  assert.equal(formatPercent(0.1025), "10.25%");
  assert.equal(formatPercent(0.07), "7%");
  assert.equal(formatValue("months", 1), "1 month");
  assert.equal(formatValue("days", 30), "30 days");
  assert.equal(formatValue("months", 24), "2 years (24 months)");
  assert.equal(formatValue("months", 120), "10 years (120 months)");
  assert.equal(formatValue("months", 18), "18 months");
  assert.equal(formatValue("month", 24), "month 24");
  assert.equal(formatValue("multiple", 3), "3×");
  assert.equal(formatValue("count", 2), "2");
  assert.equal(formatValue("money", null), "not set");
});

test("an edit box that is saved unchanged changes nothing", () => {
  const random = seeded(1);
  for (let round = 0; round < 5000; round += 1) {
    const cents = random.below(1_000_000_000);
    assert.equal(parseValue("money", editableValue("money", cents)), cents);
    assert.equal(parseValue("money", formatMoney(cents)), cents);
    const percent = Number(`${random.below(1_000_000)}e-6`);
    assert.equal(parseValue("percent", editableValue("percent", percent)), percent);
  }
});

test("an edit box separates thousands, as the page does everywhere", () => {
  assert.equal(editableValue("money", 25_000_000), "250,000");
  assert.equal(editableValue("money", 420_050), "4,200.50");
  assert.equal(editableValue("money", -420_000), "-4,200");
  assert.equal(editableValue("count", 1200), "1,200");
  assert.equal(editableValue("percent", 0.1025), "10.25");
});

test("months have dates where the opening is known", () => {
  assert.equal(datedMonth(8), "8");
  assert.equal(calendarMonth(1), "");
  useOpeningMonth("2027-03");
  assert.equal(calendarMonth(1), "Mar 2027");
  assert.equal(datedMonth(11), "11 (Jan 2028)");
  assert.equal(formatValue("month", 60), "month 60 (Feb 2032)");
  for (const none of [null, undefined, "", "2027", "March 2027"]) {
    useOpeningMonth(none);
    assert.equal(datedMonth(60), "60", String(none));
  }
});

test("the countdown reads like a clock", () => {
  assert.equal(formatCountdown(187.2), "3:08");
  assert.equal(formatCountdown(-1), "0:00");
});

test("characters that cannot be seen are left out of names", () => {
  assert.equal(visible("Ma\u200Bple\u202E Street\u{E0041}\uFE0F\u0007\u2028"), "Maple Street");
  assert.equal(visible(null), "");
});

test("a key inside a composition is told by its flag or by Safari's code", () => {
  assert.ok(isComposing({ key: "Enter", isComposing: true, keyCode: 13 }));
  assert.ok(isComposing({ key: "Enter", isComposing: false, keyCode: 229 }));
  assert.ok(!isComposing({ key: "Enter", isComposing: false, keyCode: 13 }));
});

test("line breaks of other programs become ours, other control characters go", () => {
  assert.equal(plainLines("a\u000bb\u000cc\u0085d\r\ne\rf\u2028g"), "a\nb\nc\nd\ne\nf\ng");
  assert.equal(plainLines("a\u0000\u0007\u009b\tb\u007f\n"), "a\tb\n");
});
