/** A person's own assistant: how it is connected, and how what it said is told from what the person said. */
import test from "node:test";
import assert from "node:assert/strict";
import { BASE_URL, OFFLINE_BASE_URL, api, becomes, field, isAccessible, openNewPlan, reads, screenshot, signIn, withPage } from "../support/world.js";

const RENT = "operatingCosts.rentMonthly";
const part = (page) => page.locator("[data-part=assistant]");

/** Calls a tool as an assistant does, from outside of the page. */
async function call(token, name, args) {
  const response = await fetch(`${BASE_URL}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const { result } = await response.json();
  assert.equal(result.isError, false, JSON.stringify(result));
  return result;
}

async function token(page, name) {
  const made = await api(page, "POST", "/api/me/tokens", { name, scopes: ["read", "chat"] });
  assert.equal(made.status, 201, JSON.stringify(made));
  return made.data.secret;
}

test("the account has the address and settings for assistants, where they are answered", () => withPage({}, async (page) => {
  await signIn(page, "sam@demo.test");
  await page.goto("/?view=account");
  await reads(part(page), "Connect your assistant");
  for (const name of ["Claude", "VS Code", "Cursor"]) {
    const settings = part(page).locator("details").filter({ hasText: name });
    await settings.locator("summary").click();
    await reads(settings.locator("pre"), `${BASE_URL}/mcp`);
  }
  await isAccessible(page);
  await screenshot(page, "assistant-settings");
}));

test("where they are not answered the account says nothing of them", () => withPage({ base: OFFLINE_BASE_URL }, async (page) => {
  await signIn(page, "sam@demo.test");
  await page.goto("/?view=account");
  await page.locator("[data-part=data]").waitFor();
  assert.equal(await part(page).count(), 0);
}));

test("what an assistant proposes is shown under its name, and is taken by the person", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const secret = await token(page, "Claude <b>at work</b>");
  await call(secret, "propose_value", { planId, path: RENT, value: 4200, quote: "my rent is $4,200 a month" });
  await page.reload();
  const card = page.locator(".value.proposed").first();
  await reads(card, "$4,200");
  await reads(card, "Claude <b>at work</b>");
  await reads(card, "Your assistant says so. Is it right?");
  await reads(field(page, RENT).locator(".field-value"), "$4,500");
  await screenshot(page, "assistant-proposal");
  await page.getByRole("button", { name: "Use $4,200" }).first().click();
  await becomes(() => page.locator(".value.proposed").count(), 0);
  await reads(field(page, RENT).locator(".field-value"), "$4,200");
}));
