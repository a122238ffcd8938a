/**
 * One plan with its conversation and its results. It opens one plan at a time: while one is on its way everything below
 * the bar waits, and of several that were asked for only the last is shown.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";
import { isComposing } from "../typing.js";
import { errorText } from "../errors.js";
import { keyNumbers } from "../key-numbers.js";
import { go, note, planPath } from "../router.js";
import { drafts, putOff } from "../storage.js";
import { t } from "../texts.js";
import { Workspace } from "../workspace.js";
import { actingBanner, viewOnlyBanner } from "../views/banner.js";
import { ChatView } from "../views/chat.js";
import { Guide } from "../views/guide.js";
import { PlanPanel } from "../views/plan-panel.js";
import { ResultsPanel } from "../views/results.js";
import { TopBar } from "../views/top-bar.js";
import { VIEWS, ViewSwitch } from "../views/view-switch.js";
import { StateWatch } from "../state-watch.js";

const POLL_MS = 5000;
/** Windows are loaded when one is asked for. */
const dialogs = () => import("../views/dialogs.js");

export class DeskScreen {
  #context;
  #client;
  #workspace;
  #chat;
  #guide;
  #plan;
  #results;
  #bar;
  #views;
  #watch;
  #banner = h("div", {});
  #desk;
  #plans = [];
  #opening = null;
  #isFirst = true;
  /** The composer gets the focus once the plan is open, wherever it was. */
  #wantsFocus = false;
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
    this.#guide = new Guide(this.#workspace, client, { notify, numbers, leave: () => this.#chat.focus() });
    this.#plan = new PlanPanel(this.#workspace, this.#chat, { notify, ask: (path) => this.#ask(path), numbers });
    this.#results = new ResultsPanel(this.#workspace, client, { proposals: () => this.#chat.history?.openProposals().map(({ value }) => value) ?? [] });
    const mayWrite = !this.#workspace.readOnly;
    this.#bar = new TopBar(context, {
      onChoose: (planId) => go(planPath(planId)),
      onNewPlan: mayWrite ? () => this.#askForNewPlan().catch(this.#tell) : null,
      onRename: mayWrite ? () => this.#askToDescribe().catch(this.#tell) : null,
      onErase: mayWrite || this.#looksOnly ? () => this.#askToErase().catch(this.#tell) : null,
      onDelete: mayWrite ? () => this.#askToDelete().catch(this.#tell) : null,
    });
    this.#watch = new StateWatch(client, (state) => this.#bar.showState(state));
    this.#chat.dock(this.#guide.element);
    this.#desk = h("main", { class: "desk" }, h("h1", { class: "spoken" }, t("desk.title")), this.#plan.element, this.#chat.element, this.#results.element);
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
  async go({ planId, view, message, field }) {
    if (this.#isFirst) this.#plans = await this.#client.listPlans();
    this.#isFirst = false;
    if (planId !== this.#workspace.planId || this.#opening) await this.#open(planId);
    if (planId !== this.#workspace.planId || this.#opening) return;
    this.#views.show(view);
    if (message) await this.#chat.reveal(message).catch(this.#tell);
    if (field) this.#plan.reveal(field);
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
    this.#wait(true);
    this.#bar.showPlans(this.#plans, planId, { ofOthers: this.#looksOnly });
    this.#guide.close({ quietly: true });
    this.#chat.leave();
    try {
      if (!(await this.#workspace.open(planId, this.#ownerOf(planId)))) return;
      await this.#chat.open(planId);
    } catch (error) {
      if (opening !== this.#opening || error.status === 401) return;
      throw error;
    }
    if (opening !== this.#opening) return;
    this.#opening = null;
    this.#wait(false);
    this.#desk.dataset.plan = planId;
    this.#showTitle();
    this.#showBanner();
    if (hadFocus || this.#wantsFocus || (document.activeElement === document.body && matchMedia("(pointer: fine)").matches)) this.#chat.focus();
    this.#wantsFocus = false;
    // Where the user was last is a convenience: failing to note it is no reason to fail.
    if (!this.#workspace.readOnly) this.#client.setActivePlan(planId).catch(() => {});
  }

  #wait(is) {
    this.#desk.inert = is;
    this.#desk.ariaBusy = String(is);
    this.#desk.classList.toggle("waiting", is);
    if (is) delete this.#desk.dataset.plan;
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

  async #askForNewPlan() {
    const made = { id: null };
    const { newPlanDialog } = await dialogs();
    newPlanDialog(await this.#client.listBrands(), async (name, brandId, idempotencyKey) => {
      made.id = (await this.#client.createPlan(name, brandId, { idempotencyKey })).id;
      this.#plans = await this.#client.listPlans();
    }, () => { this.#wantsFocus = true; go(planPath(made.id)); });
  }

  async #askToDescribe() {
    const { describeDialog } = await dialogs();
    describeDialog({ ...this.#workspace.plan, name: visible(this.#workspace.plan.name) }, (values) => this.#describe(values));
  }

  async #describe(values) {
    await this.#workspace.describe(values);
    this.#plans = await this.#client.listPlans();
    this.#bar.showPlans(this.#plans, this.#workspace.planId);
    this.#showTitle();
  }

  async #askToDelete() {
    const { deleteDialog } = await dialogs();
    const { planId, plan } = this.#workspace;
    deleteDialog(visible(plan.name), async () => {
      await this.#client.deletePlan(planId);
      drafts.set(planId, "");
    }, () => { this.#context.toast.show(t("delete.done")); this.#context.restart({ path: "/" }); });
  }

  /** The one thing an administrator does to a plan without its owner's rights: what was said may have to go. */
  async #askToErase() {
    const { eraseDialog } = await dialogs();
    const { planId, plan } = this.#workspace;
    eraseDialog(visible(plan.name), async () => {
      await (this.#looksOnly ? this.#client.eraseWordsOf(planId) : this.#client.eraseWords(planId));
      // Done is done: where reading it again fails, the next look a few seconds later finds the same.
      await Promise.all([this.#chat.forgetWords(), this.#workspace.refresh()]).catch(() => {});
      this.#context.toast.show(t("erase.done"));
    });
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
    chat.addEventListener("history", () => this.#results.look());
    this.#guide.addEventListener("change", () => this.#plan.showNumbers());
    this.#plan.element.addEventListener("waiting", (event) => this.#views.tell("plan", event.detail));
    this.#workspace.addEventListener("change", () => {
      const { fields, metrics } = this.#workspace.moved;
      this.#views.tell("plan", fields.size);
      this.#views.tell("results", metrics.size);
    });
    this.#watch.ask();
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
    if (this.#workspace.readOnly) return;
    this.#views.show("");
    note(planPath(this.#workspace.planId), { replace: true });
    this.#guide.ask(path);
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
