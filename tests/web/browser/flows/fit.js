/** Small windows, large letters, fingers, and colors that are not the page's. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, fitsSideways, isOpen, lastAnswer, model, openNewPlan, say as tell, screenshot, signIn, signOut, smallTargets, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

const heightOf = (locator) => locator.evaluate((element) => element.clientHeight);

/** A plan with an answer, a value and a question about one. */
async function withProposal(page) {
  const planId = await openNewPlan(page);
  model.script([setField("operatingCosts.rentMonthly", 4200, "rent is $4,200/month"), setField("financing.interestRate", 0.11, "maybe 11%", "tentative")], [say("Noted.")]);
  await tell(page, "My rent is $4,200/month. Interest is maybe 11%.");
  await lastAnswer(page, 1);
  await page.locator(".chat .value.proposed").waitFor();
  return planId;
}

async function show(page, view) {
  if (await page.locator(`[data-show=${view}]`).isVisible()) await page.locator(`[data-show=${view}]`).click();
}

for (const [what, options] of [
  ["320 pixels", { width: 320, height: 640 }],
  ["1280 pixels at 200 %", { width: 640, height: 400, more: { deviceScaleFactor: 2 } }],
  ["a phone on its side", { width: 844, height: 390, more: { hasTouch: true, isMobile: true } }],
]) {
  test(`nothing is cut off and the conversation has its space: ${what}`, () => withPage({ ...options, reducedMotion: "reduce" }, async (page) => {
    const planId = await withProposal(page);
    await fitsSideways(page, "chat");
    await becomes(async () => await heightOf(page.locator(".scroller")) >= options.height * 0.55, true, "more than half of the window is conversation");
    await screenshot(page, `fit-${options.width}`);
    for (const view of ["plan", "results"]) {
      await show(page, view);
      await fitsSideways(page, view);
    }
    for (const view of ["print", "glossary"]) {
      await page.goto(`/plans/${planId}/${view}`);
      await page.locator(".print-cover, .glossary dl").first().waitFor();
      await fitsSideways(page, view);
    }
    await signOut(page);
    await signIn(page, "admin@demo.test");
    await page.locator("[data-person]").first().waitFor();
    await fitsSideways(page, "people");
    await page.goto(`/plans/${planId}`);
    await isOpen(page, planId);
    await fitsSideways(page, "view only");
    await becomes(async () => await heightOf(page.locator(".admin-bar")) <= options.height * 0.3, true, "the banner leaves room for what it is about");
  }));
}

test("what a finger can press is 44 pixels high and wide", () => withPage({ width: 390, height: 844, reducedMotion: "reduce", more: { hasTouch: true, isMobile: true } }, async (page) => {
  const small = () => smallTargets(page);
  await page.goto("/");
  await page.locator("input[type=email]").waitFor();
  await becomes(small, []);
  await withProposal(page);
  await becomes(small, []);
  await show(page, "plan");
  await field(page, "operatingCosts.rentMonthly").locator("button.field-value").click();
  await page.locator(".trail summary").click();
  await page.locator(".trail li").first().waitFor();
  await becomes(small, []);
  await page.locator(".next-question").click();
  await page.locator(".guide h2").waitFor();
  await becomes(small, []);
  await page.keyboard.press("Escape");
  await show(page, "results");
  await becomes(small, []);
  const planId = new URL(page.url()).pathname.split("/")[2];
  await api(page, "POST", `/api/plans/${planId}/scenarios`, { name: "Lean", overrides: { "operatingCosts.rentMonthly": 360_000 } });
  for (const [view, there] of [["scenarios", ".compare-table td"], ["print", ".print-cover"], ["story", ".story-box textarea"], ["glossary", ".glossary dt"]]) {
    await page.goto(`/plans/${planId}/${view}`);
    await page.locator(there).first().waitFor();
    await becomes(small, [], view);
  }
  await signOut(page);
  await signIn(page, "admin@demo.test");
  await page.locator("[data-person]").first().waitFor();
  await page.locator(".people-list .act-for").first().click();
  await page.locator("dialog").waitFor();
  await becomes(small, []);
}));

test("with the colors of the system everything pressed, pressable and marked still differs", () => withPage({ more: { forcedColors: "active" } }, async (page) => {
  await withProposal(page);
  const border = (locator) => locator.evaluate((element) => getComputedStyle(element).borderTopWidth);
  assert.notEqual(await border(page.locator(".chat .value .primary").first()), "0px");
  assert.notEqual(await border(page.locator(".bubble").first()), "0px");
  const outline = (locator) => locator.evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.notEqual(await outline(page.locator("[data-filter=all]")), await outline(page.locator("[data-filter=open]")));
  await screenshot(page, "forced-colors");
}));
