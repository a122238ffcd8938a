/** What people type into a box for a number: read where it has one meaning, asked about where it has two. */
import test from "node:test";
import assert from "node:assert/strict";
import { parseValue, readTyped } from "../../../web/typed.js";
import { hostileTexts } from "../support/hostile-texts.js";

const RENT = { kind: "money", period: "month" };
const TERM = { kind: "months", max: 300 };

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

test("a number for another period than the field's is not read", () => {
  for (const text of ["4,200/month", "$4200 per month", "4.2k a month", "4,200 dollars monthly"]) assert.equal(parseValue("money", text, "month"), 420000, text);
  for (const text of ["4,2", "50,000 a year", "4,200 per day"]) assert.equal(parseValue("money", text, "month"), null, text);
  assert.equal(parseValue("money", "4,200/month", null), null);
  assert.equal(parseValue("months", "10 years"), 120);
  assert.equal(parseValue("percent", "9 percent"), 0.09);
});

test("an amount with dots between its digits is never taken for a thousandth", () => {
  for (const [text, choices] of [
    ["350.000", [35_000_000, 35_000]], ["4.200", [420_000, 420]], ["$4.200", [420_000, 420]], ["-4.200", [-420_000, -420]], ["4.200 al mes", [420_000, 420]],
    ["4.200/mes", [420_000, 420]], ["4.255", [425_500]], ["0.500", [50_000, 50]],
  ]) assert.deepEqual(readTyped(RENT, text), { value: null, choices }, text);
  for (const [text, value] of [
    ["1.350.000", 135_000_000], ["350.000,00", 35_000_000], ["4.200,50", 420_050], ["4.200,5 al mes", 420_050], ["4.20", 420], ["4.2", 420], ["4.2k", 420_000], ["4.200k", 420_000],
    ["350,000", 35_000_000], ["350,000.00", 35_000_000],
  ]) assert.deepEqual(readTyped(RENT, text), { value, choices: [] }, text);
  for (const text of ["4,2", "4,20", "4.2000.1", "4.200,505", "4.200.50", "1.35.000", "350 000"]) assert.equal(readTyped(RENT, text).value, null, text);
  assert.deepEqual(readTyped({ kind: "percent" }, "10.250"), { value: 0.1025, choices: [] });
});

test("Spanish periods, units and scales are read in any language of the page", () => {
  for (const text of ["4200 al mes", "4200/mes", "4,200 por mes", "$4200 mensuales", "4200 dólares al mes", "4200 dolares cada mes", "4.2 mil", "4.2 mil dólares al mes"]) assert.equal(parseValue("money", text, "month"), 420_000, text);
  for (const text of ["48000 al año", "48000 anuales", "48000/ano", "48 mil por año"]) assert.equal(parseValue("money", text, "year"), 4_800_000, text);
  for (const text of ["4200 al mes", "4200 al día"]) assert.equal(parseValue("money", text, "year"), null, text);
  assert.equal(parseValue("money", "1.2 millones"), 120_000_000);
  assert.equal(parseValue("money", "2 millones de dólares"), 200_000_000);
  for (const [kind, text, value] of [["months", "10 años", 120], ["months", "18 meses", 18], ["months", "1 mes", 1], ["month", "mes 13", 13], ["percent", "9 por ciento", 0.09], ["years", "7 años", 7], ["days", "30 días", 30], ["multiple", "3 veces", 3]]) {
    assert.equal(parseValue(kind, text), value, text);
  }
});

test("a term that people think of in years is asked about, unless its unit is said or it is too long for years", () => {
  assert.deepEqual(readTyped(TERM, "10"), { value: null, choices: [120, 10] });
  assert.deepEqual(readTyped(TERM, " 25 "), { value: null, choices: [300, 25] });
  for (const [text, value] of [["10 years", 120], ["10 años", 120], ["10 months", 10], ["120", 120], ["26", 26], ["0", 0], ["84 meses", 84]]) assert.deepEqual(readTyped(TERM, text), { value, choices: [] }, text);
  assert.deepEqual(readTyped({ kind: "months", max: 36 }, "12"), { value: 12, choices: [] });
});

test("years that no loan has are asked back, and months are read where years are asked", () => {
  const years = { kind: "years", max: 25 };
  assert.deepEqual(readTyped(years, "120"), { value: null, choices: [10, 120] });
  assert.deepEqual(readTyped(years, "100"), { value: null, choices: [100] });
  for (const [text, value] of [["40", 40], ["120 months", 10], ["84 meses", 7], ["100 months", null], ["120 years", 120], ["7", 7]]) assert.deepEqual(readTyped(years, text), { value, choices: [] }, text);
});

test("whatever is typed, it is a number within reach of arithmetic or nothing", () => {
  for (const text of [...hostileTexts, "9".repeat(400), "1e400", "Infinity", "0x10", "--5", "٤٢٠٠"]) {
    for (const kind of ["money", "percent", "months", "count"]) {
      const { value, choices } = readTyped({ kind, max: 300 }, text);
      for (const entry of [value, ...choices]) assert.ok(entry === null || Number.isFinite(entry), `${kind} ${text}`);
    }
  }
});
