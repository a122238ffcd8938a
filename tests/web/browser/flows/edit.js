/** The last message is edited, or its answer asked for again: the new turn takes the place of the old one, with all it did. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isOpen, lastAnswer, model, openNewPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

const RENT = "operatingCosts.rentMonthly";
const rent = (page) => field(page, RENT).locator(".field-value");

/** Says a rent that was not meant. */
async function wrongRent(page) {
  model.script([setField(RENT, 42000, "rent is $42,000 a month")], [say("Noted $42,000.")]);
  model.verdicts = "1 stated";
  await tell(page, "My rent is $42,000 a month");
  await lastAnswer(page, 1);
  await page.locator(".chat .value").first().waitFor();
}

async function editTo(page, text) {
  await page.locator(".message.user").last().hover();
  await page.locator(".message.user").last().getByRole("button", { name: "Edit message" }).click();
  await reads(page.locator(".composer-notice"), "Editing your last message");
  await page.locator("#message").fill(text);
  await page.keyboard.press("Enter");
}

test("an edited message takes the place of the one before, with all that it did", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await wrongRent(page);
  model.script([setField(RENT, 4200, "rent is $4,200 a month")], [say("Noted $4,200.")]);
  await editTo(page, "My rent is $4,200 a month");
  await reads(page.locator(".message.advisor").last(), "Noted $4,200.");
  await reads(rent(page), "$4,200");
  await page.waitForFunction(() => document.querySelectorAll(".message").length === 2);
  await screenshot(page, "edited-light");
  const { data } = await api(page, "GET", `/api/plans/${planId}/conversation`);
  assert.deepEqual(data.map((message) => message.content), ["My rent is $4,200 a month", "Noted $4,200."]);
  await page.reload();
  await isOpen(page, planId);
  await becomes(() => page.locator(".message").count(), 2);
  await page.getByRole("button", { name: "Undo Rent per month" }).click();
  await reads(rent(page), "$4,500");
}));

test("an answer is asked for again, and only the new one stays", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.script([say("First try.")]);
  await tell(page, "Tell me about my plan");
  await lastAnswer(page, 1);
  model.script([say("Second try.")]);
  await page.locator(".message.advisor").hover();
  await page.locator(".message.advisor").getByRole("button", { name: "Answer again" }).click();
  await reads(page.locator(".message.advisor").last(), "Second try.");
  await page.waitForFunction(() => document.querySelectorAll(".message").length === 2);
  const { data } = await api(page, "GET", `/api/plans/${planId}/conversation`);
  assert.deepEqual(data.map((message) => message.content), ["Tell me about my plan", "Second try."]);
}));

test("an edit that fails changes nothing, and trying again still replaces", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.script([say("As it was.")]);
  await tell(page, "The first words");
  await lastAnswer(page, 1);
  model.down = true;
  await editTo(page, "Better words");
  await page.locator(".card.failure").waitFor();
  await becomes(() => page.locator(".message.replaced").count(), 0);
  await page.reload();
  await isOpen(page, planId);
  await reads(page.locator(".message.advisor"), "As it was.");
  model.down = false;
  model.script([say("As it is now.")]);
  await page.getByRole("button", { name: "Try again" }).click();
  await reads(page.locator(".message.advisor").last(), "As it is now.");
  await page.waitForFunction(() => document.querySelectorAll(".message").length === 2);
  const { data } = await api(page, "GET", `/api/plans/${planId}/conversation`);
  assert.deepEqual(data.map((message) => message.content), ["Better words", "As it is now."]);
}));

test("an edit can be put away, and what was typed before is there again", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("Hello.")]);
  await tell(page, "Good morning");
  await lastAnswer(page, 1);
  await page.locator("#message").fill("A thought not finished");
  await page.locator(".message.user").hover();
  await page.locator(".message.user").getByRole("button", { name: "Edit message" }).click();
  await becomes(() => page.locator("#message").inputValue(), "Good morning");
  await page.locator(".composer-notice").getByRole("button", { name: "Cancel" }).click();
  await becomes(() => page.locator("#message").inputValue(), "A thought not finished");
  await becomes(() => page.evaluate(() => document.activeElement.id), "message");
}));

test("what is no longer the newest message is not replaced, and the words stay", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.script([say("One.")], [say("Two.")]);
  await tell(page, "First");
  await lastAnswer(page, 1);
  await page.locator(".message.user").hover();
  await page.locator(".message.user").getByRole("button", { name: "Edit message" }).click();
  await page.evaluate(async (id) => {
    const response = await fetch(`/api/plans/${id}/conversation`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ message: "From another tab" }) });
    await response.text();
  }, planId);
  await page.locator("#message").fill("First, but better");
  await page.keyboard.press("Enter");
  await page.locator(".toast.shown").waitFor();
  await reads(page.locator(".message.user").last(), "From another tab");
  await becomes(() => page.locator("#message").inputValue(), "First, but better");
  const { data } = await api(page, "GET", `/api/plans/${planId}/conversation`);
  assert.equal(data.length, 4);
}));
