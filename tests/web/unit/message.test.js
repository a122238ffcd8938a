import test from "node:test";
import assert from "node:assert/strict";
import "./support/mini-dom.js";
import { plainWords } from "../../../web/views/announcer.js";
import { withoutQuestion } from "../../../web/views/message.js";

test("the question at the end of an answer goes when it is settled, and nothing else does", () => {
  assert.equal(withoutQuestion("I heard $4,200. Shall I write down $4,200 for rent per month?"), "I heard $4,200.");
  assert.equal(withoutQuestion("Noted. Shall I use all 3? Say “yes to all”, or name the ones you mean."), "Noted.");
  assert.equal(withoutQuestion("Entendí $4,200. ¿Anoto $4,200 para la renta por mes?"), "Entendí $4,200.");
  for (const kept of ["What is your rent?", "Shall I write down $4,200 for rent per month?", "Shall I write down it? No.", "Noted."]) assert.equal(withoutQuestion(kept), kept);
});

test("an answer is heard without its markup", () => {
  assert.equal(plainWords("You can [print your plan or save it as PDF](print), or **ask** `me`."), "You can print your plan or save it as PDF, or ask me.");
  assert.equal(plainWords("Costs [net] (of tax) stay."), "Costs [net] (of tax) stay.");
});
