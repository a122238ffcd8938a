/**
 * The plan beside its scenarios: compare, see what matters, try values, save them or put them into the plan.
 *
 * The address names the scenarios that are shown (`?with=<id>,<id>`). What is tried is kept in this browser and written
 * nowhere until it is saved or adopted.
 */
import { h, icon, put } from "../dom.js";
import { errorText } from "../errors.js";
import { visible } from "../format.js";
import { withNeeds } from "../needs.js";
import { follow, go, planPath } from "../router.js";
import { tryouts } from "../storage.js";
import { currentLanguage, t } from "../texts.js";
import { Workspace } from "../workspace.js";
import { CompareCharts } from "../views/compare-charts.js";
import { CompareTable } from "../views/compare-table.js";
import { deleteScenarioDialog, nameScenarioDialog } from "../views/dialogs.js";
import { GoalSeek } from "../views/goal-seek.js";
import { Levers } from "../views/levers.js";
import { TopBar, menu } from "../views/top-bar.js";
import { WhatIf } from "../views/what-if.js";

/** Columns beside the plan. */
const COLUMNS = 3;
const POLL_MS = 5000;

class ScenariosScreen {
  #context;
  #client;
  #workspace;
  #scenarios = [];
  #chosen = [];
  /** Projections of the shown scenarios by id. */
  #outputs = new Map();
  /** The what-if's own projection, null where nothing is tried. */
  #tried = null;
  /** The scenario whose values are being changed, or null. */
  #edited = null;
  #asking = false;
  #wantsMore = false;
  #abort = new AbortController();
  #back = h("a", { class: "quiet button small", onclick: follow }, t("print.back"));
  #name = h("p", { class: "soft", dir: "auto" });
  #picker = h("div", { class: "picker", role: "group", "aria-label": t("scenarios.pick") });
  #table = new CompareTable();
  #charts = new CompareCharts();
  #whatIf;
  #levers;
  #goal;
  #body = h("div", { class: "compare-body" });

  constructor(context) {
    const { client, session } = context;
    this.#context = context;
    this.#client = client;
    const looksOnly = session.user.role === "platform_admin" && !session.impersonation;
    this.#workspace = new Workspace(client, { readOnly: looksOnly || session.impersonation?.mode === "read" });
    const tryOut = (path, value) => this.#whatIf.tryOut(path, value);
    this.#whatIf = new WhatIf(this.#workspace);
    this.#levers = new Levers(this.#workspace, client, { tryOut });
    this.#goal = new GoalSeek(this.#workspace, client, { tryOut });
    this.#whatIf.addEventListener("values", () => this.#recompute());
    this.#whatIf.addEventListener("save", () => this.#save());
    this.#whatIf.addEventListener("update", () => this.#act(() => this.#update()));
    this.#whatIf.addEventListener("adopt", () => this.#act(() => this.#adoptTried()));
    this.element = h("div", { class: "screen compare-screen" }, new TopBar(context).element,
      h("main", { class: "page compare", "aria-labelledby": "compare-title" },
        h("header", { class: "page-head" }, h("h1", { id: "compare-title" }, t("scenarios.title")), this.#back), this.#name, this.#body));
    const timer = setInterval(() => this.#poll(), POLL_MS);
    this.#abort.signal.addEventListener("abort", () => clearInterval(timer));
  }

  takes(route) {
    return route.view === "scenarios" && route.planId === this.#workspace.planId;
  }

  async go({ planId }) {
    if (planId !== this.#workspace.planId) {
      this.#back.href = planPath(planId);
      const [opened, scenarios] = await Promise.all([this.#workspace.open(planId, { id: null, name: "", isReader: true }), this.#client.scenarios(planId)]);
      if (!opened) return;
      this.#scenarios = scenarios;
      document.title = t("title.scenarios", { name: visible(this.#workspace.plan.name) || t("plan.unnamed") });
      put(this.#name, visible(this.#workspace.plan.name) || t("plan.unnamed"));
      if (!this.#workspace.outputs) return void put(this.#body, h("div", { class: "empty" }, h("p", {}, t("results.none")), h("p", { class: "soft" }, t("results.none.help"))));
      put(this.#body,
        h("div", { class: "compare-main" }, this.#picker, this.#table.element),
        h("div", { class: "compare-side" }, this.#whatIf.element, this.#goal.element,
          h("p", { class: "standing" }, t("standing"))),
        h("div", { class: "compare-more" }, this.#charts.element, this.#levers.element));
      this.#whatIf.start(tryouts.get(planId));
      this.#goal.update();
      this.#levers.update();
      this.#prepareToPrint(planId).catch(() => {});
    }
    this.#chosen = this.#ofAddress();
    await Promise.all([this.#readOutputs(), this.#readTried()]);
    this.#draw();
  }

  close() {
    this.#abort.abort();
  }

  /** The browser's own print is the summary of the plan, and the table that is seen. */
  async #prepareToPrint(planId) {
    const { ownerOf, printsSummary } = await withNeeds("paper", import("../views/print-summary.js"));
    const owner = await ownerOf(this.#context, planId);
    printsSummary(this.element, () => {
      const { plan, brand, outputs, inputs } = this.#workspace;
      return { plan, brand, owner, outputs, inputs, more: this.#table.element.cloneNode(true) };
    }, this.#abort.signal);
  }

  /** The scenarios that the address names; the first ones where it has no list. */
  #ofAddress() {
    const named = new URLSearchParams(location.search).get("with");
    const ids = named === null ? this.#scenarios.map(({ id }) => id) : named.split(",");
    return ids.filter((id) => this.#scenarios.some((entry) => entry.id === id)).slice(0, COLUMNS);
  }

  #show(ids, options) {
    go(`${planPath(this.#workspace.planId, "scenarios")}?with=${ids.join(",")}`, options);
  }

  async #readOutputs() {
    const { planId } = this.#workspace;
    const read = await Promise.all(this.#chosen.map(async (id) => [id, await this.#client.outputs(planId, id)]));
    this.#outputs = new Map(read);
  }

  async #readTried() {
    this.#tried = this.#whatIf.isEmpty ? null : await this.#client.whatIf(this.#workspace.planId, this.#whatIf.values);
  }

  /** A value was moved: the newest state is asked for once the answer before it is there. */
  async #recompute() {
    tryouts.set(this.#workspace.planId, this.#whatIf.values);
    this.#wantsMore = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#wantsMore) {
        this.#wantsMore = false;
        await this.#readTried();
        this.#draw();
      }
      this.#whatIf.showProblem("");
    } catch (error) {
      if (error.status !== 401) this.#whatIf.showProblem(errorText(error));
    } finally {
      this.#asking = false;
    }
  }

  // ---- Drawing ------------------------------------------------------------------------------------------------------

  #draw() {
    const { inputs, outputs, fields } = this.#workspace;
    const columns = [{ key: "plan", name: t("scenarios.plan"), overrides: {}, outputs, actions: null },
      ...this.#chosen.map((id) => {
        const scenario = this.#scenarios.find((entry) => entry.id === id);
        return { key: id, name: visible(scenario.name), overrides: scenario.overrides, outputs: this.#outputs.get(id), actions: this.#menuOf(scenario) };
      })];
    // Four columns at most: what is tried takes the last place.
    if (this.#tried) columns.splice(COLUMNS, 1, { key: "tried", name: t("whatIf.column"), overrides: this.#whatIf.values, outputs: this.#tried, actions: null });
    const focused = document.activeElement?.closest("[data-scenario], [data-column]") && document.activeElement;
    this.#drawPicker();
    this.#table.show(columns, { fields, inputs });
    this.#charts.show(columns);
    this.#whatIf.showEffects(this.#tried, this.#edited);
    if (focused && !focused.isConnected) this.#picker.querySelector(`[data-scenario="${focused.dataset.scenario ?? ""}"]`)?.focus();
  }

  #drawPicker() {
    const isFull = this.#chosen.length >= COLUMNS;
    const { inputs } = this.#workspace;
    const differing = (overrides) => Object.entries(overrides).filter(([path, value]) => inputs[path] && inputs[path].currentValue !== value).length;
    put(this.#picker, this.#scenarios.length === 0
      ? h("p", { class: "soft" }, t("scenarios.none"))
      : this.#scenarios.map(({ id, name, overrides }) => {
        const isShown = this.#chosen.includes(id);
        return h("label", { class: "chip pick" }, h("input", { type: "checkbox", "data-scenario": id, checked: isShown, disabled: !isShown && isFull, onchange: () =>
          this.#show(isShown ? this.#chosen.filter((entry) => entry !== id) : [...this.#chosen, id]) }), h("span", { dir: "auto" }, visible(name)), h("span", { class: "soft" }, t("scenarios.differs", { count: differing(overrides) })));
      }),
    isFull && this.#scenarios.length > COLUMNS && h("p", { class: "soft" }, t("scenarios.full")));
  }

  #menuOf(scenario) {
    const { planId, readOnly } = this.#workspace;
    const name = visible(scenario.name);
    const item = (words, act, className = "") => h("button", { type: "button", class: className, onclick: act }, words);
    return menu(h("summary", { class: "tool", "aria-label": t("scenarios.menu", { name }) }, icon("more")), [
      !readOnly && item(t("scenarios.adopt"), () => this.#act(() => this.#adopt(scenario))),
      !readOnly && item(t("scenarios.edit"), () => this.#edit(scenario)),
      !readOnly && item(t("scenarios.rename"), () => nameScenarioDialog(t("scenarios.rename"), name, async (wanted) => {
        await this.#client.replaceScenario(planId, scenario.id, { name: wanted });
        await this.#reload();
      })),
      h("a", { href: `${planPath(planId, "print")}?scenario=${scenario.id}`, onclick: follow }, t("print.open")),
      h("a", { href: this.#client.xlsxUrl(planId, scenario.id, currentLanguage()), download: true }, t("xlsx")),
      !readOnly && item(t("scenarios.delete"), () => deleteScenarioDialog(name, async () => {
        await this.#client.deleteScenario(planId, scenario.id);
        if (this.#edited?.id === scenario.id) this.#edited = null;
        await this.#reload();
      }), "bad"),
    ]);
  }

  // ---- Acting -------------------------------------------------------------------------------------------------------

  async #act(act) {
    try {
      await act();
    } catch (error) {
      if (error.status === 401) return;
      if (error.status === 412) await this.#reload({ andPlan: true });
      this.#context.toast.show(error.status === 412 ? t("scenarios.stale") : errorText(error));
    }
  }

  #save() {
    nameScenarioDialog(t("whatIf.save"), "", async (name) => {
      const { planId } = this.#workspace;
      const { id } = await this.#client.createScenario(planId, name, this.#whatIf.values);
      this.#scenarios = await this.#client.scenarios(planId);
      this.#finishTrying();
      this.#show([...this.#chosen.slice(0, COLUMNS - 1), id]);
      this.#context.toast.show(t("scenarios.saved", { name }));
    });
  }

  async #update() {
    const { name } = await this.#client.replaceScenario(this.#workspace.planId, this.#edited.id, { overrides: this.#whatIf.values });
    this.#finishTrying();
    await this.#reload();
    this.#context.toast.show(t("scenarios.saved", { name: visible(name) }));
  }

  #edit(scenario) {
    this.#edited = scenario;
    this.#whatIf.start(scenario.overrides);
    this.#recompute();
    this.#whatIf.element.scrollIntoView({ block: "start" });
    this.#whatIf.element.querySelector("input[type=range]")?.focus({ preventScroll: true });
  }

  #finishTrying() {
    this.#edited = null;
    this.#tried = null;
    this.#whatIf.start({});
    tryouts.set(this.#workspace.planId, {});
  }

  async #adopt(scenario) {
    const { planId, plan } = this.#workspace;
    await this.#client.adoptScenario(planId, scenario.id, { ifMatch: plan.version });
    await this.#adopted(t("scenarios.adopted", { name: visible(scenario.name) }));
  }

  async #adoptTried() {
    const { planId, plan } = this.#workspace;
    await this.#client.updateInputs(planId, this.#whatIf.values, { ifMatch: plan.version });
    this.#finishTrying();
    await this.#adopted(t("whatIf.adopted"));
  }

  /** The plan holds the values now; the newest change leads to all of them. */
  async #adopted(sentence) {
    await this.#reload({ andPlan: true });
    const [change] = this.#workspace.changes;
    this.#context.toast.show(sentence, change && (async () => {
      await this.#client.undoGroup(this.#workspace.planId, { changeId: change.id });
      await this.#reload({ andPlan: true });
    }));
  }

  /** Reads scenarios, and with `andPlan` the plan, and shows them. */
  async #reload({ andPlan = false } = {}) {
    const { planId } = this.#workspace;
    const [scenarios] = await Promise.all([this.#client.scenarios(planId), andPlan && this.#workspace.refresh()]);
    this.#scenarios = scenarios;
    this.#chosen = this.#ofAddress();
    if (andPlan) {
      this.#whatIf.start(this.#whatIf.values);
      this.#goal.update();
      this.#levers.update();
    }
    await Promise.all([this.#readOutputs(), this.#readTried()]);
    this.#draw();
  }

  /** Another tab, or the advisor, may have changed the plan or its scenarios. */
  async #poll() {
    const { planId, outputs } = this.#workspace;
    if (document.hidden || !outputs || this.#asking || document.querySelector("dialog[open], details.menu[open]")) return;
    const isUsed = this.element.contains(document.activeElement) && document.activeElement.matches("input, select");
    try {
      const [scenarios, version] = await Promise.all([this.#client.scenarios(planId), this.#client.planUnless(planId, this.#workspace.plan.version)]);
      const isNew = JSON.stringify(scenarios) !== JSON.stringify(this.#scenarios);
      if ((version !== null && !isUsed) || isNew) await this.#reload({ andPlan: version !== null && !isUsed });
    } catch { /* the next look may succeed; actions by hand show their errors */ }
  }
}

export function scenariosScreen(context) {
  return new ScenariosScreen(context);
}
