/**
 * The conversation: history, the turn that is running, and what follows from both.
 *
 * A turn belongs to the server. This view only follows it: it joins the running one when it opens, and leaves it
 * running when it closes. What it shows at the end is what the server stored.
 */
import { h } from "../dom.js";
import { visible } from "../format.js";
import { forgetTurn, pendingTurn, rememberTurn } from "../pending-turn.js";
import { randomKey } from "../advisor-client.js";
import { Announcer } from "./announcer.js";
import { Composer } from "./composer.js";
import { ConfirmationCard } from "./confirmation-card.js";
import { AdvisorMessage, failureCard, userMessage } from "./message.js";
import { Transcript } from "./transcript.js";

export class ChatView {
  #client;
  #workspace;
  #notify;
  #announcer = new Announcer();
  #transcript;
  #composer;
  #abort = new AbortController();
  #confirmation = null;
  #running = null;
  #troubled = false;

  constructor(workspace, client, notify) {
    this.#workspace = workspace;
    this.#client = client;
    this.#notify = notify;
    this.#composer = new Composer({ onSend: (text) => this.send(text), onStop: () => this.stop() });
    if (workspace.readOnly) this.#composer.disable("You are looking only");
    this.#transcript = new Transcript(workspace, client, notify, (words) => {
      this.#composer.text = words;
      this.#composer.focus();
    });
    this.element = h("section", { class: "panel chat", "aria-labelledby": "chat-title", "data-view": "chat" },
      h("h2", { id: "chat-title", class: "spoken" }, "Conversation with the advisor"),
      this.#transcript.element, this.#announcer.element, this.#composer.element);
  }

  /** Shows the open plan's conversation and picks up an answer that is still being written. */
  async open() {
    this.close();
    const { signal } = this.#abort;
    const planId = this.#workspace.planId;
    // Joined before the history is read: a turn that ends in between is then in both, and the history wins.
    const turn = await this.#client.attach(planId, { signal });
    const [history, pendingAction] = await Promise.all([this.#transcript.load(planId), this.#client.confirmation(planId)]);
    if (signal.aborted) return;
    this.#transcript.show(history);
    const unsettled = pendingTurn(planId);
    if (turn && this.#transcript.has(turn.id)) turn.discard();
    if (turn && !this.#transcript.has(turn.id)) await this.#rejoin(turn, unsettled);
    else if (unsettled && !this.#transcript.has(unsettled.turnId)) this.#offerAgain(unsettled);
    else forgetTurn(planId);
    if (pendingAction && !this.#running) this.#showConfirmation(pendingAction);
    this.#transcript.toEnd();
  }

  /** Stops following; the turn goes on without this page. */
  close() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#confirmation?.close();
    this.#confirmation = null;
    this.#running = null;
    this.#composer.running = false;
    this.#transcript.clear();
  }

  focus() {
    this.#composer.focus();
  }

  send(text) {
    const user = userMessage(text);
    this.#transcript.append(user);
    return this.#run({ text, key: randomKey(), user });
  }

  /** Asks the server to stop; the stream itself then ends with the word for it. */
  async stop() {
    const running = this.#running;
    if (!running) return;
    running.message.element.dataset.state = "stopping";
    try {
      await this.#client.stop(this.#workspace.planId);
    } catch (error) {
      this.#notify(error.message);
    }
  }

  // ---- A turn -------------------------------------------------------------------------------------------------

  async #run({ text, key, user }) {
    const planId = this.#workspace.planId;
    const { signal } = this.#abort;
    const message = this.#begin(text, key, user);
    this.#transcript.toEnd();
    rememberTurn(planId, { text, key, turnId: null });
    try {
      const turn = await this.#client.send(planId, text, { idempotencyKey: key, signal });
      rememberTurn(planId, { text, key, turnId: turn.id });
      await this.#follow(turn, message, signal);
    } catch (error) {
      if (!signal.aborted) this.#refused(error);
    }
  }

  async #rejoin(turn, unsettled) {
    const mine = unsettled && (unsettled.turnId === turn.id || unsettled.turnId === null || turn.id === null) ? unsettled : null;
    const text = mine?.text ?? await this.#textOf(turn.id);
    const user = userMessage(text);
    this.#transcript.append(user);
    const { signal } = this.#abort;
    const message = this.#begin(text, mine?.key ?? null, user);
    // Not awaited: the page is ready while the answer still grows.
    this.#follow(turn, message, signal).catch((error) => !signal.aborted && this.#refused(error));
  }

  /** The words of a turn that another tab or device started: the prompt store has them from the first moment. */
  async #textOf(turnId) {
    const { prompts } = await this.#client.prompts({ planId: this.#workspace.planId, state: "running", limit: 1 });
    const prompt = prompts.find((entry) => turnId === null || entry.id === turnId);
    return typeof prompt?.input === "string" ? prompt.input : prompt?.input?.message ?? "…";
  }

  #begin(text, key, user) {
    // A question that was open is answered or dropped by this message; the server says which.
    const answered = this.#confirmation?.toolName ?? null;
    this.#confirmation?.close();
    this.#confirmation = null;
    const message = new AdvisorMessage({ live: true });
    this.#transcript.append(message.element);
    this.#running = { message, text, key, user, answered };
    this.#composer.running = true;
    this.#announcer.start();
    return message;
  }

  async #follow(turn, message, signal) {
    for await (const event of turn) {
      if (signal.aborted) return;
      if (event.type === "token") {
        message.append(event.content, () => this.#transcript.follow());
        this.#announcer.follow(message.text);
      } else if (event.type === "done") await this.#done(event, message);
      else if (event.type === "error") await this.#failed(event, message);
    }
  }

  async #done(event, message) {
    const { answered } = this.#end();
    const { planId } = this.#workspace;
    this.#transcript.noteTurn(event.turnId);
    forgetTurn(planId);
    if (this.#troubled) this.element.dispatchEvent(new Event("model-changed"));
    this.#troubled = false;
    message.finish({ text: event.fullResponse, finishReason: event.finishReason });
    message.addValues(this.#workspace, event.extractedValues, this.#notify);
    message.addMoved(event.updatedOutputs?.changes);
    if (event.pendingConfirmation) this.#showConfirmation(event.pendingConfirmation);
    this.#announcer.follow(message.text, { ended: true });
    this.#announceValues(event.extractedValues ?? []);
    this.#transcript.follow();
    await this.#workspace.absorb(event.updatedOutputs, (event.extractedValues ?? []).filter((value) => value.applied).map((value) => value.field));
    // A yes to clearing leaves only that exchange; what stands here from before is gone on the server.
    if (answered === "clear_conversation") await this.open();
  }

  async #failed(event, message) {
    const { text, key, user } = this.#end();
    if (event.code === "STOPPED") {
      forgetTurn(this.#workspace.planId);
      if (message.text !== "") message.finish({ stopped: true });
      else {
        // Stopped before a word: the history has nothing of it, so the words go back to their author.
        message.element.remove();
        user.remove();
        if (this.#composer.text === "") this.#composer.text = text;
        this.#transcript.welcomeIfEmpty();
      }
      this.#announcer.say("Stopped.");
      return;
    }
    message.element.remove();
    this.#transcript.append(this.#failure(visible(event.message), { text, key, user }, event.retryable !== false));
    this.#transcript.follow();
    this.#troubled = event.code === "LLM_UNAVAILABLE";
    if (this.#troubled) this.element.dispatchEvent(new Event("model-changed"));
  }

  /** The server would not take the message, or the line to it is gone. */
  #refused(error) {
    const { text, key, user, message } = this.#end();
    message.element.remove();
    if (error.status === 401) return void document.dispatchEvent(new Event("signed-out"));
    const mayRepeat = error.status === 0 || error.status >= 500 || error.status === 429;
    if (mayRepeat) {
      const wait = error.retryAfter ? ` You can try again in ${error.retryAfter} seconds.` : "";
      this.#transcript.append(this.#failure(error.message + wait, { text, key, user }, true));
    } else {
      forgetTurn(this.#workspace.planId);
      user.remove();
      this.#composer.text = text;
      this.#notify(error.details[0]?.message ?? error.message);
      this.#transcript.welcomeIfEmpty();
      if (error.code === "TURN_IN_PROGRESS") this.open().then(() => { this.#composer.text = text; });
    }
    this.#transcript.follow();
  }

  #failure(sentence, { text, key, user }, retryable) {
    const card = failureCard(sentence, retryable && !this.#workspace.readOnly && (() => {
      if (this.#running) return;
      card.remove();
      this.#transcript.append(user);
      // The same key: if the first try did arrive after all, its answer is replayed instead of asked for again.
      this.#run({ text, key: key ?? randomKey(), user });
    }));
    return card;
  }

  #offerAgain({ text, key }) {
    const user = userMessage(text);
    this.#transcript.append(user, this.#failure("This message was not answered.", { text, key, user }, true));
  }

  #end() {
    const running = this.#running;
    this.#running = null;
    this.#composer.running = false;
    return running;
  }

  #announceValues(values) {
    const saved = values.filter((value) => value.applied).map((value) => visible(value.label));
    const asked = values.filter((value) => value.status === "proposed").map((value) => visible(value.label));
    if (saved.length) this.#announcer.say(`Saved: ${saved.join(", ")}.`);
    if (asked.length) this.#announcer.say(`Waiting for your word: ${asked.join(", ")}.`);
  }

  // ---- Confirmation -------------------------------------------------------------------------------------------

  #showConfirmation(pending) {
    if (this.#workspace.readOnly) return;
    this.#confirmation?.close();
    const asked = this.#transcript.lastAnswer.endsWith(pending.prompt.trim());
    const card = new ConfirmationCard(pending, (decision) => this.#decide(card, pending, decision), { asked });
    this.#confirmation = card;
    this.#transcript.append(card.element);
    this.#announcer.say(`This needs your word: ${visible(pending.prompt)}`);
    this.#transcript.follow();
  }

  async #decide(card, pending, decision) {
    const { planId } = this.#workspace;
    const { message, updatedOutputs } = await (decision === "approve" ? this.#client.approve(planId, pending.id) : this.#client.deny(planId, pending.id));
    card.close(visible(message));
    this.#confirmation = null;
    this.#announcer.say(visible(message));
    this.#composer.focus();
    if (decision === "deny") return;
    if (pending.toolName === "clear_conversation") await this.open();
    else await this.#workspace.absorb(updatedOutputs);
  }
}

