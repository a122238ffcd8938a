// A chat over plan-advisor with AG-UI's HttpAgent: the plan is shared state, proposals are accepted, a run is stopped.
import { HttpAgent } from "@ag-ui/client";

const post = (path, body) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) });
const element = (tag, text, onclick) => Object.assign(document.createElement(tag), { textContent: text, onclick });
const root = document.getElementById("root");

await post("/api/auth/login", { email: "riley@demo.test", password: "demo-password-1" });
const [plan] = (await (await fetch("/api/plans")).json()).data;
const api = `/api/plans/${plan.id}`;
const agent = new HttpAgent({ url: `${api}/ag-ui`, threadId: plan.id });
agent.subscribe({ onMessagesChanged: show, onStateChanged: show, onRunInitialized: show, onRunFinalized: show });

function show() {
  const input = Object.assign(element("input"), { ariaLabel: "Message", value: root.querySelector("input")?.value ?? "" });
  const send = () => {
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content: input.value });
    input.value = "";
    run();
  };
  const accept = (id) => post(`${api}/conversation/extractions/${id}/accept`).then(() => run());
  const answer = (interrupt, approved) => run({ resume: [{ interruptId: interrupt.id, status: "resolved", payload: { approved } }] });
  root.replaceChildren(
    element("h1", `Rent $${((agent.state.values?.["operatingCosts.rentMonthly"] ?? 0) / 100).toLocaleString("en-US")} a month`),
    ...agent.messages.map((message) => element("p", `${message.role}: ${message.content}`)),
    ...Object.values(agent.state.proposals ?? {}).map((value) => element("button", `Accept ${value.label}`, () => accept(value.id))),
    ...agent.pendingInterrupts.flatMap((interrupt) => [true, false].map((yes) => element("button", yes ? "Yes" : "No", () => answer(interrupt, yes)))),
    input,
    agent.isRunning ? element("button", "Stop", () => post(`${api}/conversation/cancel`)) : element("button", "Send", send),
  );
}

const run = (parameters) => agent.runAgent(parameters).catch((error) => root.append(element("p", error.message)));
// Without a message the run answers with history and state, then with the turn that runs: a page that is loaded again.
await run();
