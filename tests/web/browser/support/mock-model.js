/**
 * A scripted model that speaks the streaming chat-completions protocol.
 *
 * Tests say what the next answers will be; the real server asks for them over a real socket. Every request the
 * server makes is kept in `requests`, so that a test can also look at what the model was told.
 */
import { createServer } from "node:http";
import { once } from "node:events";

/** How the server begins when it asks whether a value was plainly said. */
const SECOND_LOOK = "You check whether a person plainly states a value.";

/** A gate holds the model's answer until the test opens it: the alternative to waiting for time. */
export function gate() {
  let open;
  const opened = new Promise((resolve) => { open = resolve; });
  return { opened, open };
}

/** Script steps of one model answer, in the order they are sent. */
export const say = (text) => ({ say: text });
/** How the answer ends instead of "stop". */
export const finish = (reason) => ({ finish: reason });
export const wait = (held) => ({ wait: held });
export const call = (name, args) => ({ call: { name, args } });
export const setField = (path, value, quote, confidence = "high") =>
  call("set_financial_field", { path, value, confidence, quote });

export class MockModel {
  /** While true every request is answered 500, as a provider that is down would. */
  down = false;
  /** What it says when the server asks for a second look at a value. */
  verdicts = "I cannot say.";
  requests = [];
  #answers = [];
  #server;
  #sockets = new Set();

  async listen(port) {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  /** Queues one answer per argument: each is a list of steps and serves one request of the server. */
  script(...answers) {
    this.#answers.push(...answers);
  }

  /** Forgets what was queued, so that one test never answers for another. */
  reset() {
    this.down = false;
    this.verdicts = "I cannot say.";
    this.#answers = [];
    this.requests = [];
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === "GET") return void json(response, 200, { object: "list", data: [{ id: "mock", object: "model" }] });
    if (this.down) return void json(response, 500, { error: { message: "down on purpose", type: "server_error" } });
    const asked = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (asked.messages[0].content.startsWith(SECOND_LOOK)) return this.#answer([say(this.verdicts)], response);
    this.requests.push(asked);
    await this.#answer(this.#answers.shift() ?? [say("Noted.")], response);
  }

  async #answer(steps, response) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const id = `chatcmpl-${this.requests.length}`;
    const send = (delta, finish = null, extra = {}) => response.write(`data: ${JSON.stringify({
      id, object: "chat.completion.chunk", created: 0, model: "mock",
      choices: [{ index: 0, delta, finish_reason: finish }], ...extra,
    })}\n\n`);

    send({ role: "assistant", content: "" });
    let calls = 0;
    let reason = null;
    for (const step of steps) {
      if (response.destroyed) return;
      if (step.wait) await Promise.race([step.wait.opened, once(response, "close")]);
      else if (step.finish) reason = step.finish;
      else if (step.call) {
        send({ tool_calls: [{ index: calls, id: `call_${this.requests.length}_${calls}`, type: "function",
          function: { name: step.call.name, arguments: JSON.stringify(step.call.args) } }] });
        calls += 1;
      } else for (const piece of pieces(step.say)) send({ content: piece });
    }
    send({}, reason ?? (calls ? "tool_calls" : "stop"));
    response.write(`data: ${JSON.stringify({
      id, object: "chat.completion.chunk", created: 0, model: "mock", choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    })}\n\n`);
    response.end("data: [DONE]\n\n");
  }
}

/** Splits text as models do: a word at a time, the space in front. */
function pieces(text) {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function json(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
