/** axe finds nothing to object to, in the main states, light and dark, wide and narrow. */
import test from "node:test";
import assert from "node:assert/strict";
import axe from "axe-core";
import { field, lastAnswer, model, openNewPlan, say as tell, screenshot, signIn, withPage } from "../support/world.js";
import { call, gate, say, setField, wait } from "../support/mock-model.js";

async function check(page, state) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const told = violations.map(({ id, nodes }) => `${state}: ${id} at ${nodes.map((node) => `${node.target.join(" ")} (${node.any[0]?.message ?? node.failureSummary})`).join("; ")}`);
  assert.deepEqual(told, []);
}

for (const scheme of ["light", "dark"]) {
  for (const [size, width, height] of [["wide", 1440, 900], ["narrow", 360, 740]]) {
    test(`no violation, ${scheme} and ${size}`, () => withPage({ demo: true, scheme, width, height, reducedMotion: "reduce" }, async (page) => {
      await page.goto("/");
      await page.locator(".person").first().waitFor();
      await check(page, "sign-in");
      await screenshot(page, `axe-sign-in-${scheme}-${size}`);

      await openNewPlan(page);
      await check(page, "empty conversation");
      model.script(
        [setField("operatingCosts.rentMonthly", 9000, "rent is $9,000"), setField("financing.interestRate", 0.11, "maybe 11%", "tentative")],
        [say("Noted **$9,000**.\n\n- one\n- two\n\n> quote\n\n```\ncode\n```\n\nSee [the rule](https://www.ftc.gov/).\n\n| a | b |\n|---|---|\n| 1 | 2 |")],
        [call("clear_conversation", {})]);
      await tell(page, "My rent is $9,000 and interest maybe 11%");
      await lastAnswer(page, 1);
      await check(page, "answer with values and a proposal");
      await tell(page, "Clear our conversation");
      await page.locator(".confirmation").waitFor();
      await check(page, "confirmation");
      await screenshot(page, `axe-chat-${scheme}-${size}`);

      const held = gate();
      model.script([say("Still writing"), wait(held)]);
      await tell(page, "Tell me more about it");
      await page.locator(".message.advisor[data-state=writing] .prose").filter({ hasText: "Still writing" }).waitFor();
      await check(page, "writing");
      held.open();
      await page.locator(".round.send").waitFor();
      model.down = true;
      await tell(page, "Are you there?");
      await page.locator(".card.failure").waitFor();
      await check(page, "model down");

      if (size === "narrow") await page.getByRole("button", { name: /^Plan/ }).click();
      await field(page, "operatingCosts.rentMonthly").locator("button.field-value").click();
      await check(page, "editing");
      await page.keyboard.press("Escape");
      await page.locator(".trail summary").click();
      await check(page, "trail");
      if (size === "narrow") {
        await page.getByRole("button", { name: /^Outcome/ }).click();
        await check(page, "outcome");
      }
      await page.getByRole("button", { name: "New plan" }).click();
      await page.locator("dialog").waitFor();
      await check(page, "dialog");
    }));
  }
}

test("no violation in the administrator's and the franchisor's pages", () => withPage({ reducedMotion: "reduce" }, async (page) => {
  await signIn(page, "admin@demo.test");
  await page.locator(".menu summary").click();
  await check(page, "menu");
  await page.getByRole("button", { name: "Prompts" }).click();
  await page.locator("h1").filter({ hasText: "Prompts" }).waitFor();
  await check(page, "prompts");
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Act for a franchisee" }).click();
  await page.locator(".person-choice").first().waitFor();
  await check(page, "act for");
  await page.keyboard.press("Escape");
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, "morgan@demo.test");
  await page.locator("caption").first().waitFor();
  await check(page, "brand");
}));
