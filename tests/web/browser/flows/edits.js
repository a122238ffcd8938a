/** Editing by hand: save, undo, reset, and a number that is none. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, metric, openNewPlan, reads, screenshot, withPage } from "../support/world.js";

const RENT = "operatingCosts.rentMonthly";

async function edit(page, value) {
  await field(page, RENT).getByRole("button", { name: /Rent per month.*Edit/ }).click();
  await field(page, RENT).locator("input").fill(value);
  await page.keyboard.press("Enter");
}

test("an edit is saved, marked as the user's, and can be undone where it was told", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await edit(page, "$4,200");
  await reads(field(page, RENT).locator("button.field-value"), "$4,200");
  await reads(field(page, RENT).locator(".badge"), "You");
  await reads(metric(page, "breakEvenMonth"), /month 8.*was month 9/s);
  await screenshot(page, "edit-saved-light");

  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await reads(field(page, RENT).locator("button.field-value"), "$4,500");
  await reads(field(page, RENT).locator(".badge"), "Brand");
  await reads(metric(page, "breakEvenMonth"), /month 9.*was month 8/s);
}));

test("a change can be undone from the trail, and a field reset to the brand's default", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await edit(page, "4200");
  await reads(field(page, RENT).locator("button.field-value"), "$4,200");
  await edit(page, "4300");
  await reads(field(page, RENT).locator("button.field-value"), "$4,300");
  await page.locator(".trail summary").click();
  await page.locator(".trail").getByRole("button", { name: "Undo" }).first().click();
  await reads(field(page, RENT).locator("button.field-value"), "$4,200");

  await field(page, RENT).locator("button.field-value").click();
  await screenshot(page, "edit-open-light");
  await field(page, RENT).getByRole("button", { name: /Reset to brand default, \$4,500/ }).click();
  await reads(field(page, RENT).locator("button.field-value"), "$4,500");
  await reads(field(page, RENT).locator(".badge"), "Brand");
}));

test("what is not a number is refused with the digits kept, and Escape leaves all as it was", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await edit(page, "about four");
  await reads(field(page, RENT).getByRole("alert"), "Enter a single number, like 4,200.");
  await becomes(() => field(page, RENT).locator("input").inputValue(), "about four");
  await page.keyboard.press("Escape");
  await reads(field(page, RENT).locator("button.field-value"), "$4,500");
  assert.equal((await api(page, "GET", `/api/plans/${planId}/changes`)).data.length, 0);
}));

test("an edit over a change made elsewhere is refused and shows it", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await field(page, RENT).locator("button.field-value").click();
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { [RENT]: 480000 });
  await field(page, RENT).locator("input").fill("4200");
  await page.keyboard.press("Enter");
  await field(page, RENT).getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  await page.keyboard.press("Escape");
  await reads(field(page, RENT).locator("button.field-value"), "$4,800");
}));
