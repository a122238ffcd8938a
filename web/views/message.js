/**
 * One message of the conversation. The user's words are shown letter for letter; the advisor's as light Markdown.
 */
import { h, icon, spoken } from "../dom.js";
import { MarkdownView } from "../markdown.js";
import { formatTime } from "../format.js";
import { directionOf, formatMetric, metricLabel, tellingChanges } from "../metrics.js";
import { valueList } from "./value-card.js";

/** What the user said. */
export function userMessage(text, timestamp) {
  return h("li", { class: "message user" },
    spoken("You: "),
    h("div", { class: "bubble", dir: "auto", title: timestamp && formatTime(timestamp) }, text));
}

/** What the advisor says: it grows while it is written and gets its values when it is done. */
export class AdvisorMessage {
  #text = "";
  #frame = 0;
  #view;
  #content = h("div", { class: "prose", dir: "auto" });
  #typing = h("div", { class: "typing" }, h("span", { class: "typing-dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), h("span", {}, "The advisor is thinking"));
  #extras = h("div", { class: "extras" });

  constructor({ live = false, timestamp } = {}) {
    this.#view = new MarkdownView(this.#content);
    this.element = h("li", { class: "message advisor", "data-state": live ? "writing" : "done", title: timestamp && formatTime(timestamp) },
      spoken("Advisor: "), this.#content, live && this.#typing, this.#extras);
  }

  get text() {
    return this.#text;
  }

  /** Adds a token. Drawing waits for the next frame: models are faster than screens. */
  append(content, drawn = () => {}) {
    this.#text += content;
    this.#typing.classList.add("begun");
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      drawn();
    });
  }

  show(text) {
    this.#text = text;
    this.#draw();
  }

  /** Ends the writing; `stopped` marks an answer that was cut short on purpose. */
  finish({ text = this.#text, stopped = false, finishReason = "stop" } = {}) {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#typing.remove();
    this.show(text);
    this.element.dataset.state = stopped ? "stopped" : "done";
    if (stopped) this.add(h("p", { class: "aside" }, "You stopped the answer here. No value was taken from it."));
    if (finishReason === "length") this.add(h("p", { class: "aside" }, "The answer reached its length limit. Its values wait for your word."));
    if (finishReason === "content_filter") this.add(h("p", { class: "aside" }, "The provider’s filter ended this answer. Its values wait for your word."));
  }

  addValues(workspace, values, notify) {
    if (values?.length) this.add(valueList(workspace, values, notify));
  }

  /** The few results this turn moved, in the order that tells most. */
  addMoved(changes = []) {
    const telling = tellingChanges(changes);
    if (telling.length === 0) return;
    this.add(h("dl", { class: "moved-strip", "aria-label": "What this changed" }, telling.map(({ metric, before, after }) =>
      h("div", { class: directionOf(metric, before, after) },
        h("dt", {}, metricLabel(metric)),
        h("dd", {}, h("span", {}, formatMetric(metric, before)), icon("arrow"), h("b", {}, formatMetric(metric, after)))))));
  }

  add(node) {
    this.#extras.append(node);
  }

  #draw() {
    this.#view.update(this.#text);
  }
}

/** A turn that failed: what happened, and a way to try again where that can help. */
export function failureCard(sentence, retry) {
  return h("li", { class: "card failure" },
    h("p", { role: "alert" }, icon("warning"), h("span", {}, sentence)),
    retry && h("div", { class: "actions" }, h("button", { type: "button", class: "quiet small", onclick: retry }, icon("reset"), "Try again")));
}
