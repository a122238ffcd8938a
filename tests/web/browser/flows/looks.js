/** What is small and was wrong once: what stands in line, what is said once, what covers what, and words that fit the case. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isOpen, lastAnswer, metric, model, openNewPlan, reads, say as tell, signIn, signOut, withPage } from "../support/world.js";
import { call, say, setField } from "../support/mock-model.js";

const RENT = "operatingCosts.rentMonthly";
const AUV = "revenue.monthlyAuv";

async function hear(page, words, ...calls) {
  const count = await page.locator(".message.advisor").count();
  model.script(calls, [say("Noted.")]);
  await tell(page, words);
  await lastAnswer(page, count + 1);
}

/** Where the letters of an element are. */
const letters = (locator) => locator.evaluate((element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const { left, top, right, bottom } = range.getBoundingClientRect();
  return { left, top, right, bottom };
});

/** The line on which the letters of an element stand. */
const baseline = (locator) => locator.evaluate((element) => {
  const probe = element.appendChild(document.createElement("span"));
  probe.setAttribute("class", "probe");
  const { bottom } = probe.getBoundingClientRect();
  probe.remove();
  return bottom;
});

const box = (locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON());

/** Holds once nothing moves any more: what is compared is read one after the other. */
const holds = (check, message) => becomes(check, true, message);
const isApart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

test("in every state of a value its words begin below its label, and nothing is said twice", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await hear(page, "rent is $4,200", setField(RENT, 4200, "rent is $4,200"));
  await reads(page.locator(".chat .value.applied"), "$4,200");
  await becomes(() => metric(page, "lowestCash").locator(".delta").allInnerTexts(), ["was $31,821"], "the chip has the old figure only");
  await hear(page, "as I said, rent is $4,200", setField(RENT, 4200, "rent is $4,200"));
  await hear(page, "no, rent is $4,300", setField(RENT, 4300, "rent is $4,300"));
  await hear(page, "or maybe $4,400 rent", setField(RENT, 4400, "maybe $4,400 rent", "tentative"));
  await page.locator(".chat").getByRole("button", { name: "Ignore" }).click();
  for (const state of ["applied", "unchanged", "dismissed"]) {
    const card = page.locator(`.chat .value.${state}`).last();
    await holds(async () => Math.abs((await letters(card.locator(".value-label"))).left - (await letters(card.locator(".value-quote"))).left) < 1, state);
  }
  // The old value is struck out beside the new one: no sentence repeats it.
  await reads(page.locator(".chat .value.applied").last().locator("s"), "$4,200");
  assert.equal(await page.locator(".chat .value-note").count(), 0);
}));

test("a row's label, value and source stand on one line, and so do the figures of two results", () => withPage({ width: 1280, height: 800 }, async (page) => {
  await openNewPlan(page);
  await hear(page, "rent is $4,200, sales 60,000 a month", setField(RENT, 4200, "rent is $4,200"), setField(AUV, 60_000, "sales 60,000 a month"));
  await reads(field(page, RENT).locator(".badge"), "Advisor");
  for (const path of [RENT, AUV, "operatingCosts.utilitiesMonthly"]) {
    const row = field(page, path);
    await holds(async () => Math.abs(await baseline(row.locator(".field-value")) - await baseline(row.locator(".badge"))) < 1, path);
  }
  const top = async (name) => (await letters(metric(page, name).locator(".metric-value"))).top;
  await holds(async () => Math.abs(await top("lowestCash") - await top("dscrYear1")) < 1, "the figures beside each other");
  for (const name of ["lowestCash", "dscrYear1"]) {
    await holds(async () => (await letters(metric(page, name).locator(".metric-sentence"))).top - (await letters(metric(page, name).locator(".metric-value"))).bottom < 28, `${name} and its sentence`);
  }
}));

test("on a tablet no label runs into its figure", () => withPage({ width: 768, height: 1024, more: { hasTouch: true } }, async (page) => {
  await openNewPlan(page);
  await page.locator("[data-show=results]").click();
  for (const name of ["breakEvenMonth", "lowestCash", "dscrYear1", "ownerCash"]) {
    await holds(async () => (await letters(metric(page, name).locator("dt .explained"))).bottom <= (await letters(metric(page, name).locator(".metric-value"))).top + 4, name);
  }
}));

test("a toast covers neither what an answer changed nor where one types, and ends with the session", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await hear(page, "maybe $4,200 rent", setField(RENT, 4200, "maybe $4,200 rent", "tentative"));
  await page.locator(".chat").getByRole("button", { name: "Use $4,200" }).click();
  await reads(page.locator(".toast.shown"), "Rent per month is now $4,200.");
  for (const place of [".chat .value", ".composer", ".results-panel .panel-body"]) await holds(async () => isApart(await box(page.locator(".toast")), await box(page.locator(place).first())), `the toast and ${place}`);
  await signOut(page);
  await signIn(page, "sam@demo.test");
  await page.locator(".desk[data-plan]").waitFor();
  await becomes(() => page.locator(".toast.shown").count(), 0);
}));

test("what waits says why in the person's own words where they are the reason", () => withPage({}, async (page) => {
  await openNewPlan(page);
  await hear(page, "Monthly sales will be about 60,000", setField(AUV, 60_000, "Monthly sales will be about 60,000", "tentative"));
  await reads(page.locator(".chat .value.proposed").last(), "You said “about”, so please confirm.");
  await hear(page, "Rent for the shop: 4,200", setField(RENT, 4200, "Rent for the shop: 4,200", "tentative"));
  await reads(page.locator(".chat .open-card li").last(), "The advisor wasn’t sure, so please confirm.");
}));

test("the five-year return is told per dollar, also where nothing comes back", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const advice = page.locator(".results-panel [data-finding=five_year_roi]");
  await reads(advice, "Over five years you get back $1.91 for every $1 of your cash. A common benchmark is $2.00.");
  const with$ = (rent) => api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { [RENT]: rent });
  await with$(600_000);
  await reads(advice, /you get back \d+¢ for every \$1/);
  await with$(900_000);
  await reads(advice, /you get none of your cash back, and the business uses up another \$\d\.\d\d for every \$1 you put in/);
  assert.doesNotMatch(await page.locator(".results-panel .second-look").innerText(), /% less/);
}));

test("edit boxes separate thousands, also those that were just typed into", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await field(page, RENT).locator("button.field-value").click();
  await becomes(() => field(page, RENT).locator("input").inputValue(), "4,500");
  await page.goto(`/plans/${planId}/scenarios`);
  const box = page.locator("[data-slider='financing.loanAmount'] input[type=text]");
  await becomes(() => box.inputValue(), "280,000");
  await box.fill("240000");
  await box.press("Enter");
  await becomes(() => box.inputValue(), "240,000");
  await page.locator(".goal-seek select").first().selectOption("lowestCash");
  await becomes(() => page.locator(".goal-seek input").inputValue(), /^\d\d,\d{3}/, "a target in dollars begins at the plan's own result");
}));

for (const [width, height] of [[375, 667], [768, 1024], [1280, 800], [1680, 900]]) {
  test(`an empty conversation begins at its first word, and its box shows all of its hint: ${width}`, () => withPage({ width, height }, async (page) => {
    await openNewPlan(page);
    await becomes(() => page.locator(".scroller").evaluate((scroller) => {
      const lead = scroller.querySelector(".welcome-lead").getBoundingClientRect();
      return lead.top >= scroller.getBoundingClientRect().top && lead.bottom <= scroller.getBoundingClientRect().bottom;
    }), true);
    await becomes(() => page.locator(".to-end").isVisible(), false);
    await becomes(() => page.locator("#message").evaluate((box) => {
      const pen = document.createElement("canvas").getContext("2d");
      const style = getComputedStyle(box);
      pen.font = style.font;
      return pen.measureText(box.placeholder).width <= box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    }), true);
  }));
}

test("on a phone a long label stands beside its mark, and a question shows all its answers", () => withPage({ locale: "es-US", width: 375, height: 667, more: { hasTouch: true, isMobile: true } }, async (page) => {
  await openNewPlan(page);
  await hear(page, "sales 60,000 a month", setField(AUV, 60_000, "sales 60,000 a month"));
  const card = page.locator(".chat .value.applied");
  await holds(async () => {
    const [mark, label] = [await box(card.locator(".value-line > .icon")), await letters(card.locator(".value-label"))];
    return mark.right <= label.left && mark.top < label.bottom && label.top < mark.bottom;
  }, "the mark beside the label");
  await page.locator("[data-show=plan]").click();
  // The next question is another one until the plan has the sales.
  await page.locator(`.key-number.confirmed[data-key="${AUV}"]`).waitFor();
  await page.locator(".next-question").click();
  await page.locator(".guide h2").waitFor();
  await becomes(() => page.locator(".guide").evaluate((guide) => guide.scrollHeight - guide.clientHeight), 0);
}));

test("on a phone the way to the end lies beside a question's buttons", () => withPage({ width: 375, height: 667, reducedMotion: "reduce", more: { hasTouch: true, isMobile: true } }, async (page) => {
  await openNewPlan(page);
  await hear(page, "maybe $4,200 rent, maybe 60,000 of sales", setField(RENT, 4200, "maybe $4,200 rent", "tentative"), setField(AUV, 60_000, "maybe 60,000 of sales", "tentative"));
  await page.locator(".to-end").waitFor();
  const use = page.locator(".chat .open-card .primary").first();
  await use.evaluate((button) => button.scrollIntoView({ block: "end" }));
  await holds(async () => isApart(await box(page.locator(".to-end")), await box(use)), "the way to the end and the button");
}));

test("what is to be confirmed stands right below its question, also beside a message that could not be sent", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.down = true;
  await tell(page, "Is anybody there?");
  await page.locator(".card.failure").waitFor();
  model.down = false;
  model.script([call("clear_conversation", {})]);
  await tell(page, "Clear our conversation");
  const beneath = page.locator(".message.advisor + .confirmation");
  await beneath.waitFor();
  await page.locator(".confirmation ~ .card.failure").waitFor();
  await page.reload();
  await isOpen(page, planId);
  await beneath.waitFor();
  await page.locator(".confirmation ~ .card.failure").waitFor();
}));

test("moments of one month stand beside each other, with a mark and a name for each", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, { [AUV]: 7_000_000 });
  await page.reload();
  await isOpen(page, planId);
  const month = (name) => metric(page, name).locator(".metric-value").innerText();
  assert.equal(await month("breakEvenMonth"), await month("stableFromMonth"), "the case that hid one of the two");
  const places = await page.locator(".timeline-mark").evaluateAll((marks) => marks.map((mark) => Number(mark.getAttribute("cx"))).sort((a, b) => a - b));
  assert.equal(places.length, 3);
  assert.ok(places.every((place, index) => index === 0 || place - places[index - 1] >= 8), places.join(", "));
}));

test("signing out everywhere ends the sessions of other browsers, too", () => withPage({}, async (page, context) => {
  await signIn(page, "taylor@demo.test");
  const elsewhere = await context.cookies();
  await context.clearCookies();
  await signIn(page, "taylor@demo.test");
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.locator("input[type=email]").waitFor();
  await context.addCookies(elsewhere);
  await page.goto("/");
  await page.locator("input[type=email]").waitFor();
  assert.equal((await api(page, "GET", "/api/plans")).status, 401);
}));
