/** Destructive actions wait for a word, and do exactly what it says. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, isOpen, lastAnswer, model, openNewPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { call, say } from "../support/mock-model.js";

async function askToClear(page) {
  const planId = await openNewPlan(page);
  model.script([say("Welcome.")]);
  await tell(page, "Hello there");
  await lastAnswer(page, 1);
  model.script([call("clear_conversation", {})]);
  await tell(page, "Please clear our conversation");
  await page.locator(".confirmation").getByRole("button", { name: "Clear the conversation" }).waitFor();
  return planId;
}

test("yes by button clears the conversation, once", () => withPage({}, async (page) => {
  const planId = await askToClear(page);
  await reads(page.getByRole("timer"), /^[45]:\d\d$/);
  await screenshot(page, "confirmation-light");
  await page.getByRole("button", { name: "Clear the conversation" }).click();
  await page.waitForFunction(async (id) => (await (await fetch(`/api/plans/${id}/conversation`)).json()).data.every((message) => message.content !== "Hello there"), planId);
  await page.locator(".message.user").filter({ hasText: "Hello there" }).waitFor({ state: "detached" });
  assert.equal((await api(page, "GET", `/api/plans/${planId}/conversation/confirmation`)).data ?? null, null);
}));

test("no by button keeps it", () => withPage({}, async (page) => {
  await askToClear(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await reads(page.locator(".confirmation.settled"), /nothing was changed/i);
  await page.reload();
  await reads(page.locator(".message.user").first(), "Hello there");
  await becomes(() => page.locator(".confirmation").count(), 0);
  await reads(page.locator(".message.advisor").last().locator(".question-end"), "Nothing was changed.");
}));

test("what came of a question is said under it after a reload, also where another message passed it over", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { "operatingCosts.rentMonthly": 520_000 });
  const asks = async (answers) => {
    model.script([call("reset_fields_to_defaults", { fields: ["rentMonthly"] })]);
    await tell(page, "Put the rent back to the default");
    await lastAnswer(page, answers);
    await page.locator(".confirmation:not(.settled)").waitFor();
  };
  await asks(1);
  model.script([say("Of course.")]);
  await tell(page, "Tell me about something else");
  await lastAnswer(page, 2);
  await reads(page.locator(".message.advisor").first().locator(".question-end"), "Nothing was changed.");
  await asks(3);
  await page.reload();
  await page.locator(".confirmation").waitFor();
  await isOpen(page, planId);
  await becomes(() => page.locator(".question-end").count(), 1);
  await page.getByRole("button", { name: "Reset 1 number" }).click();
  await page.locator(".confirmation.settled").waitFor();
  // Also in a browser that does not remember the click.
  await page.evaluate(() => { for (const key of Object.keys(localStorage)) if (key.includes(":decided:")) localStorage.removeItem(key); });
  await page.reload();
  await isOpen(page, planId);
  await reads(page.locator(".message.advisor").last().locator(".question-end"), "Done.");
  await becomes(() => page.locator(".question-end").allTextContents(), ["Nothing was changed.", "Done."]);
}));

test("yes by chat clears it too, without asking the model, and leaves that exchange", () => withPage({}, async (page) => {
  await askToClear(page);
  const asked = model.requests.length;
  await tell(page, "yes");
  await page.locator(".message.user").filter({ hasText: "Hello there" }).waitFor({ state: "detached" });
  await reads(page.locator(".message.user"), "yes");
  assert.equal(model.requests.length, asked);
}));

test("a waiting question is still there after a reload, and any other message drops it", () => withPage({}, async (page) => {
  await askToClear(page);
  await page.reload();
  await page.getByRole("button", { name: "Clear the conversation" }).waitFor();
  model.script([say("Of course.")]);
  await tell(page, "Tell me about something else");
  await page.locator(".confirmation").waitFor({ state: "detached" });
  assert.equal(await lastAnswer(page, 3), "Of course.");
}));
