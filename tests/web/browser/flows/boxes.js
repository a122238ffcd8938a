/** What people type: asked about where it means two things, read in both languages, remarked on at once. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isAccessible, openNewPlan, reads, smallTargets, withPage } from "../support/world.js";

const RENT = "operatingCosts.rentMonthly";
const stored = async (page, planId, path) => (await api(page, "GET", `/api/plans/${planId}`)).data.financialInputs?.[path].currentValue;

async function type(page, path, text) {
  const row = field(page, path);
  await row.locator("button.field-value").click();
  await row.locator("input").fill(text);
  await page.keyboard.press("Enter");
  return row;
}

test("350.000 is asked about and never saved as 350", () => withPage({ locale: "es-MX" }, async (page) => {
  const planId = await openNewPlan(page);
  await page.locator("[data-section=financing] summary").click();
  const loan = await type(page, "financing.loanAmount", "350.000");
  await reads(loan.getByRole("alert"), "“350.000” puede ser dos números. ¿Cuál?");
  assert.deepEqual(await loan.locator(".which button").allInnerTexts(), ["$350,000", "$350"]);
  await isAccessible(page, "a question about a number");
  assert.equal(await stored(page, planId, "financing.loanAmount"), 28_000_000);
  await page.keyboard.press("Enter");
  await reads(loan.locator(".field-value"), "$350,000");
  const rent = await type(page, RENT, "4.255");
  await rent.locator(".which").getByRole("button", { name: "$4,255" }).click();
  await reads(rent.locator(".field-value"), "$4,255");
  await type(page, RENT, "4200 al mes");
  await reads(rent.locator(".field-value"), "$4,200");
  await becomes(() => stored(page, planId, RENT), 420_000);
}));

test("a loan's 10 may be years or months, and a remark comes before it is saved", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await page.getByPlaceholder("Find a number").fill("loan term");
  const row = field(page, "financing.loanTermMonths");
  await row.locator("button.field-value").click();
  await row.locator("input").fill("10");
  await page.keyboard.press("Enter");
  await reads(row.getByRole("alert"), "“10” can mean two numbers. Which one?");
  assert.deepEqual(await row.locator(".which button").allInnerTexts(), ["10 years (120 months)", "10 months"]);
  await row.locator("input").fill("10 months");
  await reads(row.locator(".remark"), "Lower than the 12 months to 25 years (300 months) that plans usually hold here.");
  await becomes(() => row.locator(".which button").count(), 0);
  await row.locator("input").fill("7");
  await page.keyboard.press("Enter");
  await row.getByRole("button", { name: "7 years (84 months)" }).click();
  await becomes(() => stored(page, planId, "financing.loanTermMonths"), 84);
}));

test("a row remarks while one types, and says that it kept the number once it has", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const rent = field(page, RENT);
  await rent.locator("button.field-value").click();
  await becomes(() => rent.locator(".remark").innerText(), "");
  await rent.locator("input").fill("450000");
  await reads(rent.locator(".remark"), /^Above the franchisor’s published range \(\$3,000–\$7,000\)\.$/);
  await rent.locator("input").fill("4,500");
  await becomes(() => rent.locator(".remark").innerText(), "");
  await rent.locator("input").fill("8000");
  await page.keyboard.press("Enter");
  await reads(rent.locator(".remark"), "We kept your number.");
  await rent.locator("button.field-value").click();
  await page.keyboard.press("Enter");
  await reads(rent.locator(".field-value"), "$8,000");
}));

test("the question's buttons are large enough for a finger", () => withPage({ width: 390, height: 844, more: { hasTouch: true, isMobile: true } }, async (page) => {
  await openNewPlan(page);
  await page.locator("[data-show=plan]").click();
  const row = await type(page, RENT, "4.200");
  await row.locator(".which button").first().waitFor();
  await becomes(() => smallTargets(page), []);
}));
