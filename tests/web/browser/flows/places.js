/** Places have addresses, Back works, messages can be found, copied and linked to, and a plan leaves as paper. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, isOpen, lastAnswer, model, openNewPlan, openPlan, reads, say as tell, screenshot, signOut, talk, withPage } from "../support/world.js";
import { gate, say, wait } from "../support/mock-model.js";

test("plans and views have addresses, and Back leads to the one before", () => withPage({ width: 390, height: 844 }, async (page) => {
  const first = await openNewPlan(page, { name: "First place" });
  const second = await openNewPlan(page, { name: "Second place", signedIn: true });
  await openPlan(page, first);
  await page.locator("#plan-chooser").selectOption(second);
  await isOpen(page, second);
  await page.locator("[data-show=results]").click();
  assert.match(page.url(), new RegExp(`/plans/${second}/results$`));
  await page.reload();
  await isOpen(page, second);
  await page.locator(".results-panel [data-metric=breakEvenMonth]").waitFor();
  await page.goBack();
  await page.locator("#message").waitFor();
  await page.goBack();
  await isOpen(page, first);
  await becomes(() => page.title(), /^First place/);
}));

test("an address asks for sign-in and is where one arrives afterwards", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page, { name: "Linked to" });
  await context.clearCookies();
  await page.goto(`/plans/${planId}/glossary`);
  await page.getByLabel("Email").fill("");
  await page.getByRole("button", { name: "Sign in" }).click();
  await reads(page.getByRole("alert"), "Enter your email.");
  await page.getByLabel("Email").fill("sam@demo.test");
  await page.getByRole("button", { name: "Sign in" }).click();
  await reads(page.getByRole("alert"), "Enter your password.");
  await page.getByLabel("Password").fill("demo-password-1");
  await page.keyboard.press("Enter");
  await reads(page.locator("h1"), "Glossary");
}));

test("a view without a plan is that of the plan that was open last, and an address of nothing says so in words", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  // The plan that was open before is kept as the last one, too, when somebody signs in: the newer one has to have arrived.
  await becomes(async () => (await api(page, "GET", "/api/me/active-plan")).data.planId, planId);
  await page.goto("/?view=glossary");
  await reads(page.locator("h1"), "Glossary");
  await becomes(() => page.url(), new RegExp(`/plans/${planId}/glossary$`));
  for (const address of ["/?view=nonsense", `/plans/${planId}/nonsense`, "/nonsense"]) {
    // The server has its own word for an address without a page: here it is come to from within.
    await page.evaluate((to) => { history.pushState(null, "", to); dispatchEvent(new Event("route")); }, address);
    await reads(page.locator("h1"), "There is no page here");
    await page.getByRole("link", { name: "Go to the start" }).click();
    await isOpen(page, planId);
  }
}));

test("a search in the plan for a result's name leads to the result, and so does its address", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const focused = () => page.evaluate(() => document.activeElement.closest("[data-metric]")?.dataset.metric);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/plans/${planId}/plan`);
    await isOpen(page, planId);
    await page.getByPlaceholder("Find a number").fill("DSCR");
    await page.getByRole("link", { name: "“Loan coverage (DSCR), year 1” is a result." }).click();
    assert.equal(new URL(page.url()).hash, "#r-dscrYear1");
    await becomes(focused, "dscrYear1");
    assert.ok(await page.locator(".results-panel [data-metric=dscrYear1]").isVisible());
    await page.reload();
    await isOpen(page, planId);
    await becomes(focused, "dscrYear1");
  }
}));

test("a message has an address, also far back; search finds it; it shows its day and time", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await talk(page, planId, ["The needle is here", ...Array.from({ length: 30 }, (_, number) => `Hay ${number}`)]);
  const { data } = await api(page, "GET", `/api/plans/${planId}/conversation`);
  await page.goto(`/plans/${planId}#m-${data[0].id}`);
  await reads(page.locator(`[id="m-${data[0].id}"]`), "The needle is here");
  await page.waitForFunction((id) => document.activeElement?.id === `m-${id}`, data[0].id);
  await reads(page.locator(".day"), "Today");
  await becomes(() => page.locator(`[id="m-${data[0].id}"] time`).count(), 1);

  await openPlan(page, planId);
  await page.getByRole("button", { name: "Search in the conversation" }).click();
  await page.locator(".search-bar input:focus").waitFor();
  await page.keyboard.type("needle");
  await reads(page.locator(".search-count"), "1 of 1");
  await becomes(() => page.locator(`[id="m-${data[0].id}"]`).evaluate((element) => {
    const [box, own] = [document.querySelector(".scroller").getBoundingClientRect(), element.getBoundingClientRect()];
    return own.top >= box.top && own.bottom <= box.bottom;
  }), true);
  // What comes while one searches is found too, and the match one is at stays.
  await talk(page, planId, ["Another needle"]);
  await reads(page.locator(".search-count"), "1 of 2");
  await page.keyboard.press("Escape");
  await page.locator(".search-bar").waitFor({ state: "hidden" });
}));

test("messages can be copied", () => withPage({}, async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openNewPlan(page);
  model.script([say("To be **copied**.")]);
  await tell(page, "Copy me");
  await lastAnswer(page, 1);
  await page.locator(".message.advisor").hover();
  await page.locator(".message.advisor").getByRole("button", { name: "Copy", exact: true }).click();
  await becomes(() => page.evaluate(() => navigator.clipboard.readText()), "To be **copied**.");
}));

test("printed: whose numbers, where each came from, and the sentence on every page", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "For the bank" });
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { "operatingCosts.rentMonthly": 420000 });
  await page.goto(`/plans/${planId}/print`);
  await reads(page.locator(".print-cover"), "For the bank");
  await reads(page.locator(".print-sheet [data-path='operatingCosts.rentMonthly']"), "Sam Rivera");
  await reads(page.locator(".print-sheet [data-path='operatingCosts.utilitiesMonthly']"), "Brand default");
  await reads(page.locator("[data-result=breakEvenMonth]"), "month 8");
  await page.waitForFunction(() => [...document.querySelectorAll(".print-charts img")].every((image) => image.complete && image.naturalWidth > 0));
  await screenshot(page, "print-light");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "nothing is cut off");
  await page.emulateMedia({ media: "print" });
  await becomes(() => page.locator(".top-bar").isVisible(), false);
  assert.equal(await page.locator(".print-frame > tfoot").evaluate((foot) => getComputedStyle(foot).display), "table-footer-group");
  const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
  assert.ok((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length >= 4, "more than the screen");

  await page.emulateMedia({ media: "screen" });
  await openPlan(page, planId);
  await page.emulateMedia({ media: "print" });
  await page.locator(".composer").waitFor({ state: "hidden" });
  await page.locator(".results-panel").waitFor();
  await page.locator(".plan-panel").waitFor();
}));

test("signing out leaves no draft for the next person", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await page.locator("#message").fill("Mine alone");
  await signOut(page);
  await becomes(() => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).includes("Mine alone")), false);
  assert.ok(planId);
}));

test("a plan is renamed in its menu, and the chooser, the title and the address follow", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "Before" });
  await page.locator(".plan-menu summary").click();
  await page.getByRole("button", { name: "Name and opening month…" }).click();
  await page.locator("dialog").getByLabel("Name").fill("  After <b>that</b>  ");
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator("#plan-chooser option", { hasText: "After <b>that</b>" }).waitFor({ state: "attached" });
  await becomes(() => page.title(), /^After <b>that<\/b>/);
  await page.reload();
  await isOpen(page, planId);
  assert.equal((await api(page, "GET", `/api/plans/${planId}`)).data.name, "After <b>that</b>");
}));

test("a long message is folded until somebody wants all of it", () => withPage({}, async (page) => {
  await openNewPlan(page);
  model.script([say("Read.")]);
  await tell(page, "A sentence that goes on and on. ".repeat(60));
  await lastAnswer(page, 1);
  // It is stored: what the end of a turn shows anew is shown.
  await page.locator(".message.user[id^='m-']").waitFor();
  const bubble = page.locator(".message.user .bubble");
  const folded = await bubble.evaluate((element) => element.clientHeight);
  await page.getByRole("button", { name: "Show all" }).click();
  await becomes(async () => await bubble.evaluate((element) => element.clientHeight) > folded, true);
  await page.getByRole("button", { name: "Show less" }).click();
  await becomes(() => bubble.evaluate((element) => element.clientHeight), folded);
}));

test("the title of a tab that nobody looks at tells that an answer is ready", () => withPage({}, async (page) => {
  await openNewPlan(page, { name: "In the background" });
  const held = gate();
  model.script([say("One moment. "), wait(held), say("Here it is.")]);
  await tell(page, "Take your time");
  await reads(page.locator(".message.advisor .prose"), "One moment.");
  const hide = (isHidden) => page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
  await hide(true);
  held.open();
  await page.waitForFunction(() => document.title.startsWith("● Answer ready"));
  await hide(false);
  await becomes(() => page.title(), /^In the background/);
}));
