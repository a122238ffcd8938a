/**
 * One plan with its conversation and its results. It opens one plan at a time: while one is on its way everything below
 * the bar waits, and of several that were asked for only the last is shown.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";
import { isComposing } from "../typing.js";
import { errorText } from "../errors.js";
import { tellingChanges } from "../metrics.js";
import { keyNumbers } from "../key-numbers.js";
import { withNeeds } from "../needs.js";
import { go, note, planPath } from "../router.js";
import { putOff } from "../storage.js";
import { loadAllTexts, t } from "../texts.js";
import { Workspace } from "../workspace.js";
import { actingBanner, viewOnlyBanner } from "../views/banner.js";
import { firstLook } from "../first-look.js";
import { ChatView } from "../views/chat.js";
import { TopBar } from "../views/top-bar.js";
import { VIEWS, ViewSwitch } from "../views/view-switch.js";
import { StateWatch } from "../state-watch.js";

const POLL_MS = 5000;
const panels = async () => (await withNeeds("panels", Promise.all([import("../views/panels.js"), loadAllTexts()])))[0];
/** Windows are loaded when one is asked for. */
const dialogs = () => import("../views/dialogs.js");

export class DeskScreen {
  #context;
  #client;
  #workspace;
  #chat;
  /** `{plan, results, guide}` once they are loaded, and how they are made. */
  #panels = null;
  #makePanels;
  #places = { plan: h("section", { class: "panel plan-panel" }), results: h("section", { class: "panel results-panel" }) };
  #bar;
  #views;
  #watch;
  #banner = h("div", {});
  #desk;
  #plans = [];
  #opening = null;
  /** The composer gets the focus once the plan is open, wherever it was. */
  #wantsFocus = false;
  #mayPrint = false;
  #abort = new AbortController();

  /** Makes the screen; {@link go} fills it. */
  constructor(context) {
    const { client, session, toast } = context;
    this.#context = context;
    this.#client = client;
    const notify = (sentence, undo) => toast.show(sentence, undo);
    this.#workspace = new Workspace(client, {
      readOnly: this.#looksOnly || session.impersonation?.mode === "read",
      firstName: visible(session.effectiveUser.displayName).split(/\s+/)[0],
    });
    const numbers = () => keyNumbers(this.#workspace.keyFields, this.#workspace.inputs, this.#openPaths(), putOff.get(this.#workspace.planId));
    this.#chat = new ChatView(this.#workspace, client, { notify, startGuide: () => this.#ask() });
    this.#makePanels = ({ makePanels }) => makePanels(this.#workspace, this.#chat, { notify, ask: (path) => this.#ask(path), numbers });
    const mayWrite = !this.#workspace.readOnly;
    this.#bar = new TopBar(context, {
      onChoose: (planId) => go(planPath(planId)),
      onNewPlan: mayWrite ? () => this.#act("askForNewPlan") : null,
      onRename: mayWrite ? () => this.#act("askToDescribe") : null,
      onErase: mayWrite || this.#looksOnly ? () => this.#act("askToErase") : null,
      onDelete: mayWrite ? () => this.#act("askToDelete") : null,
    });
    this.#watch = new StateWatch(client, (state) => this.#bar.showState(state));
    this.#desk = h("main", { class: "desk" }, h("h1", { class: "spoken" }, t("desk.title")), this.#places.plan, this.#chat.element, this.#places.results);
    this.#views = new ViewSwitch(this.#desk, (view) => go(planPath(this.#workspace.planId, view)));
    this.element = h("div", { class: "screen" },
      h("a", { class: "skip-link", href: "#message", onclick: (event) => this.#skip(event) }, t("skip")),
      this.#banner, this.#bar.element, this.#desk, this.#views.element);
    this.#listen();
  }

  /** An administrator sees everybody's plans and changes none of them in their own name. */
  get #looksOnly() {
    const { session } = this.#context;
    return session.user.role === "platform_admin" && !session.impersonation;
  }

  takes(route) {
    return VIEWS.includes(route.view) && route.planId !== null;
  }

  /** Shows what an address names. */
  async go({ planId, view, message, field, result }) {
    this.#views.show(view);
    if (planId !== this.#workspace.planId || this.#opening) await this.#open(planId);
    if (planId !== this.#workspace.planId || this.#opening) return;
    this.#views.show(view);
    if (message) await this.#chat.reveal(message).catch(this.#tell);
    if (field) this.#panels.plan.reveal(field);
    if (result) this.#panels.results.reveal(result);
  }

  close() {
    this.#abort.abort();
    this.#opening = Symbol("closed");
    this.#chat.close();
  }

  // ---- Opening ----------------------------------------------------------------------------------------------------

  async #open(planId) {
    const opening = this.#opening = Symbol(planId);
    const hadFocus = this.#desk.contains(document.activeElement);
    this.#wait({ chat: true, panels: true });
    this.#bar.showPlans(this.#plans, planId, { ofOthers: this.#looksOnly });
    this.#panels?.guide.close({ quietly: true });
    this.#chat.leave();
    try {
      const { firstLook: given } = this.#context;
      const first = given?.planId === planId ? given : firstLook(this.#client, planId);
      this.#context.firstLook = null;
      const plans = await first.plans;
      if (opening !== this.#opening) return;
      this.#plans = plans;
      this.#bar.showPlans(this.#plans, planId, { ofOthers: this.#looksOnly });
      this.#workspace.begin(plans.find((plan) => plan.id === planId) ?? { id: planId, name: "" }, this.#ownerOf(planId));
      await this.#chat.open(planId, first);
      if (opening !== this.#opening) return;
      this.#wait({ panels: true });
      this.#showTitle();
      this.#showBanner();
      if (hadFocus || this.#wantsFocus || (document.activeElement === document.body && matchMedia("(pointer: fine)").matches)) this.#chat.focus();
      this.#wantsFocus = false;
      if (!(await this.#workspace.open(planId, this.#ownerOf(planId), this.#loadPanels()))) return;
    } catch (error) {
      if (opening !== this.#opening || error.status === 401) return;
      throw error;
    }
    if (opening !== this.#opening) return;
    this.#opening = null;
    this.#wait({});
    this.#showTitle();
    this.#desk.dataset.plan = planId;
    this.#chat.dispatchEvent(new Event("history"));
    this.#watch.ask();
    this.#prepareToPrint();
    // Where the user was last is a convenience: failing to note it is no reason to fail.
    if (!this.#workspace.readOnly) this.#client.setActivePlan(planId).catch(() => {});
  }

  /** What stands beside the conversation comes after it: on a phone it is not seen at first. */
  async #loadPanels() {
    if (this.#panels) return;
    const { plan, results, guide } = this.#panels = this.#makePanels(await panels());
    plan.element.addEventListener("waiting", (event) => this.#views.tell("plan", event.detail));
    guide.addEventListener("change", () => plan.showNumbers());
    this.#chat.addEventListener("history", () => results.look());
    this.#chat.dock(guide.element);
    for (const [name, panel] of Object.entries({ plan, results })) {
      panel.element.inert = true;
      this.#places[name].replaceWith(panel.element);
      this.#places[name] = panel.element;
    }
  }

  /** Once, and after everything that is looked at. */
  #prepareToPrint() {
    if (this.#mayPrint) return;
    this.#mayPrint = true;
    withNeeds("paper", import("../views/print-summary.js")).then(({ printsSummary }) => printsSummary(this.element, () => this.#workspace, this.#abort.signal)).catch(() => { this.#mayPrint = false; });
  }

  #wait({ chat = false, panels = false }) {
    this.#desk.inert = chat;
    this.#desk.ariaBusy = String(chat || panels);
    this.#desk.classList.toggle("waiting", chat);
    for (const place of Object.values(this.#places)) place.inert = panels;
    if (chat) delete this.#desk.dataset.plan;
  }

  #ownerOf(planId) {
    const { session } = this.#context;
    const owner = this.#plans.find((plan) => plan.id === planId)?.owner;
    const id = owner?.id ?? session.effectiveUser.id;
    return { id, name: visible(owner?.displayName ?? session.effectiveUser.displayName), isReader: id === session.user.id };
  }

  #showTitle() {
    document.title = t("title.plan", { name: visible(this.#workspace.plan.name) || t("plan.unnamed") });
  }

  #showBanner() {
    const { session } = this.#context;
    const { owner } = this.#workspace;
    const end = async () => { await this.#client.endImpersonation(); await this.#context.restart({ path: "/" }); };
    if (session.impersonation) return put(this.#banner, actingBanner(session, () => end().catch(this.#tell)));
    if (!this.#looksOnly) return put(this.#banner);
    const person = { id: owner.id, displayName: owner.name };
    const begin = async (reason, mode) => { await this.#client.impersonate(owner.id, reason, mode); await this.#context.restart(); };
    const act = () => dialogs().then(({ actForDialog }) => actForDialog(person, begin)).catch(this.#tell);
    return put(this.#banner, viewOnlyBanner(owner.isReader ? t("banner.yourself") : owner.name, owner.isReader ? null : act));
  }

  // ---- Plans --------------------------------------------------------------------------------------------------------

  /** One of the plan's windows, loaded when it is asked for. */
  #act(name) {
    const desk = {
      context: this.#context, workspace: this.#workspace, chat: this.#chat, looksOnly: this.#looksOnly,
      readPlans: async () => { this.#plans = await this.#client.listPlans(); },
      showPlans: () => { this.#bar.showPlans(this.#plans, this.#workspace.planId); this.#showTitle(); },
      focusNext: () => { this.#wantsFocus = true; },
    };
    return Promise.all([import("../views/plan-actions.js"), loadAllTexts()]).then(([actions]) => actions[name](desk)).catch(this.#tell);
  }

  // ---- What goes on while it is open --------------------------------------------------------------------------------

  #listen() {
    const { signal } = this.#abort;
    const chat = this.#chat;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    document.addEventListener("visibilitychange", () => this.#seen(), { signal });
    const timer = setInterval(() => this.#poll(), POLL_MS);
    signal.addEventListener("abort", () => clearInterval(timer));
    chat.addEventListener("model", (event) => this.#watch.noteAdvisor(event.detail));
    chat.addEventListener("connection", (event) => this.#watch.noteConnection(event.detail));
    chat.addEventListener("answered", () => { if (document.hidden) document.title = t("title.answered", { title: document.title }); });
    this.#workspace.addEventListener("change", () => {
      const { fields, metrics } = this.#workspace.moved;
      this.#views.tell("plan", fields.size);
      // As many as a person would name, not every figure that follows from them.
      this.#views.tell("results", tellingChanges([...metrics.values()], Infinity).length);
    });
  }

  #seen() {
    if (document.hidden || !this.#workspace.plan) return;
    this.#showTitle();
    this.#poll();
  }

  /** Another tab or another person may have changed the plan. */
  async #poll() {
    if (document.hidden || this.#opening || !this.#workspace.plan || this.#chat.isRunning) return;
    try {
      await Promise.all([this.#workspace.refresh({ ifChanged: true }), this.#chat.sync(), this.#watch.look()]);
      this.#watch.noteConnection(true);
    } catch (error) {
      if (error.status === 0 || error.status >= 500) this.#watch.noteConnection(false);
      else if (error.status === 404 || error.status === 403) this.#context.trouble(error);
    }
  }

  #key(event) {
    if (event.key !== "Escape" || isComposing(event) || event.defaultPrevented || !this.#chat.isRunning || document.querySelector("dialog[open], :popover-open")) return;
    event.preventDefault();
    this.#chat.stop();
  }

  #skip(event) {
    event.preventDefault();
    this.#views.show("");
    this.#chat.focus();
  }

  #ask(path = null) {
    if (this.#workspace.readOnly || this.#opening) return;
    this.#views.show("");
    note(planPath(this.#workspace.planId), { replace: true });
    this.#panels.guide.ask(path);
  }

  #openPaths() {
    return new Set((this.#chat.history?.openProposals() ?? []).map(({ value }) => value.field));
  }

  #tell = (error) => {
    if (error.status !== 401) this.#context.toast.show(errorText(error));
  };
}

export function deskScreen(context) {
  return new DeskScreen(context);
}
