/** A reload in mid-answer, and a second tab. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, lastAnswer, model, openNewPlan, openPlan, reads, say as tell, withPage } from "../support/world.js";
import { gate, say, wait } from "../support/mock-model.js";

test("a reload in mid-answer continues it without lost or doubled text", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const held = gate();
  model.script([say("The first half is here,"), wait(held), say(" and the second half follows.")]);
  await tell(page, "Explain it please");
  await reads(page.locator(".message.advisor .prose"), "The first half is here,");

  await page.reload();
  await reads(page.locator(".message.advisor[data-state=writing] .prose"), "The first half is here,");
  await reads(page.locator(".message.user .bubble"), "Explain it please");
  held.open();

  const whole = "The first half is here, and the second half follows.";
  assert.equal(await lastAnswer(page, 1), whole);
  await becomes(() => page.locator(".message.user").count(), 1);
  const history = await api(page, "GET", `/api/plans/${planId}/conversation`);
  assert.deepEqual(history.data.map((message) => message.content), ["Explain it please", whole]);
  assert.equal(model.requests.length, 1, "the model was asked once");
}));

test("a second tab joins the running answer, knows the question, and both end the same", () => withPage({}, async (page, context) => {
  await openNewPlan(page);
  const held = gate();
  model.script([say("One"), wait(held), say(" two.")]);
  await tell(page, "Count for me");
  await reads(page.locator(".message.advisor .prose"), "One");

  const second = await context.newPage();
  await second.goto("/");
  await reads(second.locator(".message.advisor[data-state=writing] .prose"), "One");
  await reads(second.locator(".message.user .bubble"), "Count for me");
  held.open();
  assert.equal(await lastAnswer(page, 1), "One two.");
  assert.equal(await lastAnswer(second, 1), "One two.");
}));

test("an answer that ends while the page is away is in the history", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  const held = gate();
  model.script([say("Here"), wait(held), say(" it is.")]);
  await tell(page, "Go on without me");
  await reads(page.locator(".message.advisor .prose"), "Here");
  await page.goto("about:blank");
  held.open();
  const stored = async () => (await (await context.request.get(`/api/plans/${planId}/conversation`)).json()).data.length;
  // The turn ends without anybody listening; asking is the waiting.
  while ((await stored()) < 2);
  await page.goto("/");
  assert.equal(await lastAnswer(page, 1), "Here it is.");
  await becomes(() => page.locator(".card.failure").count(), 0);
}));

test("what is sent while another tab's answer is written goes back to its author, and the answer is joined", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  const other = await context.newPage();
  await openPlan(other, planId);
  const held = gate();
  model.script([say("One moment. "), wait(held), say("Here it is.")]);
  await tell(page, "A long question");
  await reads(page.locator(".message.advisor .prose"), "One moment.");
  await tell(other, "Meanwhile from here");
  await reads(other.locator(".message.advisor .prose"), "One moment.");
  await becomes(() => other.locator("#message").inputValue(), "Meanwhile from here");
  held.open();
  await reads(other.locator(".message.advisor .prose"), "One moment. Here it is.");
}));
