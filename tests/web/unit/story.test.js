import test from "node:test";
import assert from "node:assert/strict";
import { lengthOf, mergeStories } from "../../../web/paper/story-merge.js";
import { isWorthQuoting } from "../../../web/paper/quotes.js";

test("what two people wrote at once is all kept", () => {
  const before = { team: "We groom.", market: "Austin", loan: null, risks: "Few", business: null };
  const mine = { team: "We groom dogs.", market: "Austin", loan: "A van", risks: "", business: "On Main Street" };
  const theirs = { team: "Two sisters.", market: "Austin and Waco", loan: null, risks: null, business: "On Main Street" };
  assert.deepEqual(mergeStories(before, mine, theirs), {
    texts: { team: "We groom dogs.", market: "Austin and Waco", loan: "A van", risks: "", business: "On Main Street" },
    differing: { team: "Two sisters." },
  });
  assert.deepEqual(mergeStories({ team: "Old" }, { team: "New" }, { team: null }), { texts: { team: "New" }, differing: { team: "" } });
});

test("an emoji counts as the server counts it", () => {
  assert.equal(lengthOf("🐶".repeat(2000)), 2000);
  assert.equal(lengthOf("é"), 1);
});

test("a bare yes is not quoted to a bank", () => {
  for (const words of ["yes", "Yes, all", "ok", "sí", "Sí, claro", "yes to both (to “Shall I write down $0 for utilities per month”)", "that one (to “Shall I write down $0?”)", "all of them", "", null, undefined]) assert.equal(isWorthQuoting(words), false, String(words));
  for (const words of ["rent is $4,200 a month", "La renta es de $1,200", "Yesterday we signed for $4,200", "allow 3% for cards", "okra sales of $300"]) assert.equal(isWorthQuoting(words), true, words);
});
