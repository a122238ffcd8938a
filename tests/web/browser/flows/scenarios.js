/** The plan beside its scenarios: compare, try, save, adopt, undo, print, and what matters most. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, fitsSideways, hold, isAccessible, isOpen, model, openNewPlan, reads, screenshot, talk, withPage } from "../support/world.js";
import { say } from "../support/mock-model.js";

const RENT = "operatingCosts.rentMonthly";
const LABOR = "operatingCosts.laborPct";
const slider = (page, path) => page.locator(`[data-slider="${path}"]`);
const row = (page, name) => page.locator(`.compare-table [data-row="${name}"]`);
const cells = (page, name) => row(page, name).locator("td").allInnerTexts();

async function saved(page, planId, name, overrides) {
  const reply = await api(page, "POST", `/api/plans/${planId}/scenarios`, { name, overrides });
  assert.equal(reply.status, 201, JSON.stringify(reply));
  return reply.data.id;
}

async function openScenarios(page, planId, search = "") {
  await page.goto(`/plans/${planId}/scenarios${search}`);
  await page.locator(".compare-table td").first().waitFor();
}

/** Types an exact value. */
async function type(page, path, text) {
  const box = slider(page, path).locator("input[type=text]");
  await box.fill(text);
  await box.press("Enter");
}

async function rentOf(page, planId) {
  return (await api(page, "GET", `/api/plans/${planId}`)).data.financialInputs[RENT].currentValue;
}

test("a value is tried without touching the plan, saved as a scenario, adopted and undone", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await page.getByRole("link", { name: "Compare scenarios" }).click();
  await page.locator(".compare-table td").first().waitFor();
  await becomes(() => page.title(), /^Scenarios · Test plan/);
  await type(page, RENT, "3,600");
  await reads(row(page, RENT), "$3,600");
  await reads(page.locator("[data-effect=breakEvenMonth]"), "month 9");
  await becomes(() => rentOf(page, planId), 450_000);

  await page.getByRole("button", { name: "Save as scenario" }).click();
  await page.locator("dialog input").fill("Lean");
  await page.keyboard.press("Enter");
  await reads(page.locator(".toast"), "Lean is saved.");
  await page.locator(".picker input:checked").waitFor();
  await reads(page.locator(".pick"), /\d values? differs?$/);
  await becomes(() => cells(page, RENT), ["$4,500", "$3,600"]);
  await becomes(() => rentOf(page, planId), 450_000);

  await page.locator("[data-column] summary").click();
  await page.getByRole("button", { name: "Use in your plan" }).click();
  await reads(page.locator(".toast"), "The numbers of Lean are in your plan now.");
  await becomes(() => rentOf(page, planId), 360_000);
  await page.locator(".toast button").click();
  await reads(page.locator(".toast"), "Undone.");
  await becomes(() => rentOf(page, planId), 450_000);
}));

test("a number that can mean two is asked about in a what-if and in a goal", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await openScenarios(page, planId);
  await type(page, RENT, "4.200");
  const problem = page.locator(".what-if .problem");
  await reads(problem, "“4.200” can mean two numbers. Which one?");
  await problem.getByRole("button", { name: "$4,200" }).click();
  await reads(row(page, RENT), "$4,200");
  await becomes(() => problem.innerText(), "");
  const goal = page.locator(".goal-seek");
  await goal.getByLabel("Result").first().selectOption("lowestCash");
  await goal.locator("input").fill("25.000");
  await goal.getByRole("button", { name: "Find the value" }).click();
  await goal.locator(".problem").getByRole("button", { name: "$25,000" }).click();
  await reads(goal.locator(".goal-answer"), "$25,000");
}));

test("what is tried goes into the plan by itself, is kept over a reload, and is refused beyond its bounds", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await openScenarios(page, planId);
  await type(page, LABOR, "600");
  await reads(page.locator(".what-if .problem"), "Enter a percentage from 0 to 100.");
  await type(page, LABOR, "36");
  await reads(row(page, LABOR), "36%");
  await page.reload();
  await reads(row(page, LABOR), "36%");
  await page.getByRole("button", { name: "Put into your plan" }).click();
  await reads(page.locator(".toast"), "These numbers are in your plan now.");
  assert.equal((await api(page, "GET", `/api/plans/${planId}`)).data.financialInputs[LABOR].currentValue, 0.36);
  await page.locator("[data-row]").first().waitFor();
  await becomes(() => page.locator("[data-column=tried]").count(), 0);
}));

test("a plan that has changed meanwhile is not overwritten", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await saved(page, planId, "Lean", { [RENT]: 360_000 });
  await openScenarios(page, planId);
  const held = await hold(page, "**/adopt");
  await page.locator("[data-column] summary").click();
  await page.getByRole("button", { name: "Use in your plan" }).click();
  await held.reached;
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { [RENT]: 400_000 });
  held.open();
  await reads(page.locator(".toast"), "Your plan has just changed elsewhere.");
  await becomes(() => rentOf(page, planId), 400_000);
  await page.waitForFunction(() => document.querySelector('[data-row="operatingCosts.rentMonthly"] td')?.textContent === "$4,000");
}));

test("at most three scenarios beside the plan; the address names them and Back returns", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const ids = [];
  for (const rent of [300_000, 350_000, 400_000, 500_000]) ids.push(await saved(page, planId, `Rent ${rent / 100}`, { [RENT]: rent }));
  await openScenarios(page, planId, `?with=${ids[0]}`);
  await becomes(() => cells(page, RENT), ["$4,500", "$3,000"]);
  await page.locator(`[data-scenario="${ids[3]}"]`).check();
  await page.waitForURL(`**/scenarios?with=${ids[0]},${ids[3]}`);
  await page.locator(`[data-column="${ids[3]}"]`).waitFor();
  await becomes(() => cells(page, RENT), ["$4,500", "$3,000", "$5,000"]);
  await page.locator(`[data-scenario="${ids[1]}"]`).check();
  await page.locator(`[data-column="${ids[1]}"]`).waitFor();
  await becomes(() => page.locator(`[data-scenario="${ids[2]}"]`).isDisabled(), true);
  await becomes(() => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight), 0, "only the view scrolls, not the document");
  await page.goBack();
  await page.locator(`[data-column="${ids[1]}"]`).waitFor({ state: "detached" });
  await becomes(() => cells(page, RENT), ["$4,500", "$3,000", "$5,000"]);
  await page.getByRole("link", { name: "Back to the plan" }).click();
  await isOpen(page, planId);
}));

test("what matters most, and the value that reaches a target, are stated and can be tried", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await openScenarios(page, planId);
  await reads(page.locator("[data-weak=dscrYear1]"), "below 1.15");
  await becomes(() => page.locator("[data-weak] li").count(), 3);
  assert.doesNotMatch(await page.locator("[data-weak]").innerText(), /Royalty|should/i);
  await becomes(() => page.locator("[data-lever]").count(), 10);
  await page.locator("[data-lever]").first().getByRole("button").click();
  await becomes(() => page.locator(".sliders li").first().getAttribute("data-slider"), "revenue.monthlyAuv");
  await page.getByLabel("Should reach").fill("1.25");
  await page.getByRole("button", { name: "Find the value" }).click();
  const answer = page.locator(".goal-answer");
  await reads(answer, "With your other assumptions unchanged");
  const value = /at (\$[\d,.]+) \(now/.exec(await answer.innerText())[1];
  await answer.getByRole("button").click();
  await reads(row(page, RENT), value);
  await reads(row(page, "dscrYear1"), "1.25×");
  await becomes(() => rentOf(page, planId), 450_000);
}));

test("sliders work by keyboard and name their values", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await openScenarios(page, planId);
  const rent = page.getByRole("slider", { name: "Rent per month", exact: true });
  await rent.focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator("[data-column=tried]").waitFor();
  const tried = await rent.getAttribute("aria-valuetext");
  assert.notEqual(tried, "$4,500");
  await becomes(async () => (await cells(page, RENT)).at(-1), tried);
  await becomes(() => rent.evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press("ArrowRight");
  await page.locator("[data-column=tried]").waitFor({ state: "detached" });
}));

test("a scenario is renamed, changed and deleted", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await saved(page, planId, "Lean", { [RENT]: 360_000 });
  await openScenarios(page, planId);
  const menu = () => page.locator("[data-column] summary").click();
  await menu();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.locator("dialog input").fill("Careful");
  await page.keyboard.press("Enter");
  await reads(page.locator(".column-name"), "Careful");
  await menu();
  await page.getByRole("button", { name: "Change its numbers" }).click();
  await reads(page.locator("#what-if-title"), "Change Careful");
  await type(page, RENT, "3900");
  await page.getByRole("button", { name: "Save Careful" }).click();
  await reads(page.locator(".toast"), "Careful is saved.");
  await page.waitForFunction(() => document.querySelectorAll('[data-row="operatingCosts.rentMonthly"] td')[1]?.textContent === "$3,900");
  await menu();
  await page.getByRole("button", { name: "Delete scenario" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await reads(page.locator(".picker"), "No scenario yet.");
  assert.deepEqual((await api(page, "GET", `/api/plans/${planId}/scenarios`)).data, []);
}));

test("a scenario is printed with its own results, charts and sources, and with the conversation", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const id = await saved(page, planId, "Lean <b>", { [RENT]: 360_000 });
  model.script([say("It would **help**. <i>Really</i>.")]);
  await talk(page, planId, ["Would a lower rent <help>?"]);
  await page.goto(`/plans/${planId}/print`);
  await page.locator(".print-cover").waitFor();
  await page.locator(".print-differs").waitFor({ state: "hidden" });
  await page.getByLabel("Print", { exact: true }).selectOption({ label: "Lean <b>" });
  // What the closed list says is not only a name.
  await reads(page.locator(".print-differs"), "1 value differs from the plan: Rent per month");
  await reads(page.locator(".print-scenario"), "Scenario: Lean <b>");
  await reads(page.locator(`.print-assumptions [data-path="${RENT}"]`), "Scenario Lean <b>; plan: $4,500");
  const outputs = await api(page, "GET", `/api/plans/${planId}/outputs?scenario=${id}`);
  await reads(page.locator("[data-result=breakEvenMonth]"), `month ${outputs.data.metrics.breakEvenMonth}`);
  await becomes(() => page.locator(".print-charts img").first().getAttribute("src"), new RegExp(`scenario=${id}`));
  await becomes(() => page.locator(".print-messages").count(), 0, "only where it is asked for");
  await page.getByLabel("With the conversation").check();
  await reads(page.locator(".print-messages"), /Sam Rivera.*Would a lower rent <help>\?.*Advisor.*It would help\. <i>Really<\/i>\./s);
  await page.locator(".print-scenario").waitFor();
  await page.goBack();
  await page.locator(".print-messages").waitFor({ state: "detached" });
  await page.goBack();
  await page.locator(".print-scenario").waitFor({ state: "detached" });
}));

test("with the colors of the system the scenarios still differ, and what is chosen shows", () => withPage({ more: { forcedColors: "active" } }, async (page) => {
  const planId = await openNewPlan(page);
  const [lean] = [await saved(page, planId, "Lean", { [RENT]: 360_000 }), await saved(page, planId, "Large", { [RENT]: 600_000 })];
  await openScenarios(page, planId, `?with=${lean}`);
  await page.locator(`[data-column="${lean}"]`).waitFor();
  await page.locator("[data-lever]").first().waitFor();
  const outlines = () => page.locator(".pick").evaluateAll((picks) => picks.map((pick) => getComputedStyle(pick).outlineStyle));
  await becomes(outlines, ["solid", "none"]);
  const dashes = await page.locator(".compare-charts .chart-line").evaluateAll((lines) => lines.slice(0, 2).map((line) => getComputedStyle(line).strokeDasharray));
  assert.notEqual(dashes[0], dashes[1], "a line is told by its dashes, not by its color");
  const fills = await page.locator(".lever-bar").evaluateAll((bars) => ["better", "worse"].map((side) => getComputedStyle(bars.find((bar) => bar.classList.contains(side))).fill));
  assert.notEqual(fills[0], fills[1], "the two ends of a bar differ");
  await screenshot(page, "scenarios-forced-colors");
}));

for (const [locale, scheme, width, height] of [["en-US", "light", 1440, 900], ["es-US", "dark", 320, 640]]) {
  test(`no violation in the scenarios: ${locale}, ${scheme}, ${width}`, () => withPage({ locale, scheme, width, height, reducedMotion: "reduce" }, async (page) => {
    const planId = await openNewPlan(page);
    await openScenarios(page, planId);
    await isAccessible(page, "no scenario");
    await saved(page, planId, "A rather long name of a scenario that wraps", { [RENT]: 360_000, [LABOR]: 0.36 });
    await saved(page, planId, "Two", { "revenue.monthlyAuv": 7_000_000 });
    await openScenarios(page, planId);
    await type(page, "financing.loanAmount", "240000");
    await page.locator("[data-column=tried]").waitFor();
    await page.locator("[data-lever]").first().waitFor();
    await page.locator("[data-weak] li").first().waitFor();
    await page.locator(".goal-seek button[type=submit]").click();
    await page.locator(".goal-answer p").waitFor();
    await page.locator(".compare-table tbody button").click();
    await isAccessible(page, "four columns");
    await becomes(() => page.locator(".page.compare").evaluate((main) => main.scrollWidth - main.clientWidth), 0);
    await fitsSideways(page, "four columns");
    await screenshot(page, `scenarios-${scheme}-${width}`);
    await page.locator("[data-column] summary").first().click();
    await isAccessible(page, "menu of a scenario");
  }));
}
