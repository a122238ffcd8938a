/**
 * A brand's numbers: found by a word, edited as a draft, looked at as one list of changes and published. Nothing that was typed
 * is lost where the server refuses it or somebody else has published meanwhile.
 */
import { h, icon, put } from "../dom.js";
import { formatValue, visible } from "../format.js";
import { SECTIONS, inputsOf } from "../fields.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";
import { rangeBar } from "../views/range-bar.js";
import { MOST_ROWS } from "./draft.js";
import { BrandEntry } from "./entry.js";
import { entryOf, rowPath } from "./edits.js";
import { addRowDialog } from "./add-row.js";
import { showEditions } from "./editions.js";
import { problemsOf } from "./problems.js";
import { publishDialog } from "./publish.js";
import { showSample } from "./sample.js";
import { editWords, fieldsOf, inheritedOf } from "./words.js";

const FILTERS = ["all", "changed"];

export class BrandEditor {
  #client;
  #toast;
  #draft;
  #catalogue;
  #fields;
  #entries = new Map();
  #words = "";
  #filter = "all";
  #shown = null;
  #hasPublished = false;
  #notice = h("div", { class: "desk-notice", role: "status" });
  #problem = h("div", { class: "problem", role: "alert" });
  #count = h("span", { class: "desk-count", role: "status" });
  #publish = h("button", { type: "button", class: "primary", onclick: () => this.#review() }, t("desk.publish"));
  #discard = h("button", { type: "button", class: "quiet", onclick: () => this.#throwAway() }, t("desk.discard"));
  #sections = h("div", { class: "brand-fields" });
  #nothing = h("p", { class: "nothing", hidden: true }, t("find.nothing"));
  #preview = h("div", { class: "brand-preview", role: "group", "aria-labelledby": "preview-title" });

  constructor(client, toast, draft, catalogue) {
    this.#client = client;
    this.#toast = toast;
    this.#draft = draft;
    this.#catalogue = catalogue;
    this.element = h("div", { class: "brand-editor" }, this.#bar(), this.#notice, this.#problem,
      h("p", { class: "soft" }, t("brand.help")), this.#looks(),
      h("div", { class: "brand-columns" }, h("div", { class: "brand-list" }, this.#finder(), this.#sections, this.#nothing),
        h("aside", {}, h("h2", { id: "preview-title" }, t("brand.preview")), this.#preview)));
    draft.addEventListener("change", () => this.#update());
    this.#build();
    if (draft.restored > 0) this.#tell(t("desk.restored", { count: draft.restored }));
  }

  /** What would be lost: changes, and boxes with something that is no number. */
  get unpublished() {
    return this.#draft.edits.length + [...this.#entries.values()].filter((entry) => entry.isWrong && !this.#draft.changedPaths.has(entry.path)).length;
  }

  discard() {
    this.#draft.discard();
  }

  #bar() {
    return h("header", { class: "desk-bar" },
      h("h1", { dir: "auto" }, visible(this.#draft.brand.name)),
      h("div", { class: "desk-state" }, this.#count, this.#discard, this.#publish));
  }

  /** What is only looked at. */
  #looks() {
    const open = (words, act) => h("button", { type: "button", class: "quiet", onclick: () => act().catch((error) => this.#fail(error)) }, words);
    return h("div", { class: "desk-looks" }, open(t("desk.sample.open"), () => this.#openSample()), open(t("desk.editions"), () => showEditions(this.#client, this.#draft.base.id, this.#catalogue)));
  }

  #finder() {
    return h("div", { class: "finder" },
      h("label", { class: "search" }, h("span", { class: "spoken" }, t("find.label")),
        h("input", { type: "search", placeholder: t("find.label"), autocomplete: "off", oninput: (event) => { this.#words = event.target.value.trim().toLowerCase(); this.#find(); } })),
      h("div", { class: "segments", role: "group", "aria-label": t("filter.label") }, FILTERS.map((key) => h("button", {
        type: "button", "data-filter": key, "aria-pressed": String(key === this.#filter), onclick: () => this.#choose(key),
      }, t(key === "all" ? "filter.all" : "desk.filter.changed")))));
  }

  // ---- Rows ---------------------------------------------------------------------------------------------------------

  /** Draws the rows: every one anew, or with `kept` those that are there as they are, with what is typed in them. */
  #build({ focus = null, kept = new Map() } = {}) {
    const { brand } = this.#draft;
    this.#fields = fieldsOf(brand, this.#catalogue);
    this.#entries = new Map();
    const entry = (path) => {
      const made = kept.get(path) ?? new BrandEntry(this.#draft, this.#fields.get(path), inheritedOf(path, this.#catalogue), { opened: (one) => this.#show(one), remove: (one) => this.#remove(one) });
      this.#entries.set(path, made);
      return made.element;
    };
    const section = (key) => Object.keys(brand.parameters).filter((path) => path.startsWith(`${key}.`) && this.#fields.has(path));
    put(this.#sections,
      h("section", { "data-section": "startupCosts" },
        h("header", { class: "section-head" }, h("h2", {}, t("brand.startup")), h("button", { type: "button", class: "quiet small add-row", disabled: brand.startupCostTemplate.length >= MOST_ROWS, onclick: () => this.#add() }, icon("plus"), t("desk.row.add"))),
        brand.startupCostTemplate.length >= MOST_ROWS && h("p", { class: "soft" }, t("desk.problem.rows", { high: MOST_ROWS })),
        brand.startupCostTemplate.map((row) => entry(rowPath(row))), this.#removedRows()),
      SECTIONS.map((key) => [key, section(key)]).filter(([, paths]) => paths.length > 0)
        .map(([key, paths]) => h("section", { "data-section": key }, h("h2", {}, t(`section.${key}`)), paths.map(entry))));
    this.#update();
    if (focus) this.#goTo(focus);
  }

  #removedRows() {
    const paths = new Set(this.#draft.brand.startupCostTemplate.map(rowPath));
    const removed = this.#draft.base.startupCostTemplate.filter((row) => !paths.has(rowPath(row)));
    return removed.map((row) => h("div", { class: "brand-entry removed", "data-removed": rowPath(row) },
      h("p", { class: "soft" }, h("s", { dir: "auto" }, visible(row.label)), ` · ${t("desk.row.removed")}`),
      h("button", { type: "button", class: "link", "aria-label": t("desk.row.backOf", { label: visible(row.label) }), onclick: () => { this.#draft.putBack(rowPath(row)); this.#build({ focus: rowPath(row), kept: this.#entries }); } }, icon("undo"), t("desk.row.back"))));
  }

  #add() {
    addRowDialog(this.#draft.brand, (label) => {
      const path = this.#draft.addRow(label);
      if (path) this.#build({ focus: path, kept: this.#entries });
    });
  }

  #remove(path) {
    const label = this.#fields.get(path)?.label ?? path;
    this.#draft.removeRow(path);
    this.#entries.delete(path);
    this.#build({ kept: this.#entries });
    this.#sections.querySelector(`[data-removed="${CSS.escape(path)}"] button, .add-row`)?.focus();
    this.#toast.show(t("desk.row.removed.done", { label }));
  }

  /** Opens a row and goes to its first box, or to the one that has something wrong. */
  #goTo(path, input = null) {
    const entry = this.#entries.get(path);
    if (!entry) return;
    this.#words = "";
    this.element.querySelector(".finder input").value = "";
    this.#choose("all");
    entry.element.open = true;
    (input ?? entry.element.querySelector("input")).focus();
    entry.element.scrollIntoView({ block: "center" });
  }

  // ---- What is shown --------------------------------------------------------------------------------------------

  #update() {
    const { edits, changedPaths, brand } = this.#draft;
    this.#fields = fieldsOf(brand, this.#catalogue);
    for (const [path, entry] of this.#entries) if (this.#fields.has(path)) entry.show(this.#fields.get(path), changedPaths.has(path));
    this.#count.textContent = edits.length === 0 ? t("desk.unchanged") : t("desk.changes", { count: edits.length });
    this.#discard.hidden = this.unpublished === 0;
    this.#publish.disabled = edits.length === 0 || [...this.#entries.values()].some((entry) => entry.isWrong);
    this.#find();
    this.#show(this.#shown);
  }

  #choose(key) {
    this.#filter = key;
    for (const button of this.element.querySelectorAll("[data-filter]")) button.setAttribute("aria-pressed", String(button.dataset.filter === key));
    this.#find();
  }

  #find() {
    const { changedPaths } = this.#draft;
    const texts = (field) => [field.label, field.path, field.help, ...field.aliases].join("\n").toLowerCase();
    let shown = 0;
    for (const [path, { element }] of this.#entries) {
      const field = this.#fields.get(path);
      const isWanted = field && (this.#filter === "all" || changedPaths.has(path)) && texts(field).includes(this.#words);
      // What is being typed in stays, whatever it is called by now.
      element.hidden = !isWanted && !element.contains(document.activeElement);
      shown += element.hidden ? 0 : 1;
    }
    for (const section of this.#sections.children) section.hidden = ![...section.querySelectorAll(".brand-entry")].some((entry) => !entry.hidden);
    this.#nothing.hidden = shown > 0;
    this.#nothing.textContent = this.#filter === "changed" && this.#words === "" ? t("desk.filter.none") : t("find.nothing");
  }

  /** The field as a franchisee will see it. */
  #show(path) {
    this.#shown = path;
    const field = this.#fields.get(path);
    if (!field || !entryOf(this.#draft.brand, path)) return put(this.#preview, h("p", { class: "soft" }, t("brand.preview.help")));
    const { currentValue, item7Range } = inputsOf({ financialInputs: null }, this.#draft.brand)[path];
    const hasRange = item7Range && item7Range.high !== null && item7Range.high !== undefined && item7Range.high >= item7Range.low;
    put(this.#preview, h("div", { class: "field default" },
      h("div", { class: "field-line" }, h("span", { class: "field-label", dir: "auto" }, field.label), h("span", { class: "field-value" }, formatValue(field.kind, currentValue)), h("span", { class: "badge brand" }, t("source.brand"))),
      hasRange && h("div", { class: "field-range" }, rangeBar(field.kind, currentValue, item7Range), h("span", { class: "field-range-words" }, `${formatValue(field.kind, item7Range.low)} – ${formatValue(field.kind, item7Range.high)}`)),
      h("p", { class: "soft", dir: "auto" }, field.help || t("brand.noHelp")),
      field.aliases.length > 0 && h("p", { class: "soft", dir: "auto" }, t("glossary.aliases", { words: field.aliases.join(", ") }))));
  }

  #tell(...content) {
    put(this.#notice, icon("info"), h("div", {}, content.map((part) => (typeof part === "string" ? h("p", {}, part) : part))));
  }

  // ---- Publishing -----------------------------------------------------------------------------------------------

  async #openSample() {
    const { brand, edits } = this.#draft;
    const { sample } = await this.#client.previewBrand(brand);
    await showSample(this.#client, { brand, catalogue: this.#catalogue, sample, isDraft: edits.length > 0 });
  }

  async #review() {
    this.#publish.disabled = true;
    put(this.#problem);
    try {
      const { brand, version, edits, base } = this.#draft;
      const preview = await this.#client.previewBrand(brand, { ifMatch: version });
      const fields = new Map([...fieldsOf(base, this.#catalogue), ...this.#fields]);
      const window = publishDialog({ edits, fields, preview }, () => this.#send(() => window.close()), () => this.#published());
    } catch (error) {
      await this.#fail(error);
    } finally {
      this.#update();
    }
  }

  /** What the server refuses at last is said on the page, where the boxes are. */
  async #send(close) {
    try {
      const { brand, version } = this.#draft;
      await this.#client.replaceBrand(brand, { ifMatch: version });
      this.#hasPublished = true;
      this.#draft.published(brand);
    } catch (error) {
      if (error.status !== 412 && error.status !== 400) throw error;
      close();
      await this.#fail(error);
    }
  }

  #published() {
    if (!this.#hasPublished) return;
    this.#hasPublished = false;
    put(this.#notice);
    this.#build();
    this.#choose("all");
    this.#toast.show(t("brand.saved"));
    this.element.querySelector("h1").scrollIntoView({ block: "end" });
  }

  async #fail(error) {
    if (error.status === 412) return this.#moveOn().catch((other) => this.#fail(other));
    if (error.status === 401) return;
    const places = problemsOf(error.details ?? [], this.#draft.brand);
    const known = places.filter(({ path }) => this.#entries.has(path));
    for (const entry of this.#entries.values()) entry.element.classList.remove("wrong");
    let first = null;
    for (const { path, part, words } of known) {
      const input = this.#entries.get(path).complain(part, words);
      this.#entries.get(path).element.classList.add("wrong");
      first ??= { path, input };
    }
    put(this.#problem, icon("warning"), h("div", {}, places.length === 0 ? errorText(error) : places.map(({ path, words }) => h("p", {}, this.#fields.has(path) ? h("b", { dir: "auto" }, `${this.#fields.get(path).label}: `) : "", words))));
    if (first) this.#goTo(first.path, first.input);
    else this.#problem.scrollIntoView({ block: "center" });
  }

  /** Somebody else has published: what was typed goes onto their edition, and is looked at again. */
  async #moveOn() {
    const { id } = this.#draft.base;
    const [{ brand, version }, [newest]] = await Promise.all([this.#client.brandEdition(id), this.#client.brandEditions(id)]);
    const before = this.#fields;
    const lost = this.#draft.rebase(brand, version).map((edit) => editWords(edit, before));
    this.#build();
    const name = newest?.publishedBy ? visible(newest.publishedBy) : t("desk.edition.nobody");
    this.#tell(t("desk.moved", { name, version, count: this.#draft.edits.length }), ...lost.map(({ label, part, after }) => t("desk.moved.lost", { label, part, after })));
    this.#notice.scrollIntoView({ block: "center" });
  }

  #throwAway() {
    const before = this.#draft.edits;
    this.#draft.discard();
    put(this.#problem);
    put(this.#notice);
    this.#build();
    this.#toast.show(t("desk.discarded", { count: before.length }), before.length > 0 ? async () => { this.#draft.apply(before); this.#build(); } : null);
  }
}
