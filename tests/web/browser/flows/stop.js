/** Stopping an answer. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, hold, lastAnswer, model, openNewPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { gate, say, wait } from "../support/mock-model.js";

test("stop keeps the text so far, marked, also after a reload", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("A long story begins"), wait(gate())]);
  await tell(page, "Tell me everything");
  await reads(page.locator(".message.advisor .prose"), "A long story begins");
  await screenshot(page, "writing-light");
  await page.getByRole("button", { name: "Stop the answer" }).click();
  await reads(page.locator(".message.advisor[data-state=stopped]"), "You stopped the answer here.");
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.reload();
  assert.equal(await lastAnswer(page, 1), "A long story begins");
  await reads(page.locator(".message.advisor"), "You stopped the answer here.");
}));

test("stopped before a word, the message goes back to its author", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.script([wait(gate())]);
  await tell(page, "Think about this");
  await page.locator(".typing").waitFor();
  await page.getByRole("button", { name: "Stop the answer" }).click();
  await page.locator(".message.user").waitFor({ state: "detached" });
  await becomes(() => page.locator("#message").inputValue(), "Think about this");
  assert.deepEqual((await api(page, "GET", `/api/plans/${planId}/conversation`)).data, []);
}));

test("a stop that is faster than its message stops it all the same", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.script([wait(gate())]);
  const sending = await hold(page, `**/api/plans/${planId}/conversation`, { method: "POST" });
  await tell(page, "Think about this");
  await sending.reached;
  await page.getByRole("button", { name: "Stop the answer" }).click();
  await page.locator(".message.advisor[data-state=stopping]").waitFor();
  sending.open();
  await page.locator(".message.user").waitFor({ state: "detached" });
  await becomes(() => page.locator("#message").inputValue(), "Think about this");
}));
