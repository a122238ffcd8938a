/**
 * What an administrator has changed in a brand and not published yet. It is kept in this browser until it is published or
 * discarded, on top of the edition that it was begun from. Dispatches "change".
 */
import { localStorageOrNull, name, read, write } from "../storage.js";
import { editsOf, entryOf, newSlug, rowPath, setPart, withEdits } from "./edits.js";

/** What the server takes at most. */
export const MOST_ROWS = 40;

export class BrandDraft extends EventTarget {
  /** The published edition, its version, and the document with the edits. */
  base;
  version;
  brand;
  /** Edits of an earlier visit that found their place again, and those that did not. */
  restored = 0;
  lost = [];

  constructor(base, version) {
    super();
    this.base = base;
    this.version = version;
    this.brand = structuredClone(base);
    const kept = read(localStorageOrNull(), this.#key);
    if (Array.isArray(kept?.edits)) this.#take(kept.edits);
    this.restored = this.edits.length;
  }

  get #key() {
    return name("brand-draft", this.base.id);
  }

  /** Everything that differs from the published edition. */
  get edits() {
    return editsOf(this.base, this.brand);
  }

  /** The paths that differ from the published edition. */
  get changedPaths() {
    return new Set(this.edits.map((edit) => edit.path));
  }

  set(path, part, value) {
    const entry = entryOf(this.brand, path);
    if (!entry) return;
    setPart(entry, part, value);
    this.#changed();
  }

  /** Adds a startup cost and answers its path; null where the brand has as many as it may. */
  addRow(label) {
    const { startupCostTemplate: rows } = this.brand;
    if (rows.length >= MOST_ROWS) return null;
    // What was removed and not yet published keeps its name, so that it can come back.
    const row = { slug: newSlug(label, [...rows, ...this.base.startupCostTemplate].map(({ slug }) => slug)), label, class: "capex", defaultAmount: 0, item7Low: null, item7High: null };
    rows.push(row);
    this.#changed();
    return rowPath(row);
  }

  removeRow(path) {
    this.brand.startupCostTemplate = this.brand.startupCostTemplate.filter((row) => rowPath(row) !== path);
    this.#changed();
  }

  /** Takes the removal of a startup cost back. It stands where it stood. */
  putBack(path) {
    const order = this.base.startupCostTemplate.map(rowPath);
    const row = structuredClone(entryOf(this.base, path));
    const rows = this.brand.startupCostTemplate;
    const behind = rows.findIndex((other) => !order.includes(rowPath(other)) || order.indexOf(rowPath(other)) > order.indexOf(path));
    rows.splice(behind < 0 ? rows.length : behind, 0, row);
    this.#changed();
  }

  discard() {
    this.brand = structuredClone(this.base);
    this.#changed();
  }

  /** The document has become the published edition. */
  published(brand) {
    this.base = structuredClone(brand);
    this.version = String(Number(this.version) + 1);
    this.#changed();
  }

  /** Makes edits once more, such as those that were discarded. */
  apply(edits) {
    this.#take(edits);
    this.#changed();
  }

  /** Somebody has published meanwhile: the edits move onto that edition. Answers those that have no place there. */
  rebase(base, version) {
    const { edits } = this;
    this.base = base;
    this.version = version;
    this.#take(edits);
    this.#changed();
    return this.lost;
  }

  #take(edits) {
    const { brand, lost } = withEdits(this.base, edits.filter(isEdit));
    this.brand = brand;
    this.lost = lost;
  }

  #changed() {
    const { edits } = this;
    write(localStorageOrNull(), this.#key, edits.length === 0 ? null : { edits });
    this.dispatchEvent(new Event("change"));
  }
}

/** What a browser kept may be anything. */
function isEdit(edit) {
  return typeof edit?.path === "string" && typeof edit.part === "string" && "after" in edit;
}
