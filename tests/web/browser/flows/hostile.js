/** Texts that want to be more than text, in every place a text can come from. `withPage` sees whether one succeeds. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, becomes, lastAnswer, model, openNewPlan, openPlan, reads, say as tell, signIn, withPage } from "../support/world.js";
import { say } from "../support/mock-model.js";
import { hostileTexts } from "../../support/hostile-texts.js";

const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F]/;

/** Joins texts to messages below the length limit. */
function batches(texts, limit = 7000) {
  const result = [""];
  for (const text of texts) {
    if (result.at(-1).length + text.length > limit) result.push("");
    result[result.length - 1] += `${text}\n\n`;
  }
  return result.map((batch) => batch.trim());
}

/** Clicks and hovers what the text became: an inert link or a table must stay one. */
async function touch(page) {
  for (const element of await page.locator(".prose a, .prose pre, .bubble").all()) await element.hover({ timeout: 5000 }).catch(() => {});
}

test("as the user's and the model's words", () => withPage({}, async (page) => {
  await openNewPlan(page);
  let count = 0;
  for (const batch of batches(hostileTexts.filter((text) => !CONTROL.test(text)))) {
    model.script([say(batch)]);
    await tell(page, batch);
    await lastAnswer(page, count += 1);
    if (count === 1) await reads(page.locator(".bubble").last(), "<script>pwned()</script>");
  }
  await becomes(() => page.locator(".messages :is(script, img, iframe, object, embed, form[action], base, link, meta, video, audio, math)").count(), 0);
  for (const href of await page.locator(".prose a").evaluateAll((links) => links.map((link) => link.href))) assert.match(href, /^https?:\/\//);
  await touch(page);
  await page.reload();
  await lastAnswer(page, count);
  await touch(page);
}));

test("as a plan's name", () => withPage({}, async (page) => {
  const names = ["<script>pwned()</script>", "<img src=x onerror=pwned()>", "\" autofocus onfocus=\"pwned()", "__proto__", "\u202Eelpmis", "</option></select><img src=x onerror=pwned()>"];
  await signIn(page, "sam@demo.test");
  const brands = await api(page, "GET", "/api/brands");
  for (const name of names) {
    const { status, data } = await api(page, "POST", "/api/plans", { name, brandId: brands.data[0].id });
    if (status === 400) continue; // refusing a name is the server's right
    await openPlan(page, data.id);
    await api(page, "DELETE", `/api/plans/${data.id}`);
  }
}));

test("as a brand's name and labels", () => withPage({}, async (page) => {
  await signIn(page, "admin@demo.test");
  const [brand] = (await api(page, "GET", "/api/brands")).data;
  const full = (await api(page, "GET", `/api/brands/${brand.id}`)).data;
  const hostile = structuredClone(full);
  hostile.name = "<img src=x onerror=pwned()>";
  hostile.parameters["operatingCosts.rentMonthly"].label = "<script>pwned()</script> rent";
  hostile.parameters["operatingCosts.rentMonthly"].description = "<svg onload=pwned()>";
  hostile.startupCostTemplate[1].label = "<iframe src=javascript:pwned()>";
  const put = await api(page, "PUT", `/api/brands/${brand.id}`, hostile);
  let planId = null;
  try {
    assert.ok([200, 400].includes(put.status), JSON.stringify(put));
    if (put.status === 400) return;
    planId = (await api(page, "POST", "/api/plans", { name: "Hostile brand", brandId: brand.id })).data.id;
    // An administrator may only look; the plan is made and shown all the same.
    await openPlan(page, planId);
    await reads(page.locator(".field-label"), "<script>pwned()</script> rent");
  } finally {
    if (planId) await api(page, "DELETE", `/api/plans/${planId}`);
    assert.equal((await api(page, "PUT", `/api/brands/${brand.id}`, full)).status, 200, "the brand is as it was");
  }
}));

test("another origin cannot make the browser change anything", () => withPage({}, async (page, context) => {
  const planId = await openNewPlan(page);
  const elsewhere = await context.browser().newContext({ storageState: await context.storageState() });
  const stranger = await elsewhere.newPage();
  // Another port of the same host: same site, so the session cookie travels, but another origin.
  await stranger.goto(`http://127.0.0.1:${process.env.MOCK_LLM_PORT}/`);
  const target = new URL(`/api/plans/${planId}`, page.url()).href;
  await stranger.evaluate(async (plan) => {
    const send = (path, headers, body) => fetch(plan + path, { method: "POST", mode: "no-cors", credentials: "include", headers, body }).catch(() => {});
    await send("/conversation", { "content-type": "text/plain" }, "{\"message\":\"hello\"}");
    await send("/conversation", { "content-type": "application/x-www-form-urlencoded" }, "message=hello");
  }, target);
  assert.deepEqual((await api(page, "GET", `/api/prompts?planId=${planId}`)).data, [], "no turn was started");
  await elsewhere.close();
}));
