// A chat over plan-advisor with `useChat`: rent changing, a proposal accepted, a stop, a reload in mid-answer.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const json = async (path, body) => (await fetch(path, body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
const dollars = (cents) => `$${(cents / 100).toLocaleString("en-US")}`;

function Chat({ plan, stored }) {
  const api = `/api/plans/${plan.id}`;
  const [rent, setRent] = useState(plan.financialInputs["operatingCosts.rentMonthly"].currentValue);
  const reread = async () => setRent((await json(api)).data.financialInputs["operatingCosts.rentMonthly"].currentValue);
  const { messages, setMessages, sendMessage, regenerate, status, error } = useChat({
    id: plan.id, messages: stored, resume: true, transport: new DefaultChatTransport({ api: `${api}/chat` }), onFinish: reread,
  });
  const accept = async (value) => {
    await fetch(`${api}/conversation/extractions/${value.id}/accept`, { method: "POST" });
    setMessages((await json(`${api}/chat`)).data);
    await reread();
  };
  const send = (event) => {
    event.preventDefault();
    sendMessage({ text: event.target.text.value });
    event.target.reset();
  };
  return <main>
    <h1>Rent {dollars(rent)} a month</h1>
    {messages.map((message) => <section key={message.id} className={message.role}>{message.parts.map((part, nth) => {
      if (part.type === "text") return <p key={nth}>{part.text}</p>;
      if (part.type !== "data-extracted-value") return null;
      return <p key={nth}>{part.data.label}: {part.data.status} {part.data.status === "proposed" && <button onClick={() => accept(part.data)}>Accept</button>}</p>;
    })}</section>)}
    {error && <p role="alert">{error.message} <button onClick={() => regenerate()}>Try again</button></p>}
    <form onSubmit={send}><input name="text" aria-label="Message" /><button>Send</button>
      {status !== "ready" && <button type="button" onClick={() => fetch(`${api}/conversation/cancel`, { method: "POST" })}>Stop</button>}</form>
  </main>;
}

await json("/api/auth/login", { email: "riley@demo.test", password: "demo-password-1" });
const [{ id }] = (await json("/api/plans")).data;
const [plan, stored] = await Promise.all([json(`/api/plans/${id}`), json(`/api/plans/${id}/chat`)]);
createRoot(document.getElementById("root")).render(<Chat plan={plan.data} stored={stored.data} />);
