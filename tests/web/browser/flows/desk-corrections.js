/** The owner of a plan is told when the brand has corrected a default, and takes the correction or leaves it. */
import test from "node:test";
import assert from "node:assert/strict";
import { elsewhere } from "../support/people.js";
import { api, becomes, field, isAccessible, openNewPlan, reads, screenshot, signIn, withPage } from "../support/world.js";

const RENT = "operatingCosts.rentMonthly";
const UTILITIES = "operatingCosts.utilitiesMonthly";
const correction = (page, path) => page.locator(`[data-correction="${path}"]`);

/** Publishes other defaults as the platform's administrator; afterwards `body` the brand is as it was. */
async function corrected(page, body) {
  await elsewhere(page, async (admin) => {
    await signIn(admin, "admin@demo.test");
    const { data: [brand] } = await api(admin, "GET", "/api/brands");
    const put = async (values) => {
      const next = structuredClone(brand);
      for (const [path, value] of Object.entries(values)) next.parameters[path].value = value;
      assert.equal((await api(admin, "PUT", `/api/brands/${brand.id}`, next)).status, 200);
    };
    try {
      await put({ [RENT]: 480_000, [UTILITIES]: 77_700 });
      await body(put, admin);
    } finally {
      await put({});
    }
  });
}

test("a correction is told, taken by one tap, undone, and left by another", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "Made before the correction" });
  await becomes(() => page.locator(".corrections").isHidden(), true);
  await corrected(page, async (put, admin) => {
    await page.reload();
    await reads(page.locator(".corrections h3"), "The brand has corrected 2 numbers");
    await reads(correction(page, RENT), /Rent per month.*\$4,500.*\$4,800/s);
    await reads(field(page, RENT).locator(".field-value"), "$4,500");
    await isAccessible(page, "corrections");
    await screenshot(page, "corrections-light");

    await correction(page, RENT).getByRole("button", { name: "Rent per month: use $4,800" }).click();
    await reads(field(page, RENT).locator(".field-value"), "$4,800");
    await becomes(() => correction(page, RENT).count(), 0);
    await reads(page.locator(".corrections h3"), "The brand has corrected a number");
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await reads(field(page, RENT).locator(".field-value"), "$4,500");
    await correction(page, RENT).waitFor();

    await correction(page, RENT).getByRole("button", { name: "Rent per month: leave $4,500" }).click();
    await becomes(() => correction(page, RENT).count(), 0);
    await page.reload();
    await correction(page, UTILITIES).waitFor();
    assert.equal(await correction(page, RENT).count(), 0, "it does not come back for that edition");
    await reads(field(page, RENT).locator(".badge"), "Brand");

    await put({ [RENT]: 495_000, [UTILITIES]: 77_700 });
    await page.reload();
    await reads(correction(page, RENT), "$4,950");
    await page.getByRole("button", { name: "Leave them all" }).click();
    await becomes(() => page.locator(".corrections").isHidden(), true);

    // Support looks and decides nothing.
    await put({ [RENT]: 499_000 });
    await admin.goto(`/plans/${planId}`);
    await reads(admin.locator(".corrections"), "Its owner decides.");
    assert.equal(await admin.locator(".corrections button").count(), 0);
  });
}));

test("a plan that was deleted meanwhile says so", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "Soon gone" });
  await corrected(page, async () => {
    await page.reload();
    await correction(page, RENT).waitFor();
    assert.equal((await api(page, "DELETE", `/api/plans/${planId}`)).status, 204);
    await correction(page, RENT).getByRole("button", { name: /use/ }).click();
    await becomes(() => page.locator(".toast.shown, .trouble").count().then((count) => count > 0), true);
  });
}));

for (const [width, height, scheme, locale] of [[375, 740, "dark", "es-US"], [375, 740, "light", "en-US"], [768, 1000, "light", "es-US"], [1280, 800, "dark", "en-US"]]) {
  test(`corrections at ${width} px, ${scheme}, ${locale}`, () => withPage({ width, height, scheme, locale, reducedMotion: "reduce", more: width < 760 ? { hasTouch: true, isMobile: true } : {} }, async (page) => {
    const planId = await openNewPlan(page, { name: "A plan to be told of" });
    await corrected(page, async () => {
      await page.goto(`/plans/${planId}/plan`);
      await correction(page, RENT).waitFor();
      await isAccessible(page, "corrections");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling sideways");
      await screenshot(page, `corrections-${width}-${scheme}-${locale}`);
    });
  }));
}
