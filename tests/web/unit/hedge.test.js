import test from "node:test";
import assert from "node:assert/strict";
import { hedgeIn } from "../../../web/hedge.js";
import { parseValue } from "../../../web/typed.js";

const dollars = (value) => (text) => parseValue("money", text) === value * 100;

test("the word that makes a number inexact is found as it was said", () => {
  for (const [said, value, word] of [
    ["About 60,000", 60_000, "About"], ["Monthly sales will be about 60,000.", 60_000, "about"], ["roughly $60k a month", 60_000, "roughly"],
    ["rent is 4,200, sales around 60 thousand", 60_000, "around"], ["I think rent is 4,200", 4200, "I think"], ["4,200 or so", 4200, "or so"],
  ]) assert.equal(hedgeIn(said, dollars(value)), word, said);
});

test("words that are about something else are not", () => {
  for (const [said, value] of [["Let us talk about rent: 4,200", 4200], ["rent is 4,200", 4200], ["rent is 4,200, sales about 60,000", 4200], [null, 4200]]) {
    assert.equal(hedgeIn(said, dollars(value)), null, String(said));
  }
});
