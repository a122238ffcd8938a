/** Every view, dialog and list that the other flows pass by: as accessible as the rest, in both languages, wide and narrow. */
import test from "node:test";
import { api, becomes, field, isAccessible, lastAnswer, model, openNewPlan, openPlan, say as tell, signIn, smallTargets, withPage } from "../support/world.js";
import { call, say, setField } from "../support/mock-model.js";
import { invite } from "../support/people.js";

for (const [locale, scheme, width, height] of [["en-US", "light", 1440, 900], ["en-US", "dark", 360, 740], ["es-US", "dark", 1440, 900], ["es-US", "light", 360, 740]]) {
  const kind = `${locale.slice(0, 2)}, ${scheme}, ${width}`;
  const options = { locale, scheme, width, height, reducedMotion: "reduce" };
  const show = async (page, view) => { if (await page.locator(`[data-show=${view}]`).isVisible()) await page.locator(`[data-show=${view}]`).click(); };

  test(`a franchisee's views: ${kind}`, () => withPage(options, async (page, context) => {
    const planId = await openNewPlan(page);
    model.script([setField("operatingCosts.rentMonthly", 4200, "rent is $4,200/month"), setField("financing.interestRate", 0.11, "maybe 11%", "tentative")], [say("Noted.")]);
    await tell(page, "My rent is $4,200/month. Interest is maybe 11%.");
    await lastAnswer(page, 1);
    await page.locator(".chat-head .tool").click();
    await page.locator(".search-bar input").fill("rent");
    await page.locator(".search-count").filter({ hasText: /\d/ }).waitFor();
    await isAccessible(page, "search");
    await page.keyboard.press("Escape");
    await show(page, "plan");
    await page.locator(".value.proposed button:visible").nth(1).click();
    await page.locator(".value input:visible").first().waitFor();
    await isAccessible(page, "a value is corrected");
    await page.keyboard.press("Escape");
    await field(page, "operatingCosts.rentMonthly").locator(".explained").click();
    await page.locator(".help").waitFor();
    await isAccessible(page, "help");
    await page.keyboard.press("Escape");
    await page.locator(".search input").fill("no such number");
    await isAccessible(page, "nothing found");
    await page.locator(".search input").fill("");
    await page.locator(".next-question").click();
    await page.locator(".guide h2").waitFor();
    await isAccessible(page, "guide");
    await page.keyboard.press("Escape");
    await show(page, "results");
    await page.locator(".results-panel figure .tool").first().click();
    await page.locator("dialog svg").first().waitFor();
    await isAccessible(page, "a large chart");
    await page.keyboard.press("Escape");
    await page.locator(".plan-menu summary").click();
    await isAccessible(page, "plan menu");
    await page.locator(".plan-menu button").first().click();
    await page.locator("dialog input[type=text]").waitFor();
    await isAccessible(page, "rename");
    await page.keyboard.press("Escape");
    await page.locator(".plan-menu summary").click();
    await page.locator(".plan-menu button.bad").click();
    await page.locator("dialog").waitFor();
    await isAccessible(page, "delete");
    await page.keyboard.press("Escape");
    await page.locator(".new-plan").click();
    await page.locator("dialog input").waitFor();
    await isAccessible(page, "new plan");
    await page.keyboard.press("Escape");
    await page.locator(".top-bar > .menu summary").click();
    await isAccessible(page, "account");
    await page.locator(".top-bar > .menu summary").click();
    await show(page, "chat");
    model.script([call("clear_conversation", {})]);
    await tell(page, "Clear our conversation");
    await page.locator(".confirmation").waitFor();
    await isAccessible(page, "confirmation");
    model.down = true;
    await tell(page, "Are you there?");
    await page.locator(".card.failure").waitFor();
    await isAccessible(page, "failure");
    model.down = false;
    await page.goto(`/plans/${planId}/scenarios`);
    await page.locator("[data-slider] input[type=text]").first().fill("70000");
    await page.locator("[data-slider] input[type=text]").first().press("Enter");
    await page.locator("[data-act=save]").click();
    await page.locator("dialog input").waitFor();
    await isAccessible(page, "name of a scenario");
    await page.keyboard.press("Escape");
    for (const [view, there] of [["glossary", ".glossary dl"], ["print", ".print-cover"]]) {
      await page.goto(`/plans/${planId}/${view}`);
      await page.locator(there).first().waitFor();
      await isAccessible(page, view);
    }
    await page.goto("/plans/0199c0de-0000-7000-8000-000000000001");
    await page.locator(".trouble").waitFor();
    await isAccessible(page, "a plan that is not there");
    await page.goto(`/plans/${planId}`);
    await page.locator(`.desk[data-plan="${planId}"]`).waitFor();
    // The page asks for the plan every few seconds, and for the password when it may not.
    await context.clearCookies();
    await page.locator("dialog input[type=password]").waitFor();
    await isAccessible(page, "sign in again");
  }));

  test(`before there is a plan: ${kind}`, () => withPage(options, async (page) => {
    await page.goto("/");
    await page.locator("input[type=email]").fill("sam@demo.test");
    await page.keyboard.press("Enter");
    await page.locator(".sign-in .problem").filter({ hasText: /\w/ }).first().waitFor();
    await isAccessible(page, "sign-in with an error");
    await page.route("**/api/batch*", (route) => route.fulfill({ json: { data: [[], null].map((data) => ({ status: 200, etag: null, body: { data } })) } }));
    await signIn(page, "sam@demo.test");
    await page.locator("main button.primary").waitFor();
    await isAccessible(page, "no plan");
  }));

  test(`an administrator's and a brand's views: ${kind}`, () => withPage(options, async (page, context) => {
    await signIn(page, "admin@demo.test");
    await page.locator("[data-person]").first().waitFor();
    await isAccessible(page, "people");
    await page.locator(".people-list .act-for").first().click();
    await page.locator("dialog").waitFor();
    await isAccessible(page, "act for");
    await page.keyboard.press("Escape");
    await page.locator("[data-person] a").first().click();
    await page.locator(".desk[data-plan]").waitFor();
    await isAccessible(page, "view only");
    await page.goto("/?view=prompts");
    await page.locator("[data-prompt] summary").first().click();
    await isAccessible(page, "prompts");
    const { data: [sam] } = await api(page, "GET", "/api/admin/users?email=sam@demo.test");
    const { data: plans } = await api(page, "GET", "/api/plans");
    const plan = plans.find(({ owner }) => owner.id === sam.id);
    await api(page, "POST", "/api/admin/impersonation", { userId: sam.id, reason: "A look at the page", mode: "edit" });
    await openPlan(page, plan.id);
    await isAccessible(page, "acting for somebody");
    await api(page, "DELETE", "/api/admin/impersonation");
    await context.clearCookies();
    await signIn(page, "morgan@demo.test");
    await page.locator(".brand-entry summary").first().click();
    await isAccessible(page, "brand");
  }));

  test(`accounts and people: ${kind}`, () => withPage({ ...options, more: width < 760 ? { hasTouch: true, isMobile: true } : {} }, async (page, context) => {
    const check = async (name) => { await isAccessible(page, name); if (width < 760) await becomes(() => smallTargets(page), [], name); };
    const methods = { password: true, oidc: { label: "Acme ID" } };
    await page.route("**/api/auth/methods", (route) => route.fulfill({ json: { data: methods } }));
    await page.goto("/?view=sign-in&problem=sso_expired");
    await page.locator("a[data-sso]").waitFor();
    await check("sign-in with single sign-on and a problem");
    const { link } = await invite();
    await page.goto(link);
    await page.locator("form [type=submit]").click();
    await check("invitation with errors");
    await page.goto("/?view=invitation#token=nothing");
    await page.locator(".link-end").waitFor();
    await check("an invitation that is over");
    await page.goto("/?view=password-reset#token=nothing");
    await page.locator("form").waitFor();
    await check("a new password");
    await signIn(page, "admin@demo.test");
    await page.locator("[data-invitation]").first().waitFor();
    await page.locator(".page-head .primary").click();
    await page.locator("dialog").waitFor();
    await check("invite");
    await page.keyboard.press("Escape");
    const row = page.locator("[data-person='riley@demo.test']");
    await row.locator("summary").click();
    await check("menu of a person");
    for (const [index, name] of ["role", "password reset link", "identities", "disable", "remove"].entries()) {
      if (!await row.locator(".menu[open]").count()) await row.locator("summary").click();
      await row.locator(".menu-body li button").nth(index).click();
      await page.locator("dialog").waitFor();
      await check(name);
      if (name === "password reset link") {
        await page.locator("dialog [type=submit]").click();
        await page.locator(".secret").waitFor();
        await check("a link, once");
        await page.locator("dialog .actions button").last().click();
      } else await page.keyboard.press("Escape");
    }
    await page.goto("/?view=account");
    await page.locator("[data-part=data]").waitFor();
    await page.locator("[data-part=password] [type=submit]").click();
    await check("account");
    await page.locator("[data-part=tokens] .actions button").last().click();
    await page.locator("dialog").waitFor();
    await check("a token");
    await page.keyboard.press("Escape");
    await page.locator("[data-part=data] button").click();
    await page.locator("dialog").waitFor();
    await check("delete the account");
    await context.clearCookies();
  }));
}

for (const [scheme, width] of [["light", 1440], ["dark", 320]]) {
  test(`the API's reference: ${scheme}, ${width}`, () => withPage({ scheme, width, height: 740 }, async (page) => {
    await page.goto("/docs");
    await page.locator("main a").first().waitFor();
    await isAccessible(page, "docs");
  }));
}
