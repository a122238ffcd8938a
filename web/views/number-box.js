/**
 * A box for a number of the plan. What is typed is read; where it can mean two numbers they are offered; what is worth saying
 * about it stands below at once, before it is saved.
 */
import { h, icon, put } from "../dom.js";
import { editableValue, formatValue } from "../format.js";
import { refusalOf, remarkOn } from "../fields.js";
import { readTyped } from "../typed.js";
import { t } from "../texts.js";
import { boxed } from "./boxed.js";

let count = 0;

export class NumberBox {
  #field;
  #range;
  #start;
  #take;
  /** What was chosen for a text that can mean two numbers. */
  #chosen = null;
  #problem;
  #remark = h("p", { class: "remark", role: "status" });
  #choice = h("div", { class: "actions which", role: "group" });

  /**
   * `value` is what it begins with, null for nothing; `range` the published one, `about` the id of what describes the number.
   * `take(value)` gets a value that was chosen instead of typed out.
   */
  constructor(field, { value = null, range = null, about = "", attributes = {}, take }) {
    this.#field = field;
    this.#range = range;
    this.#take = take;
    this.#problem = h("p", { class: "problem", id: `number-problem-${count += 1}`, role: "alert" });
    const text = editableValue(field.kind, value);
    this.#start = { text, value };
    this.input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value: text, "aria-describedby": `${about} ${this.#problem.id}`.trim(), oninput: () => this.#look(), ...attributes });
    this.element = boxed(field.kind, this.input);
    this.notes = [this.#problem, this.#remark, this.#choice];
  }

  /** The value that was typed; null where there is none, and then it has been said why. */
  read() {
    const { value, choices } = this.#typed();
    if (choices.length > 0) return this.#ask(choices);
    const refusal = value === null ? t("refuse.unreadable") : refusalOf(this.#field, value);
    if (refusal) this.complain(refusal);
    return refusal ? null : value;
  }

  /** Puts a value into the box, to be saved or changed. */
  fill(value) {
    this.input.value = editableValue(this.#field.kind, value);
    this.#chosen = { text: this.input.value, value };
    this.#look();
    this.input.focus();
  }

  complain(sentence) {
    this.input.setAttribute("aria-invalid", "true");
    this.#problem.textContent = sentence;
    this.input.focus();
  }

  #typed() {
    const text = this.input.value;
    // What the box began with, or what was chosen, has its meaning already.
    for (const known of [this.#start, this.#chosen]) if (known !== null && known.value !== null && known.text === text) return { value: known.value, choices: [] };
    return readTyped(this.#field, text);
  }

  #ask(choices) {
    this.complain(whichWords(this.input.value, choices));
    this.#choice.setAttribute("aria-label", this.#problem.textContent);
    put(this.#choice, whichButtons(this.#field.kind, choices, (value) => this.#choose(value)));
    this.#choice.firstElementChild.focus();
    return null;
  }

  #choose(value) {
    this.input.value = editableValue(this.#field.kind, value);
    this.#chosen = { text: this.input.value, value };
    this.#look();
    const refusal = refusalOf(this.#field, value);
    if (refusal) this.complain(refusal);
    else this.#take(value);
  }

  #look() {
    this.input.removeAttribute("aria-invalid");
    put(this.#problem);
    put(this.#choice);
    const { value } = this.#typed();
    const isStart = this.input.value === this.#start.text;
    const remark = value === null || isStart || refusalOf(this.#field, value) ? null : remarkOn(this.#field, { currentValue: value, item7Range: this.#range });
    put(this.#remark, remark && [icon("warning"), h("span", {}, remark)]);
  }
}

/** What is asked of a text that can mean two numbers. */
export function whichWords(text, choices) {
  return t("box.which", { count: choices.length, words: `“${text.trim()}”` });
}

/** The numbers that it can mean; `choose(value)` gets the one that is meant. */
export function whichButtons(kind, choices, choose) {
  return choices.map((value) => h("button", { type: "button", class: "quiet small", onclick: () => choose(value) }, formatValue(kind, value)));
}
