/**
 * What the client tests share: a server with a scripted model, people with plans of their own, and answers that stop where
 * a test wants them to.
 *
 * Environment: `BASE_URL` of a server with demo data whose model is `http://127.0.0.1:$MOCK_LLM_PORT/v1`.
 */
import assert from "node:assert/strict";
import { gate, MockModel, say, setField, wait, call } from "../../web/browser/support/mock-model.js";

export { gate, say, setField, wait, call };
export const BASE_URL = required("BASE_URL").replace(/\/+$/, "");
export const model = new MockModel();
export const RENT = "operatingCosts.rentMonthly";
export const UNAVAILABLE = "AI advisor is temporarily unavailable. Continue using My Plan forms or Reports to build your plan.";

/** Somebody with a session and a plan that no other test sees. */
export async function newPlan({ email = "sam@demo.test" } = {}) {
  const login = await fetch(`${BASE_URL}/api/auth/login`, {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "demo-password-1" }),
  });
  assert.equal(login.status, 200);
  const cookie = login.headers.get("set-cookie").split(";")[0];
  const brands = await api(cookie, "GET", "/api/brands");
  const plan = await api(cookie, "POST", "/api/plans", { name: "Client test", brandId: brands.data[0].id });
  const path = `/api/plans/${plan.data.id}`;
  return {
    id: plan.data.id, cookie, path,
    api: (method, rest, body) => api(cookie, method, `${path}${rest}`, body),
    rent: async () => (await api(cookie, "GET", path)).data.financialInputs[RENT].currentValue,
  };
}

/** A personal access token of whoever has this plan. */
export async function newToken(plan, wanted) {
  const made = await api(plan.cookie, "POST", "/api/me/tokens", wanted);
  assert.equal(made.status, 201, JSON.stringify(made));
  return made.data.secret;
}

async function api(cookie, method, path, body) {
  const send = () => fetch(`${BASE_URL}${path}`, {
    method, headers: { cookie, ...(body && { "content-type": "application/json" }) }, body: body && JSON.stringify(body),
  });
  // A kept connection may be closed while it is taken again; browsers repeat a GET then, Node.js does not.
  const response = await (method === "GET" ? send().catch(send) : send());
  const text = await response.text();
  return { status: response.status, ...(text && JSON.parse(text)) };
}

/** Steps that say a text one character at a time, each behind a gate of its own. */
export function letterByLetter(text) {
  const cuts = [...text].map((letter) => ({ letter, held: gate() }));
  return { cuts, steps: cuts.flatMap(({ letter, held }) => [wait(held), say(letter)]) };
}

/** `fetch` whose bodies arrive one byte at a time, so that characters and lines are cut everywhere. */
export async function byteByByte(url, init) {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const bytes = new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) controller.enqueue(Uint8Array.of(byte));
    },
  });
  return new Response(response.body.pipeThrough(bytes), response);
}

/** Waits until a condition holds; fails with what was last seen. */
export async function until(what, holds) {
  const deadline = Date.now() + 20_000;
  for (let seen; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
    try {
      seen = await holds();
      if (seen) return seen;
    } catch (error) {
      seen = error;
    }
    assert.ok(Date.now() < deadline, `${what}: ${seen}`);
  }
}

function required(name) {
  assert.ok(process.env[name], `${name} is not set`);
  return process.env[name];
}
