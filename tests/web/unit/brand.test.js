import test from "node:test";
import assert from "node:assert/strict";
import { loadAllTexts, loadTexts } from "../../../web/texts.js";
import { editsOf, entryOf, newSlug, setPart, withEdits } from "../../../web/brand/edits.js";
import { problemsOf, rangeProblem } from "../../../web/brand/problems.js";
import { editWords, fieldsOf, inheritedOf } from "../../../web/brand/words.js";
import { BrandDraft } from "../../../web/brand/draft.js";

const RENT = "operatingCosts.rentMonthly";
const row = (slug, more = {}) => ({ slug, label: slug, class: "capex", defaultAmount: 100, item7Low: null, item7High: null, ...more });
const document = () => ({
  id: "b", name: "Willow", slug: "willow", item19: { included: false }, thresholds: { dscr: { ok: 1.25, watch: 1.15 } },
  parameters: { [RENT]: { value: 450_000, label: "Rent per month", description: "", provenance: "admin_estimate" } },
  startupCostTemplate: [row("signage"), row("training"), row("permits")],
});
const edited = (change) => { const brand = document(); change(brand); return brand; };
const shown = (edits) => edits.map(({ path, part, before, after }) => `${path} ${part}: ${JSON.stringify(before?.slug ?? before)} → ${JSON.stringify(after?.slug ?? after)}`);

await loadAllTexts();
await loadTexts("brand");

test("every part that differs is an edit, and what says the same is none", () => {
  const mine = edited((brand) => {
    Object.assign(brand.parameters[RENT], { value: 480_000, help: "", aliases: [] });
    brand.startupCostTemplate[0].item7Low = 5;
    brand.startupCostTemplate.splice(1, 1);
    brand.startupCostTemplate.push(row("mural"));
    brand.thresholds = { dscr: { watch: 1.15, ok: 1.25 } };
    brand.name = "Willow & Wag";
  });
  assert.deepEqual(shown(editsOf(document(), mine)), [
    ' name: "Willow" → "Willow & Wag"',
    "startupCosts.signage item7Low: null → 5",
    'startupCosts.mural row: null → "mural"',
    'startupCosts.training row: "training" → null',
    `${RENT} value: 450000 → 480000`,
  ]);
  assert.deepEqual(editsOf(document(), document()), []);
  assert.deepEqual(editsOf(document(), edited((brand) => brand.startupCostTemplate.reverse())), []);
});

test("edits move onto a document that somebody else has changed, and nothing is lost in silence", () => {
  const edits = editsOf(document(), edited((brand) => {
    brand.parameters[RENT].help = "What the landlord asks.";
    brand.startupCostTemplate[0].defaultAmount = 900;
    brand.startupCostTemplate[2].label = "Licenses";
    brand.startupCostTemplate.push(row("mural"));
  }));
  const theirs = edited((brand) => {
    brand.parameters[RENT].value = 470_000;
    brand.startupCostTemplate.splice(2, 1);
  });
  const { brand, lost } = withEdits(theirs, edits);
  assert.deepEqual(shown(lost), ['startupCosts.permits label: "permits" → "Licenses"']);
  assert.deepEqual({ value: brand.parameters[RENT].value, help: brand.parameters[RENT].help }, { value: 470_000, help: "What the landlord asks." });
  assert.deepEqual(brand.startupCostTemplate.map(({ slug, defaultAmount }) => [slug, defaultAmount]), [["signage", 900], ["training", 100], ["mural", 100]]);
  assert.deepEqual(withEdits(document(), editsOf(document(), brand)).brand, brand);
});

test("an empty part is left out as the server leaves it out", () => {
  const entry = { help: "x", aliases: ["y"], label: "z" };
  setPart(entry, "help", "");
  setPart(entry, "aliases", []);
  setPart(entry, "label", "");
  assert.deepEqual(entry, { label: "" });
});

test("a new cost has a name that no other one has, in every script", () => {
  const names = [];
  for (const label of ["Café déco 2", "Café déco 2", "Café déco 2", "看板", "看板", "7 chairs", "X", "=1+1", "Row", "a".repeat(200), "🐩"]) {
    const slug = newSlug(label, names);
    assert.match(slug, /^[a-z][A-Za-z0-9]{1,39}$/, label);
    assert.ok(!names.includes(slug), slug);
    names.push(slug);
  }
  assert.deepEqual(names.slice(0, 6), ["cafeDeco2", "cafeDeco22", "cafeDeco23", "row1", "row2", "chairs"]);
});

test("the ends of a range are looked at together", () => {
  assert.equal(rangeProblem({ item7Low: null, item7High: undefined }), "");
  assert.equal(rangeProblem({ item7Low: 5, item7High: 5 }), "");
  assert.match(rangeProblem({ item7Low: 6, item7High: 5 }), /must not be below/);
  assert.match(rangeProblem({ item7Low: 6, item7High: null }), /both ends/);
});

test("what the server refuses stands at its box, in words", () => {
  const problems = problemsOf([
    { field: "startupCostTemplate[2].item7High", message: "must not be below item7Low" },
    { field: "startupCostTemplate[1]", message: "needs both item7Low and item7High, or neither" },
    { field: `parameters.${RENT}.aliases[0]`, message: "must have 1 to 60 characters" },
    { field: `parameters.${RENT}.aliases[1]`, message: "must have 1 to 60 characters" },
    { field: "startupCostTemplate", message: "must have at most 40 rows" },
    { field: "startupCostTemplate[0].derives", message: "must have one entry for the class prepaid" },
    { field: "name", message: "has something new" }, null,
  ], document());
  assert.deepEqual(problems, [
    { path: "startupCosts.permits", part: "item7High", words: "The high end must not be below the low end." },
    { path: "startupCosts.training", part: "item7High", words: "Enter both ends of the published range, or neither." },
    { path: RENT, part: "aliases", words: "Enter 1 to 60 characters." },
    { path: "", part: "startupCostTemplate", words: "A brand has at most 40 startup costs. Remove one to add another." },
    { path: "startupCosts.signage", part: "class", words: "This kind of cost does not fit what the row says about monthly costs. Choose another." },
    { path: "", part: "name", words: "The server does not take this: has something new" },
  ]);
});

test("an edit in words has the brand's units", () => {
  const catalogue = [{ path: RENT, label: "Rent per month", kind: "money", help: "What it costs.", aliases: ["lease"] }];
  const fields = fieldsOf(document(), catalogue);
  const words = (edit) => Object.values(editWords({ path: RENT, ...edit }, fields)).join(" | ");
  assert.equal(words({ part: "value", before: 450_000, after: 480_000 }), "Rent per month | Default | $4,500 | $4,800");
  assert.equal(words({ part: "aliases", before: null, after: ["a", "b\u202e"] }), "Rent per month | Also called | none | a, b");
  assert.equal(words({ part: "provenance", before: "item7", after: "admin_estimate" }), "Rent per month | Where it comes from | Item 7 | Brand’s estimate");
  assert.equal(words({ path: "startupCosts.mural", part: "row", before: null, after: row("mural", { label: "Mural" }) }), "Mural | Cost added |  | $1");
  assert.deepEqual(inheritedOf(RENT, catalogue), { help: "What it costs.", aliases: ["lease"] });
  assert.deepEqual(inheritedOf("startupCosts.signage", catalogue), { help: "", aliases: [] });
});

test("a draft takes rows away and puts them back where they stood", () => {
  const draft = new BrandDraft(document(), "1");
  let changes = 0;
  draft.addEventListener("change", () => { changes += 1; });
  draft.removeRow("startupCosts.signage");
  const added = draft.addRow("Signage");
  assert.equal(added, "startupCosts.signage2", "what was removed may come back");
  draft.putBack("startupCosts.signage");
  assert.deepEqual(draft.brand.startupCostTemplate.map(({ slug }) => slug), ["signage", "training", "permits", "signage2"]);
  draft.set(RENT, "value", 1);
  draft.set("startupCosts.gone", "label", "nobody");
  assert.deepEqual([...draft.changedPaths], ["startupCosts.signage2", RENT]);
  const before = draft.edits;
  draft.discard();
  assert.deepEqual(draft.edits, []);
  draft.apply(before);
  assert.deepEqual(draft.edits, before);
  assert.equal(changes, 6);
  for (let at = 0; at < 60; at += 1) draft.addRow("Chair");
  assert.equal(draft.brand.startupCostTemplate.length, 40);
  assert.equal(draft.addRow("One more"), null);
});

test("a draft goes on from the edition of somebody else", () => {
  const draft = new BrandDraft(document(), "1");
  draft.set(RENT, "value", 480_000);
  draft.set("startupCosts.signage", "label", "Sign");
  const lost = draft.rebase(edited((brand) => { brand.parameters[RENT].value = 480_000; brand.startupCostTemplate.shift(); }), "2");
  assert.deepEqual(shown(lost), ['startupCosts.signage label: "signage" → "Sign"']);
  assert.deepEqual([draft.edits, draft.version], [[], "2"]);
  assert.equal(entryOf(draft.brand, "startupCosts.signage"), undefined);
});
