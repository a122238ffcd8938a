/** The package for a lender: every column of every statement adds up, on the golden plans and on random ones. */
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { item7Rows, sharesOf, shareRows, sourcesAndUses } from "../../../web/paper/funds.js";
import { amountOf, lettersFor } from "../../../web/paper/table.js";
import { balanceSheet, cashFlow, firstYear, loanByYear, profitAndLoss, quarters } from "../../../web/paper/statements.js";
import { EN_MORE } from "../../../web/texts/en-more.js";
import { EN_PAPER } from "../../../web/texts/en-paper.js";
import { ES } from "../../../web/texts/es.js";
import { ES_PAPER } from "../../../web/texts/es-paper.js";
import { additionErrors } from "../support/added-up.js";
import { seeded } from "./support/random.js";

const GOLDEN = JSON.parse(readFileSync(new URL("../../golden/financial-model.json", import.meta.url))).scenarios.filter(({ monthly }) => monthly);
const statementsOf = (outputs) => [profitAndLoss(outputs), cashFlow(outputs), balanceSheet(outputs), loanByYear(outputs), ...firstYear(outputs).map(({ rows }) => rows), ...quarters(outputs).map(({ rows }) => rows)];
const cell = (rows, key, column, kind = null) => rows.find((row) => row.key === key && (!kind || row.kind === kind)).cells[column];

/** The amounts of a plan moved in a way that keeps what must hold: multiplied, and with another sign. */
function scaled(value, factor) {
  if (Array.isArray(value)) return value.map((entry) => scaled(entry, factor));
  if (value === null || typeof value !== "object") return Number.isInteger(value) ? value * factor + 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, ["month", "year"].includes(key) ? entry : scaled(entry, factor)]));
}

test("every column of the golden plans adds up, also with ten-digit amounts, at zero and in the red", () => {
  assert.ok(GOLDEN.length >= 3);
  for (const outputs of GOLDEN) {
    for (const factor of [1, 0, -1, 9973]) for (const rows of statementsOf(scaled(outputs, factor))) assert.deepEqual(additionErrors(rows), [], outputs.name);
  }
});

test("what is added up wrongly is found", () => {
  const rows = [{ kind: "line", key: "a", cells: [1, 2] }, { kind: "line", key: "b", cells: [1, null] }, { kind: "total", key: "c", cells: [2, 3] }];
  assert.deepEqual(additionErrors(rows), ["c, column 2: 3 instead of 2"]);
});

test("months and quarters are the years", () => {
  for (const outputs of GOLDEN) {
    const [first, second] = firstYear(outputs);
    assert.deepEqual(first.periods, ["opening", 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(second.periods, [7, 8, 9, 10, 11, 12, "year"]);
    for (const key of ["revenue", "operatingEbitda", "netCashFlow"]) {
      const months = [1, 2, 3, 4, 5, 6].map((at) => cell(first.rows, key, at)).concat([0, 1, 2, 3, 4, 5].map((at) => cell(second.rows, key, at)));
      assert.equal(months.reduce((sum, amount) => sum + amount, 0), cell(second.rows, key, 6), `${outputs.name}: ${key}`);
    }
    assert.equal(cell(first.rows, "endingCash", 0), outputs.opening.cash);
    assert.equal(cell(cashFlow(outputs), "endingCash", 0), cell(cashFlow(outputs), "beginningCash", 1));
    for (const { periods, rows } of quarters(outputs)) {
      for (const [at, { year, quarter }] of periods.entries()) {
        if (quarter !== 4) continue;
        for (const key of ["revenue", "netCashFlow"]) assert.equal([3, 2, 1, 0].reduce((sum, back) => sum + cell(rows, key, at - back), 0), outputs.annual[year - 1][key]);
        assert.equal(cell(rows, "endingCash", at), outputs.annual[year - 1].endingCash);
      }
    }
  }
});

test("every row has a name in both languages", () => {
  for (const { kind, key } of GOLDEN.flatMap(statementsOf).flat()) for (const texts of [{ ...EN_MORE, ...EN_PAPER }, { ...ES, ...ES_PAPER }]) assert.ok(`row.${key}` in texts, `${kind} ${key}`);
  for (const line of Object.keys(GOLDEN[0].annual[0].lines)) assert.ok(`row.${line}` in { ...EN_MORE, ...EN_PAPER }, line);
});

test("a cost that the engine names later is a line of its own", () => {
  const outputs = structuredClone(GOLDEN[0]);
  for (const period of [...outputs.annual, ...outputs.monthly]) Object.assign(period.lines, { parking: 5, rent: period.lines.rent - 5 });
  for (const rows of statementsOf(outputs)) assert.deepEqual(additionErrors(rows), []);
  assert.equal(cell(profitAndLoss(outputs), "parking", 0), -5);
});

test("lines without any amount are left out, and no zero has a minus sign", () => {
  const [{ rows }] = firstYear(GOLDEN[0]);
  assert.ok(!rows.some(({ key }) => key === "vehicles"));
  for (const statement of statementsOf(scaled(GOLDEN[0], 0))) for (const { cells } of statement) for (const amount of cells) assert.ok(!Object.is(amount, -0));
});

test("sources are uses to the cent, whatever owner and bank bring", () => {
  const random = seeded(41);
  for (let round = 0; round < 500; round += 1) {
    const rows = Array.from({ length: random.below(20) }, (_, at) => ({ label: `row ${at}`, cents: random.pick([0, 1, random.below(1_000_000), random.below(10_000_000_000)]) }));
    const totalInvestment = rows.reduce((sum, { cents }) => sum + cents, 0) + random.pick([0, 0, 777]);
    const loan = random.pick([0, totalInvestment, random.below(totalInvestment + 1), totalInvestment + random.below(1_000_000)]);
    const extra = random.pick([0, random.below(5_000_000)]);
    const outputs = { opening: { loan, paidIn: Math.max(0, totalInvestment - loan) + extra }, metrics: { totalInvestment } };
    const { sources, uses } = sourcesAndUses(outputs, rows);
    const [left, right] = [shareRows(sources), shareRows(uses)];
    assert.equal(left.at(-1).cells[0], right.at(-1).cells[0], JSON.stringify(outputs));
    for (const side of [left, right]) {
      assert.deepEqual(additionErrors(side), []);
      assert.deepEqual(additionErrors(side.map((row) => ({ ...row, cells: row.cells.map((entry) => entry?.tenths ?? null) }))), []);
    }
    assert.equal(sources.find(({ key }) => key === "extraCash")?.cents ?? 0, extra);
  }
});

test("shares add up to a hundred percent and none is off by a tenth", () => {
  assert.deepEqual(sharesOf([1, 1, 1]), [334, 333, 333]);
  assert.deepEqual(sharesOf([]), []);
  assert.deepEqual(sharesOf([0, 0]), [0, 0]);
  const random = seeded(7);
  for (let round = 0; round < 1000; round += 1) {
    const amounts = Array.from({ length: 1 + random.below(25) }, () => random.below(10 ** (1 + random.below(12))));
    const whole = amounts.reduce((sum, amount) => sum + amount, 0);
    const shares = sharesOf(amounts);
    assert.equal(shares.reduce((sum, share) => sum + share, 0), whole === 0 ? 0 : 1000);
    for (const [at, share] of shares.entries()) assert.ok(whole === 0 || Math.abs(share - (amounts[at] / whole) * 1000) < 1);
  }
});

test("startup costs stand beside their ranges; what Item 7 does not have is added apart", () => {
  const rows = [
    { label: "Build-out", cents: 140, range: { low: 95, high: 210 } }, { label: "Signs", cents: 5, range: { low: 6, high: 15 } },
    { label: "Fees", cents: 7, range: null }, { label: "Nothing", cents: 0, range: null },
  ];
  const table = item7Rows(rows);
  assert.deepEqual(table.map(({ kind, key, label }) => `${kind} ${key ?? label}`), ["group inItem7", "line Build-out", "line Signs", "total totalItem7", "group notInItem7", "line Fees", "total totalNotItem7", "sum totalInvestment"]);
  assert.deepEqual(table.map(({ cells }) => cells.at(3) ?? null), [null, "within", "below", "within", null, null, null, null]);
  assert.deepEqual(additionErrors(table), []);
  assert.deepEqual(item7Rows(rows.slice(2)).map(({ kind }) => kind), ["line", "total"]);
  assert.deepEqual(item7Rows(rows.slice(0, 2)).map(({ kind }) => kind), ["line", "line", "total"]);
  assert.deepEqual(item7Rows([]).map(({ cells }) => cells), [[null, null, 0, null]]);
});

test("letters become smaller where figures are wide, and amounts keep both decimals", () => {
  const row = (count, text) => [Array.from({ length: count }, () => text)];
  assert.equal(lettersFor(row(6, "1,234.00")), 9);
  assert.equal(lettersFor([]), 9);
  assert.equal(lettersFor(row(8, "−282,000.00")), 7);
  const huge = lettersFor(row(8, "−1,200,000,000.00"));
  assert.ok(huge >= 4 && huge < 7, String(huge));
  assert.deepEqual([0, -123_450, 999_999_999_999, 7].map(amountOf), ["0.00", "−1,234.50", "9,999,999,999.99", "0.07"]);
});
