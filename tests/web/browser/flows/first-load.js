/** The first visit on a slow phone: how much is loaded, in how many requests, before anything can be done. Bytes are counted, not time. */
import test from "node:test";
import assert from "node:assert/strict";
import { openNewPlan, signOut, withPage } from "../support/world.js";

const MOST_BYTES = 60 * 1024;
const MOST_REQUESTS = 4;
const PHONE = { width: 375, height: 740 };

const addressOf = (url) => new URL(url).pathname + new URL(url).search;

/** What an address loads until `place` is there, from an empty cache: `{paths, bytes}`. */
async function loaded(context, path, place) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const seen = new Map();
  let isOver = false;
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.requestWillBeSent", ({ requestId, request }) => !isOver && !request.url.startsWith("data:") && seen.set(requestId, { path: addressOf(request.url), bytes: 0 }));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => { if (seen.has(requestId)) seen.get(requestId).bytes = encodedDataLength; });
  // What may be used is in the page before anything that comes after it is asked for: the moment is the page's own.
  await page.addInitScript((wanted) => {
    new MutationObserver(() => { window.usableAt ??= document.querySelector(wanted) ? performance.now() : undefined; }).observe(document, { subtree: true, childList: true, attributes: true });
  }, place);
  await page.goto(path);
  await page.locator(place).waitFor();
  const [usableAt, early] = await page.evaluate(() => [window.usableAt, performance.getEntriesByType("resource").filter((entry) => entry.responseEnd > 0 && entry.responseEnd <= window.usableAt).map((entry) => entry.name.slice(location.origin.length))]);
  isOver = true;
  assert.ok(usableAt > 0);
  const first = [...seen.values()].filter((request) => request.path === path || early.includes(request.path));
  await page.close();
  return { paths: first.map((request) => request.path), bytes: first.reduce((sum, request) => sum + request.bytes, 0) };
}

test("a plan can be talked about, and a password typed, after at most four requests and 60 KB", () => withPage(PHONE, async (page, context) => {
  const planId = await openNewPlan(page);
  const plan = await loaded(context, `/plans/${planId}`, "#message:enabled");
  assert.ok(plan.paths.length <= MOST_REQUESTS, plan.paths.join(" "));
  assert.ok(plan.bytes > 20_000 && plan.bytes <= MOST_BYTES, `${plan.bytes} bytes: ${plan.paths.join(" ")}`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signOut(page);
  const signIn = await loaded(context, "/", "input[type=email]");
  assert.ok(signIn.paths.length <= MOST_REQUESTS, signIn.paths.join(" "));
  assert.ok(signIn.bytes > 20_000 && signIn.bytes <= MOST_BYTES, `${signIn.bytes} bytes: ${signIn.paths.join(" ")}`);
}));
