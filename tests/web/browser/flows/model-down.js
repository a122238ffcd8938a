/** The model is away: one sentence, nothing lost, and a way to try again. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, lastAnswer, model, openNewPlan, reads, say as tell, screenshot, UNAVAILABLE, withPage } from "../support/world.js";
import { say } from "../support/mock-model.js";

test("an error with the model down, then a retry that succeeds", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.down = true;
  await tell(page, "My rent is $4,200/month");
  await reads(page.locator(".card.failure"), UNAVAILABLE);
  await screenshot(page, "model-down-light");
  assert.deepEqual((await api(page, "GET", `/api/plans/${planId}/conversation`)).data, []);

  // Also after a reload the message is not lost.
  await page.reload();
  await reads(page.locator(".message.user .bubble"), "My rent is $4,200/month");
  model.down = false;
  model.script([say("Here I am again.")]);
  await page.getByRole("button", { name: "Try again" }).click();
  assert.equal(await lastAnswer(page, 1), "Here I am again.");
  assert.equal(await page.locator(".message.user").count(), 1);
  assert.equal(await page.locator(".card.failure").count(), 0);
  const history = await api(page, "GET", `/api/plans/${planId}/conversation`);
  assert.deepEqual(history.data.map((message) => message.content), ["My rent is $4,200/month", "Here I am again."]);
}));

test("the plan can be edited while the model is away", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.down = true;
  await tell(page, "Hello");
  await page.locator(".card.failure").waitFor();
  await page.locator("[data-path='operatingCosts.rentMonthly'] button.field-value").click();
  await page.locator("[data-path='operatingCosts.rentMonthly'] input").fill("4200");
  await page.keyboard.press("Enter");
  await reads(page.locator("[data-metric=breakEvenMonth] .delta"), /month 8/);
}));
