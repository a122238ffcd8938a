/** 360 pixels and no motion. */
import test from "node:test";
import assert from "node:assert/strict";
import { becomes, field, lastAnswer, metric, model, openNewPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

const noSidewaysScroll = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "no sideways scrolling");

test("everything is there at 360 pixels, one part at a time", () => withPage({ demo: true, width: 360, height: 740, reducedMotion: "reduce" }, async (page) => {
  await page.goto("/");
  await page.locator(".person").first().waitFor();
  await noSidewaysScroll(page);
  await screenshot(page, "narrow-sign-in");
  await openNewPlan(page, { name: "A plan with quite a long name for such a small screen" });
  model.script([setField("operatingCosts.rentMonthly", 4200, "rent is $4,200/month"), setField("financing.interestRate", 0.11, "maybe 11%", "tentative")],
    [say("Noted.\n\n| a rather wide | table of several | columns in a | narrow window |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\n\n`averyveryverylongwordthatdoesnotfitintoanarrowwindowatall`")]);
  await tell(page, "My rent is $4,200/month. Interest is maybe 11%.");
  await lastAnswer(page, 1);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await noSidewaysScroll(page);
  await screenshot(page, "narrow-chat");

  await page.getByRole("button", { name: /^Plan/ }).click();
  await field(page, "operatingCosts.rentMonthly").locator("button.field-value").click();
  await noSidewaysScroll(page);
  await screenshot(page, "narrow-plan");
  await page.getByRole("button", { name: /^Results/ }).click();
  await reads(metric(page, "breakEvenMonth"), "month 8");
  await noSidewaysScroll(page);
  await screenshot(page, "narrow-outcome");
}));

test("a long answer keeps its question in view and offers the way to the end", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say(Array.from({ length: 60 }, (_, line) => `Paragraph ${line + 1} of a long answer.`).join("\n\n"))]);
  await tell(page, "Tell me a lot");
  await lastAnswer(page, 1);
  const question = page.locator(".message.user").first();
  await becomes(() => question.evaluate((element) => {
    const [box, own] = [document.querySelector(".scroller").getBoundingClientRect(), element.getBoundingClientRect()];
    return own.top >= box.top && own.top < box.top + 60;
  }), true, "the question stands at the top");
  await page.getByRole("button", { name: "Newest" }).click();
  await page.waitForFunction(() => {
    const box = document.querySelector(".scroller");
    return box.scrollHeight - box.scrollTop - box.clientHeight < 48;
  });
  await page.locator(".scroller").evaluate((box) => { box.scrollTop = 0; });
  await page.waitForFunction(() => document.querySelector(".scroller").scrollTop === 0);
  model.script([say("A short one.")]);
  const sent = page.locator(".message.user").nth(1);
  await tell(page, "And a little more");
  await lastAnswer(page, 2);
  await becomes(() => sent.evaluate((element) => {
    const [box, own] = [document.querySelector(".scroller").getBoundingClientRect(), element.getBoundingClientRect()];
    return own.top >= box.top && own.bottom <= box.bottom;
  }), true, "who sends from far above sees what was sent");
}));
