/** A mistake is taken back where it is seen, and what a turn did stays with its answer. */
import test from "node:test";
import { becomes, field, isOpen, lastAnswer, metric, model, openNewPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { call, say, setField } from "../support/mock-model.js";

const RENT = "operatingCosts.rentMonthly";
const UTILITIES = "operatingCosts.utilitiesMonthly";

async function twoValues(page) {
  model.script([setField(RENT, 4200, "rent is $4,200"), setField(UTILITIES, 1000, "utilities are $1,000")], [say("Noted both.")]);
  await tell(page, "My rent is $4,200 and utilities are $1,000");
  await lastAnswer(page, 1);
  await page.locator(".value.applied").nth(1).waitFor();
}

test("an applied value is undone on its row, and says so after a reload", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await twoValues(page);
  await page.getByRole("button", { name: "Undo Rent per month" }).click();
  await reads(page.locator(".chat .value.undone"), "Undone");
  await reads(field(page, RENT).locator(".field-value"), "$4,500");
  await reads(field(page, UTILITIES).locator(".field-value"), "$1,000");
  await screenshot(page, "undo-light");
  await page.reload();
  await isOpen(page, planId);
  await reads(page.locator(".chat .value.undone"), "Undone");
  await becomes(() => page.locator(".chat .value .undo").count(), 1);
}));

test("several values of one answer are undone together", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await twoValues(page);
  await page.getByRole("button", { name: "Undo all 2" }).click();
  await page.locator(".chat .value.undone").nth(1).waitFor();
  await reads(field(page, RENT).locator(".field-value"), "$4,500");
  await reads(field(page, UTILITIES).locator(".field-value"), "$950");
}));

test("an accepted value is undone from its toast and from its row", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([setField(RENT, 4200, "maybe $4,200 rent", "tentative")], [say("Shall I?")]);
  await tell(page, "maybe $4,200 rent");
  await page.locator(".chat").getByRole("button", { name: "Use $4,200" }).click();
  await page.locator(".chat .value.accepted .undo").waitFor();
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await reads(field(page, RENT).locator(".field-value"), "$4,500");
  await page.locator(".chat .value.undone").waitFor();
}));

test("what an answer changed is still with it after a reload and in another tab", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  await twoValues(page);
  await reads(metric(page, "breakEvenMonth").locator(".delta"), "was month 9");
  for (const again of [page, await context.newPage()]) {
    await again.goto(`/plans/${planId}`);
    await isOpen(again, planId);
    await reads(again.locator("[data-moved=breakEvenMonth]"), /month 9.*month 8/s);
  }
}));

test("“undo that” in the chat takes back what the answer did, and its rows say so", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await twoValues(page);
  model.script([call("undo_last_change", {})], [say("Both are as they were.")]);
  await tell(page, "undo that");
  await lastAnswer(page, 2);
  await reads(field(page, RENT).locator(".field-value"), "$4,500");
  await reads(field(page, UTILITIES).locator(".field-value"), "$950");
  await page.locator(".chat .value.undone").nth(1).waitFor();
  await becomes(() => page.locator(".chat .value .undo").count(), 0);
}));
