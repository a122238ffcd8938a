/** People for tests: accounts of their own, so that no test changes a demo login, and browsers beside the first. */
import assert from "node:assert/strict";
import { request } from "playwright-core";
import { BASE_URL, PASSWORD } from "./world.js";

export const OWN_PASSWORD = "kettle orbit 92 maple";
let count = 0;

export function newAddress() {
  count += 1;
  return `newcomer-${process.pid}-${Date.now()}-${count}@example.test`;
}

/** Invites somebody as the administrator; answers the link as the page shows it. */
export async function invite(invitation = {}) {
  const email = invitation.email ?? newAddress();
  return beside(async (api) => {
    await signInAsAdmin(api);
    const made = await send(api, "/api/admin/invitations", { role: "franchisee", ...invitation, email }, 201);
    return { email, link: new URL(made.data.url, BASE_URL).href };
  });
}

/** Opens an account; answers its address. */
export function newAccount(account) {
  return beside((api) => accept(api, account));
}

/** Removes an account: another administrator would no longer be the last. */
export function removeAccount(email) {
  return beside(async (api) => {
    await signInAsAdmin(api);
    const { data: [{ id }] } = await (await api.get("/api/admin/users", { params: { email } })).json();
    assert.equal((await api.delete(`/api/admin/users/${id}`, { data: { email } })).status(), 204);
  });
}

/** Opens an account and signs this browser in with it; answers its address. What the page shows does not change. */
export function join(page, account) {
  return accept(page.request, account);
}

async function accept(api, { name = "Nora Lindqvist", password = OWN_PASSWORD, ...invitation } = {}) {
  const { email, link } = await invite(invitation);
  const token = new URL(link).hash.replace("#token=", "");
  await send(api, "/api/auth/invitations/accept", { token, displayName: name, password }, 201);
  return email;
}

function signInAsAdmin(api) {
  return send(api, "/api/auth/login", { email: "admin@demo.test", password: PASSWORD }, 200);
}

async function send(api, path, data, status) {
  const response = await api.post(path, { data });
  const text = await response.text();
  assert.equal(response.status(), status, text);
  return JSON.parse(text);
}

/** Cookies of their own, and no page: one that is loading asks with whatever cookie is there, and shows the sign-in where it has gone. */
async function beside(body) {
  const api = await request.newContext({ baseURL: BASE_URL });
  try {
    return await body(api);
  } finally {
    await api.dispose();
  }
}

/** Types an address and a password into the sign-in. */
export async function enter(page, email, password) {
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Another browser at the same server; closed with the test's own. */
export async function elsewhere(page, body, options = {}) {
  const context = await page.context().browser().newContext({ baseURL: BASE_URL, locale: "en-US", viewport: { width: 1280, height: 800 }, ...options });
  try {
    return await body(await context.newPage(), context);
  } finally {
    await context.close();
  }
}
