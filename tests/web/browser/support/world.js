/**
 * What every browser test shares: one Chromium, one scripted model, and pages that notice whatever must not happen.
 *
 * Environment: `BASE_URL` of a server with demo data whose model is `http://127.0.0.1:$MOCK_LLM_PORT/v1`;
 * `OFFLINE_BASE_URL` (optional) of one with the built-in advisor; `CHROMIUM` where it is not in the PATH.
 *
 * To find tests that read before the page has loaded what they read: `SLOW_API_MS=300` delays every request to the API by
 * that long, `SLOW_CPU=4` makes the page's scripts take that many times longer. Neither may make a test fail.
 */
import assert from "node:assert/strict";
import { accessSync, mkdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { MockModel, gate } from "./mock-model.js";

export const BASE_URL = required("BASE_URL").replace(/\/+$/, "");
export const OFFLINE_BASE_URL = process.env.OFFLINE_BASE_URL?.replace(/\/+$/, "");
export const PASSWORD = "demo-password-1";
/** What the page says when the advisor does not answer. */
export const UNAVAILABLE = "The advisor can’t answer right now. Your message is kept. You can edit numbers under Your plan meanwhile.";
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
/** Milliseconds before a request to the API leaves the browser, and how many times longer the page's scripts take. */
const SLOW_API_MS = Number(process.env.SLOW_API_MS ?? 0);
const SLOW_CPU = Number(process.env.SLOW_CPU ?? 1);
const PATIENCE_MS = SLOW_API_MS > 0 || SLOW_CPU > 1 ? 60_000 : 30_000;
let browser;

export async function openWorld() {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await model.listen(Number(required("MOCK_LLM_PORT")));
  browser = await started();
}

/** Chromium itself may crash while it starts, before it has seen a page (SIGSEGV, seen once): it is started again, twice at most. */
async function started(again = 2) {
  try {
    return await chromium.launch({ executablePath: findChromium(), args: QUIET });
  } catch (error) {
    if (again === 0) throw error;
    return started(again - 1);
  }
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
  const { base = BASE_URL, demo = false, width = 1440, height = 900, scheme = "light", reducedMotion = "no-preference", locale = "en-US", more = {} } = options;
  const context = await browser.newContext({ baseURL: base, viewport: { width, height }, colorScheme: scheme, reducedMotion, locale, ...more });
  context.setDefaultTimeout(PATIENCE_MS);
  await slowDown(context);
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

/** Delays requests, not answers: a stream still arrives piece by piece. */
async function slowDown(context) {
  if (SLOW_API_MS > 0) await context.route("**/api/**", async (route) => {
    await pause(SLOW_API_MS);
    await route.continue().catch(() => {}); // the page may have gone meanwhile
  });
  if (SLOW_CPU > 1) context.on("page", async (page) => {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
  });
}

export function screenshot(page, name) {
  return page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: "disabled" });
}

/** Signs in by the form. */
export async function signIn(page, email) {
  await page.goto("/");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator(".top-bar").waitFor();
}

/** Signs out by the menu. */
export async function signOut(page) {
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.locator("input[type=email]").waitFor();
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
export async function openNewPlan(page, { email = "sam@demo.test", name = "Test plan", signedIn = false } = {}) {
  if (!signedIn) await signIn(page, email);
  const brands = await api(page, "GET", "/api/brands");
  const created = await api(page, "POST", "/api/plans", { name, brandId: brands.data[0].id });
  assert.equal(created.status, 201, JSON.stringify(created));
  await openPlan(page, created.data.id);
  return created.data.id;
}

/** Goes to a plan; answers when it is open. */
export async function openPlan(page, planId) {
  await page.goto(`/plans/${planId}`);
  await isOpen(page, planId);
}

export async function isOpen(page, planId) {
  await page.locator(`.desk[data-plan="${planId}"]`).waitFor();
}

/** What the page asks for to open a plan. */
export function opening(planId) {
  return new RegExp(`/api/batch\\?.*${planId}`);
}

/** Has a conversation without the page: one message after the other, each with its answer. */
export function talk(page, planId, messages) {
  return page.evaluate(async ([planId, messages]) => {
    for (const message of messages) {
      const response = await fetch(`/api/plans/${planId}/conversation`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ message }) });
      await response.text();
    }
  }, [planId, messages]);
}

/** Holds the requests for an address until the test opens them: the alternative to a slow network. */
export async function hold(page, url, { method = null } = {}) {
  const held = gate();
  let reach;
  const reached = new Promise((resolve) => { reach = resolve; });
  await page.route(url, async (route) => {
    if (method && route.request().method() !== method) return route.fallback();
    reach();
    await held.opened;
    return route.fallback();
  });
  return { reached, open: held.open };
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
  return page.locator(`.results-panel [data-metric="${name}"]`);
}

export function field(page, path) {
  return page.locator(`.plan-panel .field[data-path="${path}"]`);
}

/** axe finds nothing to object to, and nothing has to be scrolled sideways. */
export async function isAccessible(page, state) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${state}: ${id} at ${nodes.map((node) => `${node.target.join(" ")} (${node.any[0]?.message ?? node.failureSummary})`).join("; ")}`), []);
  await fitsSideways(page, state);
}

export async function fitsSideways(page, state) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${state}: no sideways scrolling`);
}

/** What can be pressed and is smaller than a finger; behind an open window nothing can. */
export function smallTargets(page) {
  return page.evaluate(() => [...document.querySelectorAll("button, a[href], summary, select, input, textarea, [role=slider]")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[inert], .prose, .skip-link") && (element.closest("dialog") || !document.querySelector("dialog[open]")))
    .map((element) => [element, (element.matches("input:is([type=radio], [type=checkbox])") ? element.closest("label") : element).getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
    .map(([element, box]) => `${element.className || element.tagName} ${element.ariaLabel ?? element.textContent}: ${Math.round(box.width)} × ${Math.round(box.height)}`));
}

/** Waits until a locator's text is what it should be. */
export async function reads(locator, expected) {
  await locator.filter({ hasText: expected }).first().waitFor();
}

/**
 * Reads until the result is what is expected (a pattern is matched, everything else is deeply equal), or fails with the
 * difference. What a page loads must be asserted by this or by a locator that waits, never read once.
 * An address is read by `page.url()`: what runs in the page fails where it is just being left.
 */
export async function becomes(read, expected, message) {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    const actual = await read();
    try {
      if (expected instanceof RegExp) assert.match(String(actual), expected, message);
      else assert.deepEqual(actual, expected, message);
      return;
    } catch (difference) {
      if (Date.now() > deadline) throw difference;
    }
    await pause(20);
  }
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
