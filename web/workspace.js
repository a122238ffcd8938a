/**
 * The one plan that is open: what the server last said about it, and who wants to know when that changes.
 *
 * It holds no opinion of its own. After each write the plan is read again, so that the page shows what is stored and
 * never what it hopes was stored. Views listen to "change".
 */
import { inputsOf, sectionsOf } from "./fields.js";

/** Far enough back to know the last change of every field, for its quote and its undo. */
const TRAIL = 500;

export class Workspace extends EventTarget {
  plan = null;
  brand = null;
  sections = [];
  inputs = {};
  outputs = null;
  changes = [];
  /** What the last turn or edit moved: metric changes by name, and the paths of the fields. */
  moved = { metrics: new Map(), fields: new Set() };
  #catalogue = null;

  /** `readOnly` while an administrator only looks; `firstName` is whom the page greets. */
  constructor(client, { readOnly = false, firstName = "" } = {}) {
    super();
    this.client = client;
    this.readOnly = readOnly;
    this.firstName = firstName;
  }

  get planId() {
    return this.plan.id;
  }

  async open(planId) {
    this.#catalogue ??= await this.client.fields();
    this.plan = await this.client.plan(planId);
    this.inputs = {};
    this.outputs = null;
    this.brand = await this.client.brand(this.plan.brandId);
    this.moved = { metrics: new Map(), fields: new Set() };
    await this.refresh();
  }

  /** Reads the plan again and tells the views. */
  async refresh() {
    await this.#read();
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Takes over what a turn, an edit or a decision did, and marks what it moved. `updatedOutputs` spares a request
   * where the answer to the write already held them; `fields` are those it names, others are found by comparing.
   */
  async absorb(updatedOutputs, fields = []) {
    const { inputs, outputs } = this;
    await this.#read(updatedOutputs);
    const changes = updatedOutputs?.changes ?? compareMetrics(outputs?.metrics, this.outputs?.metrics);
    const moved = Object.keys(this.inputs).filter((path) => inputs[path] && inputs[path].currentValue !== this.inputs[path].currentValue);
    this.moved = { metrics: new Map(changes.map((change) => [change.metric, change])), fields: new Set([...fields, ...moved]) };
    this.dispatchEvent(new Event("change"));
  }

  async #read(outputs) {
    const planId = this.planId;
    const [plan, changes, current] = await Promise.all([
      this.client.plan(planId),
      this.client.changes(planId, { limit: TRAIL }),
      outputs ?? this.client.outputs(planId),
    ]);
    this.plan = plan;
    this.changes = changes ?? [];
    this.outputs = current;
    this.inputs = inputsOf(plan, this.brand);
    this.sections = sectionsOf(this.#catalogue, this.brand, this.inputs);
  }

  async edit(path, value) {
    const { updatedOutputs } = await this.client.updateInputs(this.planId, { [path]: value }, { ifMatch: this.plan.version });
    await this.absorb(updatedOutputs, [path]);
  }

  async undo(change) {
    await this.client.undo(this.planId, change.id);
    await this.absorb(null, [change.field]);
  }

  /** The newest change of a field if it can still be taken back. */
  undoable(path) {
    const change = this.changes.find((entry) => entry.field === path);
    return change && this.inputs[path]?.currentValue === change.newValue ? change : null;
  }

  /** The user's own words behind a value the advisor wrote down. */
  evidenceFor(path) {
    const change = this.changes.find((entry) => entry.field === path);
    return this.inputs[path]?.source === "ai_populated" ? change?.evidence ?? null : null;
  }

  field(path) {
    return this.sections.flatMap((section) => section.fields).find((field) => field.path === path) ?? null;
  }

  /** Core fields still at the brand's placeholder. */
  get missing() {
    return this.sections.flatMap((section) => section.fields)
      .filter((field) => field.core && this.inputs[field.path].source === "brand_default");
  }

  get coreCount() {
    return this.sections.flatMap((section) => section.fields).filter((field) => field.core).length;
  }
}

/** What `updatedOutputs.changes` would say, for answers that come without. */
function compareMetrics(before, after) {
  if (!before || !after) return [];
  return Object.keys(after)
    .filter((metric) => metric in before && (after[metric] === null || typeof after[metric] !== "object") && before[metric] !== after[metric])
    .map((metric) => ({ metric, before: before[metric], after: after[metric] }));
}
