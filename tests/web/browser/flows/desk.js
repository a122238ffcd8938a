/** A brand's desk: found, edited, looked at and published; what two administrators do at once; what is left unpublished. */
import test from "node:test";
import assert from "node:assert/strict";
import { elsewhere } from "../support/people.js";
import { api, becomes, isAccessible, reads, screenshot, signIn, signOut, smallTargets, withPage } from "../support/world.js";

const RENT = "operatingCosts.rentMonthly";
const entry = (page, path) => page.locator(`.brand-entry[data-path="${path}"]`);
const publish = (page) => page.locator(".desk-bar").getByRole("button", { name: "Review and publish" });
const dialog = (page) => page.locator("dialog");

/** Runs a test at Morgan's desk; afterwards the brand is as it was. */
function atTheDesk(options, body) {
  return withPage(options, async (page, context) => {
    await signIn(page, options.email ?? "morgan@demo.test");
    if (options.email) await page.goto("/?view=brand");
    await page.locator(".brand-entry").first().waitFor();
    const { data: [brand] } = await api(page, "GET", "/api/brands");
    try {
      await body(page, brand, context);
    } finally {
      await page.context().clearCookies();
      await page.evaluate(() => localStorage.clear());
      await elsewhere(page, async (other) => {
        await signIn(other, "admin@demo.test");
        const { data: now } = await api(other, "GET", `/api/brands/${brand.id}`);
        if (JSON.stringify(now) !== JSON.stringify(brand)) assert.equal((await api(other, "PUT", `/api/brands/${brand.id}`, brand)).status, 200, "the brand is as it was");
      });
    }
  });
}

async function open(page, path) {
  await entry(page, path).locator("summary").click();
  return entry(page, path);
}

test("a number is found, changed, looked at and published", () => atTheDesk({}, async (page, brand) => {
  await page.getByRole("searchbox", { name: "Find a number" }).fill("rent");
  await becomes(() => page.locator(".brand-entry:visible").count().then((count) => count > 0 && count < 12), true);
  const rent = await open(page, RENT);
  assert.match(await rent.getByLabel("Help, one sentence").getAttribute("placeholder"), /\w/);
  assert.match(await rent.getByLabel("Also called").getAttribute("placeholder"), /lease|rent/i);
  await becomes(() => publish(page).isDisabled(), true, "nothing to publish");
  await rent.getByLabel("Default").fill("350.000");
  await reads(rent.getByRole("alert"), "can mean two numbers");
  await rent.getByRole("button", { name: "$350", exact: true }).waitFor();
  await becomes(() => publish(page).isDisabled(), true);
  await rent.getByLabel("Default").fill("4800");
  await reads(page.locator(".desk-count"), "1 change");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Changed", exact: true }).click();
  await becomes(() => page.locator(".brand-entry:visible").count(), 1);
  await page.locator(".brand-page").evaluate((element) => element.scrollTo(0, element.scrollHeight));
  assert.ok(await publish(page).evaluate((button) => button.getBoundingClientRect().top < innerHeight), "it stays in sight");
  await publish(page).click();
  await reads(dialog(page), "Publish 1 change?");
  await reads(dialog(page).locator(`[data-edit="${RENT} value"]`), /\$4,500.*\$4,800/s);
  await reads(dialog(page), /plans? of this brand stands? at a default that changes/);
  await isAccessible(page, "the changes before publishing");
  await screenshot(page, "desk-publish");
  await dialog(page).getByRole("button", { name: "Publish for new plans" }).click();
  await reads(page.locator(".toast"), "Published");
  await reads(page.locator(".desk-count"), "Nothing to publish");
  assert.equal((await api(page, "GET", `/api/brands/${brand.id}`)).data.parameters[RENT].value, 480_000);

  await page.getByRole("button", { name: "Editions" }).click();
  const newest = dialog(page).locator("[data-edition]").first();
  await reads(newest, "Morgan Ellis");
  await newest.locator("summary").click();
  await reads(newest.locator(`[data-edit="${RENT} value"]`), /\$4,500.*\$4,800/s);
  await isAccessible(page, "editions");
  await screenshot(page, "desk-editions");
}));

test("startup costs are added, removed and put back; what the server would refuse stands at its box", () => atTheDesk({}, async (page, brand) => {
  const [, second] = brand.startupCostTemplate;
  const path = `startupCosts.${second.slug}`;
  await page.getByRole("button", { name: "Add a cost" }).click();
  await dialog(page).getByLabel("Label").fill(second.label);
  await reads(dialog(page), "Another cost has this label");
  await dialog(page).getByLabel("Label").fill("=1+1 <b>看板</b>");
  await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
  const added = page.locator(".brand-entry[open]");
  await reads(added.locator("summary"), "=1+1 <b>看板</b>");
  await becomes(() => added.getByLabel("Default").evaluate((box) => box === document.activeElement), true);
  await added.getByLabel("Default").fill("2,500");
  await added.getByLabel("Published low").fill("3,000");
  await reads(added.getByRole("alert").filter({ hasText: "both ends" }), "both ends");
  await added.getByLabel("Published high").fill("2,000");
  await reads(added.getByRole("alert").filter({ hasText: "must not be below" }), "must not be below");
  await becomes(() => publish(page).isDisabled(), true);
  await screenshot(page, "desk-row-wrong");
  await added.getByLabel("Published high").fill("4,000");

  await open(page, path);
  await entry(page, path).getByRole("button", { name: /Remove this cost/ }).click();
  await reads(page.locator(`[data-removed="${path}"]`), "removed from new plans");
  await reads(page.locator(".desk-count"), "2 changes");
  await page.locator(`[data-removed="${path}"]`).getByRole("button").click();
  await entry(page, path).waitFor();
  await reads(page.locator(".desk-count"), "1 change");
  await entry(page, path).getByRole("button", { name: /Remove this cost/ }).click();

  // What only the server finds is said in words at the box, and the focus goes there.
  const label = page.locator(".brand-entry").filter({ has: page.locator("summary", { hasText: /看板|board/ }) }).getByLabel("Label");
  await label.fill("Sign\u0007board");
  await publish(page).click();
  await reads(page.locator(".brand-editor > .problem"), "characters that cannot be seen");
  await becomes(() => page.evaluate(() => document.activeElement.value), "Sign\u0007board");
  await label.fill("Signboard");
  await publish(page).click();
  await reads(dialog(page), "Cost removed");
  await dialog(page).getByRole("button", { name: "Publish for new plans" }).click();
  await reads(page.locator(".toast"), "Published");
  const { data } = await api(page, "GET", `/api/brands/${brand.id}`);
  const slugs = data.startupCostTemplate.map(({ slug }) => slug);
  assert.ok(!slugs.includes(second.slug));
  assert.deepEqual(data.startupCostTemplate.at(-1), { ...data.startupCostTemplate.at(-1), label: "Signboard", defaultAmount: 250_000, item7Low: 300_000, item7High: 400_000 });
}));

test("a second administrator who published meanwhile is named, and nothing typed is lost", () => atTheDesk({}, async (page, brand) => {
  const rent = await open(page, RENT);
  await rent.getByLabel("Default").fill("4,800");
  await elsewhere(page, async (other) => {
    await signIn(other, "admin@demo.test");
    const theirs = structuredClone(brand);
    theirs.parameters["operatingCosts.utilitiesMonthly"].value = 77_700;
    assert.equal((await api(other, "PUT", `/api/brands/${brand.id}`, theirs)).status, 200);
  });
  await publish(page).click();
  await reads(page.locator(".desk-notice"), /Avery Stone published edition \d+ meanwhile\. Your 1 change/);
  await publish(page).click();
  await becomes(() => dialog(page).locator("[data-edit]").count(), 1);
  await dialog(page).getByRole("button", { name: "Publish for new plans" }).click();
  await reads(page.locator(".toast"), "Published");
  const { data } = await api(page, "GET", `/api/brands/${brand.id}`);
  assert.deepEqual([data.parameters[RENT].value, data.parameters["operatingCosts.utilitiesMonthly"].value], [480_000, 77_700]);
}));

test("changes are not left without a question, and a draft comes back", () => atTheDesk({}, async (page) => {
  await page.goto("/?view=people");
  await page.locator(".members li").first().waitFor();
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("link", { name: "Your brand" }).click();
  const rent = await open(page, RENT);
  await rent.getByLabel("Default").fill("4,800");

  for (const leave of [
    async () => { await page.locator(".top-bar > .menu summary").click(); await page.getByRole("link", { name: "People" }).click(); },
    async () => { await page.evaluate(() => history.back()); },
    async () => { await page.locator(".top-bar > .menu summary").click(); await page.getByRole("button", { name: "Sign out", exact: true }).click(); },
  ]) {
    await leave();
    await reads(dialog(page), "Discard 1 change?");
    await isAccessible(page, "leaving");
    await dialog(page).getByRole("button", { name: "Stay here" }).click();
    await becomes(() => dialog(page).count(), 0);
    assert.equal(await rent.getByLabel("Default").inputValue(), "4,800");
    await becomes(() => page.url(), /view=brand$/, "where one stays, so does the address");
  }
  // The home page of a brand's administrator is the desk: nothing is left.
  await page.locator(".home").click();
  await becomes(() => dialog(page).count(), 0);

  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("link", { name: "People" }).click();
  await dialog(page).getByRole("button", { name: "Keep as a draft" }).click();
  await reads(page.locator("h1"), "People");
  await page.goto("/");
  await reads(page.locator(".desk-notice"), "1 change of an earlier visit");
  await reads(entry(page, RENT).locator("summary"), "$4,800");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await reads(page.locator(".toast"), "1 change discarded");
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await reads(entry(page, RENT).locator("summary"), "$4,800");
  await signOutAndDiscard(page);
  await signIn(page, "morgan@demo.test");
  await reads(entry(page, RENT).locator("summary"), "$4,500");
}));

async function signOutAndDiscard(page) {
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Discard", exact: true }).click();
  await page.locator("input[type=email]").waitFor();
}

test("a sample plan is shown as a new franchisee sees it, and stored nowhere", () => atTheDesk({}, async (page) => {
  const rent = await open(page, RENT);
  await rent.getByLabel("Default").fill("4,800");
  await page.getByRole("button", { name: "Open a sample plan" }).click();
  await reads(dialog(page), "your unpublished changes");
  await reads(dialog(page).locator(`[data-sample="${RENT}"]`), "$4,800");
  await reads(dialog(page).locator("[data-metric=totalInvestment]"), /\$\d/);
  await isAccessible(page, "a sample plan");
  await screenshot(page, "desk-sample");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await becomes(() => dialog(page).count(), 0);
}));

test("a session that ends while one edits loses nothing", () => atTheDesk({}, async (page, brand, context) => {
  const rent = await open(page, RENT);
  await rent.getByLabel("Default").fill("4,800");
  await context.clearCookies();
  await publish(page).click();
  await dialog(page).getByLabel("Password").fill("demo-password-1");
  await dialog(page).getByRole("button", { name: "Sign in", exact: true }).click();
  await becomes(() => dialog(page).count(), 0);
  await publish(page).click();
  await reads(dialog(page), "Publish 1 change?");
  await page.keyboard.press("Escape");
}));

test("who has joined is listed, and the demo's members are named", () => withPage({}, async (page) => {
  await signIn(page, "morgan@demo.test");
  await page.goto("/?view=people");
  await reads(page.locator("[data-member]").filter({ hasText: "Sam Rivera" }), /Franchisee · since/);
  await isAccessible(page, "who has joined");
  await signOut(page);
}));

for (const [name, width, height] of [["phone", 375, 740], ["tablet", 768, 1000], ["laptop", 1280, 800]]) {
  for (const scheme of ["light", "dark"]) {
    for (const locale of ["en-US", "es-US"]) {
      test(`the desk on a ${name}, ${scheme}, ${locale}`, () => withPage({ width, height, scheme, locale, reducedMotion: "reduce", more: width < 760 ? { hasTouch: true, isMobile: true } : {} }, async (page) => {
        const shot = (what) => screenshot(page, `desk-${what}-${name}-${scheme}-${locale}`);
        await signIn(page, "morgan@demo.test");
        await page.locator(".brand-entry").first().waitFor();
        await shot("start");
        await entry(page, RENT).locator("summary").click();
        await entry(page, RENT).locator("input").first().fill("4,800");
        await isAccessible(page, "desk");
        if (width < 760) await becomes(() => smallTargets(page), [], "large enough for a finger");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling sideways");
        await shot("edited");
        await page.locator(".desk-bar .primary").click();
        await dialog(page).waitFor();
        await isAccessible(page, "publishing");
        await shot("publish");
        await page.keyboard.press("Escape");
        await page.locator(".desk-looks button").first().click();
        await page.locator(".sheet").waitFor();
        await isAccessible(page, "sample");
        await shot("sample");
        await page.keyboard.press("Escape");
        await page.evaluate(() => localStorage.removeItem(Object.keys(localStorage).find((key) => key.includes("brand-draft"))));
        await page.goto("/?view=people");
        await page.locator("[data-member]").first().waitFor();
        await isAccessible(page, "people");
        await shot("people");
      }));
    }
  }
}
