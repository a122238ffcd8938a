/**
 * One message of the conversation. The user's words are shown letter for letter; the advisor's as light Markdown.
 */
import { authorName } from "../author.js";
import { h, icon, put, spoken } from "../dom.js";
import { MarkdownView } from "../markdown.js";
import { formatClock, formatTime, visible } from "../format.js";
import { directionOf, formatMetric, knowsMetrics, metricHelp, metricLabel, tellingChanges } from "../metrics.js";
import { t } from "../texts.js";
import { ValueCard } from "./value-card.js";

/** A message longer than this is folded until the reader unfolds it. */
const LONG = 1200;

/** A user's message. `desk` is what all messages share: see `Transcript`. */
export class UserMessage {
  #desk;
  #text;
  #isErased = false;
  #bubble = h("div", { class: "bubble", dir: "auto" });
  #foot = h("div", { class: "message-foot" });

  constructor(desk, { text, author = null, timestamp = null }) {
    this.#desk = desk;
    this.#text = text;
    const name = author && (author.isAssistant ? authorName(author) : t("message.author", { name: visible(author.displayName) }));
    const bubble = put(this.#bubble, text);
    this.element = h("li", { class: `message user${author ? " other" : ""}`, tabindex: "-1" },
      spoken(`${name ?? t(desk.workspace.owner.isReader ? "message.you" : "message.owner", { name: desk.workspace.owner.name })}: `),
      name && h("p", { class: "author", "aria-hidden": "true" }, name),
      bubble, text.length > LONG && foldable(bubble), this.#foot);
    this.#showFoot(timestamp, null);
  }

  get text() {
    return this.#text;
  }

  /** Takes over what is stored of it; the newest one may be edited. */
  update(entry, { isNewest }) {
    this.element.id = `m-${entry.id}`;
    const mayEdit = isNewest && !entry.author && !entry.erased && !this.#desk.workspace.readOnly;
    if (entry.erased && !this.#isErased) this.#erase();
    this.#showFoot(entry.timestamp, entry.id, mayEdit && (() => this.#desk.edit(entry)));
  }

  #erase() {
    this.#isErased = true;
    this.#text = "";
    this.#bubble.classList.remove("folded");
    this.element.querySelector(":scope > .link")?.remove();
    put(this.#bubble, erasedWords());
  }

  #showFoot(timestamp, id, edit) {
    put(this.#foot, !this.#isErased && tool("copy", t("message.copy"), () => copy(this.#desk, this.#text)),
      id && tool("link", t("message.link"), () => this.#desk.copyLink(id)),
      edit && tool("pencil", t("message.edit"), edit), clock(timestamp));
  }
}

/** An answer of the advisor: it grows while it is written and gets its values when it is done. */
export class AdvisorMessage {
  #desk;
  #text = "";
  #frame = 0;
  #view;
  #cards = new Map();
  #turnId = null;
  #content = h("div", { class: "prose", dir: "auto" });
  #state = h("span", {}, t("message.thinking"));
  #typing = h("div", { class: "typing" }, h("span", { class: "typing-dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), this.#state);
  #asides = h("div", { class: "asides" });
  #values = h("ul", { class: "values", "aria-label": t("values.label"), hidden: true });
  #undoAll = h("div", { class: "undo-all" });
  #moved = h("div", {});
  #isErased = false;
  #changes = [];
  #suggestions = h("div", { class: "beginnings suggestions", role: "group", "aria-label": t("suggestions.label"), hidden: true });
  #foot = h("div", { class: "message-foot" });

  constructor(desk, { live = false } = {}) {
    this.#desk = desk;
    this.#view = new MarkdownView(this.#content);
    this.element = h("li", { class: "message advisor", tabindex: "-1", "data-state": live ? "writing" : "done" },
      spoken(`${t("message.advisor")}: `), this.#content, live && this.#typing,
      h("div", { class: "extras" }, this.#asides, this.#values, this.#undoAll, this.#moved), this.#foot, this.#suggestions);
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
      this.#view.update(this.#text);
      drawn();
    });
  }

  /** Says beside the dots what is going on; "" for the usual. */
  showState(words) {
    this.#typing.classList.toggle("troubled", words !== "");
    this.#state.textContent = words || t("message.thinking");
  }

  /** Ends the writing; `stopped` marks an answer that was cut short on purpose. */
  finish({ text = this.#text, stopped = false, finishReason = "stop", hasValues = false } = {}) {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#typing.remove();
    this.#text = text;
    this.#view.update(text);
    this.element.dataset.state = stopped ? "stopped" : "done";
    const aside = stopped ? "message.stopped" : { length: "message.tooLong", content_filter: "message.filtered" }[finishReason];
    put(this.#asides, aside && h("p", { class: "aside" }, t(aside), hasValues && !stopped && ` ${t("message.valuesWait")}`));
  }

  /** Takes over what is stored of it. */
  update(entry, { isNewest }) {
    this.element.id = `m-${entry.id}`;
    if (this.#text !== entry.content || this.element.dataset.state === "writing") {
      this.finish({ text: entry.content, stopped: entry.stopped === true, finishReason: entry.finishReason, hasValues: (entry.extractedValues ?? []).length > 0 });
    }
    this.#isErased = Boolean(entry.erased);
    if (this.#isErased) put(this.#content, erasedWords());
    this.showValues(entry.extractedValues ?? [], entry.turnId);
    this.showMoved(entry.changes ?? []);
    put(this.#foot, !entry.erased && tool("copy", t("message.copy"), () => copy(this.#desk, this.#text)),
      tool("link", t("message.link"), () => this.#desk.copyLink(entry.id)),
      isNewest && !entry.erased && !this.#desk.workspace.readOnly && tool("reset", t("message.regenerate"), () => this.#desk.regenerate(entry.turnId)),
      clock(entry.timestamp));
  }

  showValues(values, turnId) {
    for (const value of values) {
      const card = this.#cards.get(value.id);
      if (card) card.update(value);
      else {
        this.#cards.set(value.id, new ValueCard(this.#desk, value));
        this.#values.append(this.#cards.get(value.id).element);
      }
    }
    this.#values.hidden = this.#cards.size === 0;
    this.#turnId = turnId;
    this.#offerUndoAll();
    this.#dropQuestion();
  }

  /** What one could send next. */
  showSuggestions(suggestions) {
    this.#suggestions.hidden = suggestions.length === 0 || this.#desk.workspace.readOnly;
    put(this.#suggestions, suggestions.map((words) => h("button", { type: "button", class: "chip", onclick: () => this.#desk.ask(words) }, words)));
  }

  /** A question whose values are all settled is asked no more. */
  #dropQuestion() {
    if (this.#isErased) return;
    const cards = [...this.#cards.values()];
    const isSettled = cards.length > 0 && cards.some(({ value }) => ["accepted", "dismissed"].includes(value.status)) && !cards.some((card) => card.isOpen);
    if (this.element.dataset.state !== "writing") this.#view.update(isSettled ? withoutQuestion(this.#text) : this.#text);
  }

  /** The plan has changed: what stands in it now is what the cards say. */
  refresh() {
    for (const card of this.#cards.values()) card.show();
    this.#offerUndoAll();
    this.#dropQuestion();
    if (!this.#moved.hasChildNodes()) this.showEffects();
  }

  /** What this turn has moved, and what a decision by click on one of its values has. */
  showEffects() {
    this.showMoved(this.#changes);
  }

  /** The first value that still waits for an answer, or null. */
  get firstOpenCard() {
    return [...this.#cards.values()].find((card) => card.isOpen) ?? null;
  }

  card(valueId) {
    return this.#cards.get(valueId) ?? null;
  }

  #offerUndoAll() {
    const standing = [...this.#cards.values()].filter((card) => card.canUndo).length;
    const wanted = standing > 1 ? String(standing) : "";
    if (this.#undoAll.dataset.count === wanted) return;
    this.#undoAll.dataset.count = wanted;
    put(this.#undoAll, standing > 1 && h("button", { type: "button", class: "link", onclick: (event) => this.#desk.undoTurn(event.currentTarget, this.#turnId) },
      icon("undo"), t("values.undoAll", { count: standing })));
  }

  /** The few results this turn moved, most important first. */
  showMoved(changes) {
    this.#changes = changes;
    const decided = this.#desk.effectOf?.([...this.#cards.values()].map((card) => card.value)) ?? [];
    const telling = knowsMetrics() ? tellingChanges(decided.length > 0 ? decided : changes) : [];
    put(this.#moved, telling.length > 0 && h("dl", { class: "moved-strip", "aria-label": t("moved.label") }, telling.map(({ metric, before, after }) =>
      h("div", { class: directionOf(metric, before, after), "data-moved": metric, title: metricHelp(metric) },
        h("dt", {}, metricLabel(metric)),
        h("dd", {}, h("span", {}, formatMetric(metric, before)), icon("arrow"), spoken(t("moved.to")), h("b", {}, formatMetric(metric, after)))))));
  }
}

/** The questions of the advisor without a model whose yes writes values. */
const QUESTIONS = /\s*(?:Shall I write down [^?]{1,200}\?|Shall I use all \d+\?[^?]{0,80}|¿Anoto [^?]{1,200}\?|¿Uso los \d+\?[^?]{0,80})\s*$/;

/** A text without the question at its end; a text that is nothing else stays. */
export function withoutQuestion(text) {
  const rest = text.replace(QUESTIONS, "");
  return rest.trim() === "" ? text : rest;
}

/** What stands where words were. */
function erasedWords() {
  return h("span", { class: "erased" }, t("message.erased"));
}

/** A turn that failed: what happened, and ways to go on where there are any. */
export function failureCard(sentence, { retry, edit }) {
  return h("li", { class: "card failure", tabindex: "-1" },
    h("p", { role: "alert" }, icon("warning"), h("span", {}, sentence)),
    (retry || edit) && h("div", { class: "actions" },
      retry && h("button", { type: "button", class: "quiet small", onclick: retry }, icon("reset"), t("failure.retry")),
      edit && h("button", { type: "button", class: "quiet small", onclick: edit }, icon("pencil"), t("failure.edit"))));
}

function tool(name, label, act) {
  return h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: act }, icon(name));
}

function clock(timestamp) {
  return timestamp && h("time", { datetime: timestamp, title: formatTime(timestamp) }, formatClock(timestamp));
}

async function copy(desk, text) {
  await navigator.clipboard?.writeText(text).then(() => desk.notify(t("message.copied")), () => desk.notify(t("message.notCopied")));
}

function foldable(bubble) {
  bubble.classList.add("folded");
  const button = h("button", { type: "button", class: "link", "aria-expanded": "false", onclick: () => {
    const isFolded = bubble.classList.toggle("folded");
    button.setAttribute("aria-expanded", String(!isFolded));
    button.textContent = t(isFolded ? "message.showAll" : "message.showLess");
  } }, t("message.showAll"));
  return button;
}
