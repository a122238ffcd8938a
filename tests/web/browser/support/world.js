/**
 * What every browser test shares: one Chromium, one scripted model, and pages that notice whatever must not happen.
 *
 * Environment: `BASE_URL` of a server with demo data whose model is `http://127.0.0.1:$MOCK_LLM_PORT/v1`;
 * `OFFLINE_BASE_URL` (optional) of one with the built-in advisor; `CHROMIUM` where it is not in the PATH.
 */
import assert from "node:assert/strict";
import { accessSync, mkdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { MockModel } from "./mock-model.js";

export const BASE_URL = required("BASE_URL").replace(/\/+$/, "");
export const OFFLINE_BASE_URL = process.env.OFFLINE_BASE_URL?.replace(/\/+$/, "");
export const PASSWORD = "demo-password-1";
export const UNAVAILABLE = "AI advisor is temporarily unavailable. Continue using My Plan forms or Reports to build your plan.";
export const model = new MockModel();

const DEMO_LOGINS = [
  { email: "sam@demo.test", displayName: "Sam Rivera", role: "franchisee", note: "A plan at the brand’s placeholders" },
  { email: "riley@demo.test", displayName: "Riley Chen", role: "franchisee", note: "A plan with edits from every source" },
  { email: "taylor@demo.test", displayName: "Taylor Brooks", role: "franchisee", note: "A plan without figures" },
  { email: "morgan@demo.test", displayName: "Morgan Ellis", role: "franchisor_admin", note: "Looks after the brand, sees no plan" },
  { email: "admin@demo.test", displayName: "Avery Stone", role: "platform_admin", note: "Sees every plan, may act for a franchisee" },
];
const SCREENSHOTS = resolve(process.env.SCREENSHOTS_DIR ?? join(import.meta.dirname, "../../../../target/screenshots"));
// Nothing but the page itself may reach for the network: these are the browser's own habits.
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
let browser;

export async function openWorld() {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await model.listen(Number(required("MOCK_LLM_PORT")));
  browser = await chromium.launch({ executablePath: findChromium(), args: QUIET });
}

export async function closeWorld() {
  await browser?.close();
  await model.close();
}

/**
 * A test with a page of its own. With `demo` the server's demo people are offered, whether it runs as a demo or not. Afterwards the page must not have run a foreign script, asked another origin for
 * anything, broken its own policy, or thrown.
 */
export async function withPage(options, body) {
  const { base = BASE_URL, demo = false, width = 1440, height = 900, scheme = "light", reducedMotion = "no-preference" } = options;
  const context = await browser.newContext({ baseURL: base, viewport: { width, height }, colorScheme: scheme, reducedMotion });
  context.setDefaultTimeout(15_000);
  const trouble = [];
  await context.exposeBinding("reportTrouble", (_, what) => trouble.push(what));
  await context.addInitScript(() => {
    window.pwned = () => window.reportTrouble("a hostile text ran as script");
    window.alert = window.pwned;
    document.addEventListener("securitypolicyviolation", (event) => window.reportTrouble(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`)) trouble.push(`request to ${request.url()}`);
  });
  if (demo) await context.route("**/demo.json", (route) => route.fulfill({ json: { logins: DEMO_LOGINS, password: PASSWORD } }));
  model.reset();
  const page = await context.newPage();
  page.on("pageerror", (error) => trouble.push(`exception: ${error.stack}`));
  try {
    await body(page, context);
    assert.deepEqual(trouble, [], "what the page must not do");
  } catch (error) {
    await page.screenshot({ path: join(SCREENSHOTS, "last-failure.png") }).catch(() => {});
    throw error;
  } finally {
    await context.close();
  }
}

export function screenshot(page, name) {
  return page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: "disabled" });
}

/** Signs in by the form. */
export async function signIn(page, email) {
  await page.goto("/");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator(".top-bar").waitFor();
}

/** Calls the API as the signed-in user, from within the page. */
export function api(page, method, path, body) {
  return page.evaluate(async ([method, path, body]) => {
    const response = await fetch(path, { method, headers: body === undefined ? {} : { "content-type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, ...(text === "" ? {} : JSON.parse(text)) };
  }, [method, path, body]);
}

/** Signs in and opens a new plan, so that no test sees another's numbers. Answers the plan's id. */
export async function openNewPlan(page, { email = "sam@demo.test", name = "Test plan" } = {}) {
  await signIn(page, email);
  const brands = await api(page, "GET", "/api/brands");
  const created = await api(page, "POST", "/api/plans", { name, brandId: brands.data[0].id });
  assert.equal(created.status, 201, JSON.stringify(created));
  await openPlan(page, created.data.id);
  return created.data.id;
}

/** Loads the page again and chooses a plan, as a person would; answers when it is open. */
export async function openPlan(page, planId) {
  await page.goto("/");
  await page.locator(".desk[data-plan]").waitFor();
  await page.locator("#plan-chooser").selectOption(planId);
  await page.locator(`.desk[data-plan="${planId}"]`).waitFor();
}

export async function say(page, text) {
  await page.locator("#message").fill(text);
  await page.locator("#message").press("Enter");
}

/** Waits for the last answer to be complete and gives its text as it is shown. */
export async function lastAnswer(page, count) {
  const answers = page.locator(".message.advisor");
  await page.waitForFunction((count) => {
    const all = document.querySelectorAll(".message.advisor");
    return all.length === count && ["done", "stopped"].includes(all[count - 1].dataset.state);
  }, count);
  return answers.last().locator(".prose").innerText();
}

export function metric(page, name) {
  return page.locator(`.outcome-panel [data-metric="${name}"]`);
}

export function field(page, path) {
  return page.locator(`.plan-panel .field[data-path="${path}"]`);
}

/** Waits until a locator's text is what it should be. */
export async function reads(locator, expected) {
  await locator.filter({ hasText: expected }).first().waitFor();
}

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

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}; tests/web/run.sh does.`);
  return value;
}
