/** Nothing scrolls away, nothing typed is lost or goes elsewhere, one thing is done once, and cards say what is true. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, hold, isOpen, lastAnswer, model, openNewPlan, openPlan, opening, PASSWORD, reads, say as tell, talk, withPage } from "../support/world.js";
import { gate, say, setField, wait } from "../support/mock-model.js";

const UTILITIES = "operatingCosts.utilitiesMonthly";
const said = async (page, planId) => (await api(page, "GET", `/api/plans/${planId}/conversation`)).data.map((message) => message.content);
const focusIn = (page, selector) => page.waitForFunction((selector) => document.activeElement?.matches(selector), selector);

for (const [width, height] of [[1360, 860], [390, 844]]) {
  test(`fifty messages leave the window as high as it is, at ${width}`, () => withPage({ width, height }, async (page) => {
    const planId = await openNewPlan(page);
    await talk(page, planId, Array.from({ length: 25 }, (_, number) => `Message ${number}`));
    await openPlan(page, planId);
    await reads(page.locator(".bubble").last(), "Message 24");
    const heights = () => page.evaluate(() => [document.documentElement.scrollHeight, window.innerHeight]);
    await becomes(heights, [height, height]);
    for (const place of [".composer", ".top-bar", ".chat-head"]) {
      await page.locator(place).hover();
      await page.mouse.wheel(0, 2000);
    }
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("End");
    await becomes(() => page.evaluate(() => window.scrollY), 0);
  }));
}

test("while the plan loads the composer says so and takes nothing", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "Slow to come" });
  await openNewPlan(page, { name: "Open meanwhile", signedIn: true });
  const held = await hold(page, opening(planId));
  await page.locator("#message").focus();
  await page.locator("#plan-chooser").selectOption(planId);
  await becomes(() => page.locator("#message").isDisabled(), true);
  await becomes(() => page.locator("#message").getAttribute("placeholder"), "Loading your plan…");
  await page.keyboard.type("lost");
  await page.keyboard.press("Enter");
  held.open();
  await isOpen(page, planId);
  await becomes(() => page.locator(".message").count(), 0);
  await tell(page, "Now it is there");
  await lastAnswer(page, 1);
  assert.deepEqual((await said(page, planId))[0], "Now it is there");
}));

test("what is typed while another plan opens goes to neither", () => withPage({}, async (page) => {
  const first = await openNewPlan(page, { name: "The first one" });
  const second = await openNewPlan(page, { name: "The second one", signedIn: true });
  await openPlan(page, first);
  const held = await hold(page, opening(second));
  await page.locator("#message").focus();
  await page.locator("#plan-chooser").selectOption(second);
  await page.locator(".desk.waiting").waitFor();
  await page.locator("#message").focus().catch(() => {});
  await page.keyboard.type("My rent is $3,800 a month");
  await page.keyboard.press("Enter");
  held.open();
  await isOpen(page, second);
  assert.deepEqual([await said(page, first), await said(page, second)], [[], []]);
  await becomes(() => page.locator(".bubble").count(), 0);
  // The first one's own draft waits for it.
  await page.locator("#message").fill("A draft of the second");
  await openPlan(page, first);
  await becomes(() => page.locator("#message").inputValue(), "");
}));

test("of two plans chosen quickly the last one is shown, whichever arrives last", () => withPage({}, async (page) => {
  const start = await openNewPlan(page, { name: "Where it starts" });
  const slow = await openNewPlan(page, { name: "The slow one", signedIn: true });
  const fast = await openNewPlan(page, { name: "The fast one", signedIn: true });
  await api(page, "PATCH", `/api/plans/${slow}/financial-inputs`, { [UTILITIES]: 111100 });
  await api(page, "PATCH", `/api/plans/${fast}/financial-inputs`, { [UTILITIES]: 222200 });
  await openPlan(page, start);
  const held = await hold(page, opening(slow));
  await page.locator("#plan-chooser").selectOption(slow);
  await held.reached;
  await page.locator("#plan-chooser").selectOption(fast);
  await isOpen(page, fast);
  const late = page.waitForResponse(opening(slow));
  held.open();
  await late;
  await page.waitForLoadState("networkidle");
  await reads(field(page, UTILITIES).locator(".field-value"), "$2,222");
  await becomes(() => page.title(), /^The fast one/);
  await becomes(() => page.locator("#plan-chooser").inputValue(), fast);
  assert.match(page.url(), new RegExp(`/plans/${fast}$`));
}));

async function propose(page) {
  model.script([setField(UTILITIES, 1000, "maybe 1,000 for utilities", "tentative")], [say("Shall I take $1,000?")]);
  await tell(page, "maybe 1,000 for utilities");
  await page.locator(".chat .value.proposed").waitFor();
}

test("a card follows its value: a hand edit settles it, here and in another tab", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  await propose(page);
  await reads(page.locator(".waiting-link"), "1 answer needed");
  const other = await context.newPage();
  await other.goto(`/plans/${planId}`);
  await reads(other.locator(".chat .value.proposed .now"), "$950");

  await field(page, UTILITIES).locator("button.field-value").click();
  await field(page, UTILITIES).locator("input").fill("980");
  await page.keyboard.press("Enter");

  for (const tab of [page, other]) {
    await tab.locator(".chat .value.proposed").waitFor({ state: "detached" });
    await tab.locator(".chat .value").filter({ hasText: "$1,000" }).waitFor();
    await tab.locator(".waiting-link").waitFor({ state: "hidden" });
    await becomes(() => tab.locator(".chat .value-note").count(), 0, "the note of a settled value is gone");
  }
  await reads(field(other, UTILITIES).locator(".field-value"), "$980");
}));

test("a value answered elsewhere is not asked again", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  // Answered where this page does not see it, and clicked before it looks again: from before the answer, whose end is a look too.
  const looks = [await hold(page, `**/api/plans/${planId}`, { method: "GET" }), await hold(page, new RegExp(`/api/plans/${planId}/conversation\\?`), { method: "GET" })];
  await propose(page);
  const { data } = await api(page, "GET", `/api/plans/${planId}/conversation`);
  await api(page, "POST", `/api/plans/${planId}/conversation/extractions/${data[1].extractedValues[0].id}/accept`);
  await page.locator(".chat").getByRole("button", { name: "Use $1,000" }).click();
  for (const look of looks) look.open();
  await page.locator(".chat .value.accepted").waitFor();
  await becomes(() => page.locator(".chat").getByRole("button", { name: /^Use / }).count(), 0);
}));

test("what another tab says and changes arrives by itself", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  const other = await context.newPage();
  await other.goto(`/plans/${planId}`);
  await isOpen(other, planId);
  model.script([setField("operatingCosts.rentMonthly", 4200, "rent is $4,200"), say("Noted.")]);
  await tell(page, "My rent is $4,200");
  await lastAnswer(page, 1);
  await reads(other.locator(".bubble"), "My rent is $4,200");
  await reads(field(other, "operatingCosts.rentMonthly").locator(".field-value"), "$4,200");
  await becomes(() => other.locator(".message").count(), 2);
}));

test("values that wait are in their one list from the first moment", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const look = await hold(page, new RegExp(`/api/plans/${planId}/conversation\\?`), { method: "GET" });
  model.script([setField(UTILITIES, 1000, "maybe 1,000 for utilities", "tentative"), setField("financing.interestRate", 0.11, "maybe 11% interest", "tentative")], [say("Shall I?")]);
  await tell(page, "maybe 1,000 for utilities and maybe 11% interest");
  await look.reached;
  await becomes(() => page.locator(".chat .value.listed").count(), 2);
  assert.equal(await page.locator(".chat .value.proposed").count(), 0);
  await page.locator(".open-card").getByLabel("11%").focus();
  look.open();
  await page.locator(".message.advisor time").waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.matches(".open-card input")), "the focus stays");
}));

test("the focus goes on to what comes next", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await focusIn(page, "#message");
  model.script([setField(UTILITIES, 1000, "maybe 1,000 for utilities", "tentative"), setField("financing.interestRate", 0.11, "maybe 11% interest", "tentative")], [say("Shall I?")]);
  await tell(page, "maybe 1,000 for utilities and maybe 11% interest");
  await page.locator(".open-card").getByLabel("11%").focus();
  await page.keyboard.press("Space");
  await page.locator(".open-card").getByRole("button", { name: "Use 1" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".chat .value.accepted").waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Use 11%");
  await page.locator(".chat").getByRole("button", { name: "Ignore" }).focus();
  await page.keyboard.press("Enter");
  await focusIn(page, "#message");

  const held = gate();
  model.script([say("A long story"), wait(held)]);
  await tell(page, "Tell me");
  await reads(page.locator(".message.advisor[data-state=writing] .prose"), "A long story");
  await page.keyboard.press("Escape");
  await page.locator(".message.advisor[data-state=stopped]").waitFor();
  await focusIn(page, "#message");

  await talk(page, planId, Array.from({ length: 25 }, (_, number) => `Message ${number}`));
  await openPlan(page, planId);
  await page.getByRole("button", { name: "Show earlier messages" }).click();
  await focusIn(page, ".message");
}));

test("the first Tab leads to the message box", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const first = await page.evaluate(() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].find((element) => element.checkVisibility()).textContent);
  assert.equal(first, "Skip to the message box");
  await page.locator(".plan-panel input[type=search]").focus();
  await page.locator(".skip-link").focus();
  await page.keyboard.press("Enter");
  await focusIn(page, "#message");
}));

test("a double click makes one plan, which can be deleted", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const count = async () => (await api(page, "GET", "/api/plans")).data.length;
  const before = await count();
  await page.getByRole("button", { name: "New plan" }).click();
  await page.getByLabel("Name").fill("Made once");
  const held = await hold(page, "**/api/plans", { method: "POST" });
  await page.getByRole("button", { name: "Create plan" }).dblclick();
  await page.keyboard.press("Enter");
  await held.reached;
  held.open();
  await page.waitForURL((url) => url.pathname.startsWith("/plans/"));
  await page.locator("#plan-chooser option:checked", { hasText: "Made once" }).waitFor({ state: "attached" });
  await page.locator("dialog").waitFor({ state: "detached" });
  await focusIn(page, "#message");
  await becomes(count, before + 1);

  await page.locator(".plan-menu summary").click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete plan" }).click();
  await page.locator("#plan-chooser option", { hasText: "Made once" }).waitFor({ state: "detached" });
  await becomes(count, before);
}));

test("a draft outlives a reload, another plan and a message that failed", () => withPage({}, async (page) => {
  const first = await openNewPlan(page);
  await page.locator("#message").fill("Half a thought");
  await page.reload();
  await isOpen(page, first);
  await becomes(() => page.locator("#message").inputValue(), "Half a thought");
  const second = await openNewPlan(page, { signedIn: true });
  await becomes(() => page.locator("#message").inputValue(), "");
  await openPlan(page, first);
  await becomes(() => page.locator("#message").inputValue(), "Half a thought");

  model.down = true;
  for (const [index, text] of ["The first that failed", "The second that failed"].entries()) {
    await tell(page, text);
    await page.locator(".card.failure").nth(index).waitFor();
  }
  model.down = false;
  await tell(page, "One that arrives");
  await lastAnswer(page, 1);
  await page.reload();
  await isOpen(page, first);
  await becomes(() => page.locator(".bubble").allInnerTexts(), ["One that arrives", "The first that failed", "The second that failed"]);
  await page.locator(".card.failure").getByRole("button", { name: "Edit message" }).first().click();
  await becomes(() => page.locator("#message").inputValue(), "The first that failed");
  assert.notEqual(first, second);
}));

test("a session that ends costs nothing that was typed", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  await field(page, UTILITIES).locator("button.field-value").click();
  await field(page, UTILITIES).locator("input").fill("975");
  await context.clearCookies();
  await page.keyboard.press("Enter");
  await page.locator("dialog").getByLabel("Password").fill("not it");
  await page.keyboard.press("Enter");
  await reads(page.locator("dialog").getByRole("alert"), /\w/);
  await page.locator("dialog").getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await becomes(() => field(page, UTILITIES).locator("input").inputValue(), "975");
  await field(page, UTILITIES).getByRole("button", { name: "Save" }).click();
  await reads(field(page, UTILITIES).locator(".field-value"), "$975");

  await context.clearCookies();
  await tell(page, "Am I still here?");
  await page.locator("dialog").getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await becomes(() => page.locator("#message").inputValue(), "Am I still here?");
  await page.locator("#message").press("Enter");
  await lastAnswer(page, 1);
  assert.equal((await said(page, planId))[0], "Am I still here?");
}));

test("while the page loads a skeleton stands there and nothing unfinished", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const script = await hold(page, "**/assets/app.*.js");
  await page.goto(`/plans/${planId}`, { waitUntil: "commit" });
  await page.locator(".skeleton").waitFor();
  script.open();
  const plan = await hold(page, opening(planId));
  await page.goto(`/plans/${planId}`);
  await plan.reached;
  await page.locator(".skeleton").waitFor();
  await becomes(() => page.locator(".panel summary:visible").count(), 0, "no empty lists are shown");
  plan.open();
  await isOpen(page, planId);
}));

test("a plan that is not there says so and leads home", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await page.goto("/plans/0199c0de-0000-7000-8000-00000000ffff");
  await reads(page.locator("h1"), "This plan is not here");
  await page.getByRole("button", { name: "Go to my plans" }).click();
  await page.locator(".desk[data-plan]").waitFor();
}));
