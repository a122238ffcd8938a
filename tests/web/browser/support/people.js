/** People for tests: accounts of their own, so that no test changes a demo login, and browsers beside the first. */
import assert from "node:assert/strict";
import { BASE_URL, api, signIn } from "./world.js";

export const OWN_PASSWORD = "kettle orbit 92 maple";
let count = 0;

export function newAddress() {
  count += 1;
  return `newcomer-${process.pid}-${Date.now()}-${count}@example.test`;
}

/** Invites somebody by the API, as the administrator; answers the link as the page shows it. */
export async function invite(page, invitation = {}) {
  const email = invitation.email ?? newAddress();
  await signIn(page, "admin@demo.test");
  const made = await api(page, "POST", "/api/admin/invitations", { role: "franchisee", ...invitation, email });
  assert.equal(made.status, 201, JSON.stringify(made));
  assert.equal((await api(page, "POST", "/api/auth/logout")).status, 204);
  return { email, link: new URL(made.data.url, BASE_URL).href };
}

/** Opens an account and signs in with it; answers its address. */
export async function join(page, { name = "Nora Lindqvist", password = OWN_PASSWORD, ...invitation } = {}) {
  const { email, link } = await invite(page, invitation);
  const token = new URL(link).hash.replace("#token=", "");
  const joined = await api(page, "POST", "/api/auth/invitations/accept", { token, displayName: name, password });
  assert.equal(joined.status, 201, JSON.stringify(joined));
  return email;
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
