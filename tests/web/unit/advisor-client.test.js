import test from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { AdvisorClient, AdvisorError } from "../../../web/advisor-client.js";

/** A server that answers with `handlers` in turn and keeps what it was asked. */
async function server(t, ...handlers) {
  return serverFor(t, {}, ...handlers);
}

/** The same for a client with these options. */
async function serverFor(t, options, ...handlers) {
  const asked = [];
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    asked.push({ method: request.method, url: request.url, headers: request.headers, body: text === "" ? undefined : JSON.parse(text) });
    const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
    handler(response, asked.at(-1));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  t.after(() => { http.closeAllConnections(); http.close(); });
  const pauses = [];
  const client = new AdvisorClient({ baseUrl: `http://127.0.0.1:${http.address().port}/`, pause: async (ms) => { pauses.push(ms); }, ...options });
  return { client, asked, pauses };
}

const data = (value, headers = {}) => (response) => response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify({ data: value }));
const nothing = (response) => response.writeHead(204).end();
const refuse = (status, code, extra = {}, headers = {}) => (response) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error: { message: "No.", code, ...extra } }));
const event = (id, value) => `id: ${id}\ndata: ${JSON.stringify(value)}\n\n`;
const token = (id, content) => event(id, { type: "token", content });
const done = (id) => event(id, { type: "done", turnId: "t", fullResponse: "" });

/** Streams `text`; `cut` breaks the connection instead of ending it. */
const stream = (text, { cut = false, headers = {} } = {}) => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "x-turn-id": "t", ...headers });
  response.write(`: hi\n\n${text}`, () => (cut ? response.destroy() : response.end()));
};

async function read(turn) {
  const events = [];
  for await (const item of turn) events.push(item);
  return { events, text: events.filter((item) => item.type === "token").map((item) => item.content).join("") };
}

test("signs in and keeps the session outside a browser", async (t) => {
  const { client, asked } = await server(t,
    data({ id: "u" }, { "set-cookie": ["session=abc; HttpOnly; Path=/", "other=1; Path=/"] }), data({ user: { id: "u" } }),
    (response) => response.writeHead(204, { "set-cookie": "session=; Max-Age=0" }).end(), refuse(401, "UNAUTHENTICATED"));

  assert.deepEqual(await client.login("sam@demo.test", "secret"), { id: "u" });
  assert.deepEqual(await client.me(), { user: { id: "u" } });
  await client.logout();
  assert.equal(await client.me(), null);

  assert.deepEqual(asked[0].body, { email: "sam@demo.test", password: "secret" });
  assert.equal(asked[1].headers.cookie, "session=abc; other=1");
  assert.equal(asked[3].headers.cookie, "other=1");
});

test("sends a message with a key and reads tokens and the end", async (t) => {
  const { client, asked } = await server(t, stream(token("t:1.3", "I’v") + token("t:1.5", "e ") + done("t:1.6")));
  const turn = await client.send("p/1", "My rent is $4,200/month");
  const { events, text } = await read(turn);

  assert.equal(text, "I’ve ");
  assert.equal(events.at(-1).type, "done");
  assert.equal(turn.id, "t");
  assert.equal(turn.lastEventId, "t:1.6");
  assert.equal(asked[0].url, "/api/plans/p%2F1/conversation");
  assert.deepEqual(asked[0].body, { message: "My rent is $4,200/month" });
  assert.equal(asked[0].headers["idempotency-key"], turn.idempotencyKey);
  assert.equal(asked[0].headers.accept, "text/event-stream");
});

for (const [name, cut] of [["breaks", true], ["ends too early", false]]) {
  test(`a stream that ${name} is continued after the last event, without a lost or doubled word`, async (t) => {
    const { client, asked, pauses } = await server(t,
      stream(token("t:1.1", "a") + token("t:1.2", "b") + "id: t:1.3\ndata: {\"type\":\"tok", { cut }),
      stream(token("t:1.3", "c"), { cut }),
      stream(token("t:1.4", "d") + done("t:1.5")));
    const { text } = await read(await client.send("p", "hello"));

    assert.equal(text, "abcd");
    assert.deepEqual(asked.map((request) => [request.method, request.headers["last-event-id"]]), [["POST", undefined], ["GET", "t:1.2"], ["GET", "t:1.3"]]);
    assert.deepEqual(pauses, [0, 0], "the first try after something was read is at once");
  });
}

test("a stream that breaks before its first event is asked for again under the same key", async (t) => {
  const { client, asked } = await server(t, stream("", { cut: true }), stream(token("t:1.1", "a") + done("t:1.2"), { headers: { "idempotency-replayed": "true" } }));
  const { text } = await read(await client.send("p", "hello", { idempotencyKey: "k" }));

  assert.equal(text, "a");
  assert.deepEqual(asked.map((request) => [request.method, request.headers["idempotency-key"]]), [["POST", "k"], ["POST", "k"]]);
});

test("a server that is away for a moment is waited for, longer each time", async (t) => {
  const { client, pauses } = await server(t, stream(`retry: 100\n${token("t:1.1", "a")}`, { cut: true }),
    refuse(503, "UNAVAILABLE"), refuse(503, "UNAVAILABLE"), stream(token("t:1.2", "b") + done("t:1.3")));
  const { text } = await read(await client.send("p", "hello"));

  assert.equal(text, "ab");
  assert.equal(pauses.length, 3);
  assert.equal(pauses[0], 0);
  assert.ok(pauses[1] >= 50 && pauses[1] <= 100, `${pauses[1]}`);
  assert.ok(pauses[2] > pauses[1]);
});

test("a turn that cannot be found any more is given up with a word", async (t) => {
  const { client } = await server(t, stream(token("t:1.1", "a"), { cut: true }), nothing);
  await assert.rejects(read(await client.send("p", "hello")), { name: "AdvisorError", code: "CONNECTION_LOST" });
});

test("a server that stays away is given up after eight tries", async (t) => {
  const { client, asked } = await server(t, stream(token("t:1.1", "a"), { cut: true }), refuse(503, "UNAVAILABLE"));
  await assert.rejects(read(await client.send("p", "hello")), { code: "CONNECTION_LOST" });
  assert.equal(asked.length, 9);
});

test("a refusal while continuing is final", async (t) => {
  const { client } = await server(t, stream(token("t:1.1", "a"), { cut: true }), refuse(401, "UNAUTHENTICATED"));
  await assert.rejects(read(await client.send("p", "hello")), { code: "UNAUTHENTICATED", status: 401 });
});

test("an error event ends the turn and is not an exception", async (t) => {
  const { client, asked } = await server(t, stream(event("t:1.1", { type: "error", code: "LLM_UNAVAILABLE", message: "Away.", retryable: true })));
  const { events } = await read(await client.send("p", "hello"));
  assert.deepEqual(events, [{ type: "error", code: "LLM_UNAVAILABLE", message: "Away.", retryable: true }]);
  assert.equal(asked.length, 1);
});

test("a refusal carries code, details and waiting time", async (t) => {
  const { client } = await server(t,
    refuse(409, "TURN_IN_PROGRESS", { details: [{ turnId: "t" }] }, { "x-request-id": "r" }),
    refuse(429, "RATE_LIMITED", {}, { "retry-after": "7" }),
    (response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"));

  await assert.rejects(client.send("p", "hello"), { code: "TURN_IN_PROGRESS", status: 409, details: [{ turnId: "t" }], requestId: "r" });
  await assert.rejects(client.send("p", "hello"), { code: "RATE_LIMITED", retryAfter: 7 });
  await assert.rejects(client.send("p", "hello"), { code: "HTTP_ERROR", status: 502, message: "The server answered 502." });
});

test("a server that cannot be reached is an error of its own", async () => {
  const client = new AdvisorClient({ fetch: async () => { throw new TypeError("refused"); } });
  await assert.rejects(client.listPlans(), (error) => error instanceof AdvisorError && error.code === "NETWORK" && error.status === 0);
});

test("joins the running turn, or says that there is none", async (t) => {
  const { client, asked } = await server(t, nothing, stream(token("t:1.1", "a") + done("t:1.2")), stream(done("t:1.2")));
  assert.equal(await client.attach("p"), null);
  assert.equal((await read(await client.attach("p"))).text, "a");
  await read(await client.attach("p", { lastEventId: "t:1.1" }));
  assert.deepEqual(asked.map((request) => [request.method, request.url, request.headers["last-event-id"]]), [
    ["GET", "/api/plans/p/conversation/stream", undefined], ["GET", "/api/plans/p/conversation/stream", undefined], ["GET", "/api/plans/p/conversation/stream", "t:1.1"],
  ]);
});

test("an abort stops the listening and nothing else", async (t) => {
  const { client, asked } = await server(t, (response) => { response.writeHead(200, { "content-type": "text/event-stream" }); response.write(token("t:1.1", "a")); });
  const stop = new AbortController();
  const turn = await client.send("p", "hello", { signal: stop.signal });
  await assert.rejects(async () => { for await (const _ of turn) stop.abort(); }, { name: "AbortError" });
  assert.equal(asked.length, 1);
});

test("starts a turn for a plain EventSource", async (t) => {
  const { client, asked } = await server(t, (response) => response.writeHead(202, { "content-type": "application/json", location: "/api/plans/p/conversation/stream?after=t:1.0" }).end("{\"data\":{\"turnId\":\"t\"}}"));
  assert.deepEqual(await client.start("p", "hello"), { turnId: "t", location: "/api/plans/p/conversation/stream?after=t:1.0" });
  assert.equal(asked[0].headers.prefer, "respond-async");
});

test("every other call has its address, method and body", async (t) => {
  const { client, asked } = await server(t, data({ planId: "p" }));
  await client.updateInputs("p", { "operatingCosts.rentMonthly": 420000, "financing.interestRate": null }, { ifMatch: 7 });
  await client.undo("p", "c");
  await client.accept("p", "x");
  await client.accept("p", "x", 500000);
  await client.dismiss("p", "x");
  await client.stop("p");
  await client.confirmation("p");
  await client.approve("p", "i");
  await client.deny("p", "i");
  await client.history("p", { limit: 50, before: "m" }).catch(() => {});
  await client.prompts({ planId: "p", state: "running", limit: 1 });
  await client.impersonate("u", "Ticket 7", "edit");
  await client.endImpersonation();
  assert.equal(await client.activePlan(), "p");
  await client.setActivePlan("p");
  await client.makeDocument("p", { kind: "summary", paper: "a4", lang: "es" }, { idempotencyKey: "k" });
  await client.documentLinks("p", "d");
  await client.shareDocument("p", "d", 14);
  await client.unshareDocument("p", "d", "l");

  assert.equal(asked[0].headers["if-match"], "\"7\"");
  assert.deepEqual(asked.map(({ method, url, body }) => [method, url, body]), [
    ["PATCH", "/api/plans/p/financial-inputs", { "operatingCosts.rentMonthly": 420000, "financing.interestRate": null }],
    ["POST", "/api/plans/p/changes/c/undo", undefined],
    ["POST", "/api/plans/p/conversation/extractions/x/accept", undefined],
    ["POST", "/api/plans/p/conversation/extractions/x/accept", { value: 500000 }],
    ["POST", "/api/plans/p/conversation/extractions/x/dismiss", undefined],
    ["POST", "/api/plans/p/conversation/cancel", undefined],
    ["GET", "/api/plans/p/conversation/confirmation", undefined],
    ["POST", "/api/plans/p/conversation/confirmation", { id: "i", decision: "approve" }],
    ["POST", "/api/plans/p/conversation/confirmation", { id: "i", decision: "deny" }],
    ["GET", "/api/plans/p/conversation?limit=50&before=m", undefined],
    ["GET", "/api/prompts?planId=p&state=running&limit=1", undefined],
    ["POST", "/api/admin/impersonation", { userId: "u", reason: "Ticket 7", mode: "edit" }],
    ["DELETE", "/api/admin/impersonation", undefined],
    ["GET", "/api/me/active-plan", undefined],
    ["PUT", "/api/me/active-plan", { planId: "p" }],
    ["POST", "/api/plans/p/documents", { kind: "summary", paper: "a4", lang: "es" }],
    ["GET", "/api/plans/p/documents/d/links", undefined],
    ["POST", "/api/plans/p/documents/d/links", { expiresInDays: 14 }],
    ["DELETE", "/api/plans/p/documents/d/links/l", undefined],
  ]);
  assert.equal(client.documentUrl("p", "d").endsWith("/api/plans/p/documents/d"), true);
  assert.equal(client.chartUrl("p", "cash", 7).endsWith("/api/plans/p/charts/cash.svg?v=7"), true);
});

test("a stop says whether the turn has ended, is stopping, or was faster", async (t) => {
  const answers = [nothing, data({ state: "stopping" }), refuse(409, "CONFLICT", { details: [{ type: "done", turnId: "t", fullResponse: "Hi" }] })];
  const { client } = await server(t, (response) => answers.shift()(response));
  assert.equal(await client.stop("p"), null);
  assert.deepEqual(await client.stop("p"), { state: "stopping" });
  await assert.rejects(client.stop("p"), (error) => error.code === "CONFLICT" && error.details[0].fullResponse === "Hi");
});

test("secrets and addresses of people travel in bodies, never in a URL", async (t) => {
  const { client, asked } = await server(t, data({}));
  await client.lookAtInvitation("the-secret");
  await client.acceptInvitation("the-secret", "Nora", "kettle orbit 92");
  await client.resetPassword("the-secret", "kettle orbit 92");
  await client.changePassword("before", "kettle orbit 92");
  await client.deleteAccount({ password: "before" });
  await client.removeUser("u/1", "nora@example.com");
  for (const { url, headers, body } of asked) assert.doesNotMatch(`${url} ${JSON.stringify(headers)}`, /secret|kettle|before|nora@/, JSON.stringify(body));
  assert.deepEqual(asked.map(({ method, url }) => `${method} ${url}`), ["POST /api/auth/invitations/look", "POST /api/auth/invitations/accept", "POST /api/auth/password-reset",
    "POST /api/auth/password", "DELETE /api/me", "DELETE /api/admin/users/u%2F1"]);
  assert.equal(new URL(client.singleSignOnUrl("/plans/x?a=1&b=2")).search, "?next=%2Fplans%2Fx%3Fa%3D1%26b%3D2");
});

test("signing out says where the provider of a single sign-on wants to hear of it", async (t) => {
  const { client } = await server(t, data({ url: "https://id.example/end" }), nothing);
  assert.deepEqual(await client.logout(), { url: "https://id.example/end" });
  assert.equal(await client.logout(), null);
});

test("with a token every request and every stream carries it, and no cookie is kept or sent", async (t) => {
  const { client, asked } = await serverFor(t, { token: "pat_x" },
    data([{ id: "p" }], { "set-cookie": "session=abc; Path=/" }),
    stream(token("t:1.1", "a"), { cut: true }), refuse(503, "UNAVAILABLE"), stream(token("t:1.2", "b") + done("t:1.3")),
    stream("", { cut: true }), stream(done("t:1.3")), nothing);
  await client.listPlans();
  assert.equal((await read(await client.send("p", "hello"))).text, "ab");
  await read(await client.attach("p"));
  await client.stop("p");

  assert.equal(asked.length, 7);
  for (const request of asked) {
    assert.equal(request.headers.authorization, "Bearer pat_x", request.url);
    assert.equal(request.headers.cookie, undefined, request.url);
    assert.equal(request.url.includes("pat_"), false, "a token does not belong in an address");
  }
});

test("with a token the browser sends none of its cookies, without one it does", async () => {
  const seen = [];
  const fetch = async (url, request) => { seen.push([request.credentials, request.headers.authorization]); return new Response("{\"data\":[]}"); };
  await new AdvisorClient({ fetch, token: "pat_x" }).listPlans();
  await new AdvisorClient({ fetch, token: "pat_x", baseUrl: "https://plans.example" }).listPlans();
  await new AdvisorClient({ fetch }).listPlans();
  await new AdvisorClient({ fetch, baseUrl: "https://plans.example" }).listPlans();
  assert.deepEqual(seen, [["omit", "Bearer pat_x"], ["omit", "Bearer pat_x"], ["same-origin", undefined], ["include", undefined]]);
});

test("a token that is no longer valid is a refusal like any other", async (t) => {
  let ended = 0;
  const { client } = await serverFor(t, { token: "pat_x", onUnauthenticated: () => { ended += 1; } }, refuse(401, "UNAUTHENTICATED"));
  await assert.rejects(client.listPlans(), { code: "UNAUTHENTICATED", status: 401 });
  assert.equal(ended, 1);
});

test("a story is read with its version and saved over it", async (t) => {
  const { client, asked } = await server(t, data({ team: "We" }, { etag: '"3"' }), data({ team: "Us" }, { etag: '"4"' }), refuse(412, "VERSION_MISMATCH"));
  assert.deepEqual(await client.story("p"), { texts: { team: "We" }, version: "3" });
  assert.deepEqual(await client.replaceStory("p", { team: "Us" }, { ifMatch: "3" }), { texts: { team: "Us" }, version: "4" });
  await assert.rejects(client.replaceStory("p", {}, { ifMatch: "3" }), { code: "VERSION_MISMATCH" });
  assert.deepEqual(asked.map(({ method, url, headers }) => [method, url, headers["if-match"]]), [["GET", "/api/plans/p/story", undefined], ["PUT", "/api/plans/p/story", '"3"'], ["PUT", "/api/plans/p/story", '"3"']]);
});

test("a plan is described by what has changed, and downloads carry a language", async (t) => {
  const { client, asked } = await server(t, data({ id: "p" }));
  await client.describePlan("p", { openingMonth: null });
  assert.deepEqual(asked[0].body, { openingMonth: null });
  assert.match(client.csvUrl("p", null, "es"), /\/api\/plans\/p\/outputs\.csv\?lang=es$/);
  assert.match(client.xlsxUrl("p", "s"), /\/outputs\.xlsx\?scenario=s$/);
});

test("what is asked together is one request, and each answer comes or fails by itself", async (t) => {
  const { client, asked } = await server(t, data([
    { status: 200, etag: null, body: { data: [{ id: "p" }] } }, { status: 403, etag: null, body: { error: { code: "FORBIDDEN", message: "No." } } },
    { status: 200, etag: '"7"', body: { data: [], meta: {} } }, { status: 204, etag: null, body: null },
  ]));
  const [plans, plan, history, pending] = client.together(() => [client.listPlans(), client.plan("p"), client.history("p", { limit: 5 }), client.confirmation("p")]);
  assert.deepEqual(await plans, [{ id: "p" }]);
  await assert.rejects(plan, { code: "FORBIDDEN", status: 403 });
  assert.equal((await history).tag, '"7"');
  assert.equal(await pending, null);
  assert.deepEqual(asked.map(({ url }) => decodeURIComponent(url)), ["/api/batch?paths=/api/plans,/api/plans/p,/api/plans/p/conversation?limit=5,/api/plans/p/conversation/confirmation"]);
});

test("where all that is asked together is refused, each of it is", async (t) => {
  const { client } = await server(t, refuse(401, "UNAUTHENTICATED"));
  const [me, plans] = client.together(() => [client.me(), client.listPlans()]);
  assert.equal(await me, null);
  await assert.rejects(plans, { status: 401 });
});

test("what is refused with a session's cookie from before it was renewed ends no session", async (t) => {
  let ended = 0;
  let held;
  const hold = (response) => { held = response; };
  const late = refuse(401, "UNAUTHENTICATED");
  const { client, asked } = await serverFor(t, { onUnauthenticated: () => { ended += 1; } }, hold, nothing, refuse(401, "UNAUTHENTICATED"));
  const old = client.listPlans();
  while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await client.endImpersonation();
  late(held);
  await assert.rejects(old, { status: 401 });
  assert.equal(ended, 0);
  await assert.rejects(client.listPlans(), { status: 401 });
  assert.equal(ended, 1);
});
