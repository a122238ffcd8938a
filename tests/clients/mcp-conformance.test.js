/**
 * The protocol's own conformance suite. Its scenarios are for a server made for them, with tools like `test_image_content`; those that
 * need nothing of the kind must pass here, and every other is in `NOT_RUN` with the reason. A scenario of a new version that is in
 * neither list fails.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { BASE_URL, newPlan, newToken } from "./support/world.js";

const SUITE = new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;

const RUN = [
  "server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams", "dns-rebinding-protection",
];

const OF_ITS_SERVER = "calls a tool, resource or prompt that the suite's own server has";
const SESSION = "asks the client or tells it something on its own, which a server without sessions cannot";
const NOT_RUN = {
  "logging-set-level": "this server sends no log messages and does not offer to",
  "completion-complete": "this server completes no arguments and does not offer to",
  "tools-call-simple-text": OF_ITS_SERVER,
  "tools-call-image": OF_ITS_SERVER,
  "tools-call-audio": OF_ITS_SERVER,
  "tools-call-embedded-resource": OF_ITS_SERVER,
  "tools-call-mixed-content": OF_ITS_SERVER,
  "tools-call-with-logging": SESSION,
  "tools-call-error": OF_ITS_SERVER,
  "tools-call-with-progress": OF_ITS_SERVER,
  "tools-call-sampling": SESSION,
  "tools-call-elicitation": SESSION,
  "json-schema-2020-12": OF_ITS_SERVER,
  "elicitation-sep1034-defaults": SESSION,
  "server-sse-polling": OF_ITS_SERVER,
  "elicitation-sep1330-enums": SESSION,
  "resources-read-text": OF_ITS_SERVER,
  "resources-read-binary": OF_ITS_SERVER,
  "resources-templates-read": OF_ITS_SERVER,
  "resources-subscribe": SESSION,
  "resources-unsubscribe": SESSION,
  "prompts-get-simple": OF_ITS_SERVER,
  "prompts-get-with-args": OF_ITS_SERVER,
  "prompts-get-embedded-resource": OF_ITS_SERVER,
  "prompts-get-with-image": OF_ITS_SERVER,
};

let proxy, url, results;

before(async () => {
  const token = await newToken(await newPlan(), { name: "Conformance", scopes: ["read", "chat"] });
  proxy = await withToken(token);
  url = `http://127.0.0.1:${proxy.address().port}/mcp`;
  results = await mkdtemp(join(tmpdir(), "conformance-"));
});
after(async () => {
  proxy?.close();
  if (results) await rm(results, { recursive: true });
});

/**
 * The suite has no way to send a token: this adds it. Host and origin stay as the suite wrote them, unless they are the proxy's own,
 * which become the server's.
 */
async function withToken(token) {
  const target = new URL(BASE_URL);
  const server = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${server.address().port}`;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    if (headers.host === own) headers.host = target.host;
    if (headers.origin === `http://${own}`) headers.origin = target.origin;
    const { method, url: path } = incoming;
    const passed = request({ hostname: target.hostname, port: target.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const suite = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [SUITE, ...args], { cwd: results, timeout: 60_000 }, (error, stdout, stderr) => resolve({ error, said: stdout + stderr }));
  });

test("every scenario is run or has a reason", async () => {
  const { said } = await suite("list", "--server");
  const names = [...said.matchAll(/^\s+[-•]\s+(\S+)/gm)].map(([, name]) => name);
  assert.ok(names.length > 20, said);
  assert.deepEqual(names.filter((name) => !RUN.includes(name) && !(name in NOT_RUN)), []);
});

for (const scenario of RUN) {
  test(scenario, async () => {
    const { error, said } = await suite("server", "--url", url, "--scenario", scenario);
    assert.ok(!error, said);
  });
}
