/**
 * Single sign-on as people do it: Chromium, a certified identity provider, our server. And signing out from the provider's
 * side, with a second provider.
 *
 * Environment: `BASE_URL` and `PROVIDER_URL` of a server and its provider, `SECOND_BASE_URL` and `SECOND_PROVIDER_URL`;
 * `CHROMIUM` where it is not in the PATH. run.sh starts all of them, and invites ana, bo and cem.
 */
import assert from "node:assert/strict";
import { accessSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const { BASE_URL, PROVIDER_URL, SECOND_BASE_URL, SECOND_PROVIDER_URL } = process.env;
const PATIENCE_MS = 15_000;
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"] });
});
after(() => browser?.close());

/** A person with a browser of their own. */
async function withPerson(body) {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    await body(await context.newPage());
  } finally {
    await context.close();
  }
}

/** To the provider's page, by the button of the sign-in page. */
async function toProvider(page) {
  await page.goto(`${BASE_URL}/?view=sign-in`);
  await page.locator("[data-sso]").click();
  await page.waitForURL(`${PROVIDER_URL}/**`);
}

/** Signs in at the provider and agrees to what it asks. */
async function signIn(page, login) {
  await toProvider(page);
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.locator("input[name=prompt][value=consent]").waitFor({ state: "attached" });
  await page.locator("button[type=submit]").click();
  await page.waitForURL(`${BASE_URL}/**`);
}

/** Who is signed in, by the browser's cookies. */
async function me(page, base = BASE_URL) {
  const response = await page.request.get(`${base}/api/auth/me`);
  return response.ok() ? (await response.json()).data.user : null;
}

/** Waits until the person is signed out here. */
async function isSignedOut(page, base = BASE_URL) {
  for (const deadline = Date.now() + PATIENCE_MS; await me(page, base) !== null;) {
    assert.ok(Date.now() < deadline, "still signed in");
  }
}

test("an invited person signs in, and out of the provider, too", () => withPerson(async (page) => {
  await signIn(page, "ana");
  const user = await me(page);
  assert.deepEqual([user.email, user.displayName, user.role], ["ana@example.com", "ana of the provider", "franchisee"]);

  const answer = await page.evaluate(async () => (await fetch("/api/auth/logout", { method: "POST" })).json());
  assert.ok(answer.data.url.startsWith(`${PROVIDER_URL}/session/end?client_id=plans&`), answer.data.url);
  assert.equal(await me(page), null);
  await page.goto(answer.data.url);
  await page.locator("button[name=logout]").click();
  await page.waitForURL(`${BASE_URL}/?view=sign-in`);
  await toProvider(page);
  await page.locator("input[name=login]").waitFor();
}));

test("who signs out at the provider is signed out here", () => withPerson(async (page) => {
  await signIn(page, "bo");
  assert.equal((await me(page)).email, "bo@example.com");
  await page.goto(`${PROVIDER_URL}/session/end`);
  await page.locator("button[name=logout]").click();
  await isSignedOut(page);
}));

test("cancelling, an unverified address and a stranger each have a sentence on the sign-in page", async () => {
  const cancel = async (page) => {
    await toProvider(page);
    await page.getByText("Cancel").click();
  };
  const sentences = new Set();
  for (const [attempt, problem] of [
    [cancel, "sso_refused"],
    [(page) => signIn(page, "mallory"), "sso_email_unverified"],
    [(page) => signIn(page, "stranger"), "sso_not_invited"],
  ]) {
    await withPerson(async (page) => {
      // The page takes the problem out of its address.
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await attempt(page);
      sentences.add(await page.locator(".problem[role=alert]", { hasText: /\w/ }).innerText());
      assert.ok(asked.includes(`${BASE_URL}/?view=sign-in&problem=${problem}`), problem);
      assert.equal(await me(page), null);
    });
  }
  assert.equal(sentences.size, 3, [...sentences].join(" | "));
});

test("a second provider ends all sessions of a person", () => withPerson(async (page) => {
  const tell = async (path) => (await fetch(`${SECOND_PROVIDER_URL}${path}`, { method: "POST" })).json().catch(() => null);
  const come = async (page) => {
    await page.goto(`${SECOND_BASE_URL}/api/auth/oidc/start?next=/healthz`);
    assert.equal(page.url(), `${SECOND_BASE_URL}/healthz`);
    assert.equal((await me(page, SECOND_BASE_URL)).email, "cem@example.com");
  };
  await tell("/person?sub=cem");
  await come(page);
  await withPerson(async (elsewhere) => {
    await come(elsewhere);
    assert.deepEqual(await tell("/logout?sub=nobody"), { status: 200 });
    assert.notEqual(await me(page, SECOND_BASE_URL), null);
    assert.deepEqual(await tell("/logout?sub=cem"), { status: 200 });
    await isSignedOut(page, SECOND_BASE_URL);
    await isSignedOut(elsewhere, SECOND_BASE_URL);
  });
  assert.deepEqual(await tell("/logout?sub=cem&nonce=1"), { status: 400 });
}));

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
      try {
        accessSync(join(folder, name));
        return join(folder, name);
      } catch { /* the next place */ }
    }
  }
  throw new Error("No Chromium found: set CHROMIUM to its path.");
}
