/** From typing to a changed result. */
import test from "node:test";
import assert from "node:assert/strict";
import { becomes, field, lastAnswer, metric, model, OFFLINE_BASE_URL, openNewPlan, PASSWORD, reads, say as tell, screenshot, signIn, signOut, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

const RENT = "My rent is $4,200/month";

test("a rent message changes the field, the marks and the results", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await reads(metric(page, "breakEvenMonth"), "month 9");
  await screenshot(page, "desk-empty-light");
  model.script([setField("operatingCosts.rentMonthly", 4200, "rent is $4,200/month")], [say("I’ve noted **$4,200** for rent.")]);

  await page.locator("#message").pressSequentially(RENT);
  await page.keyboard.press("Enter");

  assert.equal(await lastAnswer(page, 1), "I’ve noted $4,200 for rent.");
  await reads(page.locator(".message.user .bubble"), RENT);
  await reads(page.locator(".value.applied"), /\$4,500.*\$4,200/s);
  await reads(metric(page, "breakEvenMonth"), /month 8/);
  await reads(metric(page, "breakEvenMonth"), /month 8.*was month 9/s);
  await reads(metric(page, "lowestCash"), /\$34,221/);
  await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,200");
  await becomes(() => field(page, "operatingCosts.rentMonthly").getAttribute("class"), /moved/);
  await reads(page.locator(".standing"), "These projections are yours");

  // The user's own words, on focus.
  await field(page, "operatingCosts.rentMonthly").locator(".badge").focus();
  await page.getByRole("tooltip").filter({ hasText: "rent is $4,200/month" }).waitFor({ state: "visible" });
  await page.keyboard.press("Escape");
  await page.getByRole("tooltip").filter({ hasText: "rent is $4,200/month" }).waitFor({ state: "hidden" });
  await screenshot(page, "desk-light");

  // All of it is stored.
  await page.reload();
  assert.equal(await lastAnswer(page, 1), "I’ve noted $4,200 for rent.");
  await reads(page.locator(".value.applied"), "$4,200");
  await reads(metric(page, "breakEvenMonth"), "month 8");
}));

test("a value beyond Item 7 is taken, and pointed at in plain words", () => withPage({ scheme: "dark" }, async (page) => {
  await openNewPlan(page);
  model.script([setField("operatingCosts.rentMonthly", 9000, "Rent is $9,000")], [say("Noted: $9,000 a month.")]);
  await tell(page, "Rent is $9,000");
  await lastAnswer(page, 1);
  await reads(field(page, "operatingCosts.rentMonthly").locator(".remark"), "Above the franchisor’s published range ($3,000–$7,000)");
  await reads(metric(page, "breakEvenMonth"), "not within 5 years");
  await reads(metric(page, "stableFromMonth"), "month 59");
  await screenshot(page, "desk-dark");
}));

test("the charts are drawn", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await metric(page, "breakEvenMonth").waitFor();
  await page.locator(".chart svg path.chart-line").nth(3).waitFor();
  await becomes(() => page.locator(".chart svg").count(), 3);
  await page.locator(".charts").scrollIntoViewIfNeeded();
  await screenshot(page, "charts-light");
}));

test("one click signs a demo person in", () => withPage({ demo: true }, async (page) => {
  await page.goto("/");
  await page.locator(".person").first().waitFor();
  await screenshot(page, "sign-in-light");
  await page.locator("[data-email='sam@demo.test']").click();
  await page.locator(".desk[data-plan]").waitFor();
}));

test("signing in by hand, and a wrong password", () => withPage({}, async (page) => {
  await page.goto("/");
  await page.getByLabel("Email").fill("sam@demo.test");
  await page.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator(".top-bar").waitFor();
  await signOut(page);
}));

test("a plan without figures can be talked to, and starts with the first value", () => withPage({}, async (page) => {
  await signIn(page, "taylor@demo.test");
  await page.locator("#message").waitFor();
  await screenshot(page, "desk-no-figures");
}));

test("the built-in advisor does the same without any model", { skip: !OFFLINE_BASE_URL }, () => withPage({ base: OFFLINE_BASE_URL }, async (page) => {
  await openNewPlan(page);
  await reads(metric(page, "breakEvenMonth"), "month 9");
  await tell(page, RENT);
  await reads(metric(page, "breakEvenMonth"), /month 8.*was month 9/s);
  await reads(page.locator(".value.applied"), "$4,200");
}));
