/** Lines that stand below each other: words stay whole, boxes have the same edges, rows the same space, and nothing is under the composer. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isOpen, lastAnswer, model, openNewPlan, reads, say as tell, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

const AUV = "revenue.monthlyAuv";
const RENT = "operatingCosts.rentMonthly";
const LABOR = "operatingCosts.laborPct";
const PHONE = { hasTouch: true, isMobile: true };

/** Words that are divided over two lines. */
function brokenWords(page, place) {
  return page.locator(place).evaluateAll((places) => places.flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}$.,%×]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    return broken;
  }));
}

test("what an answer moved is told in whole words, and only where something changed", () => withPage({ width: 320, height: 640, more: PHONE }, async (page) => {
  const planId = await openNewPlan(page);
  // Not within five years before, and not after: no change to tell.
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { [AUV]: 2_000_000 });
  model.script([setField(RENT, 9200, "rent is $9,200 a month")], [say("Noted.")]);
  await tell(page, "My rent is $9,200 a month");
  await lastAnswer(page, 1);
  await page.locator("[data-moved=lowestCash]").waitFor();
  await becomes(() => page.locator("[data-moved=breakEvenMonth]").count(), 0);
  for (const width of [320, 375, 768, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    assert.deepEqual(await brokenWords(page, ".moved-strip, .value, .metric, .years"), [], `${width}`);
  }
  const strip = await page.locator("[data-moved]").evaluateAll((all) => all.map((entry) => [...entry.querySelectorAll("dd > :is(span:not(.spoken), b)")].map((value) => value.textContent)));
  for (const [before, after] of strip) assert.notEqual(before, after);
}));

test("a what-if tells before and after only of what differs", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { [AUV]: 2_000_000 });
  await page.goto(`/plans/${planId}/scenarios`);
  const box = page.locator(`[data-slider="${RENT}"] input[type=text]`);
  await box.fill("4,600");
  await box.press("Enter");
  const effect = (name) => page.locator(`[data-effect=${name}]`);
  await reads(effect("lowestCash").locator("dd"), /−\$.*−\$/s);
  await reads(effect("breakEvenMonth").locator("dd"), /^not within 5 years$/);
  // Units of money and of percent are inside frames that have the same edges.
  const edges = await page.locator(".what-if .boxed, [data-slider] .boxed").evaluateAll((all) => [...new Set(all.map((one) => { const { left, right } = one.getBoundingClientRect(); return `${left} ${right}`; }))]);
  assert.equal(edges.length, 1, edges.join(" / "));
}));

test("boxes for money, percent and months have the same edges", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const left = async (path) => {
    await field(page, path).locator("button.field-value").click();
    const { x } = await field(page, path).locator(".boxed").boundingBox();
    await page.keyboard.press("Escape");
    return x;
  };
  const edges = [await left(AUV), await left("revenue.monthsToReachAuv"), await left(RENT), await left(LABOR)];
  assert.deepEqual(edges, edges.map(() => edges[0]));
}));

test("rows of two lines and of one have the same space around them, also where an answer is needed", () => withPage({ width: 375, height: 740, more: PHONE }, async (page) => {
  const planId = await openNewPlan(page);
  model.script([setField(RENT, 4200, "maybe $4,200 rent", "tentative")], [say("Shall I?")]);
  await tell(page, "maybe $4,200 rent");
  await lastAnswer(page, 1);
  for (const [width, view] of [[375, "/plan"], [1280, ""]]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`/plans/${planId}${view}`);
    await isOpen(page, planId);
    await page.locator(".key-number.waiting").waitFor();
    const spaces = await page.locator(".key-number").evaluateAll((rows) => {
      const lines = rows.map((row) => { const range = document.createRange(); range.selectNodeContents(row.querySelector(".key-label")); return range.getBoundingClientRect(); });
      return lines.slice(1).map(({ top }, at) => Math.round(top - lines[at].bottom));
    });
    assert.ok(Math.max(...spaces) - Math.min(...spaces) <= 1, spaces.join(" "));
  }
}));

test("the welcome of a plan without words stands above the composer, on small phones too", () => withPage({ width: 320, height: 568, more: PHONE }, async (page) => {
  const planId = await openNewPlan(page);
  for (const [width, height] of [[320, 568], [375, 553], [360, 640], [390, 664]]) {
    await page.setViewportSize({ width, height });
    await page.goto(`/plans/${planId}`);
    await isOpen(page, planId);
    await becomes(() => page.evaluate(() => {
      const composer = document.querySelector(".composer").getBoundingClientRect().top;
      return [...document.querySelectorAll(".welcome button")].filter((button) => button.getBoundingClientRect().bottom > composer).map((button) => button.textContent);
    }), [], `${width} × ${height}`);
  }
}));

test("between question and answer nothing is kept free", () => withPage({}, async (page) => {
  await openNewPlan(page);
  for (const [at, words] of ["Hello", "And now?"].entries()) {
    model.script([say("Noted.")]);
    await tell(page, words);
    await lastAnswer(page, at + 1);
  }
  const gaps = () => page.locator(".messages > .message").evaluateAll((all) => all.slice(1).map((message, at) => Math.round(message.getBoundingClientRect().top - all[at].getBoundingClientRect().bottom)));
  await becomes(gaps, [24, 24, 24]);
}));
