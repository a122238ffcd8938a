/**
 * The conversation of one plan: its history, what messages ask for, and the turn that is running (`turn.js`).
 *
 * It joins the running turn when it opens, and leaves it running when it closes. It sends to the plan it was opened for and to no other.
 */
import { h, icon } from "../dom.js";
import { errorText } from "../errors.js";
import { currentLanguage, loadAllTexts, t } from "../texts.js";
import { History } from "../history.js";
import { go, planPath, viewPath } from "../router.js";
import { effects } from "../effects.js";
import { drafts } from "../storage.js";
import { Announcer } from "./announcer.js";
import { Composer } from "./composer.js";
import { FROM, OpenCard } from "./open-card.js";
import { Transcript } from "./transcript.js";
import { RunningTurn } from "./turn.js";

export class ChatView extends EventTarget {
  workspace;
  client;
  notify;
  history = null;
  planId = null;
  /** The destructive action that waits for a word, null where nothing does. */
  pending = null;
  #startGuide;
  #announcer = new Announcer();
  #transcript;
  #composer;
  #open;
  #search = null;
  #abort = new AbortController();
  #confirmation = null;
  #turn;
  #editing = null;

  /**
   * Tells: "history" when the stored conversation has changed, "model" with whether the advisor answers, "connection" with
   * whether the server can be reached, "answered" when an answer is complete, "decided" when a question was answered by click, "sent" when a message goes out.
   */
  constructor(workspace, client, { notify, startGuide }) {
    super();
    Object.assign(this, { workspace, client, notify });
    this.#startGuide = startGuide;
    this.#composer = new Composer({
      onSend: (text) => this.send(text), onStop: () => this.#turn.stop(), onCancelEdit: () => { this.#endEdit(); this.focus(); },
      onDraft: (text) => this.planId && !this.#composer?.isBlocked && !this.#editing && drafts.set(this.planId, text),
    });
    this.#transcript = new Transcript(this);
    this.#open = new OpenCard(this);
    this.#turn = new RunningTurn(this, { transcript: this.#transcript, composer: this.#composer, announcer: this.#announcer });
    this.addEventListener("history", () => this.showOpen());
    workspace.addEventListener("change", () => this.showOpen());
    this.element = h("section", { class: "panel chat", "aria-labelledby": "chat-title", "data-view": "chat" },
      h("header", { class: "chat-head" },
        h("h2", { id: "chat-title" }, t("chat.title")),
        h("button", { type: "button", class: "tool", "aria-label": t("search.open"), title: t("search.open"), onclick: () => this.#openSearch() }, icon("search"))),
      this.#transcript.element, this.#announcer.element, this.#open.element, this.#composer.element);
    this.element.addEventListener("click", (event) => this.#followPlace(event));
    this.#composer.block(t("composer.loading"));
  }

  /** Shows the plan's conversation and picks up an answer that is still being written; `first` is the first look at the plan. */
  async open(planId, first) {
    this.leave();
    const { signal } = this;
    const history = new History(this.client, planId);
    const isRunning = await first.running.then(({ prompts }) => prompts.length > 0, () => true);
    if (signal.aborted) return;
    // Joined before the history is read: a turn that ends in between is then in both, and the history wins.
    const turn = isRunning ? await this.client.attach(planId, { signal }) : null;
    const [, pending] = await Promise.all([history.sync(isRunning ? null : first), isRunning ? this.client.confirmation(planId) : first.confirmation]);
    if (signal.aborted) return turn?.discard();
    this.#transcript.clear();
    this.planId = planId;
    this.history = history;
    this.#transcript.show(history);
    await this.#turn.showUnsettled(turn, signal);
    if (signal.aborted) return;
    if (pending && !this.isRunning) this.showConfirmation(pending);
    this.#composer.block(this.workspace.readOnly ? t("composer.readOnly") : null);
    if (!this.workspace.readOnly) this.#composer.text = drafts.get(planId);
    this.#transcript.toEnd();
    this.dispatchEvent(new Event("history"));
  }

  /** Stops following; the turn goes on without this page. What is shown stays until something else is. */
  leave() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.dropConfirmation();
    this.planId = null;
    this.history = null;
    this.#editing = null;
    this.#search?.close();
    this.#turn.leave();
    this.#composer.showEditing(false);
    this.#composer.block(t("composer.loading"));
  }

  close() {
    this.leave();
    this.#transcript.clear();
  }

  /** Puts something between the conversation and the composer. */
  dock(element) {
    this.#composer.element.before(element);
  }

  async #openSearch() {
    const [{ SearchBar }] = await Promise.all([import("./search.js"), loadAllTexts()]);
    if (this.#search === null) {
      this.#search = new SearchBar(this, this.#transcript);
      this.#transcript.element.before(this.#search.element);
    }
    this.#search.open();
  }

  /** Aborted once another plan is shown, or none. */
  get signal() {
    return this.#abort.signal;
  }

  get isRunning() {
    return this.#turn.isRunning;
  }

  focus() {
    this.#composer.focus();
  }

  /** Reads the conversation again and shows what has changed. While an answer grows it is left alone. */
  async sync() {
    const { history } = this;
    if (!history || this.isRunning) return;
    const hasChanged = await history.sync();
    if (!hasChanged || history !== this.history || this.isRunning) return;
    this.#transcript.show(history);
    this.#transcript.follow();
    this.dispatchEvent(new Event("history"));
  }

  /** What was said has been erased: nothing of it stays here. */
  forgetWords() {
    this.#announcer.forget();
    return this.sync();
  }

  // ---- What messages ask for ------------------------------------------------------------------------------------

  /** Puts first words into the composer, for the user to finish. */
  begin(words) {
    this.#composer.text = words;
    this.#composer.focus();
  }

  ask(words) {
    if (!this.isRunning && !this.#composer.isBlocked) this.send(words);
  }

  showOpen() {
    const open = this.history?.openProposals() ?? [];
    this.#open.show(open.map(({ value }) => value).reverse());
  }

  /** Whether a value waits in the one list of all that is open, and needs no card of its own. */
  isListed(value) {
    const open = this.history?.openProposals() ?? [];
    return open.length >= FROM && open.some((entry) => entry.value.id === value.id);
  }

  /** Whether what waits is asked about in the conversation as it is shown. */
  get asks() {
    return !this.#open.element.hidden || this.#transcript.nextOpenCard() !== null;
  }

  /** Keeps what decisions by click have moved, and shows it below the answers that asked. */
  settled(ids, changes) {
    effects.keep(this.planId, ids, changes);
    this.#transcript.showEffects();
  }

  /** What the decision on one of these values has moved; empty where none was made here by click. */
  effectOf(values) {
    const known = effects.get(this.planId ?? "");
    return [...values].reverse().map((value) => value.status === "accepted" && known[value.id]).find(Boolean) ?? [];
  }

  /** A link of an answer into the page itself. */
  #followPlace(event) {
    const place = event.target.closest?.("a[data-place]")?.dataset.place;
    if (!place || !this.planId) return;
    event.preventDefault();
    const files = { excel: () => this.client.xlsxUrl(this.planId, null, currentLanguage()), csv: () => this.client.csvUrl(this.planId, null, currentLanguage()) };
    if (place === "guide") return this.#startGuide();
    if (files[place]) return location.assign(files[place]());
    go(place === "account" ? viewPath(place) : planPath(this.planId, place));
  }

  /** Whether a question about a value was answered by a later message with the same value. */
  isGivenLater(value) {
    return this.history?.isGivenLater(value) ?? false;
  }

  authorOf(value) {
    return this.history?.authorOf(value) ?? null;
  }

  /** Whether an open value is no longer asked: a later message was about the same number. */
  isOvertaken(value) {
    return this.history?.isOvertaken(value) ?? false;
  }

  startGuide() {
    this.#startGuide();
  }

  edit(entry) {
    if (this.isRunning) return;
    this.#editing = entry.turnId;
    this.#composer.showEditing(true);
    this.#composer.text = entry.content;
    this.#composer.focus();
  }

  regenerate(turnId) {
    const newest = this.history.newestTurn();
    if (this.isRunning || newest?.turnId !== turnId) return;
    this.send(newest.question.content, { replaces: turnId });
  }

  async undoTurn(button, turnId) {
    button.disabled = true;
    try {
      await this.workspace.undoTurn(turnId);
      this.notify(t("toast.undone"));
    } catch (error) {
      this.notify(error.status === 409 ? t("error.nothingStands") : errorText(error));
    }
    await this.sync().catch(() => {});
    this.focus();
  }

  async copyLink(id) {
    const address = new URL(planPath(this.planId, "", id), location.href).href;
    await navigator.clipboard?.writeText(address).then(() => this.notify(t("message.linkCopied")), () => this.notify(t("message.notCopied")));
  }

  /** Where the focus goes once values are settled: what waits next, else the undo of the one that was settled, else the composer. */
  focusAfter(card) {
    if (card?.isOpen) return;
    const next = this.#open.element.hidden ? this.#transcript.nextOpenCard() : this.#open;
    if (next) next.focus();
    else if (card?.canUndo) card.focus();
    else this.focus();
  }

  /** Shows a message, reading further back where it has to. */
  async reveal(messageId) {
    const { history } = this;
    if (!history || this.#transcript.reveal(messageId)) return;
    await history.sync();
    await history.all((messages) => messages.some((message) => message.id === messageId));
    if (history !== this.history) return;
    this.#transcript.show(history);
    if (!this.#transcript.reveal(messageId)) this.notify(t("error.noMessage"));
  }

  // ---- What is said -------------------------------------------------------------------------------------------

  send(text, { replaces = this.#editing } = {}) {
    if (this.isRunning || !this.planId) return;
    this.#endEdit();
    this.dispatchEvent(new Event("sent"));
    return this.#turn.send(text, replaces);
  }

  stop() {
    return this.#turn.stop();
  }

  /** What was typed before the edit began stands in the composer again. */
  #endEdit() {
    if (!this.#editing) return;
    this.#editing = null;
    this.#composer.showEditing(false);
    this.#composer.text = drafts.get(this.planId);
  }

  /** Asks for the word that an action waits for. */
  async showConfirmation(pending) {
    if (this.workspace.readOnly) return;
    const { history } = this;
    this.pending = pending;
    const { askToConfirm } = await import("./confirmation.js");
    // Another plan or another message came meanwhile.
    if (history !== this.history || this.isRunning) return;
    this.#confirmation?.close();
    this.#confirmation = askToConfirm(this, pending, this.#transcript, this.#announcer);
  }

  /** A question that was open is answered or dropped by what comes now; the server decides which. */
  dropConfirmation() {
    this.#confirmation?.close();
    this.#confirmation = this.pending = null;
  }
}
