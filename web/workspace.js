/**
 * The one plan that is open: its state on the server as last read.
 *
 * After each write the plan is read again, so that the page shows what is stored and never a guess. Everything of a plan is taken over at once: no view ever sees half of one plan and half
 * of another. Views listen to "change".
 */
import { inputsOf, sectionsOf } from "./fields.js";
import { useOpeningMonth } from "./format.js";
import { useMetrics } from "./metrics.js";
import { currentLanguage } from "./texts.js";

/** Far enough back to know the last change of every field, for its quote and its undo. */
const TRAIL = 500;

export class Workspace extends EventTarget {
  plan = null;
  brand = null;
  owner = { id: null, name: "", isReader: true };
  sections = [];
  inputs = {};
  outputs = null;
  /** The projection before the last move, for charts that show both. */
  outputsBefore = null;
  changes = [];
  /** What the last turn or edit moved: metric changes by name, and the paths of the fields. */
  moved = nothingMoved();
  #catalogue = new Map();
  #metrics = null;
  #opening = null;
  /** The version that a regular look took over before whoever made it did. */
  #foundVersion = null;
  /** Everything of the plan that is being opened. */
  #whole = null;

  /** `readOnly` while an administrator only looks; `firstName` is whom the page greets. */
  constructor(client, { readOnly = false, firstName = "" } = {}) {
    super();
    this.client = client;
    this.readOnly = readOnly;
    this.firstName = firstName;
  }

  get planId() {
    return this.plan?.id ?? null;
  }

  /** Takes over what a list of plans says of one, enough for its conversation; {@link open} brings the rest. */
  begin(plan, owner) {
    this.#opening = Symbol(plan.id);
    Object.assign(this, { plan, owner, brand: null, inputs: {}, sections: [], changes: [], outputs: null, outputsBefore: null, moved: nothingMoved() });
    useOpeningMonth(null);
  }

  /**
   * Reads a plan and takes it over, unless another was asked for meanwhile: then nothing of it is, and the answer is
   * false. `owner` is whose it is; the views are told once `ready` is.
   */
  open(planId, owner, ready = null) {
    this.#whole = this.#openWhole(planId, owner, ready);
    return this.#whole;
  }

  async #openWhole(planId, owner, ready) {
    const opening = this.#opening = Symbol(planId);
    const { client } = this;
    const [metrics, catalogue, stored] = await Promise.all(client.together ? client.together(() => this.#everything(planId)) : this.#everything(planId));
    const brand = await client.brand(stored.plan.brandId);
    await ready;
    if (this.#opening !== opening) return false;
    this.#opening = null;
    this.#metrics = metrics;
    useMetrics(metrics);
    Object.assign(this, { brand, owner, moved: nothingMoved(), outputsBefore: null });
    this.#take(stored, catalogue);
    this.dispatchEvent(new Event("change"));
    return true;
  }

  #everything(planId) {
    return [this.#metrics ?? this.client.metrics(), this.#fields(planId), this.#read(planId)];
  }

  /** Reads the plan again and updates the views; with `ifChanged` only where it has a new version. Answers whether it did. */
  async refresh({ ifChanged = false } = {}) {
    const { planId, plan } = this;
    if (ifChanged && (await this.client.planUnless(planId, plan.version)) === null) return false;
    const stored = await this.#read(planId);
    if (!this.#isStill(planId)) return false;
    // The turn or the edit that made this version has shown it meanwhile, with its marks.
    if (ifChanged && stored.plan.version === this.plan.version) return false;
    if (ifChanged) {
      this.#mark(stored, []);
      this.#foundVersion = stored.plan.version;
    }
    this.#take(stored);
    this.dispatchEvent(new Event("change"));
    return true;
  }

  /**
   * Takes over what a turn, an edit or a decision did to the plan `planId`, and marks what it moved; `fields` are those it
   * names, others are found by comparing.
   */
  async absorb(planId, fields = []) {
    // An answer may come before the rest of the plan has.
    await this.#whole?.catch(() => {});
    const stored = await this.#read(planId);
    if (!this.#isStill(planId)) return;
    const { version } = stored.plan;
    if (version === this.plan.version && version === this.#foundVersion) this.moved = { ...this.moved, fields: new Set([...fields, ...this.moved.fields]) };
    else this.#mark(stored, fields);
    this.#foundVersion = null;
    this.#take(stored);
    this.dispatchEvent(new Event("change"));
  }

  #isStill(planId) {
    return this.planId === planId && this.#opening === null;
  }

  #mark({ plan, outputs }, fields) {
    const inputs = inputsOf(plan, this.brand);
    const changes = compareMetrics(this.outputs?.metrics, outputs?.metrics);
    const moved = Object.keys(inputs).filter((path) => this.inputs[path] && inputs[path].currentValue !== this.inputs[path].currentValue);
    if (changes.length > 0 && this.outputs) this.outputsBefore = this.outputs;
    this.moved = { metrics: new Map(changes.map((change) => [change.metric, change])), fields: new Set([...fields, ...moved]) };
  }

  async #fields(planId) {
    return this.#catalogue.get(planId) ?? this.client.fields(planId, currentLanguage());
  }

  async #read(planId) {
    const [plan, changes, outputs] = await Promise.all([
      this.client.plan(planId),
      this.client.changes(planId, { limit: TRAIL }),
      this.client.outputs(planId),
    ]);
    return { plan, changes: changes ?? [], outputs };
  }

  #take({ plan, changes, outputs }, catalogue = this.#catalogue.get(plan.id)) {
    this.#catalogue.set(plan.id, catalogue);
    const inputs = inputsOf(plan, this.brand);
    useOpeningMonth(plan.openingMonth);
    Object.assign(this, { plan, changes, outputs, inputs, sections: sectionsOf(catalogue, this.brand, inputs) });
  }

  async edit(path, value) {
    const { planId } = this;
    await this.client.updateInputs(planId, { [path]: value }, { ifMatch: this.plan.version });
    await this.absorb(planId, [path]);
  }

  async undo(change) {
    const { planId } = this;
    await this.client.undo(planId, change.id);
    await this.absorb(planId, [change.field]);
  }

  /** Takes back what still stands of a turn's changes. */
  async undoTurn(turnId) {
    const { planId } = this;
    await this.client.undoGroup(planId, { turnId });
    await this.absorb(planId);
  }

  /** `{name?, openingMonth?}` */
  async describe(values) {
    await this.client.describePlan(this.planId, values);
    await this.refresh();
  }

  /** The newest change of a field if it can still be taken back. */
  undoable(path) {
    const change = this.changes.find((entry) => entry.field === path);
    return change && this.inputs[path]?.currentValue === change.newValue ? change : null;
  }

  /** The newest change of a field: who made it and, where the advisor wrote a value down, the words it came from. */
  originOf(path) {
    const change = this.changes.find((entry) => entry.field === path) ?? null;
    const stands = change && this.inputs[path]?.currentValue === change.newValue;
    return { by: stands ? change.actor : null, words: stands && this.inputs[path].source === "ai_populated" ? change.evidence : null };
  }

  get fields() {
    return this.sections.flatMap((section) => section.fields);
  }

  field(path) {
    return this.fields.find((field) => field.path === path) ?? null;
  }

  /** The key numbers, in order. */
  get keyFields() {
    return this.fields.filter((field) => field.core);
  }

  /** Key numbers still at the brand's default. */
  get missing() {
    return this.keyFields.filter((field) => this.inputs[field.path].source === "brand_default" && !this.inputs[field.path].derived);
  }
}

function nothingMoved() {
  return { metrics: new Map(), fields: new Set() };
}

/** What the metrics of two projections differ in, in the form of `updatedOutputs.changes`. */
function compareMetrics(before, after) {
  if (!before || !after) return [];
  return Object.keys(after)
    .filter((metric) => metric in before && (after[metric] === null || typeof after[metric] !== "object") && before[metric] !== after[metric])
    .map((metric) => ({ metric, before: before[metric], after: after[metric] }));
}
