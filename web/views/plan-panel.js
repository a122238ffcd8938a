/**
 * The plan by sections: the key numbers and how many are decided, what waits for an answer, a way to find a field, and the
 * history of changes.
 */
import { h, icon, put, s } from "../dom.js";
import { formatTime, formatValue, visible } from "../format.js";
import { derivedOf, sourceOf } from "../fields.js";
import { errorText } from "../errors.js";
import { countOf } from "../key-numbers.js";
import { metricHelp, metricLabel, metricNames } from "../metrics.js";
import { follow, resultPath } from "../router.js";
import { t } from "../texts.js";
import { Corrections } from "./corrections.js";
import { FieldRow } from "./field-row.js";
import { ValueCard } from "./value-card.js";

/** Results that a search names. */
const MOST_RESULTS = 3;
const FILTERS = ["all", "open", "custom"];
const STATES = { confirmed: "check", waiting: "question", unknown: "later", skipped: "later", brand: "circle" };

export class PlanPanel {
  #workspace;
  #chat;
  #notify;
  #ask;
  #numbers;
  #rows = new Map();
  #cards = new Map();
  #filter = "all";
  #words = "";
  #layout = "";
  #progress = h("div", { class: "progress" });
  #waitingLink = h("button", { type: "button", class: "link waiting-link", hidden: true, onclick: () => this.#goToWaiting() });
  #waiting = h("section", { class: "waiting", "aria-labelledby": "waiting-title", hidden: true }, h("h3", { id: "waiting-title", tabindex: "-1" }), h("ul", { class: "values" }));
  #key = h("details", { class: "key-numbers", open: true, hidden: true }, h("summary", {}, h("h3", {}, t("key.title"))), h("ol", {}));
  #sections = h("div", { class: "sections" });
  #trail = h("details", { class: "trail", hidden: true });
  #found = h("div", { class: "found", role: "status", hidden: true });

  /** `ask(path?)` asks for a key number; `numbers()` gives them all as they are. */
  constructor(workspace, chat, { notify, ask, numbers }) {
    this.#workspace = workspace;
    this.#chat = chat;
    this.#notify = notify;
    this.#ask = ask;
    this.#numbers = numbers;
    this.element = h("section", { class: "panel plan-panel", "aria-labelledby": "plan-title", "data-view": "plan" },
      h("header", { class: "panel-head" },
        h("h2", { id: "plan-title" }, t("plan.title")),
        this.#progress, this.#waitingLink,
        h("div", { class: "finder" },
          h("label", { class: "search" }, h("span", { class: "spoken" }, t("find.label")),
            h("input", { type: "search", placeholder: t("find.label"), autocomplete: "off", oninput: (event) => this.#search(event.target.value) })),
          h("div", { class: "segments", role: "group", "aria-label": t("filter.label") },
            FILTERS.map((key) => h("button", { type: "button", "data-filter": key, "aria-pressed": String(key === "all"), onclick: () => this.show(key) }, t(`filter.${key}`)))))),
      h("div", { class: "panel-body", tabindex: "0", role: "group", "aria-label": t("plan.fields") }, new Corrections(workspace, notify).element, this.#waiting, this.#key, this.#found, this.#sections, this.#trail));
    workspace.addEventListener("change", () => this.#update());
    chat.addEventListener("history", () => { this.#showWaiting(); this.showNumbers(); });
  }

  /** Shows "all", the "open" key numbers, or the "custom" ones. */
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
    for (const field of this.#workspace.fields) this.#rows.get(field.path).update(field);
    for (const card of this.#cards.values()) card.show();
    this.showNumbers();
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

  // ---- Key numbers and what waits -------------------------------------------------------------------------------

  showNumbers() {
    const numbers = this.#numbers();
    this.#key.hidden = numbers.length === 0;
    if (numbers.length === 0) return void put(this.#progress);
    const done = countOf(numbers, "confirmed");
    const { plan, readOnly } = this.#workspace;
    put(this.#progress,
      h("p", {}, !plan.financialInputs ? t("progress.none") : done === numbers.length ? t("progress.all", { count: done }) : t("progress.some", { done, count: numbers.length })),
      s("svg", { class: "progress-bar", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "progress-track", width: 100, height: 4 }),
        s("rect", { class: "progress-done", width: (done / numbers.length) * 100, height: 4 })),
      !readOnly && h("button", { type: "button", class: `${done === numbers.length ? "quiet" : "primary"} small next-question`, onclick: () => this.#ask() },
        t(done === numbers.length ? "progress.finish" : done === 0 ? "progress.start" : "progress.next"), icon("arrow")));
    put(this.#key.lastElementChild, numbers.map(({ field, state }) => {
      const { inputs, outputs } = this.#workspace;
      const derived = derivedOf(field.path, inputs[field.path], outputs?.metrics);
      const value = formatValue(field.kind, derived ? derived.value : inputs[field.path].currentValue);
      const content = [icon(STATES[state]), h("span", { class: "key-label", dir: "auto" }, field.label), h("span", { class: "key-value" }, value), h("span", { class: "key-state" }, t(`key.${state}`))];
      return h("li", { class: `key-number ${state}`, "data-key": field.path }, readOnly ? h("div", {}, content) : h("button", { type: "button", onclick: () => this.#ask(field.path) }, content));
    }));
  }

  /** One list of everything that waits for an answer, wherever in the conversation it was asked. */
  #showWaiting() {
    const open = this.#chat.history?.openProposals() ?? [];
    const ids = new Set(open.map(({ value }) => value.id));
    const [title, list] = this.#waiting.children;
    const hadFocus = list.contains(document.activeElement);
    for (const [id, card] of [...this.#cards]) {
      if (ids.has(id)) continue;
      card.element.remove();
      this.#cards.delete(id);
    }
    for (const { value } of open) {
      const card = this.#cards.get(value.id);
      if (card) card.update(value);
      else {
        this.#cards.set(value.id, new ValueCard(this.#cardDesk(), value));
        list.append(this.#cards.get(value.id).element);
      }
    }
    title.textContent = t("waiting.title", { count: open.length });
    this.#waiting.hidden = open.length === 0;
    // Where the conversation stands beside this panel and asks already, asking twice would confuse.
    this.#waiting.classList.toggle("beside", this.#chat.asks);
    this.#waitingLink.hidden = open.length === 0;
    put(this.#waitingLink, icon("question"), t("waiting.title", { count: open.length }));
    if (hadFocus && !list.contains(document.activeElement)) this.#focusWaiting();
    this.element.dispatchEvent(new CustomEvent("waiting", { detail: open.length }));
  }

  /** The conversation's ways, but the focus stays in this list. */
  #cardDesk() {
    const { workspace, client, notify } = this.#chat;
    return { workspace, client, notify, sync: () => this.#chat.sync(), authorOf: (value) => this.#chat.authorOf(value), settled: (ids, changes) => this.#chat.settled(ids, changes), focusAfter: () => this.#focusWaiting() };
  }

  #focusWaiting() {
    const next = [...this.#cards.values()].find((card) => card.isOpen);
    if (next) next.focus();
    else this.element.querySelector(".next-question, #plan-title")?.focus();
  }

  /** Brings a number into view and goes there. */
  reveal(path) {
    const row = this.#rows.get(path)?.element;
    if (!row) return;
    this.element.querySelector("input[type=search]").value = "";
    this.#words = "";
    this.show("all");
    row.closest("details").open = true;
    row.scrollIntoView({ block: "center" });
    (row.querySelector("button.field-value") ?? row.querySelector("button"))?.focus({ preventScroll: true });
  }

  #goToWaiting() {
    if (getComputedStyle(this.#waiting).display === "none") this.#chat.focusAfter();
    else this.revealWaiting();
  }

  /** Brings the list of what waits into view. */
  revealWaiting() {
    this.element.querySelector(".panel-body").scrollTop = 0;
    this.#waiting.firstElementChild.focus();
  }

  // ---- Changes --------------------------------------------------------------------------------------------------

  #showTrail() {
    const { changes } = this.#workspace;
    put(this.#trail,
      h("summary", {}, h("h3", {}, t("trail.title")), h("span", { class: "section-count" }, String(changes.length))),
      h("ol", { class: "changes" }, changes.slice(0, 50).map((change) => this.#change(change))));
    this.#trail.hidden = changes.length === 0;
  }

  #change(change) {
    const { owner } = this.#workspace;
    const field = this.#workspace.field(change.field);
    const kind = field?.kind ?? "count";
    const label = field?.label ?? visible(change.field);
    const canUndo = !this.#workspace.readOnly && this.#workspace.undoable(change.field)?.id === change.id;
    const source = sourceOf(change.source, change.actor, owner);
    return h("li", {},
      h("div", { class: "change-line" },
        h("span", { class: "field-label", dir: "auto" }, label),
        h("span", { class: "change-values" }, formatValue(kind, change.oldValue), icon("arrow"), formatValue(kind, change.newValue))),
      h("div", { class: "change-about" },
        h("span", { class: `badge ${source.key}` }, source.word),
        h("span", {}, [formatTime(change.at), visible(change.actor?.displayName)].filter(Boolean).join(" · ")),
        canUndo && h("button", { type: "button", class: "link", "aria-label": t("value.undo.label", { label }), onclick: (event) => this.#undo(event, change, label, kind) }, icon("undo"), t("undo"))),
      change.evidence && h("q", { class: "change-evidence", dir: "auto" }, change.evidence));
  }

  async #undo(event, change, label, kind) {
    event.currentTarget.disabled = true;
    try {
      await this.#workspace.undo(change);
      this.#notify(t("toast.again", { label, value: formatValue(kind, change.oldValue) }));
    } catch (error) {
      this.#notify(error.status === 409 ? t("error.nothingStands") : errorText(error));
      await this.#workspace.refresh().catch(() => {});
    }
    this.#trail.querySelector("summary").focus();
  }

  // ---- Finding --------------------------------------------------------------------------------------------------

  #applyFilter() {
    const missing = new Set(this.#workspace.missing.map((field) => field.path));
    const texts = (field) => [field.label, field.path, field.help, ...field.aliases].join("\n").toLowerCase();
    const wanted = (field) => (this.#words === "" || texts(field).includes(this.#words))
      && (this.#filter === "all" || (this.#filter === "open" ? missing.has(field.path) : this.#workspace.inputs[field.path].isCustom));
    const isPlain = this.#filter === "all" && this.#words === "";
    let shown = 0;
    for (const section of this.#workspace.sections) {
      const element = this.#sections.querySelector(`[data-section="${section.key}"]`);
      const visibleFields = section.fields.filter(wanted);
      for (const field of section.fields) this.#rows.get(field.path).element.hidden = !wanted(field);
      const own = section.fields.filter((field) => this.#workspace.inputs[field.path].isCustom).length;
      element.querySelector(".section-count").textContent = own === 0 ? t("section.fields", { count: section.fields.length }) : t("section.edited", { own, count: section.fields.length });
      element.hidden = visibleFields.length === 0;
      if (!isPlain) element.open = true;
      shown += visibleFields.length;
    }
    this.#showResults(shown === 0);
    this.element.classList.toggle("filtered", !isPlain);
  }

  /** Results of that name, which are no numbers of the plan; where no number has it either, those whose help has the words. */
  #showResults(isAlone) {
    const has = (words) => words.toLowerCase().includes(this.#words);
    const named = this.#words === "" ? [] : metricNames().filter((name) => has(metricLabel(name)));
    const found = named.length > 0 || !isAlone || this.#words === "" ? named : metricNames().filter((name) => has(metricHelp(name)));
    put(this.#found, isAlone && h("p", {}, t("find.nothing")), found.slice(0, MOST_RESULTS).map((name) => h("a", { class: "link", href: resultPath(this.#workspace.planId, name), onclick: follow },
      t("find.result", { name: metricLabel(name) }), icon("arrow"))));
    this.#found.hidden = !isAlone && found.length === 0;
  }

  /** Opens the sections that hold a change and scrolls to the first, inside this panel only. */
  #bringMovedIntoView() {
    const paths = [...this.#workspace.moved.fields].filter((path) => this.#rows.has(path));
    if (paths.length === 0 || this.element.contains(document.activeElement) || !this.#waiting.hidden) return;
    for (const path of paths) this.#rows.get(path).element.closest("details").open = true;
    const body = this.element.querySelector(".panel-body");
    const row = this.#rows.get(paths[0]).element;
    body.scrollTop += row.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 3;
  }
}
