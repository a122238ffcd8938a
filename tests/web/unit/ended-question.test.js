/** What became of questions that change the plan, as far as the conversation does not say it. */
import test from "node:test";
import assert from "node:assert/strict";
import { endedQuestions, mayWait } from "../../../web/ended-question.js";

const RESET = "This returns 2 values to the brand's defaults: Rent per month, Insurance per month. Shall I do that? Answer yes or no.";
const STORY = "This is a draft for a lender, about the business and its place:\n\nA shop.\n\nShall I put it into your plan's story, in place of what stands there? Answer yes or no.";
const at = (minutes) => new Date(Date.UTC(2026, 10, 26, 9, minutes)).toISOString();

function exchange(turnId, minute, said, answer) {
  return [{ role: "user", turnId, content: said, timestamp: at(minute) }, { role: "assistant", turnId, content: answer, timestamp: at(minute) }];
}
const ends = (messages, { changes = [], decisions = {}, isWaiting = false } = {}) =>
  endedQuestions(messages, { changes, decisions, isWaiting }).map(({ message, end }) => `${message.turnId} ${end}`);

test("a question that waits, and one whose answer follows, need no word", () => {
  const asked = exchange("a", 0, "reset both", RESET);
  assert.deepEqual(ends(asked, { isWaiting: true }), []);
  for (const [said, answer] of [["yes", "Done. 2 values are back at the brand's defaults."], ["no", "All right, nothing was changed."], ["yes", "That request has expired, so nothing was changed. Ask me again if you still want it."]]) {
    assert.deepEqual(ends([...asked, ...exchange("b", 1, said, answer)]), [], answer);
  }
  assert.deepEqual(ends(exchange("a", 0, "hello", "Shall I do that?")), []);
  const spanish = exchange("a", 0, "restablece", 'Esto devuelve 2 valores a las cifras de la marca: renta por mes, seguro por mes. ¿Lo hago? Responda sí o no.');
  assert.deepEqual(ends([...spanish, ...exchange("b", 1, "no", "De acuerdo, no se cambió nada.")]), []);
  assert.deepEqual(ends(spanish), ["a nothing"]);
});

test("one that was cancelled, ran out or was passed over has changed nothing", () => {
  const asked = exchange("a", 0, "reset both", RESET);
  assert.deepEqual(ends(asked), ["a nothing"]);
  assert.deepEqual(ends([...asked, ...exchange("b", 1, "and the rent?", "It is $4,500.")], { isWaiting: true }), ["a nothing"]);
});

test("a yes by click is known by what it changed, or by what was decided here", () => {
  const asked = exchange("a", 0, "reset both", RESET);
  const reset = { reason: "reset", turnId: null, at: at(2) };
  assert.deepEqual(ends(asked, { changes: [reset] }), ["a done"]);
  assert.deepEqual(ends(asked, { changes: [{ ...reset, reason: "scenario" }] }), ["a done"]);
  for (const other of [{ ...reset, at: at(6) }, { ...reset, turnId: "z" }, { ...reset, reason: "entry" }]) assert.deepEqual(ends(asked, { changes: [other] }), ["a nothing"], JSON.stringify(other));
  assert.deepEqual(ends([...asked, ...exchange("b", 1, "and the rent?", "It is $4,500.")], { changes: [reset] }), ["a nothing"], "a later change is not its");
  assert.deepEqual(ends(asked, { changes: [reset], decisions: { a: "deny" } }), ["a nothing"]);
  assert.deepEqual(ends(asked, { decisions: { a: "approve" } }), ["a done"]);
});

test("of a text for a lender the history knows no end", () => {
  assert.deepEqual(ends(exchange("a", 0, "write it", STORY)), ["a over"]);
  assert.deepEqual(ends(exchange("a", 0, "write it", STORY), { decisions: { a: "approve" } }), ["a done"]);
});

test("for five minutes it may wait for somebody else", () => {
  const [, asked] = exchange("a", 0, "reset both", RESET);
  assert.equal(mayWait(asked, Date.parse(at(4))), true);
  assert.equal(mayWait(asked, Date.parse(at(5))), false);
});
