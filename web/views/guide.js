/**
 * One key number after the other: what it means, what the brand assumes, and a box for one's own. Not knowing one yet is
 * an answer too; it moves on, keeps the brand's default, and is listed at the end.
 */
import { h, icon, put } from "../dom.js";
import { formatValue } from "../format.js";
import { derivedOf } from "../fields.js";
import { errorText } from "../errors.js";
import { countOf, nextQuestion } from "../key-numbers.js";
import { follow, planPath, resultPath } from "../router.js";
import { putOff } from "../storage.js";
import { currentLanguage, t } from "../texts.js";
import { guideHelper } from "./guide-helper.js";
import { NumberBox } from "./number-box.js";
import { secondLook } from "./second-look.js";

export class Guide extends EventTarget {
  #workspace;
  #client;
  #notify;
  #numbers;
  #leave;
  #proposals;
  #path = null;
  /** Questions that were shown before, the last one last. */
  #asked = [];

  /** `numbers()` gives the key numbers as they are, `leave()` is called when the guide is put away. Tells "change". */
  constructor(workspace, client, { notify, numbers, leave, proposals = () => [] }) {
    super();
    this.#proposals = proposals;
    this.#workspace = workspace;
    this.#client = client;
    this.#notify = notify;
    this.#numbers = numbers;
    this.#leave = leave;
    this.element = h("section", { class: "guide", "aria-labelledby": "guide-title", hidden: true, tabindex: "-1", onkeydown: (event) => this.#key(event) });
    workspace.addEventListener("change", () => this.#recount());
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Asks for a number: `path`, or the next undecided one. */
  ask(path = null) {
    if (this.#path !== null && this.#path !== path) this.#asked.push(this.#path);
    this.#show(path);
  }

  #back() {
    this.#show(this.#asked.pop());
  }

  #show(path) {
    const numbers = this.#numbers();
    const field = path ? numbers.find((number) => number.field.path === path)?.field : nextQuestion(numbers, this.#path);
    this.element.hidden = false;
    this.#path = field?.path ?? null;
    put(this.element, field ? this.#question(field, numbers) : this.#end(numbers));
    (this.element.querySelector("input, .guide-end a, .guide-end button") ?? this.element).focus();
    this.dispatchEvent(new Event("change"));
  }

  /** Whoever writes goes on elsewhere: the end has been seen, and it takes most of a phone. A question waits. */
  makeRoom() {
    if (this.#path === null) this.close({ quietly: true });
  }

  /** Puts the guide away; `quietly` sends no event, for when the plan is closed too. */
  close({ quietly = false } = {}) {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.#path = null;
    this.#asked = [];
    put(this.element);
    if (!quietly) this.#leave();
  }

  #question(field, numbers) {
    const { path, kind, label, help } = field;
    const input = this.#workspace.inputs[path];
    const say = (amount) => formatValue(kind, amount);
    // A loan is over years, whatever its term is counted in.
    const unit = inYears(field, input.currentValue) ? 12 : 1;
    const derived = derivedOf(path, input, this.#workspace.outputs?.metrics);
    const isOwn = input.source !== "brand_default" || derived !== null;
    const save = (value) => this.#save(field, unit === 1 ? value : Math.round(value * unit), box);
    const box = new NumberBox(unit === 1 ? field : yearsOf(field), {
      value: derived ? derived.value : isOwn ? input.currentValue / unit : null, range: input.item7Range, about: "guide-about", take: save,
      attributes: { "aria-labelledby": "guide-title" },
    });
    const helper = guideHelper(field, this.#workspace.inputs, (value) => box.fill(value));
    const about = derived ? t("guide.derived", { value: say(derived.value), field: this.#workspace.field(derived.from)?.label ?? derived.from })
      : isOwn ? t("guide.own", { value: say(input.currentValue) }) : t("guide.default", { value: say(input.brandDefault) });
    return [
      this.#head(t("guide.step", { at: numbers.findIndex((number) => number.field === field) + 1, count: numbers.length }), label),
      h("div", { class: "guide-about", id: "guide-about" },
        help && h("p", {}, help),
        h("p", { class: "soft" }, about,
          input.item7Range && ` ${t("guide.range", { low: say(input.item7Range.low), high: say(input.item7Range.high) })}`)),
      h("form", { class: "field-box", onsubmit: (event) => {
        event.preventDefault();
        // Whoever has worked it out and typed nothing means what it came to.
        const found = helper?.found() ?? null;
        if (found !== null && box.input.value.trim() === "") box.fill(found);
        const value = box.read();
        if (value !== null) save(value);
      } }, box.element, h("button", { type: "submit", class: "primary" }, t("guide.save"))),
      box.notes,
      helper?.element,
      h("div", { class: "actions" },
        this.#backButton(),
        !isOwn && h("button", { type: "button", class: "quiet small", onclick: () => this.#save(field, input.currentValue, box) }, t("guide.keep", { value: say(input.currentValue) })),
        !isOwn && h("button", { type: "button", class: "quiet small", onclick: () => this.#putOff(path, "unknown") }, t("guide.unknown")),
        h("button", { type: "button", class: "quiet small", onclick: () => (isOwn ? this.ask() : this.#putOff(path, "skipped")) }, t("guide.skip"))),
    ];
  }

  #head(step, title) {
    return h("header", { class: "guide-head" },
      h("p", { class: "guide-step" }, step),
      h("button", { type: "button", class: "tool", "aria-label": t("guide.close"), onclick: () => this.close() }, icon("cross")),
      h("h2", { id: "guide-title", dir: "auto" }, title));
  }

  /** Nothing is left to ask: all are the user's, or some are put off. */
  #end(numbers) {
    const confirmed = countOf(numbers, "confirmed");
    const left = numbers.filter(({ state }) => state === "unknown" || state === "skipped");
    const { planId } = this.#workspace;
    return [
      this.#head(t("guide.confirmed", { confirmed, count: numbers.length }), t(left.length === 0 ? "guide.done" : "guide.doneForNow", { count: numbers.length })),
      left.length > 0 && [h("p", {}, t("guide.left", { count: left.length })), h("ul", { class: "guide-left" }, left.map(({ field }) => h("li", { dir: "auto" }, field.label)))],
      this.#lookAgain(),
      h("div", { class: "actions guide-end" },
        h("a", { class: "primary button", href: planPath(planId, "print"), onclick: follow }, t("print.open")),
        h("a", { class: "quiet button", href: this.#client.xlsxUrl(planId, null, currentLanguage()), download: true }, t("xlsx")),
        left.length > 0 && h("button", { type: "button", class: "quiet", onclick: () => { putOff.set(planId, null); this.ask(); } }, t("guide.again")),
        this.#backButton()),
    ];
  }

  #backButton() {
    return this.#asked.length > 0 && h("button", { type: "button", class: "quiet small", onclick: () => this.#back() }, t("guide.back"));
  }

  /** The end tells of the plan as it is now; the focus stays on what it was on. */
  #recount() {
    if (!this.isOpen || this.#path !== null) return;
    const buttons = () => [...this.element.querySelectorAll("a, button")];
    const focused = buttons().findIndex((button) => button === document.activeElement);
    put(this.element, this.#end(this.#numbers()));
    if (focused >= 0) (buttons()[focused] ?? this.element).focus();
  }

  /** To what is worth a second look before it is printed; it stands in the results once. */
  #lookAgain() {
    const { planId, brand, fields, inputs, outputs } = this.#workspace;
    const { title, count } = outputs ? secondLook(planId, { brand, fields, inputs, outputs, proposals: this.#proposals() }) : { count: 0 };
    return count > 0 && h("a", { class: "link guide-second", href: resultPath(planId, "second"), onclick: follow }, title, icon("arrow"));
  }

  async #save(field, value, box) {
    const buttons = [...this.element.querySelectorAll("button")];
    if (buttons.some((button) => button.disabled)) return;
    for (const button of buttons) button.disabled = true;
    const before = this.#workspace.undoable(field.path);
    try {
      await this.#write(field.path, value);
      this.#remember(field.path, null);
      const change = this.#workspace.undoable(field.path);
      this.#notify(t("toast.now", { label: field.label, value: formatValue(field.kind, value) }), change && change.id !== before?.id ? () => this.#workspace.undo(change) : null);
      this.ask();
    } catch (error) {
      for (const button of buttons) button.disabled = false;
      box.complain(errorText(error));
    }
  }

  /** Whoever answers a question has just read it: a change of another field meanwhile is no reason to ask again. */
  async #write(path, value) {
    try {
      await this.#workspace.edit(path, value);
    } catch (error) {
      if (error.code !== "VERSION_MISMATCH") throw error;
      await this.#workspace.refresh();
      await this.#workspace.edit(path, value);
    }
  }

  #putOff(path, how) {
    this.#remember(path, how);
    this.ask();
  }

  #remember(path, how) {
    const { [path]: before, ...others } = putOff.get(this.#workspace.planId);
    if (before !== how) putOff.set(this.#workspace.planId, how === null ? others : { ...others, [path]: how });
  }

  #key(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.close();
  }
}

/** Whether a number of months is asked in years: one that may be many, and is whole years now. */
function inYears({ kind, max }, value) {
  return kind === "months" && max >= 120 && value % 12 === 0;
}

function yearsOf(field) {
  const { hard } = field;
  return { ...field, kind: "years", min: field.min === null ? null : field.min / 12, max: field.max / 12, hard: hard && { min: hard.min / 12, max: hard.max / 12 } };
}
