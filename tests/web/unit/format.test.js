import test from "node:test";
import assert from "node:assert/strict";
import { editableValue, formatCountdown, formatDollars, formatMoney, formatPercent, formatValue, parseValue, visible } from "../../../web/format.js";
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

test("what people type is read exactly", () => {
  for (const [kind, text, value] of [
    ["money", "$4,200", 420000], ["money", "4200.5", 420050], ["money", "4.2k", 420000], ["money", "1.2m", 120000000], ["money", "0", 0],
    ["percent", "10.25%", 0.1025], ["percent", "7", 0.07], ["percent", "-2.5", -0.025], ["percent", "28.9", 0.289],
    ["months", "18 months", 18], ["month", "month 13", 13], ["days", "30", 30], ["multiple", "3.5x", 3.5],
  ]) assert.equal(parseValue(kind, text), value, `${kind} ${text}`);
});

test("what is not one plain number is refused", () => {
  for (const [kind, text] of [
    ["money", ""], ["money", "."], ["money", "about 4"], ["money", "1 2"], ["money", "4.123"], ["months", "1.5"], ["percent", "5k"], ["money", "1e9"],
    ["money", "99999999999999999"], ["count", "NaN"],
  ]) assert.equal(parseValue(kind, text), null, `${kind} ${text}`);
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
