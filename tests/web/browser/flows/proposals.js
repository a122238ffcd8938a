/** What the advisor is not sure of waits for a word: accept, correct, dismiss. */
import test from "node:test";
import { field, lastAnswer, metric, model, openNewPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

async function propose(page, count = 1) {
  model.script([setField("operatingCosts.rentMonthly", 4200, "maybe $4,200 rent", "tentative")], [say("Shall I take $4,200?")]);
  await tell(page, "maybe $4,200 rent a month");
  await lastAnswer(page, count);
  await reads(page.locator(".value.proposed").last(), "$4,200");
}

test("accepting a proposal writes it down and shows what it does", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await propose(page);
  await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,500");
  await screenshot(page, "proposal-light");
  await page.getByRole("button", { name: "Accept" }).click();
  await reads(page.locator(".value.accepted"), "$4,200");
  await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,200");
  await reads(metric(page, "breakEvenMonth").locator(".delta"), /month 9.*month 8/s);
  await page.reload();
  await reads(page.locator(".value.accepted"), "$4,200");
}));

test("a correction is the user's own number", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await propose(page);
  await page.getByRole("button", { name: "Correct" }).click();
  await page.getByLabel("Your value for Rent per month").fill("4,300");
  await page.keyboard.press("Enter");
  await reads(page.locator(".value.accepted"), "$4,300");
  await reads(field(page, "operatingCosts.rentMonthly"), "$4,300");
  await reads(field(page, "operatingCosts.rentMonthly").locator(".badge"), "Yours");
}));

test("a dismissed proposal changes nothing", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await propose(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.locator(".value.dismissed").waitFor();
  await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,500");
  await page.reload();
  await page.locator(".value.dismissed").waitFor();
}));
