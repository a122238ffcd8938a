/**
 * `HttpAgent` of `@ag-ui/client` as it is published, against a running server. Every event is held against the schemas.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { AgentCapabilitiesSchema, EventSchemas } from "@ag-ui/core/schemas";
import { BASE_URL, byteByByte, call, gate, letterByLetter, model, newPlan, RENT, say, setField, UNAVAILABLE, until, wait } from "./support/world.js";

before(() => model.listen(Number(process.env.MOCK_LLM_PORT)));
after(() => model.close());
beforeEach(() => model.reset());

function agentOf(plan, options = {}) {
  return new HttpAgent({ url: `${BASE_URL}${plan.path}/ag-ui`, headers: { cookie: plan.cookie }, threadId: plan.id, ...options });
}

/** Runs the agent; answers the events, each of which the protocol's own schema takes. */
async function run(agent, parameters = {}, subscriber = {}) {
  const events = [];
  await agent.runAgent(parameters, {
    ...subscriber,
    onEvent({ event }) {
      EventSchemas.parse(event);
      events.push(event);
    },
  });
  return events;
}

function ask(agent, text, parameters) {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
  return run(agent, parameters);
}

const types = (events) => events.map((event) => event.type).filter((type, nth, all) => type !== all[nth - 1]);
const plain = (value) => JSON.parse(JSON.stringify(value));

test("a message is a run, and the plan is shared state", async () => {
  const plan = await newPlan();
  const agent = agentOf(plan);
  model.script([setField(RENT, 4200, "rent is $4,200/month")], [say("I've noted a rent of $4,200.")]);
  const events = await ask(agent, "My rent is $4,200/month");
  assert.deepEqual(types(events), ["RUN_STARTED", "STATE_SNAPSHOT", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "STATE_DELTA", "RUN_FINISHED"]);
  assert.deepEqual(agent.messages.map(({ role, content }) => [role, content]), [["user", "My rent is $4,200/month"], ["assistant", "I've noted a rent of $4,200."]]);
  assert.equal(agent.state.values[RENT], 420_000);
  assert.ok(agent.state.outputs.changes.length > 0);
  assert.deepEqual(events.at(-1).outcome, { type: "success" });
  assert.equal(await plan.rent(), 420_000);
  model.script([say("You are welcome.")]);
  await ask(agent, "Thank you");
  assert.equal(agent.messages.length, 4);
});

test("a proposal is in the state until it is decided", async () => {
  const plan = await newPlan();
  const agent = agentOf(plan);
  model.script([setField(RENT, 4200, "about $4,200", "tentative")], [say("Shall I write down $4,200?")]);
  const events = await ask(agent, "It will be about $4,200");
  const proposal = events.find((event) => event.type === "CUSTOM");
  assert.equal(proposal.name, "plan-advisor.proposal");
  assert.deepEqual(Object.keys(agent.state.proposals), [proposal.value.id]);
  await plan.api("POST", `/conversation/extractions/${proposal.value.id}/accept`);
  await run(agent);
  assert.deepEqual([agent.state.proposals, agent.state.values[RENT]], [{}, 420_000]);
});

test("an interrupt is answered by the next run", async () => {
  const plan = await newPlan();
  await plan.api("PATCH", "/financial-inputs", { [RENT]: 520_000 });
  for (const [payload, kept] of [[{ approved: false }, true], [{ approved: true }, false]]) {
    const agent = agentOf(plan);
    model.script([call("reset_fields_to_defaults", { fields: [RENT] })]);
    const events = await ask(agent, "Reset my rent");
    assert.equal(events.at(-1).outcome.type, "interrupt");
    const [interrupt] = agent.pendingInterrupts;
    const again = agentOf(plan);
    await run(again);
    assert.equal(again.pendingInterrupts[0].id, interrupt.id, "asked again after a reload");
    await run(agent, { resume: [{ interruptId: interrupt.id, status: "resolved", payload }] });
    assert.deepEqual(agent.pendingInterrupts, []);
    assert.equal(agent.state.values[RENT] === 520_000, kept);
    assert.equal((await plan.rent()) === 520_000, kept);
    assert.match(agent.messages.at(-1).content, kept ? /nothing was changed/ : /Done/);
  }
});

test("an agent that begins in mid-answer ends with the same messages and state", async () => {
  const plan = await newPlan();
  const { cuts, steps } = letterByLetter("– 4 200 € 💰.");
  model.script([setField(RENT, 4200, "rent is $4,200/month")], steps);
  const agent = agentOf(plan);
  const sent = ask(agent, "My rent is $4,200/month");
  await until("the model answers", () => model.requests.length === 2);
  const late = [];
  let text = "";
  for (const { letter, held } of cuts) {
    const again = agentOf(plan, late.length % 2 ? { fetch: byteByByte } : {});
    const finished = run(again);
    await until("it is attached", () => again.messages.length === (text === "" ? 1 : 2) && (text === "" || again.messages[1].content === text));
    late.push({ again, finished });
    held.open();
    text += letter;
    await until("the letter is there", () => agent.messages.at(-1).content === text);
  }
  await sent;
  for (const { again, finished } of late) {
    await finished;
    assert.deepEqual(plain(again.messages.at(-1)), plain(agent.messages.at(-1)));
    assert.deepEqual(plain(again.state), plain(agent.state));
  }
  const after = agentOf(plan);
  await run(after);
  assert.deepEqual(after.messages.map(({ id, content }) => [id, content]), late[0].again.messages.map(({ id, content }) => [id, content]));
  assert.deepEqual(after.state.values, plain(agent.state.values));
});

test("the same run again is heard again", async () => {
  const plan = await newPlan();
  model.script([say("Hello.")]);
  const first = agentOf(plan);
  await ask(first, "Hello", { runId: "run-1" });
  const again = agentOf(plan);
  await ask(again, "Hello", { runId: "run-1" });
  assert.deepEqual(plain(again.messages[1]), plain(first.messages[1]));
  assert.equal((await plan.api("GET", "/conversation")).data.length, 2);
});

test("a stop cancels the run, a failure fails it, an abort is only a disconnect", async () => {
  const plan = await newPlan();
  const agent = agentOf(plan);
  model.script([say("I've no"), wait(gate())]);
  const stopped = ask(agent, "My rent?");
  await until("text has come", () => agent.messages[1]?.content === "I've no");
  await plan.api("POST", "/conversation/cancel");
  assert.deepEqual((await stopped).at(-1).outcome, { type: "cancelled" });

  model.down = true;
  const failures = [];
  agent.addMessage({ id: "m2", role: "user", content: "And now?" });
  await run(agent, {}, { onRunErrorEvent: ({ event }) => void failures.push(event) }).catch(() => {});
  assert.deepEqual([failures[0].message, failures[0].code], [UNAVAILABLE, "LLM_UNAVAILABLE"]);

  model.reset();
  const held = gate();
  model.script([say("The first"), wait(held), say(" and the last.")]);
  const other = agentOf(plan);
  const aborted = ask(other, "Go on").catch(() => {});
  await until("text has come", () => other.messages.at(-1).content === "The first");
  other.abortRun();
  await aborted;
  held.open();
  await until("the turn has ended", async () => (await plan.api("GET", "/conversation")).data.at(-1).content === "The first and the last.");
});

test("a thread that is not the plan's is refused, capabilities are the protocol's own", async () => {
  const plan = await newPlan();
  await assert.rejects(ask(agentOf(plan, { threadId: "another" }), "Hello"), /404/);
  const { status, ...capabilities } = await plan.api("GET", "/ag-ui/capabilities");
  assert.equal(status, 200);
  assert.equal(AgentCapabilitiesSchema.parse(capabilities).humanInTheLoop.interrupts, true);
});
