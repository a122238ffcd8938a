/**
 * The list of messages: what is stored, what is on its way, and a welcome where there is nothing yet.
 *
 * What is stored is shown as it is stored: messages are compared with those shown before and change in their place, so
 * that reading again neither blinks nor moves anything. What is on its way stands below and becomes a stored message when
 * its turn has ended, so that nothing is ever shown twice.
 */
import { h, icon, put } from "../dom.js";
import { formatDay } from "../format.js";
import { errorText } from "../errors.js";
import { parts, t } from "../texts.js";
import { AdvisorMessage, UserMessage } from "./message.js";
import { Scroller } from "./scroller.js";

/** First words of a message, to be finished by the user, and questions. */
const STARTERS = ["starter.rent", "starter.loan", "starter.sales"];
const QUESTIONS = ["starter.missing"];

export class Transcript {
  #desk;
  /** Stored messages by turn and role. */
  #views = new Map();
  #history = null;
  /** What belongs to the newest answer and stays right below it. */
  #attached = null;
  #list = h("ol", { class: "messages" });
  #earlier = h("div", { class: "earlier" });
  #scroller = new Scroller(h("div", { class: "conversation", role: "log", "aria-live": "off", "aria-label": t("chat.title") }, this.#earlier, this.#list));

  /**
   * `desk` is what messages and their values need: `workspace`, `client`, `notify(text, undo?)`, `sync()`, `edit(entry)`,
   * `regenerate(turnId)`, `undoTurn(button, turnId)`, `copyLink(id)`, `focusAfter(card)`, `begin(words)`, `ask(words)`,
   * `startGuide()`.
   */
  constructor(desk) {
    this.#desk = desk;
    this.element = this.#scroller.element;
    desk.workspace.addEventListener("change", () => { for (const view of this.#views.values()) view.refresh?.(); });
  }

  /** The text of the newest answer, as it is shown. */
  get lastAnswer() {
    return [...this.#list.querySelectorAll(".message.advisor .prose")].at(-1)?.textContent.trim() ?? "";
  }

  /** Shows what is stored, in order, with a line for each day. */
  show(history) {
    this.#history = history;
    const nodes = [];
    const kept = new Set();
    const newest = history.newestTurn()?.turnId;
    let day = "";
    for (const entry of history.messages) {
      if (formatDay(entry.timestamp) !== day) nodes.push(dayLine(day = formatDay(entry.timestamp)));
      const key = `${entry.turnId}:${entry.role}`;
      const view = this.#views.get(key) ?? this.#make(entry);
      this.#views.set(key, view);
      kept.add(key);
      view.update(entry, { isNewest: entry.turnId === newest });
      nodes.push(view.element);
    }
    for (const [key, view] of [...this.#views]) if (!kept.has(key)) this.#remove(key, view);
    this.#arrange(nodes);
    this.#offerEarlier();
    this.welcomeIfEmpty();
  }

  clear() {
    this.#views.clear();
    this.#history = null;
    this.#attached = null;
    put(this.#list);
    put(this.#earlier);
  }

  has(turnId) {
    return this.#views.has(`${turnId}:assistant`) || (this.#history?.has(turnId) ?? false);
  }

  /** Takes what was shown on its way for the stored messages of its turn. */
  adopt(turnId, user, answer) {
    this.#views.set(`${turnId}:user`, user);
    this.#views.set(`${turnId}:assistant`, answer);
  }

  /** What was suggested belongs to the newest answer only. */
  clearSuggestions() {
    for (const view of this.#views.values()) view.showSuggestions?.([]);
  }

  /** Shows again what decisions by click have moved. */
  showEffects() {
    for (const view of this.#views.values()) view.showEffects?.();
  }

  /** Marks a turn that is about to be replaced; null ends that. */
  markReplaced(turnId) {
    for (const [key, view] of this.#views) view.element.classList.toggle("replaced", turnId !== null && key.startsWith(`${turnId}:`));
  }

  append(...nodes) {
    this.#list.querySelector(".welcome")?.remove();
    this.#list.append(...nodes);
  }

  /** Puts a node right below the newest answer, above messages that could not be sent. */
  attach(node) {
    this.#attached = node;
    [...this.#list.querySelectorAll(":scope > .message.advisor")].at(-1)?.after(node);
    if (!node.isConnected) this.append(node);
  }

  followFrom(element) {
    this.#scroller.followFrom(element);
  }

  follow() {
    this.#scroller.follow();
  }

  /** To where one reads on: the end, or the beginning of a conversation that has not begun. */
  toEnd() {
    const welcome = this.#list.querySelector(".welcome");
    if (welcome) this.#scroller.followFrom(welcome, { offersEnd: false });
    else this.#scroller.toEnd();
  }

  /** Brings a stored message into view and marks it; false where there is none. */
  reveal(messageId) {
    const element = this.#list.querySelector(`[id="m-${CSS.escape(messageId)}"]`);
    if (!element) return false;
    this.#scroller.show(element);
    element.focus({ preventScroll: true });
    element.classList.add("revealed");
    element.addEventListener("animationend", () => element.classList.remove("revealed"), { once: true });
    return true;
  }

  /** The element of a stored message, for the search. */
  elementOf(messageId) {
    return this.#list.querySelector(`[id="m-${CSS.escape(messageId)}"]`);
  }

  scrollTo(element) {
    this.#scroller.show(element);
  }

  /** The card of a value in the newest answer that has one open; null where nothing waits. */
  nextOpenCard() {
    return [...this.#views.values()].reverse().map((view) => view.firstOpenCard).find(Boolean) ?? null;
  }

  welcomeIfEmpty() {
    if (this.#list.childElementCount > 0) return;
    const { firstName, readOnly, owner } = this.#desk.workspace;
    this.#list.append(h("li", { class: "welcome" },
      h("p", { class: "welcome-lead" }, readOnly ? t("welcome.nothing", { name: owner.name }) : firstName ? t("welcome.hello", { name: firstName }) : t("welcome.helloAll")),
      !readOnly && h("p", {}, t("welcome.what")),
      h("p", { class: "software" }, icon("info"), h("span", {}, t("welcome.software"))),
      !readOnly && [
        h("div", { class: "welcome-start" },
          h("button", { type: "button", class: "primary", onclick: () => this.#desk.startGuide() }, t("welcome.guide"), icon("arrow")),
          h("span", { class: "soft" }, t("welcome.or"))),
        h("div", { class: "beginnings", role: "group", "aria-label": t("welcome.ways") },
          STARTERS.map((key) => h("button", { type: "button", class: "chip", onclick: () => this.#desk.begin(`${t(key)} `) }, parts("starter.more", { words: t(key) }))),
          QUESTIONS.map((key) => h("button", { type: "button", class: "chip", onclick: () => this.#desk.ask(t(key)) }, t(key)))),
      ]));
  }

  #make(entry) {
    return entry.role === "user" ? new UserMessage(this.#desk, { text: entry.content, author: entry.author, timestamp: entry.timestamp }) : new AdvisorMessage(this.#desk);
  }

  #remove(key, view) {
    this.#views.delete(key);
    view.element.remove();
  }

  /** Puts the stored part in order without touching what is already in its place; what is on its way stays below. */
  #arrange(nodes) {
    if (nodes.length > 0) this.#list.querySelector(".welcome")?.remove();
    for (const line of this.#list.querySelectorAll(":scope > .day")) line.remove();
    let at = this.#list.firstElementChild;
    for (const node of nodes) {
      if (node === at) at = at.nextElementSibling;
      else this.#list.insertBefore(node, at);
    }
    if (this.#attached?.isConnected && nodes.length > 0 && nodes.at(-1).nextElementSibling !== this.#attached) nodes.at(-1).after(this.#attached);
  }

  #offerEarlier() {
    put(this.#earlier, this.#history.before && h("button", { type: "button", class: "quiet small", onclick: (event) => this.#showEarlier(event.currentTarget) }, t("chat.earlier")));
  }

  async #showEarlier(button) {
    const history = this.#history;
    button.disabled = true;
    try {
      const messages = await history.older();
      if (history !== this.#history) return;
      this.#scroller.keepPlace(() => this.show(history));
      this.elementOf(messages.at(-1)?.id ?? "")?.focus({ preventScroll: true });
    } catch (error) {
      button.disabled = false;
      this.#desk.notify(errorText(error));
    }
  }
}

function dayLine(words) {
  return h("li", { class: "day" }, h("span", {}, words));
}
