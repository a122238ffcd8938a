/** Who said and who wrote what: support is named everywhere, begins at a list, and looks without writing. */
import test from "node:test";
import { api, becomes, field, isOpen, lastAnswer, model, openNewPlan, openPlan, reads, say as tell, screenshot, signIn, signOut, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

const RENT = "operatingCosts.rentMonthly";

test("an administrator begins at people and plans, and looks without writing", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "To be looked at" });
  await signOut(page);
  await signIn(page, "admin@demo.test");
  await reads(page.locator("h1"), "People and plans");
  await page.locator("[data-person='taylor@demo.test']").waitFor();
  await becomes(() => page.locator(".people-list").evaluate((list) => list.scrollHeight <= list.clientHeight + 1), true, "nobody is cut off");
  await page.locator("[data-person='sam@demo.test']").locator(`a[href="/plans/${planId}"]`).click();
  await isOpen(page, planId);
  await reads(page.locator(".admin-bar"), "View only: Sam Rivera’s plan.");
  await becomes(() => page.locator("#message").isDisabled(), true);
  await becomes(() => page.locator("button.field-value, .next-question, .guide:visible, .new-plan").count(), 0);
  await page.getByRole("button", { name: "View or act" }).click();
  await page.getByLabel("Reason").fill("Ticket 7");
  await page.getByRole("button", { name: "Begin" }).click();
  await reads(page.locator(".admin-bar"), "you are viewing as Sam Rivera");
  await page.locator(".admin-bar").getByRole("button", { name: "Stop" }).click();
  await reads(page.locator("h1"), "People and plans");
}));

test("what support says and enters is support's, in the conversation, the plan and the history", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "Helped by support" });
  await signOut(page);
  await signIn(page, "admin@demo.test");
  const { data: [sam] } = await api(page, "GET", "/api/admin/users?email=sam@demo.test");
  await api(page, "POST", "/api/admin/impersonation", { userId: sam.id, reason: "Ticket 8", mode: "edit" });
  await openPlan(page, planId);
  model.script([setField(RENT, 4444, "My rent is $4,444 a month")], [say("Noted.")]);
  await tell(page, "I am Avery, support. My rent is $4,444 a month");
  await lastAnswer(page, 1);
  await page.locator(".admin-bar").getByRole("button", { name: "Stop" }).click();
  await page.locator("[data-person]").first().waitFor();
  await signOut(page);

  await signIn(page, "sam@demo.test");
  await openPlan(page, planId);
  await reads(page.locator(".message.user.other .author"), "Avery Stone (support)");
  await reads(field(page, RENT).locator(".badge"), "Support");
  await field(page, RENT).locator(".badge").focus();
  await page.getByRole("tooltip").filter({ hasText: "Avery Stone (support) said" }).waitFor();
  await page.locator(".trail summary").click();
  await reads(page.locator(".trail .badge"), "Support");
  await becomes(() => page.locator(".message.user.other").getByRole("button", { name: "Edit message" }).count(), 0);
  await screenshot(page, "who-light");
}));
