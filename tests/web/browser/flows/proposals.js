/** What the advisor is not sure of waits for a word: accept, correct, dismiss. */
import test from "node:test";
import { becomes, field, isOpen, lastAnswer, metric, model, OFFLINE_BASE_URL, openNewPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

async function propose(page, count = 1) {
  model.script([setField("operatingCosts.rentMonthly", 4200, "maybe $4,200 rent", "tentative")], [say("Shall I take $4,200?")]);
  await tell(page, "maybe $4,200 rent a month");
  await lastAnswer(page, count);
  await reads(page.locator(".value.proposed").last(), "$4,200");
}

test("accepting a proposal writes it down and shows what it does", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await propose(page);
  await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,500");
  await screenshot(page, "proposal-light");
  await page.locator(".chat").getByRole("button", { name: /^Use / }).click();
  await reads(page.locator(".value.accepted"), "$4,200");
  await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,200");
  await reads(metric(page, "breakEvenMonth"), /month 8.*was month 9/s);
  await page.reload();
  await reads(page.locator(".value.accepted"), "$4,200");
}));

test("one value that waits is asked about in one place that is in sight, at any width", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await propose(page);
  const inSight = () => page.locator(".value.proposed, .open-card [data-value]").evaluateAll((all) => all.filter((card) => card.checkVisibility()).length);
  for (const width of [375, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const view of ["", "/plan"]) {
      await page.goto(`/plans/${planId}${view}`);
      await isOpen(page, planId);
      await becomes(inSight, 1, `${width} ${view}`);
    }
  }
}));

test("a correction is the user's own number", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await propose(page);
  await page.locator(".chat").getByRole("button", { name: "Change it" }).click();
  await page.getByLabel("Your value for Rent per month").fill("4,300");
  await page.keyboard.press("Enter");
  await reads(page.locator(".value.accepted"), "$4,300");
  await reads(field(page, "operatingCosts.rentMonthly"), "$4,300");
  await reads(field(page, "operatingCosts.rentMonthly").locator(".badge"), "You");
}));

test("a dismissed proposal changes nothing", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await propose(page);
  await page.locator(".chat").getByRole("button", { name: "Ignore" }).click();
  await page.locator(".value.dismissed").waitFor();
  await reads(field(page, "operatingCosts.rentMonthly").locator(".field-value"), "$4,500");
  await page.reload();
  await page.locator(".value.dismissed").waitFor();
}));

test("of two questions about one number only the newer is asked, and one answer settles both", () => withPage({}, async (page) => {
  await openNewPlan(page);
  for (const [count, dollars] of [[1, 4200], [2, 4300]]) {
    model.script([setField("operatingCosts.rentMonthly", dollars, `maybe $${dollars} rent`, "tentative")], [say("Shall I?")]);
    await tell(page, `maybe $${dollars} rent`);
    await lastAnswer(page, count);
  }
  await reads(page.locator(".chat .value.overtaken"), "Asked again below");
  await becomes(() => page.locator(".chat .value.proposed").count(), 1);
  await reads(page.locator(".waiting-link"), "1 answer needed");
  await page.locator(".waiting-link").click();
  await becomes(() => page.locator("section.waiting").isVisible(), false, "beside the conversation it is asked once");
  await page.locator(".chat").getByRole("button", { name: "Use $4,300" }).click();
  await page.locator(".chat .value.accepted").waitFor();
  await page.locator(".chat .value.overtaken").waitFor({ state: "detached" });
  await page.locator("section.waiting").waitFor({ state: "hidden" });
  await becomes(() => page.locator(".chat").getByRole("button", { name: /^Use / }).count(), 0);
}));

test("a yes in the chat confirms what was asked, and the question says so", { skip: !OFFLINE_BASE_URL }, () => withPage({ base: OFFLINE_BASE_URL }, async (page) => {
  const planId = await openNewPlan(page);
  await tell(page, "Rent could be 4,200 a month");
  await page.locator(".chat .value.proposed").waitFor();
  await tell(page, "yes");
  await lastAnswer(page, 2);
  await reads(page.locator(".chat .value.given"), /\$4,200.*Confirmed below/s);
  await reads(page.locator(".chat .value.applied"), "yes (to “Shall I write down $4,200");
  await page.reload();
  await isOpen(page, planId);
  await reads(page.locator(".chat .value.given"), "Confirmed below");
}));
