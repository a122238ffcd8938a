/** One's own account: password, browsers, tokens, data; and what happens when the session or the network goes meanwhile. */
import test from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { BASE_URL, api, becomes, hold, isOpen, lastAnswer, model, openNewPlan, reads, say as tell, screenshot, signIn, signOut, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";
import { OWN_PASSWORD, elsewhere, enter, join } from "../support/people.js";
import { hostileTexts } from "../../support/hostile-texts.js";

const RENT = "operatingCosts.rentMonthly";
const part = (page, name) => page.locator(`[data-part=${name}]`);
const dialog = (page) => page.locator("dialog");

async function openAccount(page) {
  await page.goto("/?view=account");
  await part(page, "data").waitFor();
}

async function fillToken(page, name) {
  await part(page, "tokens").getByRole("button", { name: "Create a token…" }).click();
  await dialog(page).getByLabel("Name").fill(name);
  await page.getByLabel("Change", { exact: true }).check();
  await page.getByLabel("Ends after").selectOption("30");
}

test("the menu leads to the account, which names who is here and where they are signed in", () => withPage({}, async (page) => {
  const email = await join(page);
  await page.goto("/");
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("link", { name: "Account" }).click();
  await reads(page.locator(".facts"), email);
  await reads(page.locator("[data-session]").first(), "Chrome on");
  await reads(page.locator("[data-session]").first(), "This browser");
  await elsewhere(page, async (other) => {
    await other.goto("/");
    await enter(other, email, OWN_PASSWORD);
    await other.locator(".top-bar").waitFor();
    await page.reload();
    await becomes(() => page.locator("[data-session]").count(), 2);
    await page.locator("[data-session]").filter({ hasNotText: "This browser" }).getByRole("button", { name: "Sign out" }).click();
    await reads(page.locator(".toast.shown"), "is signed out.");
    await becomes(() => page.locator("[data-session]").count(), 1);
    await other.reload();
    await other.locator("input[type=password]").waitFor();
  }, { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1" });
  await screenshot(page, "account-light");
  await page.locator("[data-session]").getByRole("button", { name: "Sign out" }).click();
  await page.locator(".sign-in").waitFor();
}));

test("a password is changed: the wrong one is said at its box, other browsers are signed out", () => withPage({}, async (page) => {
  const email = await join(page);
  await openAccount(page);
  await elsewhere(page, async (other) => {
    await other.goto("/");
    await enter(other, email, OWN_PASSWORD);
    await other.locator(".top-bar").waitFor();
    assert.equal((await api(other, "POST", "/api/me/tokens", { name: "Backup", scopes: ["read"] })).status, 201);
    await page.reload();
    await page.locator("[data-token]").waitFor();
    await part(page, "password").getByLabel("Current password").fill("not my password");
    await part(page, "password").getByLabel("New password").fill("velvet comet 17 harbor");
    await page.getByRole("button", { name: "Change password" }).click();
    await reads(part(page, "password").getByRole("alert"), "That is not your current password.");
    assert.equal(await part(page, "password").getByLabel("New password").inputValue(), "velvet comet 17 harbor", "nothing typed is lost");
    await part(page, "password").getByLabel("Current password").fill(OWN_PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await reads(page.locator(".toast.shown"), "Your new password is saved.");
    await becomes(() => page.locator("[data-session]").count(), 1);
    await reads(part(page, "tokens"), "No token yet.");
    await other.reload();
    await enter(other, email, OWN_PASSWORD);
    await reads(other.locator("#sign-in-problem"), "don’t match");
    await enter(other, email, "velvet comet 17 harbor");
    await other.locator(".top-bar").waitFor();
  });
}));

test("who was robbed gets the thief out with one button, and sees that it worked", () => withPage({}, async (page) => {
  const email = await join(page);
  await page.goto("/");
  await elsewhere(page, async (thief) => {
    await thief.goto("/");
    await enter(thief, email, OWN_PASSWORD);
    await thief.locator(".top-bar").waitFor();
    const { data } = await api(thief, "POST", "/api/me/tokens", { name: "Backup", scopes: ["read"] });
    const byToken = async () => (await fetch(`${BASE_URL}/api/plans`, { headers: { authorization: `Bearer ${data.secret}` } })).status;
    assert.equal(await byToken(), 200);
    await openAccount(page);
    await becomes(() => page.locator("[data-session]").count(), 2);
    await part(page, "sessions").getByRole("button", { name: "Sign out everywhere" }).click();
    await reads(page.locator(".sign-in .notice"), "You are signed out everywhere. Other browsers, access tokens, and open links of yours no longer work.");
    await screenshot(page, "signed-out-everywhere-light");
    assert.equal(await byToken(), 401);
    await thief.reload();
    await thief.locator("input[type=password]").waitFor();
    await enter(page, email, OWN_PASSWORD);
    await page.locator(".top-bar").waitFor();
    await openAccount(page);
    await becomes(() => page.locator("[data-session]").count(), 1);
    await reads(part(page, "tokens"), "No token yet.");
  });
}));

test("signing out everywhere says what still opens the account, and where nothing has ended", () => withPage({}, async (page) => {
  const email = await join(page);
  await page.route("**/api/auth/logout-everywhere", async (route) => {
    await route.fetch();
    await route.fulfill({ json: { data: { identities: [{ issuer: "https://id.test", label: "Acme <b>ID</b>", createdAt: new Date().toISOString() }] } } });
  });
  await page.goto("/");
  const everywhere = async () => {
    await page.locator(".top-bar > .menu summary").click();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
  };
  await everywhere();
  await reads(page.locator(".sign-in .notice"), "Your account still opens by single sign-on: Acme <b>ID</b>. If one of them is not yours, remove it in your account.");
  await page.unroute("**/api/auth/logout-everywhere");
  await enter(page, email, OWN_PASSWORD);
  await page.locator(".top-bar").waitFor();
  // The thief was faster.
  await page.context().clearCookies({ name: /session/ });
  await everywhere();
  await reads(page.locator(".sign-in .notice"), "You were signed out here already, so other browsers were not.");
}));

test("a token is made, shown once, works, and is deleted", () => withPage({}, async (page) => {
  await join(page);
  await openAccount(page);
  await part(page, "tokens").getByRole("button", { name: "Create a token…" }).click();
  await page.getByRole("button", { name: "Create token" }).click();
  await reads(dialog(page).getByRole("alert"), "Give it a name.");
  await page.keyboard.press("Escape");
  await fillToken(page, "Spreadsheet");
  await page.getByRole("button", { name: "Create token" }).click();
  const secret = await page.getByLabel("Token", { exact: true }).inputValue();
  assert.match(secret, /^pat_/);
  await page.keyboard.press("Escape");
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await reads(page.locator("[data-token]"), "Read, Change · All your plans");
  assert.ok(!(await page.content()).includes(secret), "it is nowhere any more");
  const ask = async () => (await fetch(`${BASE_URL}/api/plans`, { headers: { authorization: `Bearer ${secret}` } })).status;
  assert.equal(await ask(), 200);
  await page.getByRole("button", { name: "Delete: Spreadsheet" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await reads(part(page, "tokens"), "No token yet.");
  assert.equal(await ask(), 401);
}));

test("what was typed survives the end of the session and a lost network", () => withPage({}, async (page, context) => {
  const email = await join(page);
  await openAccount(page);
  await fillToken(page, "Kept");
  await context.clearCookies();
  await page.getByRole("button", { name: "Create token" }).click();
  const again = dialog(page).filter({ hasText: "Please sign in again" });
  await reads(again, "Nothing you typed is lost.");
  assert.equal(await again.getByLabel("Email").inputValue(), email);
  await again.getByLabel("Password").fill(OWN_PASSWORD);
  await again.getByRole("button", { name: "Sign in", exact: true }).click();
  await again.waitFor({ state: "detached" });
  await context.setOffline(true);
  await page.getByRole("button", { name: "Create token" }).click();
  await reads(dialog(page).getByRole("alert"), "The server cannot be reached.");
  await context.setOffline(false);
  assert.equal(await dialog(page).getByLabel("Name").inputValue(), "Kept");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Token", { exact: true }).waitFor();
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await reads(page.locator("[data-token]"), "Kept");
}));

test("who signs out while a request is refused is not asked to sign in again", () => withPage({}, async (page, context) => {
  await openNewPlan(page);
  const dialogs = await hold(page, "**/assets/dialogs.*.js");
  await context.clearCookies();
  await tell(page, "My rent is $4,200 a month.");
  await dialogs.reached;
  await signOut(page);
  const loaded = page.waitForResponse("**/assets/dialogs.*.js");
  dialogs.open();
  await (await loaded).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await becomes(() => dialog(page).count(), 0);
  await signIn(page, "sam@demo.test");
}));

test("the data is downloaded, and the account deleted", () => withPage({}, async (page) => {
  const email = await join(page);
  await openAccount(page);
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download my data" }).click();
  const download = await coming;
  assert.match(download.suggestedFilename(), /^plan-advisor-export-\d{4}-\d\d-\d\d\.json$/);
  assert.equal(JSON.parse(await readFile(await download.path(), "utf8")).profile.email, email);
  await page.getByRole("button", { name: "Delete my account…" }).click();
  await dialog(page).getByLabel("Your password").fill("not my password");
  await dialog(page).getByRole("button", { name: "Delete my account" }).click();
  await reads(dialog(page).getByRole("alert"), "That is not your password.");
  await dialog(page).getByLabel("Your password").fill(OWN_PASSWORD);
  await dialog(page).getByRole("button", { name: "Delete my account" }).click();
  await reads(page.locator(".notice"), "Your account is deleted.");
  await enter(page, email, OWN_PASSWORD);
  await reads(page.locator("#sign-in-problem"), "don’t match");
}));

test("the last administrator is told why the account stays", () => withPage({}, async (page) => {
  await signIn(page, "admin@demo.test");
  await openAccount(page);
  await page.getByRole("button", { name: "Delete my account…" }).click();
  await dialog(page).getByLabel("Your password").fill("demo-password-1");
  await dialog(page).getByRole("button", { name: "Delete my account" }).click();
  await reads(dialog(page).getByRole("alert"), "You are the last person with the Support role.");
}));

test("while an administrator views as somebody, their own account is closed", () => withPage({}, async (page) => {
  await signIn(page, "admin@demo.test");
  const { data: [sam] } = await api(page, "GET", "/api/admin/users?email=sam@demo.test");
  await api(page, "POST", "/api/admin/impersonation", { userId: sam.id, reason: "A look at the account", mode: "read" });
  await page.goto("/?view=account");
  await reads(page.locator("main"), "While you view as Sam Rivera, your own account is closed.");
  await page.getByRole("button", { name: "Stop viewing" }).click();
  await reads(page.locator(".facts"), "admin@demo.test");
}));

test("the words of a conversation are erased; its numbers stay", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.script([setField(RENT, 4200, "rent is $4,200/month")], [say("Noted, and never again.")]);
  await tell(page, "My rent is $4,200/month, says my landlord Zebulon.");
  await lastAnswer(page, 1);
  await page.locator(".plan-menu summary").click();
  await page.getByRole("button", { name: "Erase what was said…" }).click();
  await dialog(page).getByRole("button", { name: "Erase the words" }).click();
  await reads(page.locator(".toast.shown"), "The words of this conversation are erased.");
  const check = async () => {
    await becomes(() => page.locator(".message .erased").allInnerTexts(), ["The words of this message were erased.", "The words of this message were erased."]);
    await becomes(() => page.getByText("Zebulon").count(), 0);
    await becomes(() => page.getByText("never again").count(), 0);
    await becomes(() => page.locator("q").count(), 0);
    await reads(page.locator(".chat .value"), "$4,200");
    await becomes(() => page.locator(".message").getByRole("button", { name: /Copy$|Edit message|Answer again/ }).count(), 0);
  };
  await check();
  await page.reload();
  await isOpen(page, planId);
  await check();
  await page.goto(`/plans/${planId}/print?conversation=1`);
  await becomes(() => page.locator(".print-messages .erased").count(), 2);
}));

test("single sign-on: the button, why it failed, and no password where there is none", () => withPage({}, async (page) => {
  const methods = { password: true, oidc: { label: "Acme <b>ID</b>" } };
  await page.route("**/api/auth/methods", (route) => route.fulfill({ json: { data: methods } }));
  await page.goto("/plans/0199c0de-0000-7000-8000-000000000001");
  await reads(page.locator("a[data-sso]"), "Sign in with Acme <b>ID</b>");
  assert.equal(await page.locator("a[data-sso]").getAttribute("href"), `/api/auth/oidc/start?${new URLSearchParams({ next: "/plans/0199c0de-0000-7000-8000-000000000001" })}`);
  for (const [code, sentence] of [["sso_not_invited", "for an invitation"], ["sso_unavailable", "or use your password"], ["__proto__", "Please try again, or ask your administrator."]]) {
    await page.goto(`/?view=sign-in&problem=${code}`);
    await reads(page.locator(".sign-in").getByRole("alert"), sentence);
    await becomes(() => new URL(page.url()).search, "?view=sign-in", "a reload does not say it again");
    assert.equal(await page.locator("a[data-sso]").getAttribute("href"), "/api/auth/oidc/start?next=%2F");
  }
  await signIn(page, "sam@demo.test");
  await becomes(() => new URL(page.url()).pathname, /^\/plans\//, "a sign-in's address is no place to stay");
  await page.route("**/api/me/account", async (route) => {
    const { data } = await (await route.fetch()).json();
    await route.fulfill({ json: { data: { ...data, oidc: methods.oidc } } });
  });
  await page.goto("/?view=sign-in&problem=sso_link_taken");
  await reads(page.locator(".account-page").getByRole("alert"), "That sign-in already belongs to another account here.");
  await part(page, "single").getByRole("button", { name: "Connect Acme" }).waitFor();
  await signOut(page);
  methods.password = false;
  await page.goto("/");
  await page.locator("a[data-sso]").waitFor();
  await becomes(() => page.locator("input:visible").count(), 0);
}));

test("accounts at a provider: whose they are, connecting and disconnecting take the password", () => withPage({}, async (page) => {
  const time = new Date().toISOString();
  let identities = [{ id: "0199c0de-0000-7000-8000-0000000000aa", issuer: "https://id.test", label: "Acme", subject: "s", name: "Mallory", email: "mallory@evil.example", linkedBy: "hand", createdAt: time }];
  const sent = [];
  await page.route("**/api/me/account", async (route) => {
    const { data } = await (await route.fetch()).json();
    await route.fulfill({ json: { data: { ...data, oidc: { label: "Acme" } } } });
  });
  await page.route("**/api/me/identities**", async (route) => {
    if (route.request().method() === "GET") return route.fulfill({ json: { data: identities } });
    sent.push(["unlink", route.request().postDataJSON()]);
    identities = [];
    return route.fulfill({ status: 204 });
  });
  await page.route("**/api/auth/oidc/link", (route) => {
    sent.push(["link", route.request().postDataJSON()]);
    return route.fulfill({ json: { data: { url: `${BASE_URL}/?view=account&provider=1` } } });
  });
  await signIn(page, "sam@demo.test");
  await openAccount(page);
  await reads(page.locator("[data-identity]"), "mallory@evil.example");
  await page.locator("[data-identity] button").click();
  await dialog(page).getByRole("button", { name: "Disconnect" }).click();
  await reads(dialog(page), "Enter your password.");
  await dialog(page).locator("input[type=password]").fill("demo-password-1");
  await dialog(page).getByRole("button", { name: "Disconnect" }).click();
  await becomes(() => page.locator("[data-identity]").count(), 0);
  await part(page, "single").getByRole("button", { name: "Connect Acme" }).click();
  await dialog(page).locator("input[type=password]").fill("demo-password-1");
  await dialog(page).getByRole("button", { name: "Go on to Acme" }).click();
  await becomes(() => new URL(page.url()).search, "?view=account&provider=1");
  assert.deepEqual(sent, [["unlink", { password: "demo-password-1" }], ["link", { next: "/?view=account", password: "demo-password-1" }]]);
}));

test("a cookie that the browser does not keep, and what a first sign-on has ended, are said", () => withPage({}, async (page) => {
  await page.route("**/api/auth/login", (route) => route.fulfill({ json: { data: {} } }));
  await page.goto("/");
  await page.locator("input[name=email]").fill("sam@demo.test");
  await page.locator("input[name=password]").fill("demo-password-1");
  await page.locator(".sign-in-form button[type=submit]").click();
  await reads(page.locator(".sign-in .notice"), "Your browser did not keep the sign-in.");
  await page.unroute("**/api/auth/login");
  await signIn(page, "sam@demo.test");
  await page.goto("/?view=account&notice=sso_first_proof");
  await reads(dialog(page), "confirmed your email address for the first time");
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await becomes(() => new URL(page.url()).search, "?view=account", "it is said once");
  await page.goto("/?notice=sso_first_proof");
  await reads(dialog(page), "confirmed your email address for the first time");
  await becomes(() => new URL(page.url()).pathname, /^\/plans\//, "also where the address leads to a plan");
}));

test("where the session began at a provider, signing out ends there", () => withPage({}, async (page) => {
  await signIn(page, "riley@demo.test");
  await page.route("**/api/auth/logout", async (route) => {
    await route.fetch();
    await route.fulfill({ json: { data: { url: `${BASE_URL}/?view=sign-in&from=provider` } } });
  });
  await signOut(page);
  await becomes(() => new URL(page.url()).search, "?view=sign-in&from=provider");
}));

test("a session that is over goes on after a single sign-on in another tab", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  await page.route("**/api/auth/methods", (route) => route.fulfill({ json: { data: { password: true, oidc: { label: "Acme" } } } }));
  await page.locator("#message").fill("Half a sentence");
  await context.clearCookies();
  await dialog(page).locator("a[data-sso]").waitFor();
  assert.equal(await dialog(page).locator("a[data-sso]").getAttribute("target"), "_blank");
  const tab = await context.newPage();
  await signIn(tab, "sam@demo.test");
  await tab.goto("/?view=signed-in");
  await reads(tab.locator("h1"), "You are signed in");
  await tab.close();
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await dialog(page).waitFor({ state: "detached" });
  assert.equal(await page.locator("#message").inputValue(), "Half a sentence");
  assert.ok(page.url().includes(planId));
}));

test("hostile names stay names, wherever an account shows them", () => withPage({}, async (page) => {
  await signIn(page, "sam@demo.test");
  const time = new Date().toISOString();
  const answers = {
    account: { user: { id: "1", email: "sam@demo.test", displayName: hostileTexts[0], role: "<img src=x onerror=pwned()>", brandId: null }, hasPassword: true, oidc: { label: hostileTexts[2] }, createdAt: time, identities: [] },
    identities: hostileTexts.map((name, index) => ({ id: `i${index}`, issuer: "javascript:pwned()", label: name, subject: name, name, email: null, linkedBy: name, createdAt: time })),
    sessions: hostileTexts.map((userAgent, index) => ({ id: `s${index}`, startedAt: time, lastUsedAt: time, expiresAt: time, userAgent, method: userAgent, current: index === 0 })),
    tokens: hostileTexts.map((name, index) => ({ id: `t${index}`, name, scopes: [name], planId: null, createdAt: time, expiresAt: time, lastUsedOn: null })),
  };
  for (const [name, data] of Object.entries(answers)) await page.route(`**/api/me/${name}`, (route) => route.fulfill({ json: { data } }));
  await openAccount(page);
  await reads(page.locator(".facts"), "<script>pwned()</script>");
  await reads(page.locator("[data-token]").first(), "<script>pwned()</script>");
  await reads(page.locator("[data-identity]").first(), "<script>pwned()</script>");
  await becomes(() => page.locator("main :is(script, img, iframe, object, embed, svg[onload], video, form[action])").count(), 0);
  await page.locator("[data-token] button").first().click();
  await reads(dialog(page), "<script>pwned()</script>");
}));
