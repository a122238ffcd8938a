/** What is worth a second look: each kind found where it is, and nothing where all is well. */
import test from "node:test";
import assert from "node:assert/strict";
import { derivedOf, withOverrides } from "../../../web/fields.js";
import { loadAllTexts } from "../../../web/texts.js";
import { findingsOf } from "../../../web/second-look.js";

await loadAllTexts();
const money = (value, source = "brand_default") => ({ currentValue: value, source, isCustom: source !== "brand_default", item7Range: null });
const GOOD = { minDscr: 1.6, dscrAfterOwnerYear1: 1.3, monthsNegative: 0, lowestCash: 100, lowestCashMonth: 3, breakEvenSalesPct: 0.8, loanAmount: 28_000_000, totalInvestment: 37_150_000 };
const INPUTS = {
  "operatingCosts.rentMonthly": money(450_000), "startupCosts.rentDeposits": money(1_350_000), "operatingCosts.laborPct": money(0.38), "operatingCosts.managementSalariesAnnual": money(4_800_000),
  "operatingCosts.ownerSalaryAnnual": money(0), "startupCosts.preopeningPayroll": money(1_000_000), "operatingCosts.managerStartMonth": money(13), "profile.staffCount": money(0),
  "financing.loanAmount": money(28_000_000), "financing.downPaymentPct": { ...money(0.25), derived: true },
};

function found(changes = {}, metrics = {}, proposals = [], advisories = []) {
  const inputs = { ...INPUTS, ...changes };
  const fields = Object.keys(inputs).map((path) => ({ path, kind: path.endsWith("Pct") ? "percent" : "money", min: path.endsWith("laborPct") ? 0.1 : null, max: path.endsWith("laborPct") ? 0.55 : null }));
  return findingsOf({ fields, inputs, outputs: { metrics: { ...GOOD, ...metrics }, advisories }, proposals, wanted: 1.25 }).map(({ key, code, path, parent }) => [code ?? key, path, parent].filter(Boolean).join(" "));
}

test("a sound plan asks for nothing", () => assert.deepEqual(found(), []));

test("open answers of the whole plan come first, those of fields that are gone not at all", () => {
  assert.deepEqual(found({}, { minDscr: 1 }, [{ field: "operatingCosts.rentMonthly", value: 1 }, { field: "startupCosts.gone", value: 1 }]), ["open operatingCosts.rentMonthly", "cover financing.loanAmount"]);
});

test("a default stands under a parent that is zero", () => {
  assert.deepEqual(found({ "operatingCosts.rentMonthly": money(0, "user_entry") }), ["orphan startupCosts.rentDeposits operatingCosts.rentMonthly"]);
  assert.deepEqual(found({ "operatingCosts.rentMonthly": money(0, "user_entry"), "startupCosts.rentDeposits": money(200, "user_entry") }), []);
  const unstaffed = { "operatingCosts.laborPct": money(0, "user_entry"), "operatingCosts.managementSalariesAnnual": money(0, "user_entry") };
  assert.deepEqual(found(unstaffed), ["staff startupCosts.preopeningPayroll", "share operatingCosts.laborPct"]);
});

test("numbers that count nothing are named once somebody has set them", () => {
  const unmanaged = { "operatingCosts.managementSalariesAnnual": money(0, "user_entry") };
  assert.deepEqual(found(unmanaged), []);
  assert.deepEqual(found({ ...unmanaged, "operatingCosts.managerStartMonth": money(5, "user_entry") }), ["unusedWhile operatingCosts.managerStartMonth operatingCosts.managementSalariesAnnual"]);
  assert.deepEqual(found({ "profile.staffCount": money(4, "user_entry") }), ["unused profile.staffCount"]);
  assert.deepEqual(found({ "financing.downPaymentPct": { ...money(0.3, "user_entry"), derived: true } }), ["derived financing.downPaymentPct financing.loanAmount"]);
});

test("a person's own numbers outside their range are named, the farthest first, and five at most", () => {
  const row = (path, currentValue, more = {}) => [{ path, kind: "money", min: 50_000, max: 120_000, ...more.field }, { currentValue, isCustom: true, source: "user_entry", item7Range: null, ...more.input }];
  const outliers = (...rows) => findingsOf({ fields: rows.map(([field]) => field), inputs: Object.fromEntries(rows.map(([field, input]) => [field.path, input])), outputs: { metrics: GOOD }, proposals: [], wanted: 1.25 })
    .filter(({ key }) => key !== "derived").map(({ key, path, low, high }) => `${key} ${path} ${low} ${high}`);
  assert.deepEqual(outliers(row("a", 4_200), row("b", 1_200_000_000), row("c", 120_000), row("d", 50_000), row("e", 1, { input: { isCustom: false } }), row("f", 1, { input: { derived: true } })),
    ["range b 50000 120000", "range a 50000 120000"]);
  assert.deepEqual(outliers(row("a", 60_000, { input: { item7Range: { low: 100, high: 200 } } }), row("b", 150, { input: { item7Range: { low: 100, high: 200 } } })), ["published a 100 200"]);
  assert.deepEqual(outliers(row("a", 130_000, { field: { min: null } }), row("b", 0), row("c", 0, { field: { max: 0, min: 0 } }), row("d", 1, { field: { max: 0, min: 0 } })), ["range b 50000 120000", "range d 0 0"]);
  assert.deepEqual(outliers(row("a", 1, { input: { isCustom: false, planned: 60_000, source: "" } })), ["range a 50000 120000"], "what a scenario sets counts too");
  assert.equal(outliers(..."abcdefg".split("").map((path, at) => row(path, 130_000 + at))).length, 5);
});

test("thin coverage, cash below zero and sales that are not enough", () => {
  assert.deepEqual(found({}, { minDscr: 1.24, dscrAfterOwnerYear1: 1.25, monthsNegative: 2, breakEvenSalesPct: 1.01 }),
    ["cover financing.loanAmount", "cash startupCosts.additionalFunds", "breakEven revenue.monthlyAuv"]);
  assert.deepEqual(found({}, { minDscr: null, dscrAfterOwnerYear1: null, breakEvenSalesPct: null }), []);
  assert.deepEqual(findingsOf({ fields: [], inputs: {}, outputs: null, proposals: [], wanted: 1.25 }), []);
});

test("a benchmark that is missed is in the same list, and nothing is said twice", () => {
  const told = (code, level = "watch") => ({ code, level, message: "It is beyond." });
  assert.deepEqual(found({}, { minDscr: 1, monthsNegative: 2 }, [], ["break_even", "five_year_roi", "months_negative", "dscr", "loan_term", "new_one"].map((code) => told(code))),
    ["break_even revenue.monthlyAuv", "five_year_roi revenue.monthlyAuv", "loan_term financing.loanTermMonths", "new_one", "cover financing.loanAmount", "cash startupCosts.additionalFunds"]);
  assert.deepEqual(found({}, {}, [], [told("break_even", "ok"), { code: "five_year_roi", level: "alert", message: "" }]), []);
});

test("of loan amount and owner's share one follows from the other, also in a scenario", () => {
  assert.deepEqual(derivedOf("financing.downPaymentPct", INPUTS["financing.downPaymentPct"], GOOD), { from: "financing.loanAmount", value: 0.2463 });
  assert.equal(derivedOf("financing.loanAmount", INPUTS["financing.loanAmount"], GOOD), null);
  assert.equal(derivedOf("financing.downPaymentPct", INPUTS["financing.downPaymentPct"], null), null);
  const other = withOverrides(INPUTS, { "financing.downPaymentPct": 0.4, "operatingCosts.rentMonthly": 450_000, "startupCosts.gone": 1 });
  assert.deepEqual(derivedOf("financing.loanAmount", other["financing.loanAmount"], { ...GOOD, loanAmount: 22_290_000 }), { from: "financing.downPaymentPct", value: 22_290_000 });
  assert.equal(other["financing.downPaymentPct"].derived, false);
  assert.equal("planned" in other["operatingCosts.rentMonthly"], false);
  assert.equal(withOverrides(INPUTS, { "financing.downPaymentPct": 0.4, "financing.loanAmount": 1 })["financing.downPaymentPct"].derived, true);
  assert.deepEqual(derivedOf("financing.downPaymentPct", { derived: true }, { loanAmount: 0, totalInvestment: 0 }), { from: "financing.loanAmount", value: null });
});
