/** All of it without a mouse. */
import test from "node:test";
import assert from "node:assert/strict";
import { becomes, field, lastAnswer, metric, model, openNewPlan, PASSWORD, reads, withPage } from "../support/world.js";
import { say } from "../support/mock-model.js";

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");

test("sign-in, a message and an edit by keyboard", () => withPage({}, async (page) => {
  await page.goto("/");
  await page.getByLabel("Email").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("sam@demo.test");
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator(".top-bar").waitFor();
}));

test("Enter sends, Shift+Enter breaks the line, an empty message is not sent", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("Two lines.")]);
  await page.locator("#message").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("first");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("second");
  await page.keyboard.press("Enter");
  await lastAnswer(page, 1);
  await becomes(() => page.locator(".bubble").innerText(), "first\nsecond");
  await becomes(() => page.locator("#message").inputValue(), "");
}));

test("a field is edited with Enter and keeps the focus afterwards", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await field(page, "operatingCosts.rentMonthly").locator("button.field-value").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("4200");
  await page.keyboard.press("Enter");
  await reads(metric(page, "breakEvenMonth").locator(".delta"), "was month 9");
  await becomes(() => focused(page), /Rent per month: \$4,200/);
}));

test("the menu opens and closes by keyboard", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await page.locator(".top-bar > .menu summary").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sign out", exact: true }).waitFor({ state: "hidden" });
  await becomes(() => focused(page), /Account of/);
}));

test("a growing answer is read out sentence by sentence", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("The first sentence is done. The second one too.")]);
  await page.locator("#message").fill("Speak");
  await page.keyboard.press("Enter");
  await lastAnswer(page, 1);
  const spoken = await page.locator("[aria-live=polite] p").allInnerTexts();
  assert.deepEqual(spoken.map((text) => text.trim()).join(" "), "The first sentence is done. The second one too.");
}));
