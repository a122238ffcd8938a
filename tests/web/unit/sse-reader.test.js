import test from "node:test";
import assert from "node:assert/strict";
import { SseParser, readEvents } from "../../../web/sse-reader.js";
import { seeded } from "./support/random.js";

const bytes = (text) => new TextEncoder().encode(text);

function parse(...chunks) {
  const parser = new SseParser();
  return { events: chunks.flatMap((chunk) => parser.push(chunk)), parser };
}

const SAMPLE = [
  ": hello", "", "retry: 2000", "id: t:1.3", "data: {\"type\":\"token\",\"content\":\"é€😀\"}", "",
  "id: t:1.9", "data:first", "data: second", "data", "", ": hb", "", "id: t:1.12", "",
  "event: ping", "data:  two spaces", "unknown: field", "no colon", "", "",
];
const EXPECTED = [
  { type: "message", data: "{\"type\":\"token\",\"content\":\"é€😀\"}", lastEventId: "t:1.3" },
  { type: "message", data: "first\nsecond\n", lastEventId: "t:1.9" },
  { type: "ping", data: " two spaces", lastEventId: "t:1.12" },
];

for (const [name, ending] of [["LF", "\n"], ["CR", "\r"], ["CRLF", "\r\n"]]) {
  test(`a stream with ${name} reads the same wherever it is cut`, () => {
    const whole = bytes(SAMPLE.join(ending));
    assert.deepEqual(parse(whole).events, EXPECTED);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      assert.deepEqual(parse(whole.slice(0, cut), whole.slice(cut)).events, EXPECTED, `cut at ${cut}`);
    }
    assert.deepEqual(parse(...[...whole].map((byte) => Uint8Array.of(byte))).events, EXPECTED, "byte by byte");
  });
}

test("line endings may be mixed, and a CRLF is one of them even across chunks", () => {
  assert.deepEqual(parse("data: a\r", "\ndata: b\r\r\ndata: c\n\r").events.map((event) => event.data), ["a\nb", "c"]);
  assert.deepEqual(parse("data: a\r\n\r", "\ndata: b\r\n\r\n").events.map((event) => event.data), ["a", "b"]);
  assert.deepEqual(parse("data: a\r", "data: b\r\r").events.map((event) => event.data), ["a\nb"]);
});

test("a byte order mark is dropped once", () => {
  assert.deepEqual(parse(bytes("\uFEFFdata: a\n\n")).events.map((event) => event.data), ["a"]);
  assert.deepEqual(parse(bytes("\uFEFF"), bytes("data: a\n\n")).events.map((event) => event.data), ["a"]);
});

test("a block without data is no event but moves the cursor", () => {
  const { events, parser } = parse("id: 7\n\n");
  assert.deepEqual(events, []);
  assert.equal(parser.lastEventId, "7");
});

test("the cursor stays until another id comes, an empty id resets it, one with NUL is ignored", () => {
  const { events, parser } = parse("id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n");
  assert.deepEqual(events.map((event) => event.lastEventId), ["1", "1", "1", ""]);
  assert.equal(parser.lastEventId, "");
});

test("an event that is not finished by a blank line is not an event", () => {
  const { events, parser } = parse("id: 1\ndata: a\n\nid: 2\ndata: b\n");
  assert.deepEqual(events.map((event) => event.data), ["a"]);
  assert.equal(parser.lastEventId, "1", "nor does it move the cursor");
});

test("retry takes digits only", () => {
  assert.equal(parse("retry: 2000\n").parser.retry, 2000);
  assert.equal(parse("retry: 2s\n").parser.retry, null);
});

test("text inside an event cannot forge another one", () => {
  const random = seeded(14);
  const parts = ["\n\n", "\r", "\r\n", "\n", "data: x", "event: done", "id: 9", ":", "\u2028", "\u2029", "\u0085", "\uFEFF", "é", "😀", "\0", "a", " "];
  for (let round = 0; round < 20_000; round += 1) {
    const content = Array.from({ length: random.below(8) }, () => random.pick(parts)).join("");
    const wire = bytes(`id: c\ndata: ${JSON.stringify({ type: "token", content })}\n\n`);
    const cut = random.below(wire.length + 1);
    const { events } = parse(wire.slice(0, cut), wire.slice(cut));
    assert.equal(events.length, 1);
    assert.equal(JSON.parse(events[0].data).content, content);
  }
});

test("leaving the loop cancels the stream", async () => {
  let cancelled = false;
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(bytes("data: a\n\ndata: b\n\n")),
    cancel: () => { cancelled = true; },
  });
  for await (const event of readEvents(stream)) {
    assert.equal(event.data, "a");
    break;
  }
  assert.equal(cancelled, true);
});

test("a stream without a byte is dropped after a while, and comments count as bytes", async () => {
  const parser = new SseParser();
  let beats = 5;
  const stream = new ReadableStream({
    async pull(controller) {
      if (beats-- <= 0) return new Promise(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.enqueue(bytes(beats === 2 ? "id: t:1.1\ndata: x\n\n" : ": hb\n\n"));
    },
  });
  const events = [];
  await assert.rejects(async () => {
    for await (const event of readEvents(stream, parser, { silence: 60 })) events.push(event.data);
  }, /silent/);
  assert.deepEqual(events, ["x"]);
  assert.equal(parser.lastEventId, "t:1.1");
});

test("a stream can be hung up", async () => {
  const line = {};
  const read = readEvents(new ReadableStream(), new SseParser(), { line }).next();
  line.hangUp();
  await assert.rejects(read, /silent/);
});
