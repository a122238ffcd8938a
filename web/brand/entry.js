/** One number of a brand: folded to a line, opened to its boxes. What is wrong with it stands at the box that it is about. */
import { h, put } from "../dom.js";
import { formatMoney, formatValue, visible } from "../format.js";
import { t } from "../texts.js";
import { entryOf } from "./edits.js";
import { BrandNumber } from "./number.js";
import { rangeProblem } from "./problems.js";

const PROVENANCE = ["item5", "item6", "item7", "item19", "admin_estimate"];
const CLASSES = ["capex", "non_capex", "intangible", "inventory", "deposit", "prepaid", "working_capital"];
let count = 0;

export class BrandEntry {
  #draft;
  #field;
  #boxes = new Map();
  #refusals = new Map();
  #told = new Map();
  #summary = h("summary", {});

  /**
   * `field` is the field as the page shows it, `inherited` what stands where the brand says nothing: `{help, aliases}`.
   * `opened(path)` is called when it is opened or edited, `remove(path)` takes a startup cost away.
   */
  constructor(draft, field, inherited, { opened, remove }) {
    this.#draft = draft;
    this.#field = field;
    const isRow = field.path.startsWith("startupCosts.");
    this.opened = opened;
    this.element = h("details", { class: "brand-entry", "data-path": field.path, ontoggle: () => this.element.open && opened(field.path) }, this.#summary,
      h("div", { class: "brand-boxes" },
        isRow ? [this.#number("defaultAmount", t("brand.default"), true), this.#number("item7Low", t("brand.low"), false), this.#number("item7High", t("brand.high"), false)] : this.#number("value", t("brand.default"), true),
        this.#text("label", t("brand.label"), h("input", { type: "text", autocomplete: "off", maxlength: "120" })),
        this.#text("help", t("brand.helpText"), h("textarea", { rows: "2", maxlength: "300", placeholder: inherited.help })),
        this.#text("aliases", t("brand.aliases"), h("input", { type: "text", autocomplete: "off", placeholder: inherited.aliases.join(", ") })),
        isRow ? this.#choice("class", t("desk.part.class"), this.#classes, "desk.class") : this.#choice("provenance", t("brand.provenance"), PROVENANCE, "provenance")),
      isRow && h("p", { class: "brand-remove" }, h("button", { type: "button", class: "link", "aria-label": t("desk.row.removeOf", { label: field.label }), onclick: () => remove(field.path) }, t("desk.row.remove"))));
    this.#check();
    this.show(field);
  }

  get path() {
    return this.#field.path;
  }

  /** Whether something stands in a box that cannot be stored. */
  get isWrong() {
    return this.#refusals.size > 0 || this.#rangeProblem() !== "";
  }

  get #entry() {
    return entryOf(this.#draft.brand, this.path);
  }

  /** Shows the line again; `field` has the label of now. */
  show(field, isChanged = false) {
    this.#field = field;
    const entry = this.#entry;
    if (!entry) return;
    const isRow = "defaultAmount" in entry;
    const hasRange = isRow && entry.item7Low !== null && entry.item7Low !== undefined && entry.item7High !== null && entry.item7High !== undefined;
    this.element.classList.toggle("changed", isChanged);
    put(this.#summary, h("span", { class: "field-label", dir: "auto" }, field.label),
      isChanged && h("span", { class: "badge you" }, t("desk.changed")),
      h("span", { class: "field-value" }, formatValue(field.kind, isRow ? entry.defaultAmount : entry.value)),
      isRow && h("span", { class: "soft" }, hasRange ? `${formatMoney(entry.item7Low)} – ${formatMoney(entry.item7High)}` : t("brand.undisclosed")));
  }

  /** Says at a box what is wrong with it, and answers the box. */
  complain(part, words) {
    const box = this.#boxes.get(part) ?? this.#boxes.values().next().value;
    this.#told.set(box.part, words);
    box.complain(words);
    return box.input;
  }

  /** The first box that has something wrong. */
  get wrongInput() {
    return [...this.#boxes.values()].find(({ input }) => input.getAttribute("aria-invalid") === "true")?.input ?? null;
  }

  #number(part, words, isRequired) {
    const box = new BrandNumber(this.#field, words, { value: this.#entry[part], isRequired, take: (value, refusal) => {
      if (refusal) this.#refusals.set(part, refusal);
      else this.#refusals.delete(part);
      this.#write(part, refusal ? undefined : value);
    } });
    this.#boxes.set(part, { part, input: box.input, complain: (sentence) => box.complain(sentence) });
    return box.element;
  }

  #text(part, words, input) {
    const value = this.#entry[part];
    input.value = Array.isArray(value) ? value.join(", ") : value ?? "";
    input.addEventListener("input", () => {
      const text = part === "help" ? input.value.trim() : input.value;
      if (part === "label" && text.trim() === "") this.#refusals.set(part, t("desk.problem.label"));
      else this.#refusals.delete(part);
      this.#write(part, part === "aliases" ? listOf(text) : text);
    });
    return this.#labelled(part, words, input, input);
  }

  #choice(part, words, keys, texts) {
    const select = h("select", { onchange: () => this.#write(part, select.value) }, keys.map((key) => h("option", { value: key, selected: key === this.#entry[part] }, t(`${texts}.${key}`))));
    return this.#labelled(part, words, select, h("div", { class: "select" }, select));
  }

  /** Only what says which monthly cost it covers can be paid ahead. */
  get #classes() {
    return CLASSES.filter((key) => key !== "prepaid" || this.#entry.derives?.length === 1);
  }

  #labelled(part, words, input, control) {
    const problem = h("p", { class: "problem", id: `brand-problem-${count += 1}`, role: "alert" });
    input.setAttribute("aria-describedby", problem.id);
    const complain = (sentence) => {
      problem.textContent = sentence;
      if (sentence) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    };
    this.#boxes.set(part, { part, input, complain });
    return h("div", {}, h("label", {}, h("span", {}, words), control), problem);
  }

  /** Undefined is not stored: what was typed stays in the box, and is complained about. */
  #write(part, value) {
    this.#told.clear();
    if (value === undefined) this.#draft.dispatchEvent(new Event("change"));
    else this.#draft.set(this.path, part, value);
    this.#check();
    this.opened(this.path);
  }

  #rangeProblem() {
    const entry = this.#entry;
    return entry && "defaultAmount" in entry ? rangeProblem(entry) : "";
  }

  #check() {
    const range = this.#rangeProblem();
    for (const { part, complain } of this.#boxes.values()) complain(this.#refusals.get(part) ?? this.#told.get(part) ?? (part === "item7High" ? range : ""));
  }
}

function listOf(text) {
  return text.split(",").map((word) => word.trim()).filter(Boolean);
}
