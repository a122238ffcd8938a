/** axe finds nothing to object to, in the main states, light and dark, wide and narrow. */
import test from "node:test";
import { field, isAccessible as check, lastAnswer, model, openNewPlan, say as tell, screenshot, signIn, signOut, withPage } from "../support/world.js";
import { call, gate, say, setField, wait } from "../support/mock-model.js";

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
      await tell(page, "My rent is $9,000 a month. Interest is maybe 11%.");
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
        await page.getByRole("button", { name: /^Results/ }).click();
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
  await page.locator("[data-person]").first().waitFor();
  await check(page, "people");
  await page.locator(".top-bar > .menu summary").click();
  await check(page, "menu");
  await page.getByRole("link", { name: "Prompts" }).click();
  await page.locator("[data-prompt]").first().waitFor();
  await page.locator("[data-prompt] summary").first().click();
  await check(page, "prompts");
  await page.goBack();
  await page.locator("[data-person='sam@demo.test']").getByRole("link").first().click();
  await page.locator(".desk[data-plan]").waitFor();
  await check(page, "view only");
  await page.getByRole("button", { name: "View or act" }).click();
  await page.locator("dialog").waitFor();
  await check(page, "act for");
  await page.keyboard.press("Escape");
  await signOut(page);
  await signIn(page, "morgan@demo.test");
  await page.locator(".brand-entry").first().waitFor();
  await page.locator(".brand-entry summary").first().click();
  await check(page, "brand");
}));
