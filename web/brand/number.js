/**
 * A box for a default or one end of a range. It is read while one types; a text that can mean two numbers, as 350.000, is none
 * until it was said which.
 */
import { h, put } from "../dom.js";
import { editableValue } from "../format.js";
import { refusalOf } from "../fields.js";
import { readTyped } from "../typed.js";
import { t } from "../texts.js";
import { boxed } from "../views/boxed.js";
import { whichButtons, whichWords } from "../views/number-box.js";

let count = 0;

export class BrandNumber {
  #field;
  #isRequired;
  #take;
  #start;
  #problem;
  #refusal = "";
  #choice = h("div", { class: "actions which", role: "group" });

  /** `field` is `{kind, period, max, hard}`; `take(value, refusal)` gets what was typed, or why it is no number. */
  constructor(field, words, { value, isRequired, take }) {
    this.#field = field;
    this.#isRequired = isRequired;
    this.#take = take;
    this.#start = { text: editableValue(field.kind, value), value: value ?? null };
    this.#problem = h("p", { class: "problem", id: `brand-number-${count += 1}`, role: "alert" });
    this.input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value: this.#start.text, "aria-describedby": this.#problem.id, oninput: () => this.#look() });
    this.element = h("div", { class: "brand-number" },
      h("label", {}, h("span", {}, words), boxed(field.kind, this.input)), this.#problem, this.#choice);
  }

  /** What others say about the number, such as the other end of its range or the server; "" takes it away. */
  complain(words) {
    const shown = this.#refusal || words;
    this.#problem.textContent = shown;
    if (shown) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }

  #look() {
    const text = this.input.value.trim();
    const isStart = text === this.#start.text;
    const { value, choices } = isStart ? { value: this.#start.value, choices: [] } : readTyped(this.#field, text);
    this.#refusal = this.#refusalOf(text, value, choices);
    put(this.#choice, whichButtons(this.#field.kind, choices, (one) => this.#choose(one)));
    this.#choice.setAttribute("aria-label", choices.length > 0 ? this.#refusal : "");
    this.complain("");
    this.#take(text === "" ? null : value, this.#refusal);
  }

  #refusalOf(text, value, choices) {
    if (text === "") return this.#isRequired ? t("refuse.empty") : "";
    if (choices.length > 0) return whichWords(text, choices);
    return value === null ? t("refuse.unreadable") : refusalOf(this.#field, value) ?? "";
  }

  #choose(value) {
    this.#start = { text: editableValue(this.#field.kind, value), value };
    this.input.value = this.#start.text;
    this.#look();
    this.input.focus();
  }
}
