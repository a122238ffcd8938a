/** Administrators: acting for somebody is never to be overlooked; prompts can be seen. */
import test from "node:test";
import assert from "node:assert/strict";
import { field, lastAnswer, metric, model, openNewPlan, reads, say as tell, screenshot, signIn, withPage } from "../support/world.js";
import { say } from "../support/mock-model.js";

async function actFor(page, mode) {
  await signIn(page, "admin@demo.test");
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Act for a franchisee" }).click();
  await page.getByLabel("Find by e-mail").fill("sam@demo.test");
  await page.locator(".person-choice").filter({ hasText: "sam@demo.test" }).click();
  await page.getByLabel("Reason").fill("Ticket 1432: the loan term looks wrong");
  await page.getByLabel(mode, { exact: true }).check();
  await screenshot(page, "act-for-light");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator(".admin-bar").waitFor();
}

test("looking only: the banner stands, nothing can be edited, and it ends", () => withPage({}, async (page) => {
  await actFor(page, "Look only");
  await reads(page.locator(".admin-bar"), "Ticket 1432");
  await field(page, "operatingCosts.rentMonthly").waitFor();
  assert.equal(await page.locator("button.field-value").count(), 0);
  assert.equal(await page.locator("#message").isDisabled(), true);
  await screenshot(page, "acting-light");
  await page.locator(".admin-bar").getByRole("button", { name: "End" }).click();
  await page.locator(".admin-bar").waitFor({ state: "detached" });
}));

test("changing for somebody is recorded under the administrator's name", () => withPage({}, async (page) => {
  await actFor(page, "Look and change");
  const row = field(page, "operatingCosts.utilitiesMonthly");
  await row.locator("button.field-value").click();
  await row.locator("input").fill("1000");
  await page.keyboard.press("Enter");
  await reads(row.locator(".badge"), "Admin");
  await row.locator("button.field-value").click();
  await row.getByRole("button", { name: /Reset to default/ }).click();
  await reads(row.locator(".badge"), "Default");
  await page.locator(".admin-bar").getByRole("button", { name: "End" }).click();
  await page.locator(".admin-bar").waitFor({ state: "detached" });
}));

test("prompts are listed with state and tokens", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("Stored.")]);
  await tell(page, "A prompt to be found");
  await lastAnswer(page, 1);
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, "admin@demo.test");
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Prompts" }).click();
  const row = page.locator("[data-prompt]").filter({ hasText: "A prompt to be found" }).first();
  await reads(row, "completed");
  await reads(row, "120");
  await screenshot(page, "prompts-light");
  await page.getByRole("button", { name: "Back to the plan" }).click();
  await metric(page, "breakEvenMonth").or(page.locator(".empty")).first().waitFor();
}));

test("a franchisor sees the brand and no plan", () => withPage({}, async (page) => {
  await signIn(page, "morgan@demo.test");
  await reads(page.locator("h1"), /\w/);
  await reads(page.locator("caption"), "Opening costs");
  await screenshot(page, "brand-light");
}));
