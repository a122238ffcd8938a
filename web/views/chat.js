/**
 * The conversation of one plan: history, the turn that is running, and what follows from both.
 *
 * A turn belongs to the server. This view only follows it: it joins the running one when it opens, and leaves it
 * running when it closes. What it shows at the end is what the server stored. It sends to the plan it was opened for and
 * to no other, and what was typed stays until the server has it.
 */
import { h, icon } from "../dom.js";
import { visible } from "../format.js";
import { errorText } from "../errors.js";
import { currentLanguage, known, loadAllTexts, t } from "../texts.js";
import { History } from "../history.js";
import { go, planPath, viewPath } from "../router.js";
import { effects } from "../effects.js";
import { drafts, outbox } from "../storage.js";
import { randomKey } from "../advisor-client.js";
import { Announcer } from "./announcer.js";
import { Composer } from "./composer.js";
import { AdvisorMessage, UserMessage, failureCard } from "./message.js";
import { FROM, OpenCard } from "./open-card.js";
import { Transcript } from "./transcript.js";

/** Milliseconds that a stopped turn's stream gets to say so. */
const STOP_MS = 2_000;

export class ChatView extends EventTarget {
  workspace;
  client;
  notify;
  history = null;
  #planId = null;
  #startGuide;
  #announcer = new Announcer();
  #transcript;
  #composer;
  #open;
  #search = null;
  #abort = new AbortController();
  #confirmation = null;
  #running = null;
  #editing = null;

  /**
   * Tells: "history" when the stored conversation has changed, "model" with whether the advisor answers, "connection" with
   * whether the server can be reached, "answered" when an answer is complete.
   */
  constructor(workspace, client, { notify, startGuide }) {
    super();
    Object.assign(this, { workspace, client, notify });
    this.#startGuide = startGuide;
    this.#composer = new Composer({
      onSend: (text) => this.send(text), onStop: () => this.stop(), onCancelEdit: () => { this.#endEdit(); this.focus(); },
      onDraft: (text) => this.#planId && !this.#composer?.isBlocked && !this.#editing && drafts.set(this.#planId, text),
    });
    this.#transcript = new Transcript(this);
    this.#open = new OpenCard(this);
    this.addEventListener("history", () => this.#showOpen());
    workspace.addEventListener("change", () => this.#showOpen());
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
    const { signal } = this.#abort;
    const history = new History(this.client, planId);
    const isRunning = await first.running.then(({ prompts }) => prompts.length > 0, () => true);
    if (signal.aborted) return;
    // Joined before the history is read: a turn that ends in between is then in both, and the history wins.
    const turn = isRunning ? await this.client.attach(planId, { signal }) : null;
    const [, pending] = await Promise.all([history.sync(isRunning ? null : first), isRunning ? this.client.confirmation(planId) : first.confirmation]);
    if (signal.aborted) return turn?.discard();
    this.#transcript.clear();
    this.#planId = planId;
    this.history = history;
    this.#transcript.show(history);
    await this.#showUnsettled(turn, signal);
    if (signal.aborted) return;
    if (pending && !this.#running) this.#showConfirmation(pending);
    this.#composer.block(this.workspace.readOnly ? t("composer.readOnly") : null);
    if (!this.workspace.readOnly) this.#composer.text = drafts.get(planId);
    this.#transcript.toEnd();
    this.dispatchEvent(new Event("history"));
  }

  /** Stops following; the turn goes on without this page. What is shown stays until something else is. */
  leave() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#confirmation?.close();
    this.#planId = null;
    this.history = null;
    this.#confirmation = null;
    this.#running = null;
    this.#editing = null;
    this.#search?.close();
    this.#composer.running = false;
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

  get isRunning() {
    return this.#running !== null;
  }

  focus() {
    this.#composer.focus();
  }

  /** Reads the conversation again and shows what has changed. While an answer grows it is left alone. */
  async sync() {
    const { history } = this;
    if (!history || this.#running) return;
    const hasChanged = await history.sync();
    if (!hasChanged || history !== this.history || this.#running) return;
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
    if (!this.#running && !this.#composer.isBlocked) this.send(words);
  }

  #showOpen() {
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
    effects.keep(this.#planId, ids, changes);
    this.#transcript.showEffects();
  }

  /** What the decision on one of these values has moved; empty where none was made here by click. */
  effectOf(values) {
    const known = effects.get(this.#planId ?? "");
    return [...values].reverse().map((value) => value.status === "accepted" && known[value.id]).find(Boolean) ?? [];
  }

  /** A link of an answer into the page itself. */
  #followPlace(event) {
    const place = event.target.closest?.("a[data-place]")?.dataset.place;
    if (!place || !this.#planId) return;
    event.preventDefault();
    const files = { excel: () => this.client.xlsxUrl(this.#planId, null, currentLanguage()), csv: () => this.client.csvUrl(this.#planId, null, currentLanguage()) };
    if (place === "guide") return this.#startGuide();
    if (files[place]) return location.assign(files[place]());
    go(["account", "glossary"].includes(place) ? viewPath(place) : planPath(this.#planId, place));
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
    if (this.#running) return;
    this.#editing = entry.turnId;
    this.#composer.showEditing(true);
    this.#composer.text = entry.content;
    this.#composer.focus();
  }

  regenerate(turnId) {
    const newest = this.history.newestTurn();
    if (this.#running || newest?.turnId !== turnId) return;
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
    const address = new URL(planPath(this.#planId, "", id), location.href).href;
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

  // ---- A turn -------------------------------------------------------------------------------------------------

  send(text, { replaces = this.#editing } = {}) {
    if (this.#running || !this.#planId) return;
    this.#endEdit();
    this.#transcript.clearSuggestions();
    const user = new UserMessage(this, { text });
    this.#transcript.append(user.element);
    this.#transcript.markReplaced(replaces);
    return this.#run({ text, key: randomKey(), user, replaces: replaces ?? undefined });
  }

  /** Asks the server to stop; the stream itself then ends with the word for it. */
  async stop() {
    const running = this.#running;
    if (!running) return;
    running.message.element.dataset.state = "stopping";
    this.focus();
    try {
      const stopping = await this.client.stop(this.#planId);
      if (stopping && this.#running === running) running.message.showState(t("message.stopping"));
      // The end is stored by now, unless the server says that it still waits for it; a stream that does not tell it is dead.
      if (!stopping) setTimeout(() => this.#running === running && running.turn?.hangUp(), STOP_MS);
    } catch (error) {
      const [done] = error.code === "CONFLICT" ? error.details ?? [] : [];
      if (done?.type !== "done") return this.notify(errorText(error));
      // The stream has it, too; whichever comes first is shown.
      if (this.#running === running) await this.#done(done, running.message);
    }
  }

  /** What was typed before the edit began stands in the composer again. */
  #endEdit() {
    if (!this.#editing) return;
    this.#editing = null;
    this.#composer.showEditing(false);
    this.#composer.text = drafts.get(this.#planId);
  }

  async #run(sent) {
    const planId = this.#planId;
    const { signal } = this.#abort;
    const message = this.#begin(sent);
    this.#transcript.followFrom(sent.user.element);
    const { text, key, replaces } = sent;
    outbox.keep(planId, { text, key, replaces, turnId: null });
    try {
      const turn = await this.client.send(planId, text, { idempotencyKey: key, replaces, signal });
      outbox.keep(planId, { text, key, replaces, turnId: turn.id });
      if (signal.aborted) return turn.discard();
      await this.#follow(turn, message, signal);
    } catch (error) {
      if (!signal.aborted) this.#refused(error);
    }
  }

  /** Shows what is not in the history: the answer that is being written, and messages that have none. */
  async #showUnsettled(turn, signal) {
    const planId = this.#planId;
    const running = turn && !this.history.has(turn.id) ? await this.#textOf(turn.id) : null;
    if (signal.aborted) return turn?.discard();
    let mine = null;
    for (const entry of outbox.get(planId)) {
      if (entry.turnId && this.history.has(entry.turnId)) outbox.drop(planId, entry.key);
      else if (running !== null && (entry.turnId === turn.id || (entry.turnId === null && entry.text === running))) mine = entry;
      else this.#offerAgain(entry);
    }
    if (running === null) return turn?.discard();
    const sent = { key: null, ...mine, text: running, user: new UserMessage(this, { text: running }) };
    this.#transcript.append(sent.user.element);
    const message = this.#begin(sent);
    // Not awaited: the page is ready while the answer still grows.
    this.#follow(turn, message, signal).catch((error) => !signal.aborted && this.#refused(error));
  }

  /** The words of a running turn, also of another tab or device: the prompt store has them from the first moment. */
  async #textOf(turnId) {
    const { prompts } = await this.client.prompts({ planId: this.#planId, state: "running", limit: 1 });
    const prompt = prompts.find((entry) => turnId === null || entry.id === turnId);
    return typeof prompt?.input === "string" ? prompt.input : prompt?.input?.message ?? "…";
  }

  #begin(sent) {
    // A question that was open is answered or dropped by this message; the server decides which.
    this.#confirmation?.close();
    this.#confirmation = null;
    const message = new AdvisorMessage(this, { live: true });
    this.#transcript.append(message.element);
    this.#running = { ...sent, message, turnId: null };
    this.#composer.running = true;
    this.#announcer.start();
    return message;
  }

  async #follow(turn, message, signal) {
    this.#running.turnId = turn.id;
    this.#running.turn = turn;
    turn.onReconnect = (failures) => {
      message.showState(failures > 1 ? t("message.reconnecting") : "");
      this.dispatchEvent(new CustomEvent("connection", { detail: failures <= 1 }));
    };
    for await (const event of turn) {
      if (signal.aborted || this.#running?.message !== message) return;
      if (event.type === "token") {
        message.append(event.content, () => this.#transcript.follow());
        this.#announcer.follow(message.text);
      } else if (event.type === "done") await this.#done(event, message);
      else if (event.type === "error") await this.#failed(event);
    }
  }

  async #done(event, message) {
    const { key, user } = this.#end();
    const planId = this.#planId;
    const values = event.extractedValues ?? [];
    outbox.drop(planId, key);
    this.#transcript.adopt(event.turnId, user, message);
    message.finish({ text: event.fullResponse, finishReason: event.finishReason, hasValues: values.length > 0 });
    this.history.ended(event.turnId, values);
    this.#showOpen();
    message.showValues(values, event.turnId);
    message.showMoved(event.updatedOutputs?.changes ?? []);
    message.showSuggestions(event.suggestions ?? []);
    if (event.pendingConfirmation) this.#showConfirmation(event.pendingConfirmation);
    this.#announcer.follow(message.text, { ended: true });
    this.#announceValues(values);
    this.#transcript.follow();
    this.dispatchEvent(new CustomEvent("model", { detail: true }));
    this.dispatchEvent(new Event("answered"));
    // Where this fails, the next look a few seconds later finds the same.
    await this.workspace.absorb(planId, values.filter((value) => value.applied).map((value) => value.field)).catch(() => {});
    await this.sync().catch(() => {});
  }

  async #failed(event) {
    const { text, key, user, message, turnId, replaces } = this.#end();
    const planId = this.#planId;
    this.#transcript.markReplaced(null);
    if (event.code === "STOPPED") {
      outbox.drop(planId, key);
      this.#announcer.say(t("announce.stopped"));
      if (message.text !== "") {
        message.finish({ stopped: true });
        this.#transcript.adopt(turnId, user, message);
        return void await this.sync().catch(() => {});
      }
      // Stopped before a word: the history has nothing of it, so the words go back to their author.
      message.element.remove();
      user.element.remove();
      this.#giveBack(text);
      return this.#transcript.welcomeIfEmpty();
    }
    message.element.remove();
    this.#appendFailure(known(`error.${event.code}`) ?? visible(event.message), { text, key, user, replaces }, event.retryable !== false);
    if (event.code === "LLM_UNAVAILABLE") this.dispatchEvent(new CustomEvent("model", { detail: false }));
  }

  /** The server would not take the message, or the line to it is gone. */
  #refused(error) {
    const { text, key, user, message, replaces } = this.#end();
    message.element.remove();
    this.#transcript.markReplaced(null);
    const mayRepeat = error.status === 0 || error.status >= 500 || error.status === 429;
    if (mayRepeat) return this.#appendFailure(errorText(error), { text, key, user, replaces }, true);
    outbox.drop(this.#planId, key);
    user.element.remove();
    this.#giveBack(text);
    this.#transcript.welcomeIfEmpty();
    if (error.status !== 401) this.notify(errorText(error));
    if (error.code === "TURN_IN_PROGRESS") this.open(this.#planId).catch((cause) => this.notify(errorText(cause)));
    else if (error.status === 409) this.sync().catch(() => {});
  }

  /** What could not be sent stands in the composer again, before what was typed since. */
  #giveBack(text) {
    const { text: since } = this.#composer;
    this.#composer.text = since.trim() === "" ? text : `${text}\n${since}`;
    drafts.set(this.#planId, this.#composer.text);
  }

  #appendFailure(sentence, sent, retryable) {
    const { text, key, user, replaces } = sent;
    const mayRetry = retryable && !this.workspace.readOnly;
    const card = failureCard(sentence, {
      retry: mayRetry && (() => {
        if (this.#running) return;
        card.remove();
        this.#transcript.append(user.element);
        // The same key: if the first try did arrive after all, its answer is replayed instead of asked for again.
        this.#run({ text, key: key ?? randomKey(), user, replaces });
      }),
      edit: !this.workspace.readOnly && (() => {
        card.remove();
        user.element.remove();
        outbox.drop(this.#planId, key);
        this.#giveBack(text);
        this.focus();
        this.#transcript.welcomeIfEmpty();
      }),
    });
    this.#transcript.append(card);
    this.#transcript.follow();
  }

  #offerAgain(entry) {
    const user = new UserMessage(this, { text: entry.text });
    this.#transcript.append(user.element);
    this.#appendFailure(t("failure.unanswered"), { ...entry, user }, true);
  }

  #end() {
    const running = this.#running;
    this.#running = null;
    this.#composer.running = false;
    return running;
  }

  #announceValues(values) {
    const label = (value) => this.workspace.field(value.field)?.label ?? visible(value.label);
    const saved = values.filter((value) => value.applied).map(label);
    const asked = values.filter((value) => value.status === "proposed").map(label);
    if (saved.length) this.#announcer.say(t("announce.saved", { labels: saved.join(", ") }));
    if (asked.length) this.#announcer.say(t("announce.asked", { labels: asked.join(", ") }));
  }

  // ---- Confirmation -------------------------------------------------------------------------------------------

  async #showConfirmation(pending) {
    if (this.workspace.readOnly) return;
    const { history } = this;
    const asked = this.#transcript.lastAnswer.endsWith(pending.prompt.trim());
    const { ConfirmationCard } = await import("./confirmation-card.js");
    // Another plan or another message came meanwhile.
    if (history !== this.history || this.#running) return;
    this.#confirmation?.close();
    const card = new ConfirmationCard(pending, (decision) => this.#decide(card, pending, decision), { asked });
    this.#confirmation = card;
    this.#transcript.attach(card.element);
    this.#announcer.say(t("announce.confirm", { question: visible(pending.prompt) }));
    this.#transcript.follow();
  }

  async #decide(card, pending, decision) {
    const planId = this.#planId;
    const { message } = await (decision === "approve" ? this.client.approve(planId, pending.id) : this.client.deny(planId, pending.id));
    const words = known(`confirm.${pending.toolName}.${decision}`) ?? visible(message);
    card.close(words);
    this.#confirmation = null;
    this.#announcer.say(words);
    this.focus();
    if (decision === "approve") await this.workspace.absorb(planId);
    await this.sync();
  }
}
