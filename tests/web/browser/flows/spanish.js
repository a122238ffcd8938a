/** The page in Spanish: by the browser's language, with a switch, and as accessible as in English. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, field, isAccessible as check, isOpen, lastAnswer, openNewPlan, reads, say, screenshot, signIn as enter, withPage } from "../support/world.js";

for (const [scheme, width, height] of [["light", 1440, 900], ["dark", 360, 740]]) {
  test(`a Spanish browser gets Spanish, and nothing axe objects to, ${scheme}`, () => withPage({ locale: "es-MX", scheme, width, height, reducedMotion: "reduce" }, async (page) => {
    await page.goto("/");
    await reads(page.locator("h1"), "Hable de sus números");
    await becomes(() => page.locator("html").getAttribute("lang"), "es");
    await check(page, "sign-in");
    await enter(page, "sam@demo.test");
    await page.locator(".desk[data-plan]").waitFor();
    const { data: [brand] } = await api(page, "GET", "/api/brands");
    const { data: plan } = await api(page, "POST", "/api/plans", { name: "En español", brandId: brand.id });
    await page.goto(`/plans/${plan.id}`);
    await isOpen(page, plan.id);
    await check(page, "desk");
    await screenshot(page, `spanish-${scheme}`);
    if (width < 760) await page.locator("[data-show=plan]").click();
    await page.locator(".next-question").click();
    await reads(page.locator(".guide"), "Número clave 1 de 15");
    await check(page, "guide");
    await page.keyboard.press("Escape");
    if (width < 760) await page.locator("[data-show=plan]").click();
    await field(page, "operatingCosts.royaltyPct").locator("button.field-value").click();
    await field(page, "operatingCosts.royaltyPct").locator("input").fill("600");
    await page.keyboard.press("Enter");
    await reads(field(page, "operatingCosts.royaltyPct").getByRole("alert"), "Escriba un porcentaje de 0 a 100.");
    for (const [view, words] of [["glossary", "Glosario"], ["print", "Plan financiero"]]) {
      await page.goto(`/plans/${plan.id}/${view}`);
      await reads(page.locator("h1"), words);
      await page.locator(".glossary dl, .print-cover").first().waitFor();
      await check(page, view);
    }
    // The page shown last is the print view: its charts are pictures with texts of their own.
    const charts = await page.locator(".print-charts img").evaluateAll((images) => Promise.all(images.map(async (image) => (await fetch(image.src)).text())));
    for (const [index, words] of ["Efectivo en el banco", "Ventas y costos"].entries()) assert.ok(charts[index].includes(`>${words}<`), charts[index].slice(0, 800));
    for (const [email, heading] of [["admin@demo.test", "Personas y planes"], ["morgan@demo.test", /\w/]]) {
      await page.context().clearCookies();
      await enter(page, email);
      await reads(page.locator("h1"), heading);
      await check(page, email);
    }
  }));
}

test("the language is switched by the reader and stays", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("button", { name: "Español" }).click();
  await reads(page.locator("#results-title"), "Resultados");
  await page.reload();
  await isOpen(page, planId);
  await reads(page.locator("[data-metric=breakEvenMonth] dt"), "Mes de punto de equilibrio");
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("button", { name: "English" }).click();
  await reads(page.locator("#results-title"), "Results");
}));

test("a Spanish message that is not understood writes nothing", { skip: !process.env.OFFLINE_BASE_URL }, () => withPage({ base: process.env.OFFLINE_BASE_URL }, async (page) => {
  const planId = await openNewPlan(page);
  const said = [
    ["Hola, ¿cómo está?", /^¡Hola!/],
    ["No sé todavía cuánto pagaré de renta", /^De acuerdo, podemos volver a eso después\./],
    ["Creo que el préstamo será más o menos de 300.000", /¿Anoto \$300,000 para el monto del préstamo\?/],
  ];
  for (const [index, [message, answer]] of said.entries()) {
    await say(page, message);
    assert.match(await lastAnswer(page, index + 1), answer);
  }
  assert.deepEqual((await api(page, "GET", `/api/plans/${planId}/changes`)).data, []);
}));
