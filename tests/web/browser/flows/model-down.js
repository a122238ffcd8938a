/** The model is away: one sentence, nothing lost, and a way to try again. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, lastAnswer, model, openNewPlan, reads, say as tell, screenshot, UNAVAILABLE, withPage } from "../support/world.js";
import { finish, say, setField } from "../support/mock-model.js";

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
  await becomes(() => page.locator(".message.user").count(), 1);
  await becomes(() => page.locator(".card.failure").count(), 0);
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
  await reads(page.locator("[data-metric=breakEvenMonth] .delta"), "was month 9");
}));

test("the bar says what is wrong and nothing while all is well", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const light = page.locator(".state-light");
  await becomes(() => light.innerText(), "");
  model.down = true;
  await tell(page, "Hello");
  await reads(light, "Advisor offline");
  model.down = false;
  model.script([say("Back again.")]);
  await page.getByRole("button", { name: "Try again" }).click();
  await lastAnswer(page, 1);
  await page.waitForFunction(() => document.querySelector(".state-light").textContent === "");
  await page.route("**/api/**", (route) => route.abort());
  await reads(light, "Reconnecting…");
  await page.unroute("**/api/**");
  await page.waitForFunction(() => document.querySelector(".state-light").textContent === "");
}));

test("an answer that was cut short says that values wait only where there are some", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("Half of an"), finish("length")]);
  await tell(page, "Tell me something long");
  await lastAnswer(page, 1);
  await reads(page.locator(".message.advisor .aside"), "length limit");
  assert.doesNotMatch(await page.locator(".message.advisor .aside").innerText(), /values?/i);
  model.script([setField("operatingCosts.rentMonthly", 4200, "rent is $4,200"), say("I've noted"), finish("content_filter")]);
  await tell(page, "My rent is $4,200 a month");
  await lastAnswer(page, 2);
  const asides = () => page.locator(".message.advisor .aside").allInnerTexts();
  await page.locator(".message.advisor .aside").nth(1).waitFor();
  const shown = await asides();
  assert.equal(shown.length, 2);
  assert.match(shown[1], /values?/i);
  await page.reload();
  await page.locator(".message.advisor .aside").nth(1).waitFor();
  await becomes(asides, shown);
}));
