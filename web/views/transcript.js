/**
 * The list of messages: what is stored, what is being added, and a welcome where there is nothing yet.
 *
 * It knows which turns it shows, so that an answer that ends while the page loads is never shown twice.
 */
import { h, put } from "../dom.js";
import { AdvisorMessage, userMessage } from "./message.js";
import { Scroller } from "./scroller.js";

const PAGE = 50;
const BEGINNINGS = ["My rent is ", "I am borrowing ", "Each month I expect sales of ", "What is still missing?"];

export class Transcript {
  #workspace;
  #client;
  #notify;
  #onBeginning;
  #turnIds = new Set();
  #list = h("ol", { class: "messages" });
  #earlier = h("div", { class: "earlier" });
  #scroller = new Scroller(h("div", { class: "conversation", role: "log", "aria-live": "off", "aria-label": "Conversation" }, this.#earlier, this.#list));

  /** `onBeginning(words)` is called with the first words of a message the user wants to write. */
  constructor(workspace, client, notify, onBeginning) {
    this.#workspace = workspace;
    this.#client = client;
    this.#notify = notify;
    this.#onBeginning = onBeginning;
    this.element = this.#scroller.element;
  }

  /** What the newest answer says, as it is shown. */
  get lastAnswer() {
    return [...this.#list.querySelectorAll(".message.advisor .prose")].at(-1)?.textContent.trim() ?? "";
  }

  /** Asks for the newest page of the history, to be given to {@link show}. */
  load(planId) {
    return this.#client.history(planId, { limit: PAGE });
  }

  show(history) {
    this.#turnIds.clear();
    put(this.#list, history.messages.map((entry) => this.#stored(entry)));
    this.#offerEarlier(history.nextBefore);
    this.welcomeIfEmpty();
  }

  clear() {
    this.#turnIds.clear();
    put(this.#list);
    put(this.#earlier);
  }

  has(turnId) {
    return this.#turnIds.has(turnId);
  }

  /** Notes that a turn which was followed here is now stored. */
  noteTurn(turnId) {
    this.#turnIds.add(turnId);
  }

  append(...nodes) {
    this.#list.querySelector(".welcome")?.remove();
    this.#list.append(...nodes);
  }

  follow() {
    this.#scroller.follow();
  }

  toEnd() {
    this.#scroller.toEnd();
  }

  welcomeIfEmpty() {
    if (this.#list.childElementCount > 0) return;
    const { firstName, readOnly } = this.#workspace;
    this.#list.append(h("li", { class: "welcome" },
      h("p", { class: "welcome-lead" }, firstName ? `Hello ${firstName}.` : "Hello."),
      h("p", {}, "Tell me the numbers of your plan in your own words, one or many at a time. I write down what you say, ask when I am not sure, and show what it does to your projection. The plan is yours: I never choose a number for you."),
      !readOnly && h("div", { class: "beginnings", role: "group", "aria-label": "Ways to begin" }, BEGINNINGS.map((words) =>
        h("button", { type: "button", class: "chip", onclick: () => this.#onBeginning(words) }, words.trim(), words.endsWith(" ") ? " …" : "")))));
  }

  #stored(entry) {
    this.#turnIds.add(entry.turnId);
    if (entry.role === "user") return userMessage(entry.content, entry.timestamp);
    const message = new AdvisorMessage({ timestamp: entry.timestamp });
    message.finish({ text: entry.content, stopped: entry.stopped === true });
    message.addValues(this.#workspace, entry.extractedValues, this.#notify);
    return message.element;
  }

  #offerEarlier(before) {
    put(this.#earlier, before && h("button", { type: "button", class: "quiet small", onclick: async (event) => {
      const button = event.currentTarget;
      button.disabled = true;
      try {
        const history = await this.#client.history(this.#workspace.planId, { limit: PAGE, before });
        this.#scroller.keepPlace(() => this.#list.prepend(...history.messages.map((entry) => this.#stored(entry))));
        this.#offerEarlier(history.nextBefore);
      } catch (error) {
        button.disabled = false;
        this.#notify(error.message);
      }
    } }, "Show earlier messages"));
  }
}
