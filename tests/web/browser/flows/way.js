/** The way through: key numbers one after the other, help and search in one vocabulary, and an end. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isOpen, openNewPlan, reads, screenshot, withPage } from "../support/world.js";

const key = (page, path) => page.locator(`.key-number[data-key="${path}"]`);

test("one key number after the other: saved, kept, not known yet, skipped", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await reads(page.locator(".progress"), "0 of 15 key numbers confirmed");
  await page.getByRole("button", { name: "Go through the key numbers" }).click();
  const guide = page.locator(".guide");
  await reads(guide, "Key number 1 of 15");
  const first = await guide.locator("h2").innerText();
  await guide.locator(".field-box input").fill("nothing");
  await page.keyboard.press("Enter");
  await reads(guide.getByRole("alert"), "Enter a single number");
  await guide.locator(".field-box input").fill("$60,000 a month");
  await page.keyboard.press("Enter");
  await reads(guide, "Key number 2 of 15");
  await reads(page.locator(".toast"), first);
  await guide.getByRole("button", { name: /^Keep / }).click();
  await reads(guide, "Key number 3 of 15");
  await reads(page.locator(".progress"), "2 of 15 key numbers confirmed");
  await guide.getByRole("button", { name: "I don’t know yet" }).click();
  await reads(guide, "Key number 4 of 15");
  await screenshot(page, "guide-light");
  await guide.getByRole("button", { name: "Skip" }).click();
  await reads(guide, "Key number 5 of 15");
  await becomes(() => page.locator(".key-number.unknown").count(), 1);
  await becomes(() => page.locator(".key-number.skipped").count(), 1);
  await page.keyboard.press("Escape");
  await guide.waitFor({ state: "hidden" });

  await page.reload();
  await isOpen(page, planId);
  await becomes(() => page.locator(".key-number.unknown").count(), 1, "what was put off stays put off");
  await page.getByRole("button", { name: "Next question" }).click();
  await reads(guide, "Key number 5 of 15");
}));

test("all key numbers confirmed is an end worth reaching", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const { data: fields } = await api(page, "GET", "/api/fields");
  const { data: plan } = await api(page, "GET", `/api/plans/${planId}`);
  const core = fields.filter((entry) => entry.core);
  const values = Object.fromEntries(core.map(({ path }) => [path, plan.financialInputs[path].currentValue]));
  const last = core.at(-1).path;
  delete values[last];
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, values);
  await page.reload();
  await isOpen(page, planId);
  await key(page, last).getByRole("button").click();
  await page.locator(".guide").getByRole("button", { name: /^Keep / }).click();
  await reads(page.locator(".guide h2"), "Your 15 key numbers are yours.");
  await screenshot(page, "guide-end-light");
  await page.locator(".guide").getByRole("link", { name: "Print or save as PDF" }).click();
  await page.locator(".print-cover").waitFor();
}));

test("the end of the guide tells of the plan as it is, and makes room for a message", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const { data: fields } = await api(page, "GET", "/api/fields");
  const { data: plan } = await api(page, "GET", `/api/plans/${planId}`);
  const rest = ["operatingCosts.rentMonthly", "financing.loanTermMonths"];
  const values = Object.fromEntries(fields.filter(({ core, path }) => core && !rest.includes(path)).map(({ path }) => [path, plan.financialInputs[path].currentValue]));
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, values);
  await page.reload();
  await isOpen(page, planId);
  const guide = page.locator(".guide");
  await page.getByRole("button", { name: "Next question" }).click();
  await guide.getByRole("button", { name: "Skip" }).click();
  await guide.getByRole("button", { name: "Skip" }).click();
  await becomes(() => guide.locator(".guide-left li").count(), 2);
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { [rest[0]]: 420000 });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(() => guide.locator(".guide-left li").count(), 1, "what has been set meanwhile is not listed");
  await page.locator("#message").fill("What is still missing?");
  await page.keyboard.press("Enter");
  await guide.waitFor({ state: "hidden" });
}));

test("an error names the field's own unit", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const refuse = async (path, text, sentence) => {
    await field(page, path).locator("button.field-value").click();
    await field(page, path).locator("input").fill(text);
    await page.keyboard.press("Enter");
    await reads(field(page, path).getByRole("alert"), sentence);
    await page.keyboard.press("Escape");
  };
  await refuse("operatingCosts.royaltyPct", "600", "Enter a percentage from 0 to 100.");
  await refuse("operatingCosts.rentMonthly", "-500", "Enter an amount of $0 or more.");
  await refuse("operatingCosts.rentMonthly", "4,2", "Enter a single number, like 4,200.");
  await refuse("operatingCosts.rentMonthly", "50,000 a year", "Enter a single number, like 4,200.");
}));

test("two people at one number: the other's is shown, and one decides", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const row = field(page, "operatingCosts.rentMonthly");
  await row.locator("button.field-value").click();
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { "operatingCosts.rentMonthly": 480000 });
  await row.locator("input").fill("4200");
  await page.keyboard.press("Enter");
  await reads(row.getByRole("alert"), "Someone just changed this to $4,800.");
  await row.getByRole("button", { name: "Keep $4,800" }).waitFor();
  await row.getByRole("button", { name: "Save $4,200" }).click();
  await reads(row.locator(".field-value"), "$4,200");
}));

test("every number and result explains itself, and is found under its other names", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await page.getByRole("button", { name: "What does “Loan coverage (DSCR), year 1” mean?" }).click();
  await reads(page.locator(".help"), "for each dollar of loan payments");
  await page.keyboard.press("Escape");
  await page.locator(".help").waitFor({ state: "hidden" });
  const find = page.getByPlaceholder("Find a number");
  for (const [words, path] of [["cogs", "operatingCosts.cogsPct"], ["lease", "operatingCosts.rentMonthly"]]) {
    await find.fill(words);
    await field(page, path).waitFor();
    await field(page, "operatingCosts.utilitiesMonthly").waitFor({ state: "hidden" });
  }
  await page.goto(`/plans/${planId}/glossary`);
  await page.getByPlaceholder("Find a word").fill("dscr");
  await reads(page.locator("[data-term='term-dscr']"), "Debt service coverage");
  await page.locator("[data-term='term-auv']").waitFor({ state: "hidden" });
}));

test("charts are read out by the arrow keys, show what was, and can be enlarged", () => withPage({}, async (page) => {
  await openNewPlan(page);
  const slider = page.locator("[data-chart=cash]").getByRole("slider");
  await slider.focus();
  await page.keyboard.press("Home");
  await becomes(() => slider.getAttribute("aria-valuetext"), /^Opening day: \$45,000$/);
  await page.keyboard.press("ArrowRight");
  await reads(page.locator("[data-chart=cash] .chart-readout"), /^Month 1: \$45,947$/);
  await field(page, "operatingCosts.rentMonthly").locator("button.field-value").click();
  await field(page, "operatingCosts.rentMonthly").locator("input").fill("4200");
  await page.keyboard.press("Enter");
  await page.locator("[data-chart=cash] .chart-line.before").waitFor({ state: "attached" });
  await slider.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  // The first rent is paid ahead, whatever it is.
  await page.keyboard.press("ArrowRight");
  await reads(page.locator("[data-chart=cash] .chart-readout"), "(was $");
  const size = await page.locator(".chart-text").first().evaluate((text) => parseFloat(getComputedStyle(text).fontSize));
  assert.ok(size >= 12, `${size} px`);
  await page.getByRole("button", { name: "Enlarge: Cash in the bank" }).click();
  await page.locator("dialog .chart-line").first().waitFor({ state: "attached" });
  await screenshot(page, "chart-large-light");
}));

test("a result says its reason and its scale, and good news and bad news differ", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const cover = page.locator(".results-panel [data-metric=dscrYear1]");
  await reads(page.locator(".results-panel [data-metric=breakEvenMonth]"), "Month 13 falls short once more.");
  await reads(cover, "For each $1.00 of loan payments, the business earns $0.61. Lenders often look for $1.25 or more.");
  await becomes(() => cover.locator(".level-alert").count(), 1);
  await reads(page.locator(".results-panel [data-finding=cover]"), "the business earns 61¢ for every $1 of loan payments");
  await reads(page.locator(".item7"), /within the.*Another \$6,500 is for costs the document gives no range for; together \$371,500\./);
  const chart = page.locator("[data-chart=break-even]");
  assert.doesNotMatch(await chart.locator(".chart-readout").innerText(), /Break-even/);
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { "operatingCosts.rentMonthly": 900000 });
  await reads(page.locator(".results-panel [data-metric=breakEvenMonth]"), "not within 5 years");
  await reads(page.locator("[data-metric=lowestCash]"), "−$");
  assert.doesNotMatch(await page.locator(".results-panel").innerText(), /-[$\d]/, "a minus is no hyphen");
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { "financing.loanAmount": 0 });
  await reads(cover, "no loan");
}));
