/**
 * The plan by sections: how much is still missing, a way to find a field, and the trail of what has changed.
 */
import { h, icon, put, s } from "../dom.js";
import { formatTime, formatValue, plural, visible } from "../format.js";
import { sourceOf } from "../fields.js";
import { FieldRow } from "./field-row.js";

const FILTERS = [["all", "All"], ["open", "To decide"], ["custom", "Changed"]];

export class PlanPanel {
  #workspace;
  #notify;
  #rows = new Map();
  #filter = "all";
  #words = "";
  #layout = "";
  #progress = h("div", { class: "progress" });
  #sections = h("div", { class: "sections" });
  #trail = h("details", { class: "trail" });
  #nothing = h("p", { class: "nothing", hidden: true }, "No field matches.");

  constructor(workspace, notify) {
    this.#workspace = workspace;
    this.#notify = notify;
    this.element = h("section", { class: "panel plan-panel", "aria-labelledby": "plan-title", "data-view": "plan" },
      h("header", { class: "panel-head" },
        h("h2", { id: "plan-title" }, "Your plan"),
        this.#progress,
        h("div", { class: "finder" },
          h("label", { class: "search" }, h("span", { class: "spoken" }, "Find a field"),
            h("input", { type: "search", placeholder: "Find a field", autocomplete: "off", oninput: (event) => this.#search(event.target.value) })),
          h("div", { class: "segments", role: "group", "aria-label": "Which fields" },
            FILTERS.map(([key, word]) => h("button", { type: "button", "data-filter": key, "aria-pressed": String(key === "all"), onclick: () => this.show(key) }, word))))),
      h("div", { class: "panel-body", tabindex: "0", role: "group", "aria-label": "Fields of the plan" }, this.#sections, this.#nothing, this.#trail));
    workspace.addEventListener("change", () => this.#update());
  }

  /** Shows "all", the "open" core fields, or the "custom" ones. */
  show(filter) {
    this.#filter = filter;
    for (const button of this.element.querySelectorAll("[data-filter]")) button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
    this.#applyFilter();
  }

  #search(words) {
    this.#words = words.trim().toLowerCase();
    this.#applyFilter();
  }

  #update() {
    const layout = JSON.stringify([this.#workspace.planId, this.#workspace.sections.map((section) => section.fields.map((field) => field.path))]);
    if (layout !== this.#layout) this.#build();
    this.#layout = layout;
    for (const section of this.#workspace.sections) for (const field of section.fields) this.#rows.get(field.path).update(field);
    this.#showProgress();
    this.#showTrail();
    this.#applyFilter();
    this.#bringMovedIntoView();
  }

  #build() {
    this.#rows.clear();
    put(this.#sections, this.#workspace.sections.map((section) => {
      const rows = section.fields.map((field) => {
        const row = new FieldRow(this.#workspace, field, this.#notify);
        this.#rows.set(field.path, row);
        return row.element;
      });
      return h("details", { class: "section", open: ["revenue", "operatingCosts"].includes(section.key), "data-section": section.key },
        h("summary", {}, h("h3", {}, section.title), h("span", { class: "section-count" })),
        h("ul", { class: "fields" }, rows));
    }));
  }

  #showProgress() {
    const { coreCount, missing, plan } = this.#workspace;
    if (coreCount === 0) return void put(this.#progress);
    const done = coreCount - missing.length;
    const words = !plan.financialInputs ? "No figures yet. These are the brand’s placeholders until you say otherwise."
      : missing.length === 0 ? "Every key figure is your own."
      : `${missing.length} of ${coreCount} key figures are still the brand’s placeholders.`;
    put(this.#progress,
      h("p", {}, words),
      s("svg", { class: "progress-bar", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "progress-track", width: 100, height: 4 }),
        s("rect", { class: "progress-done", width: (done / coreCount) * 100, height: 4 })));
  }

  #showTrail() {
    const { changes } = this.#workspace;
    put(this.#trail,
      h("summary", {}, h("h3", {}, "What has changed"), h("span", { class: "section-count" }, changes.length ? String(changes.length) : "nothing yet")),
      h("ol", { class: "changes" }, changes.slice(0, 50).map((change) => this.#change(change))));
    this.#trail.hidden = changes.length === 0;
  }

  #change(change) {
    const field = this.#workspace.field(change.field);
    const kind = field?.kind ?? "count";
    const canUndo = !this.#workspace.readOnly && this.#workspace.undoable(change.field)?.id === change.id;
    return h("li", {},
      h("div", { class: "change-line" },
        h("span", { class: "field-label", dir: "auto" }, field?.label ?? change.field),
        h("span", { class: "change-values" }, formatValue(kind, change.oldValue), icon("arrow"), formatValue(kind, change.newValue))),
      h("div", { class: "change-about" },
        h("span", { class: `badge ${sourceOf(change.source).key}` }, sourceOf(change.source).word),
        h("span", {}, [formatTime(change.at), whoActed(change)].filter(Boolean).join(" · ")),
        canUndo && h("button", { type: "button", class: "link", onclick: (event) => this.#undo(event, change, field, kind) }, icon("undo"), "Undo")),
      change.evidence && h("q", { class: "change-evidence", dir: "auto" }, change.evidence));
  }

  async #undo(event, change, field, kind) {
    event.currentTarget.disabled = true;
    try {
      await this.#workspace.undo(change);
      this.#notify(`${field?.label ?? change.field} is ${formatValue(kind, change.oldValue)} again.`);
    } catch (error) {
      this.#notify(error.message);
      await this.#workspace.refresh();
    }
  }

  #applyFilter() {
    const missing = new Set(this.#workspace.missing.map((field) => field.path));
    const wanted = (field) => (this.#words === "" || `${field.label} ${field.path}`.toLowerCase().includes(this.#words))
      && (this.#filter === "all" || (this.#filter === "open" ? missing.has(field.path) : this.#workspace.inputs[field.path].isCustom));
    let shown = 0;
    for (const section of this.#workspace.sections) {
      const element = this.#sections.querySelector(`[data-section="${section.key}"]`);
      const visibleFields = section.fields.filter(wanted);
      for (const field of section.fields) this.#rows.get(field.path).element.hidden = !wanted(field);
      const own = section.fields.filter((field) => this.#workspace.inputs[field.path].isCustom).length;
      element.querySelector(".section-count").textContent = own === 0 ? plural(section.fields.length, "field") : `${own} of ${section.fields.length} changed`;
      element.hidden = visibleFields.length === 0;
      if (this.#filter !== "all" || this.#words !== "") element.open = true;
      shown += visibleFields.length;
    }
    this.#nothing.hidden = shown > 0;
  }

  /** Opens the sections that hold a change and scrolls to the first, inside this panel only. */
  #bringMovedIntoView() {
    const paths = [...this.#workspace.moved.fields].filter((path) => this.#rows.has(path));
    if (paths.length === 0 || this.element.contains(document.activeElement)) return;
    for (const path of paths) this.#rows.get(path).element.closest("details").open = true;
    const body = this.element.querySelector(".panel-body");
    const row = this.#rows.get(paths[0]).element;
    body.scrollTop += row.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 3;
  }
}

/** Who made a change, where the answer says so: a name, and for whom it was made. */
function whoActed({ actor, effectiveUser }) {
  const name = (user) => (typeof user === "object" ? visible(user?.displayName) : "");
  if (!name(actor)) return "";
  return name(effectiveUser) && name(effectiveUser) !== name(actor) ? `${name(actor)} for ${name(effectiveUser)}` : name(actor);
}
