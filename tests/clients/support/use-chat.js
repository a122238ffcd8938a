/**
 * `useChat` of one version of `@ai-sdk/react`, mounted in a page of jsdom as an application mounts it.
 */
import { JSDOM } from "jsdom";
import { BASE_URL, until } from "./world.js";

const dom = new JSDOM("<!doctype html><div id=root></div>", { url: BASE_URL });
Object.assign(globalThis, { window: dom.window, document: dom.window.document });
// Node.js has had a navigator of its own since version 21.
globalThis.navigator ??= dom.window.navigator;
const { createElement } = await import("react");
const { createRoot } = await import("react-dom/client");

export async function load(version) {
  const [{ useChat }, ai] = await Promise.all([import(`ai-react-${version}`), import(`ai-${version}`)]);
  return { version, useChat, ai };
}

/**
 * A mounted chat. `current()` is what `useChat` returned last; `statuses` are all that it has had.
 */
export function mount({ useChat, ai }, plan, { messages = [], resume = false, query = "", fetch, ...options } = {}) {
  const transport = new ai.DefaultChatTransport({ api: `${BASE_URL}${plan.path}/chat${query}`, headers: { cookie: plan.cookie }, fetch });
  const errors = [];
  const statuses = [];
  let current;
  function Page() {
    current = useChat({ id: plan.id, messages, resume, transport, onError: (error) => errors.push(error), ...options });
    if (statuses.at(-1) !== current.status) statuses.push(current.status);
    return null;
  }
  const root = createRoot(dom.window.document.createElement("div"));
  root.render(createElement(Page));
  return {
    errors,
    statuses,
    current: () => current,
    mounted: () => until("it is mounted", () => current !== undefined),
    unmount: () => root.unmount(),
    settled: () => until("it is settled", () => ["ready", "error"].includes(current.status) && current),
    last: () => current.messages.at(-1),
  };
}

/** Mounts a chat as a page does that is loaded again: with the stored messages, attaching to what runs. */
export async function reload(kit, plan, options = {}) {
  const stored = await plan.api("GET", `/chat${options.query ?? ""}`);
  const chat = mount(kit, plan, { messages: stored.data, resume: true, ...options });
  await chat.mounted();
  return chat;
}

/** A message as it would be stored: without what is undefined. */
export const plain = (message) => JSON.parse(JSON.stringify(message));

export const textOf = (message) => message.parts.filter((part) => part.type === "text").map((part) => part.text).join("");
export const partsOf = (message, type) => message.parts.filter((part) => part.type === type);
