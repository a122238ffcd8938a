import test from "node:test";
import assert from "node:assert/strict";
import { History } from "../../../web/history.js";

const message = (id, extra = {}) => ({ id, turnId: `t${id}`, role: "assistant", ...extra });

/** A client that answers from a list, as many as asked for. */
function client(all, asked = []) {
  return {
    asked,
    async history(_, { limit, before, unless }) {
      asked.push(before ?? "newest");
      const end = before ? all.findIndex(({ id }) => id === before) : all.length;
      const start = Math.max(0, end - limit);
      const tag = `tag${all.length}`;
      return unless === tag ? null : { messages: all.slice(start, end), nextBefore: start > 0 ? all[start].id : null, tag };
    },
  };
}

const many = (count) => Array.from({ length: count }, (_, number) => message(String(number)));

test("reads that are asked for at once are one read", async () => {
  const all = many(120);
  const history = new History(client(all), "p");
  await history.sync();
  await Promise.all([history.all(), history.all(), history.older()]);
  assert.deepEqual(history.messages.map(({ id }) => id), all.map(({ id }) => id));
  assert.equal(history.before, null);
});

test("older messages stay when new ones come, and go when the conversation was cleared", async () => {
  const all = many(60);
  const history = new History(client(all), "p");
  assert.equal(await history.sync(), true);
  assert.equal(await history.sync(), false);
  await history.all();
  all.push(message("new"));
  await history.sync();
  assert.equal(history.messages.length, 61);
  all.splice(0, all.length, message("after"));
  await history.sync();
  assert.deepEqual(history.messages.map(({ id }) => id), ["after"]);
});

test("of two open proposals for one field the newer one waits", () => {
  const history = new History(client([]), "p");
  const value = (id, field, status = "proposed") => ({ id, field, status });
  history.messages = [message("1", { extractedValues: [value("a", "rent"), value("b", "loan")] }), message("2", { extractedValues: [value("c", "rent"), value("d", "sales", "applied")] })];
  assert.deepEqual(history.openProposals().map((open) => open.value.id), ["c", "b"]);
  assert.deepEqual(["a", "b", "c", "d"].map((id) => history.isOvertaken(history.messages.flatMap((entry) => entry.extractedValues).find((entry) => entry.id === id))), [true, false, false, false]);
  history.messages[1].extractedValues = [value("c", "rent", "dismissed"), value("d", "loan"), value("e", "loan")];
  assert.deepEqual(history.openProposals().map((open) => open.value.id), ["d", "e"], "what was answered since is not asked; of two in one message both are");
});

test("a question that a later message answered with the same number is not shown as ignored", () => {
  const history = new History(client([]), "p");
  const value = (id, amount, status) => ({ id, field: "rent", value: amount, status });
  const [same, other, clicked] = [value("a", 1, "dismissed"), value("b", 2, "dismissed"), value("c", 1, "dismissed")];
  history.messages = [message("1", { extractedValues: [same] }), message("2", { extractedValues: [other] }), message("3", { extractedValues: [value("d", 1, "applied")] }), message("4", { extractedValues: [clicked] })];
  assert.deepEqual([same, other, clicked].map((one) => history.isGivenLater(one)), [true, false, false]);
});

test("what waits in the whole plan counts, also where its message is not read", async () => {
  const waiting = [{ id: "old", field: "signage", value: 1 }, { id: "a", field: "rent", value: 2 }, { id: "overtaken", field: "loan", value: 3 }];
  const read = message("1", { extractedValues: [{ id: "a", field: "rent", status: "proposed" }, { id: "b", field: "loan", status: "applied" }] });
  const history = new History({ ...client([read]), proposals: async () => waiting }, "p");
  await history.sync();
  assert.deepEqual(history.openProposals().map((open) => open.value.id), ["a", "old"], "once each, and not what was answered since");
  const alone = new History({ ...client([read]), proposals: async () => { throw new Error("away"); } }, "p");
  await alone.sync();
  assert.deepEqual(alone.openProposals().map((open) => open.value.id), ["a"]);
});

test("what a turn has just proposed waits before the conversation is read again, and is not counted twice after", async () => {
  const all = many(1);
  const history = new History(client(all), "p");
  await history.sync();
  const values = [{ id: "v", field: "rent", status: "proposed" }];
  history.ended("t1", values);
  assert.deepEqual(history.openProposals().map(({ value, message }) => [value.id, message]), [["v", null]]);
  all.push(message("1", { extractedValues: values }));
  await history.sync();
  assert.deepEqual(history.openProposals().map(({ value, message }) => [value.id, message.id]), [["v", "1"]]);
});

test("what an assistant proposes waits beside the messages, also before the first one and for a field that was spoken of", async () => {
  const waiting = [{ id: "w", field: "rent", turnId: null, author: { displayName: "assistant (Claude)", isAssistant: true } }];
  const spoken = new History({ ...client([message("1", { extractedValues: [{ id: "a", field: "rent", status: "applied" }] })]), proposals: async () => waiting }, "p");
  await spoken.sync();
  assert.deepEqual(spoken.openProposals().map((open) => open.value.id), ["w"]);
  const found = [];
  const silent = new History({ ...client([]), proposals: async () => [...found] }, "p");
  assert.equal(await silent.sync(), true);
  assert.equal(await silent.sync(), false, "nothing has come");
  found.push(...waiting);
  assert.equal(await silent.sync(), true);
  assert.deepEqual(silent.openProposals().map((open) => open.value.id), ["w"]);
});
