/** The official clients of the Model Context Protocol, from npm and PyPI, with a person's token. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { BASE_URL, model, newPlan, newToken, RENT, say, setField } from "./support/world.js";

const TOOLS = [
  "compare_scenarios", "explain_field", "get_plan", "get_projection", "goal_seek", "list_changes", "list_plans", "propose_value",
  "rank_levers", "what_if", "ask_advisor",
].sort();
const QUOTE = "my rent is $4,200 a month";
const proposed = (plan) => plan.api("GET", "/proposals").then(({ data }) => data.map(({ field, author }) => [field, author.displayName, author.isAssistant]));

before(() => model.listen(Number(process.env.MOCK_LLM_PORT)));
after(() => model.close());
beforeEach(() => model.reset());

describe("@modelcontextprotocol/sdk", () => {
  /** Signed in with a token of this person that has the assistant's name. */
  async function connected(t, plan, scopes) {
    const token = await newToken(plan, { name: "Claude", scopes });
    const client = new Client({ name: "client-test", version: "1.0.0" });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", BASE_URL), { requestInit: { headers } }));
    t.after(() => client.close());
    return client;
  }

  test("finds the tools, reads a plan and tries out another rent", async (t) => {
    const plan = await newPlan();
    const client = await connected(t, plan, ["read"]);
    assert.equal(client.getServerVersion().name, "plan-advisor");
    assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name).sort(), TOOLS);
    const plans = await client.callTool({ name: "list_plans", arguments: {} });
    assert.ok(plans.structuredContent.plans.some(({ id }) => id === plan.id));
    const read = await client.callTool({ name: "get_plan", arguments: { planId: plan.id } });
    assert.ok(read.structuredContent.fields.length > 20);
    const other = await client.callTool({ name: "what_if", arguments: { planId: plan.id, changes: [{ path: RENT, value: 4200 }] } });
    assert.ok(!other.isError, JSON.stringify(other));
    assert.notEqual(await plan.rent(), 420_000);
  });

  test("proposes a value that waits for the person", async (t) => {
    const plan = await newPlan();
    const client = await connected(t, plan, ["read", "chat"]);
    const before = await plan.rent();
    const call = () => client.callTool({ name: "propose_value", arguments: { planId: plan.id, path: RENT, value: 4200, unit: "dollars", quote: QUOTE } });
    const [first, again] = [await call(), await call()];
    assert.ok(!first.isError, JSON.stringify(first));
    assert.deepEqual(again.structuredContent.id, first.structuredContent.id);
    assert.equal(await plan.rent(), before);
    assert.deepEqual(await proposed(plan), [[RENT, "assistant (Claude)", true]]);
  });

  test("asks the advisor, whose values wait, too", async (t) => {
    const plan = await newPlan();
    const client = await connected(t, plan, ["read", "chat"]);
    const before = await plan.rent();
    model.script([setField(RENT, 4200, QUOTE)], [say("A rent of $4,200 waits for you.")]);
    const answer = await client.callTool({ name: "ask_advisor", arguments: { planId: plan.id, message: `They said ${QUOTE}.` } });
    assert.ok(!answer.isError, JSON.stringify(answer));
    assert.match(JSON.stringify(answer.structuredContent), /waits for you/);
    assert.equal(await plan.rent(), before);
    assert.deepEqual(await proposed(plan), [[RENT, "assistant (Claude)", true]]);
  });

  test("reads resources and the prompt", async (t) => {
    const plan = await newPlan();
    const client = await connected(t, plan, ["read"]);
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === `plan://${plan.id}`));
    for (const { uri } of resources.filter((resource) => resource.uri.includes(plan.id) || !resource.uri.startsWith("plan:"))) {
      const { contents } = await client.readResource({ uri });
      assert.ok(contents[0].text.length > 100, uri);
    }
    const { messages } = await client.getPrompt({ name: "interview", arguments: { planId: plan.id } });
    assert.equal(messages[0].role, "user");
  });

  test("is told in words what its token lacks, and nothing without one", async (t) => {
    const plan = await newPlan();
    const client = await connected(t, plan, ["read"]);
    const refused = await client.callTool({ name: "ask_advisor", arguments: { planId: plan.id, message: "Hello" } });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0].text, /lacks the scope `chat`/);
    const stranger = new Client({ name: "client-test", version: "1.0.0" });
    await assert.rejects(stranger.connect(new StreamableHTTPClientTransport(new URL("/mcp", BASE_URL))), { code: 401 });
  });
});

for (const [mode, revision] of [["auto", "2026-07-28"], ["legacy", "2025-11-25"]]) {
  test(`mcp from PyPI reads, proposes and asks by ${revision}`, async () => {
    const plan = await newPlan();
    const token = await newToken(plan, { name: "Notebook", scopes: ["read", "chat"] });
    model.script([say("Five months are left.")]);
    const script = [new URL("use_mcp.py", import.meta.url).pathname, `${BASE_URL}/mcp`, mode, plan.id, RENT, QUOTE];
    // The token goes by the environment: lists of processes show arguments.
    const { stdout } = await promisify(execFile)(process.env.PYTHON, script, { env: { ...process.env, PLAN_TOKEN: token } });
    const seen = JSON.parse(stdout);
    assert.equal(seen.revision, revision);
    assert.deepEqual(seen.tools, TOOLS);
    assert.ok(seen.resources.includes(`plan://${plan.id}`));
    assert.deepEqual(seen.prompts, ["interview"]);
    assert.ok(seen.fields > 20);
    assert.equal(seen.proposalFailed, false);
    assert.match(seen.answer, /Five months are left/);
    assert.deepEqual(await proposed(plan), [[RENT, "assistant (Notebook)", true]]);
  });
}
