/**
 * The turn that is running: sending, following, stopping, and what is left where it failed.
 *
 * A turn belongs to the server, and what is shown at its end is what the server stored. What was typed stays until the server has it.
 */
import { visible } from "../format.js";
import { errorText } from "../errors.js";
import { firstLook } from "../first-look.js";
import { known, t } from "../texts.js";
import { drafts, outbox } from "../storage.js";
import { randomKey } from "../advisor-client.js";
import { AdvisorMessage, UserMessage, failureCard } from "./message.js";

/** Milliseconds that a stopped turn's stream gets to say so. */
const STOP_MS = 2_000;

export class RunningTurn {
  #chat;
  #transcript;
  #composer;
  #announcer;
  /** `{text, key, user, replaces, message, turnId, turn, stopping}`, null while nothing runs; no `turn` until the server has the message. */
  #running = null;

  /** `chat` is whose turn it is: see `ChatView`; the others are its parts. */
  constructor(chat, { transcript, composer, announcer }) {
    this.#chat = chat;
    this.#transcript = transcript;
    this.#composer = composer;
    this.#announcer = announcer;
  }

  get isRunning() {
    return this.#running !== null;
  }

  /** Stops following; the turn goes on without this page. */
  leave() {
    this.#running = null;
    this.#composer.running = false;
  }

  /** Sends a message as a new one, in the place of the turn `replaces` where that is given. */
  send(text, replaces) {
    this.#transcript.clearSuggestions();
    const user = new UserMessage(this.#chat, { text });
    this.#transcript.append(user.element);
    this.#transcript.markReplaced(replaces);
    return this.#run({ text, key: randomKey(), user, replaces: replaces ?? undefined });
  }

  /** Stops the turn, as soon as the server has it: a stop that overtakes its message would find nothing to stop. */
  async stop() {
    const running = this.#running;
    if (!running) return;
    running.stopping = true;
    running.message.element.dataset.state = "stopping";
    this.#chat.focus();
    if (running.turn) await this.#askToStop(running);
  }

  /** Asks the server to stop; the stream itself then ends with the word for it. */
  async #askToStop(running) {
    try {
      const stopping = await this.#chat.client.stop(this.#chat.planId);
      if (stopping && this.#running === running) running.message.showState(t("message.stopping"));
      // The end is stored by now, unless the server says that it still waits for it; a stream that does not tell it is dead.
      if (!stopping) setTimeout(() => this.#running === running && running.turn.hangUp(), STOP_MS);
    } catch (error) {
      const [done] = error.code === "CONFLICT" ? error.details ?? [] : [];
      if (done?.type !== "done") return this.#chat.notify(errorText(error));
      // The stream has it, too; whichever comes first is shown.
      if (this.#running === running) await this.#done(done, running.message);
    }
  }

  async #run(sent) {
    const { planId, signal } = this.#chat;
    const message = this.#begin(sent);
    this.#transcript.followFrom(sent.user.element);
    const { text, key, replaces } = sent;
    outbox.keep(planId, { text, key, replaces, turnId: null });
    try {
      const turn = await this.#chat.client.send(planId, text, { idempotencyKey: key, replaces, signal });
      outbox.keep(planId, { text, key, replaces, turnId: turn.id });
      if (signal.aborted) return turn.discard();
      await this.#follow(turn, message, signal);
    } catch (error) {
      if (!signal.aborted) this.#refused(error);
    }
  }

  /** Shows what is not in the history: the answer that is being written, and messages that have none. */
  async showUnsettled(turn, signal) {
    const { planId } = this.#chat;
    // What was sent while the page was still opening is followed already.
    const isShown = () => this.#running !== null || this.#transcript.has(turn.id);
    let running = turn && !isShown() ? await this.#textOf(turn.id) : null;
    if (signal.aborted) return turn?.discard();
    if (running !== null && isShown()) running = null;
    let mine = null;
    for (const entry of outbox.get(planId)) {
      if (entry.turnId && this.#chat.history.has(entry.turnId)) outbox.drop(planId, entry.key);
      else if (entry.key === this.#running?.key) continue;
      else if (running !== null && (entry.turnId === turn.id || (entry.turnId === null && entry.text === running))) mine = entry;
      else this.#offerAgain(entry);
    }
    if (running === null) return turn?.discard();
    const sent = { key: null, ...mine, text: running, user: new UserMessage(this.#chat, { text: running }) };
    this.#transcript.append(sent.user.element);
    const message = this.#begin(sent);
    // Not awaited: the page is ready while the answer still grows.
    this.#follow(turn, message, signal).catch((error) => !signal.aborted && this.#refused(error));
  }

  /** The words of a running turn, also of another tab or device: the prompt store has them from the first moment. */
  async #textOf(turnId) {
    const { prompts } = await this.#chat.client.prompts({ planId: this.#chat.planId, state: "running", limit: 1 });
    const prompt = prompts.find((entry) => turnId === null || entry.id === turnId);
    return typeof prompt?.input === "string" ? prompt.input : prompt?.input?.message ?? "…";
  }

  #begin(sent) {
    // A question that was open is answered or dropped by this message; the server decides which.
    this.#chat.dropConfirmation();
    const message = new AdvisorMessage(this.#chat, { live: true });
    this.#transcript.append(message.element);
    this.#running = { ...sent, message, turnId: null };
    this.#composer.running = true;
    this.#announcer.start();
    return message;
  }

  async #follow(turn, message, signal) {
    this.#running.turnId = turn.id;
    this.#running.turn = turn;
    if (this.#running.stopping) this.#askToStop(this.#running);
    turn.onReconnect = (failures) => {
      message.showState(failures > 1 ? t("message.reconnecting") : "");
      this.#chat.dispatchEvent(new CustomEvent("connection", { detail: failures <= 1 }));
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
    const { planId } = this.#chat;
    const values = event.extractedValues ?? [];
    outbox.drop(planId, key);
    this.#transcript.adopt(event.turnId, user, message);
    message.finish({ text: event.fullResponse, finishReason: event.finishReason, hasValues: values.length > 0 });
    this.#chat.history.ended(event.turnId, values);
    this.#chat.showOpen();
    message.showValues(values, event.turnId);
    message.showMoved(event.updatedOutputs?.changes ?? []);
    message.showSuggestions(event.suggestions ?? []);
    if (event.pendingConfirmation) this.#chat.showConfirmation(event.pendingConfirmation);
    this.#announcer.follow(message.text, { ended: true });
    this.#announceValues(values);
    this.#transcript.follow();
    this.#chat.dispatchEvent(new CustomEvent("model", { detail: true }));
    this.#chat.dispatchEvent(new Event("answered"));
    // Where this fails, the next look a few seconds later finds the same.
    await this.#chat.workspace.absorb(planId, values.filter((value) => value.applied).map((value) => value.field)).catch(() => {});
    await this.#chat.sync().catch(() => {});
  }

  async #failed(event) {
    const { text, key, user, message, turnId, replaces } = this.#end();
    const { planId } = this.#chat;
    this.#transcript.markReplaced(null);
    if (event.code === "STOPPED") {
      outbox.drop(planId, key);
      this.#announcer.say(t("announce.stopped"));
      if (message.text !== "") {
        message.finish({ stopped: true });
        this.#transcript.adopt(turnId, user, message);
        return void await this.#chat.sync().catch(() => {});
      }
      // Stopped before a word: the history has nothing of it, so the words go back to their author.
      message.element.remove();
      user.element.remove();
      this.#giveBack(text);
      return this.#transcript.welcomeIfEmpty();
    }
    message.element.remove();
    this.#appendFailure(known(`error.${event.code}`) ?? visible(event.message), { text, key, user, replaces }, event.retryable !== false);
    if (event.code === "LLM_UNAVAILABLE") this.#chat.dispatchEvent(new CustomEvent("model", { detail: false }));
  }

  /** The server would not take the message, or the line to it is gone. */
  #refused(error) {
    const { text, key, user, message, replaces } = this.#end();
    const { planId } = this.#chat;
    message.element.remove();
    this.#transcript.markReplaced(null);
    const mayRepeat = error.status === 0 || error.status >= 500 || error.status === 429;
    if (mayRepeat) return this.#appendFailure(errorText(error), { text, key, user, replaces }, true);
    outbox.drop(planId, key);
    user.element.remove();
    this.#giveBack(text);
    this.#transcript.welcomeIfEmpty();
    if (error.status !== 401) this.#chat.notify(errorText(error));
    if (error.code === "TURN_IN_PROGRESS") this.#chat.open(planId, firstLook(this.#chat.client, planId)).catch((cause) => this.#chat.notify(errorText(cause)));
    else if (error.status === 409) this.#chat.sync().catch(() => {});
  }

  /** What could not be sent stands in the composer again, before what was typed since. */
  #giveBack(text) {
    const { text: since } = this.#composer;
    this.#composer.text = since.trim() === "" ? text : `${text}\n${since}`;
    drafts.set(this.#chat.planId, this.#composer.text);
  }

  #appendFailure(sentence, sent, retryable) {
    const { text, key, user, replaces } = sent;
    const mayRetry = retryable && !this.#chat.workspace.readOnly;
    const card = failureCard(sentence, {
      retry: mayRetry && (() => {
        if (this.#running) return;
        card.remove();
        this.#transcript.append(user.element);
        // The same key: if the first try did arrive after all, its answer is replayed instead of asked for again.
        this.#run({ text, key: key ?? randomKey(), user, replaces });
      }),
      edit: !this.#chat.workspace.readOnly && (() => {
        card.remove();
        user.element.remove();
        outbox.drop(this.#chat.planId, key);
        this.#giveBack(text);
        this.#chat.focus();
        this.#transcript.welcomeIfEmpty();
      }),
    });
    this.#transcript.append(card);
    this.#transcript.follow();
  }

  #offerAgain(entry) {
    const user = new UserMessage(this.#chat, { text: entry.text });
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
    const label = (value) => this.#chat.workspace.field(value.field)?.label ?? visible(value.label);
    const saved = values.filter((value) => value.applied).map(label);
    const asked = values.filter((value) => value.status === "proposed").map(label);
    if (saved.length) this.#announcer.say(t("announce.saved", { labels: saved.join(", ") }));
    if (asked.length) this.#announcer.say(t("announce.asked", { labels: asked.join(", ") }));
  }
}
