/** Administrators: acting for somebody is never to be overlooked; prompts can be seen. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isOpen, lastAnswer, metric, model, openNewPlan, reads, say as tell, screenshot, signIn, signOut, withPage } from "../support/world.js";
import { say } from "../support/mock-model.js";

async function actFor(page, mode) {
  await signIn(page, "admin@demo.test");
  await page.getByRole("searchbox", { name: "Find by name" }).fill("sam@demo");
  await page.locator("[data-person='sam@demo.test']").getByRole("button", { name: "View as" }).click();
  await page.getByLabel("Reason").fill("Ticket 1432: the loan term looks wrong");
  await page.getByLabel(mode, { exact: true }).check();
  await screenshot(page, "act-for-light");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.locator(".admin-bar").waitFor();
}

test("looking only: the banner stands, nothing can be edited, and it ends", () => withPage({}, async (page) => {
  await actFor(page, "View only");
  await reads(page.locator(".admin-bar"), "Ticket 1432");
  await field(page, "operatingCosts.rentMonthly").waitFor();
  await becomes(() => page.locator("button.field-value").count(), 0);
  await becomes(() => page.locator("#message").isDisabled(), true);
  await screenshot(page, "acting-light");
  await page.locator(".admin-bar").getByRole("button", { name: "Stop" }).click();
  await page.locator(".admin-bar").waitFor({ state: "detached" });
}));

test("changing for somebody is recorded under the administrator's name", () => withPage({}, async (page) => {
  await actFor(page, "View and change");
  const row = field(page, "operatingCosts.utilitiesMonthly");
  await row.locator("button.field-value").click();
  await row.locator("input").fill("1000");
  await page.keyboard.press("Enter");
  await reads(row.locator(".badge"), "Support");
  await row.locator("button.field-value").click();
  await row.getByRole("button", { name: /Reset to brand default/ }).click();
  await reads(row.locator(".badge"), "Brand");
  await page.locator(".admin-bar").getByRole("button", { name: "Stop" }).click();
  await page.locator(".admin-bar").waitFor({ state: "detached" });
}));

test("prompts are listed with state and tokens", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("Stored.")]);
  await tell(page, "A prompt to be found");
  await lastAnswer(page, 1);
  await signOut(page);
  await signIn(page, "admin@demo.test");
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("link", { name: "Prompts" }).click();
  const row = page.locator("[data-prompt]").filter({ hasText: "A prompt to be found" }).first();
  await reads(row, "completed");
  await reads(row, "120");
  await reads(row, "Sam Rivera");
  await row.locator("summary").click();
  await reads(row, "Stored.");
  await screenshot(page, "prompts-light");
  await row.getByRole("link", { name: "Open the plan" }).click();
  await metric(page, "breakEvenMonth").waitFor();
  await page.goBack();
  await page.locator("h1").filter({ hasText: "Prompts" }).waitFor();
}));

test("a franchisor sees the brand and no plan", () => withPage({}, async (page) => {
  await signIn(page, "morgan@demo.test");
  await reads(page.locator("h1"), /\w/);
  await reads(page.locator("h2"), "Startup costs");
  await screenshot(page, "brand-light");
}));

test("a brand's new edition reaches new plans and no other", () => withPage({}, async (page) => {
  const before = await openNewPlan(page, { name: "Older than the edition" });
  await signOut(page);
  await signIn(page, "morgan@demo.test");
  const rent = page.locator("[data-path='operatingCosts.rentMonthly']");
  await rent.locator("summary").click();
  await reads(page.locator(".brand-preview"), "$4,500");
  const [box] = [rent.getByLabel("Default")];
  await box.fill("a lot");
  await reads(rent.getByRole("alert"), "Enter a single number");
  await becomes(() => page.getByRole("button", { name: "Review and publish" }).isDisabled(), true);
  await box.fill("4800");
  await rent.getByLabel("Help, one sentence").fill("What the landlord asks each month.");
  await rent.getByLabel("Also called").fill("rent, premises");
  await reads(page.locator(".brand-preview"), "$4,800");
  await reads(page.locator(".brand-preview"), "What the landlord asks each month.");
  await screenshot(page, "brand-edited-light");
  const { data: [{ id: brandId }] } = await api(page, "GET", "/api/brands");
  const { data: edition } = await api(page, "GET", `/api/brands/${brandId}`);
  try {
    await page.getByRole("button", { name: "Review and publish" }).click();
    await page.getByRole("button", { name: "Publish for new plans" }).click();
    await reads(page.locator(".toast"), "existing plans keep their own edition");
    await signOut(page);
    await openNewPlan(page);
    await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,800");
    await page.getByPlaceholder("Find a number").fill("premises");
    await field(page, "operatingCosts.rentMonthly").locator(".explained").click();
    await reads(page.locator(".help"), "What the landlord asks each month.");
    await page.goto(`/plans/${before}`);
    await isOpen(page, before);
    await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,500");
  } finally {
    await signOut(page);
    await signIn(page, "morgan@demo.test");
    await page.locator(".brand-entry").first().waitFor();
    assert.equal((await api(page, "PUT", `/api/brands/${brandId}`, edition)).status, 200, "the brand is as it was");
  }
}));
