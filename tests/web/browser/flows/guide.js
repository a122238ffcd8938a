/** Helpers of the guide, keys, and a print from where one works. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isAccessible, openNewPlan, reads, withPage } from "../support/world.js";

const ask = (page, path) => page.locator(`.key-number[data-key="${path}"] button`).click();

test("a number that nobody has by heart is worked out in the guide", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const guide = page.locator(".guide");
  await ask(page, "revenue.monthlyAuv");
  await guide.locator("summary").click();
  for (const [name, value] of [["price", "$95"], ["visits", "6"], ["days", "5"]]) await guide.locator(`input[name=${name}]`).fill(value);
  await reads(guide.locator(".guide-helper"), "That is $12,350 a month");
  await isAccessible(page, "guide with a helper");
  await guide.getByRole("button", { name: "Take $12,350" }).click();
  await becomes(() => guide.locator(".field-box input").first().inputValue(), "12,350", "it is in the box, not yet in the plan");
  await page.keyboard.press("Enter");
  await reads(field(page, "revenue.monthlyAuv").locator(".field-value"), "$12,350");
  await ask(page, "operatingCosts.laborPct");
  await guide.locator("summary").click();
  for (const [name, value] of [["people", "1"], ["hours", "20"], ["wage", "15"]]) await guide.locator(`input[name=${name}]`).fill(value);
  await reads(guide.locator(".guide-helper"), "10.5% of your monthly sales");
  await guide.getByRole("button", { name: "Save and go on" }).click();
  await reads(field(page, "operatingCosts.laborPct").locator(".field-value"), "10.5%");
}));

test("a loan's term is asked in years", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await ask(page, "financing.loanTermMonths");
  const guide = page.locator(".guide");
  await reads(guide.locator(".unit").last(), "years");
  await guide.locator(".field-box input").first().fill("7");
  await page.keyboard.press("Enter");
  await reads(field(page, "financing.loanTermMonths").locator(".field-value"), "7 years (84 months)");
}));

test("the guide goes back to the questions before", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const guide = page.locator(".guide");
  const back = guide.getByRole("button", { name: "Back", exact: true });
  await ask(page, "operatingCosts.rentMonthly");
  const first = await guide.locator("h2").innerText();
  await becomes(() => back.count(), 0, "there is nothing before the first");
  await guide.locator(".field-box input").first().fill("4200");
  await page.keyboard.press("Enter");
  await becomes(async () => (await guide.locator("h2").innerText()) !== first, true);
  const second = await guide.locator("h2").innerText();
  await guide.getByRole("button", { name: "Skip" }).click();
  await becomes(async () => (await guide.locator("h2").innerText()) !== second, true);
  await back.click();
  await reads(guide.locator("h2"), second);
  await back.click();
  await reads(guide.locator("h2"), first);
  await becomes(() => guide.locator(".field-box input").first().inputValue(), "4,200");
  await becomes(() => back.count(), 0);
}));

test("a question mark shows the keys, unless one is typing", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await page.locator("#message").fill("why");
  await page.keyboard.press("?");
  await becomes(() => page.locator("#message").inputValue(), "why?");
  await becomes(() => page.locator("dialog").count(), 0);
  await page.locator("#chat-title").click();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("?");
  await reads(page.locator("dialog h2"), "Keys");
  await isAccessible(page, "keys");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
}));

test("the browser's own print is the summary of the package, with its sentence", () => withPage({}, async (page) => {
  await openNewPlan(page, { name: "Printed from here" });
  const printed = page.locator(".print-summary");
  await becomes(async () => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    return printed.count();
  }, 1);
  await page.route("**/api/**", (route) => route.abort());
  await page.emulateMedia({ media: "print" });
  await reads(printed, "Printed from here");
  await becomes(() => page.locator(".desk").isVisible(), false);
  await becomes(() => printed.locator(".print-foot .standing").count(), 1);
  assert.match(await printed.innerText(), /Break-even/);
  await page.emulateMedia({ media: "screen" });
  await becomes(() => printed.isVisible(), false);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await becomes(() => printed.count(), 0);
  await page.unroute("**/api/**");
}));

test("it is the same from the scenarios and the story, and the glossary is printed as it reads", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "Printed from there" });
  assert.equal((await api(page, "PUT", `/api/plans/${planId}/story`, { team: "We have groomed dogs since 2011." })).status, 200);
  const printed = page.locator(".print-summary");
  const print = async (view, there) => {
    await page.goto(`/plans/${planId}/${view}`);
    await page.locator(there).first().waitFor();
    await becomes(async () => {
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      return printed.count();
    }, 1);
    await page.emulateMedia({ media: "print" });
    await reads(printed, /Printed from there.*Sam Rivera.*Break-even/s);
    await becomes(() => printed.locator("tfoot .standing").innerText(), /Willow & Wag Grooming/);
    await becomes(() => page.locator(".page-head").isVisible(), false);
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await becomes(() => printed.count(), 0);
  };
  await print("scenarios", ".compare-table td");
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--paper").trim()), "#f6f4ef", "paper is white, whatever the screen is");
  await page.emulateMedia({ colorScheme: "light", media: "screen" });
  await print("story", ".story-box textarea");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await becomes(() => printed.textContent(), /We have groomed dogs since 2011\./);
  await page.goto(`/plans/${planId}/glossary`);
  await page.locator(".glossary dt").first().waitFor();
  await page.emulateMedia({ media: "print" });
  await becomes(() => page.locator(".top-bar, .page-head input, .page-head .button").evaluateAll((all) => all.filter((part) => part.checkVisibility()).length), 0);
  assert.ok(await page.locator("[data-term=term-dscr]").isVisible());
  await becomes(() => page.evaluate(() => getComputedStyle(document.querySelector(".page")).overflowY), "visible");
}));
