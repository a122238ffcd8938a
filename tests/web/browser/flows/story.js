/** The story for a lender and the month of opening: written, saved, printed; two people at once lose nothing. */
import test from "node:test";
import assert from "node:assert/strict";
import { hostileTexts } from "../../support/hostile-texts.js";
import { api, becomes, fitsSideways, isAccessible, isOpen, openNewPlan, reads, screenshot, smallTargets, withPage } from "../support/world.js";

const box = (page, key) => page.locator(`#story-${key}`);

async function open(page, planId) {
  await page.goto(`/plans/${planId}/story`);
  await reads(page.locator("#story-team-count"), /of 2000 characters/);
}

async function save(page) {
  await page.getByRole("button", { name: "Save the story" }).click();
}

test("what is written is saved and printed, what is empty is not", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await page.locator(".plan-menu summary").click();
  await page.getByRole("link", { name: "Story for the lender" }).click();
  await reads(page.locator("#story-team-count"), "0 of 2000 characters");
  await box(page, "team").fill("We ran a salon for six years.\n\nBoth of us groom.");
  await reads(page.locator(".story-actions"), "Not saved yet");
  await isAccessible(page, "story");
  await screenshot(page, "story-light");
  await save(page);
  await reads(page.locator(".toast"), "Your story is saved.");
  await page.reload();
  await becomes(() => box(page, "team").inputValue(), "We ran a salon for six years.\n\nBoth of us groom.");
  await page.getByRole("link", { name: "See it in the plan" }).click();
  await reads(page.locator("[data-story=team]"), /Who we are and our experience.*six years\..*Both of us groom\./s);
  assert.equal(await page.locator(".print-story").count(), 1);
}));

test("two people who save at once keep both texts, and one decides", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await open(page, planId);
  await box(page, "team").fill("Mine");
  await box(page, "market").fill("My market");
  const other = await api(page, "PUT", `/api/plans/${planId}/story`, { team: "Theirs", risks: "Their risks" });
  assert.equal(other.status, 200, JSON.stringify(other));
  await save(page);
  await reads(page.getByRole("alert"), "Someone has saved this story");
  await becomes(() => box(page, "team").inputValue(), "Mine");
  await becomes(() => box(page, "risks").inputValue(), "Their risks");
  await becomes(() => box(page, "market").inputValue(), "My market");
  await reads(page.locator("[data-story=team] .story-theirs"), /Saved meanwhile:.*Theirs/s);
  await becomes(() => page.locator(".story-theirs:visible").count(), 1);
  await isAccessible(page, "both texts");
  await page.locator("[data-story=team]").getByRole("button", { name: "Use the saved text" }).click();
  await becomes(() => box(page, "team").inputValue(), "Theirs");
  await save(page);
  await reads(page.locator(".toast"), "Your story is saved.");
  const { data } = await api(page, "GET", `/api/plans/${planId}/story`);
  assert.deepEqual([data.team, data.market, data.risks, data.loan], ["Theirs", "My market", "Their risks", null]);
}));

test("markup stays text, 2,000 emoji fit, one more does not", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await open(page, planId);
  await box(page, "business").fill(`${hostileTexts.slice(0, 12).join("\n")}\n=HYPERLINK("https://evil.test")`.slice(0, 1900));
  await box(page, "customers").fill("🐶".repeat(2001));
  await reads(page.locator("#story-customers-count"), "1 character too many.");
  await save(page);
  await becomes(() => page.evaluate(() => document.activeElement.id), "story-customers");
  await box(page, "customers").fill("🐶".repeat(2000));
  await save(page);
  await reads(page.locator(".toast"), "Your story is saved.");
  await page.getByRole("link", { name: "See it in the plan" }).click();
  await reads(page.locator("[data-story=business]"), "<script>pwned()</script>");
  await becomes(() => page.locator("[data-story=customers] p").evaluate((line) => [...line.textContent].length), 2000);
  await fitsSideways(page, "emoji");
}));

test("a finger reaches everything, and support only reads", () => withPage({ width: 390, height: 844, more: { hasTouch: true, isMobile: true } }, async (page) => {
  const planId = await openNewPlan(page);
  await open(page, planId);
  await becomes(() => smallTargets(page), []);
  await fitsSideways(page, "story on a phone");
  await page.goto(`/plans/${planId}/print`);
  await page.locator("[data-part=notes]").waitFor();
  await becomes(() => smallTargets(page), []);
}));

test("the month of opening stands beside the name, and gives every month a date", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const describe = async (fill) => {
    await page.locator(".plan-menu summary").click();
    await page.getByRole("button", { name: "Name and opening month…" }).click();
    await fill(page.locator("dialog"));
    await page.locator("dialog").getByRole("button", { name: "Save" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
  };
  await describe((dialog) => dialog.getByLabel("Opening month").fill("2027-03"));
  await reads(page.locator(".results-panel [data-metric=breakEvenMonth]"), "month 9 (Nov 2027)");
  await reads(page.locator(".results-panel [data-metric=lowestCash]"), "In month 8 (Oct 2027).");
  await page.reload();
  await isOpen(page, planId);
  await reads(page.locator(".results-panel [data-metric=breakEvenMonth]"), "month 9 (Nov 2027)");
  await page.goto(`/plans/${planId}/print`);
  await reads(page.locator(".print-cover"), /Opening.*Mar 2027/s);
  await page.goto(`/plans/${planId}`);
  await isOpen(page, planId);
  await describe((dialog) => dialog.getByLabel("Opening month").fill(""));
  await becomes(() => page.locator(".results-panel [data-metric=breakEvenMonth] .metric-value").innerText(), "month 9");
}));
