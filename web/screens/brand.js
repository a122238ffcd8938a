/**
 * A brand's own page: defaults, disclosed ranges, other names and help for every field, and how a franchisee will see it.
 * Saving makes a new edition, which plans that exist do not take over. Never a plan and never a conversation: those belong
 * to the franchisees, and the server would refuse them anyway.
 */
import { h, icon, put } from "../dom.js";
import { editableValue, formatMoney, formatValue, unitOf, visible } from "../format.js";
import { parseValue } from "../typed.js";
import { SECTIONS, kindOf, refusalOf, sectionsOf, inputsOf } from "../fields.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";
import { rangeBar } from "../views/range-bar.js";
import { TopBar } from "../views/top-bar.js";

const PROVENANCE = ["item5", "item6", "item7", "item19", "admin_estimate"];

export function brandScreen(context) {
  const { client, session, toast } = context;
  const page = h("main", { class: "page brand-page" });
  const element = h("div", { class: "screen" }, new TopBar(context).element, page);
  let editor = null;
  const open = async (brandId) => {
    const [brand, catalogue] = await Promise.all([client.brand(brandId), client.fields()]);
    editor = new BrandEditor(client, toast, brand, catalogue);
    put(page, editor.element);
    document.title = t("title.brand", { name: visible(brand.name) });
  };
  const warn = (event) => { if (editor?.isEdited) event.preventDefault(); };
  addEventListener("beforeunload", warn);
  return {
    element,
    async go() {
      document.title = t("title.app");
      const { role, brandId } = session.user;
      if (role !== "platform_admin") {
        if (brandId) return open(brandId);
        return put(page, h("h1", {}, t("brand.none")), h("p", {}, t("brand.none.help")));
      }
      const brands = await client.listBrands();
      if (brands.length === 0) return put(page, h("h1", {}, t("brand.none")));
      await open(brands[0].id);
      if (brands.length > 1) page.before(h("div", { class: "page brand-choice" }, h("label", { class: "inline" }, h("span", { class: "spoken" }, t("newPlan.brand")), h("div", { class: "select" },
        h("select", { onchange: (event) => open(event.target.value).catch((error) => toast.show(errorText(error))) }, brands.map((entry) => h("option", { value: entry.id }, visible(entry.name))))))));
    },
    close: () => removeEventListener("beforeunload", warn),
  };
}

class BrandEditor {
  #client;
  #toast;
  #brand;
  #catalogue;
  #problems = new Map();
  #problem = h("p", { class: "problem", role: "alert" });
  #save = h("button", { type: "submit", class: "primary", disabled: true }, t("brand.save"));
  #preview = h("div", { class: "brand-preview", role: "group", "aria-labelledby": "preview-title" });
  isEdited = false;

  constructor(client, toast, brand, catalogue) {
    this.#client = client;
    this.#toast = toast;
    this.#brand = structuredClone(brand);
    this.#catalogue = new Map(catalogue.map((field) => [field.path, field]));
    this.element = h("form", { class: "brand-editor", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.#write(); } },
      h("header", { class: "page-head" }, h("h1", { dir: "auto" }, visible(brand.name)), this.#save),
      h("p", { class: "soft" }, t("brand.help")), this.#problem,
      h("div", { class: "brand-columns" }, h("div", { class: "brand-fields" }, this.#startupCosts(), this.#parameters()),
        h("aside", {}, h("h2", { id: "preview-title" }, t("brand.preview")), h("p", { class: "soft" }, t("brand.preview.help")), this.#preview)));
    this.#showPreview(null);
  }

  #startupCosts() {
    return h("section", {}, h("h2", {}, t("brand.startup")), this.#brand.startupCostTemplate.map((row) => this.#entry(`startupCosts.${row.slug}`, row, {
      kind: "money", numbers: [["defaultAmount", t("brand.default"), true], ["item7Low", t("brand.low"), false], ["item7High", t("brand.high"), false]],
    })));
  }

  #parameters() {
    const entries = Object.entries(this.#brand.parameters);
    return SECTIONS.map((section) => {
      const own = entries.filter(([path]) => path.startsWith(`${section}.`));
      return own.length > 0 && h("section", {}, h("h2", {}, t(`section.${section}`)), own.map(([path, parameter]) => this.#entry(path, parameter, {
        kind: kindOf(path, this.#catalogue.get(path)?.kind ?? "count"), numbers: [["value", t("brand.default"), true]], provenance: true,
      })));
    });
  }

  /** One field: folded to a line, opened to its boxes. */
  #entry(path, entry, { kind, numbers, provenance = false }) {
    const summary = h("summary", {});
    const showSummary = () => put(summary, h("span", { class: "field-label", dir: "auto" }, visible(entry.label) || path), h("span", { class: "field-value" }, formatValue(kind, entry[numbers[0][0]])),
      numbers.length > 1 && h("span", { class: "soft" }, entry.item7Low === null || entry.item7Low === undefined ? t("brand.undisclosed") : `${formatMoney(entry.item7Low)} – ${formatMoney(entry.item7High)}`));
    const edited = () => { showSummary(); this.#edited(path); };
    const text = (key, words, properties = {}) => this.#box(words, h("input", { type: "text", autocomplete: "off", value: entry[key] ?? "", oninput: (event) => { entry[key] = event.target.value; edited(); }, ...properties }));
    const number = ([key, words, isRequired]) => this.#number(path, key, words, entry, kind, isRequired, edited);
    showSummary();
    return h("details", { class: "brand-entry", "data-path": path, ontoggle: (event) => event.currentTarget.open && this.#showPreview(path) }, summary,
      h("div", { class: "brand-boxes" },
        numbers.map(number),
        text("label", t("brand.label"), { maxlength: "120" }),
        this.#box(t("brand.helpText"), h("textarea", { rows: "2", maxlength: "300", oninput: (event) => { setOrDrop(entry, "help", event.target.value.trim()); edited(); } }, entry.help ?? "")),
        this.#box(t("brand.aliases"), h("input", { type: "text", autocomplete: "off", value: (entry.aliases ?? []).join(", "), oninput: (event) => { setOrDrop(entry, "aliases", listOf(event.target.value)); edited(); } })),
        provenance && this.#box(t("brand.provenance"), h("div", { class: "select" }, h("select", { onchange: (event) => { entry.provenance = event.target.value; edited(); } },
          PROVENANCE.map((key) => h("option", { value: key, selected: key === entry.provenance }, t(`provenance.${key}`))))))));
  }

  #box(words, control) {
    return h("label", {}, h("span", {}, words), control);
  }

  #number(path, key, words, entry, kind, isRequired, edited) {
    const [before, after] = unitOf(kind);
    const problem = h("p", { class: "problem", role: "alert" });
    const field = { kind, hard: this.#catalogue.get(path)?.hard ?? null };
    const box = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value: editableValue(kind, entry[key]), oninput: () => {
      const isEmpty = box.value.trim() === "";
      const value = isEmpty ? null : parseValue(kind, box.value);
      const refusal = isEmpty ? isRequired && t("refuse.empty") : value === null ? t("refuse.unreadable") : refusalOf(field, value);
      problem.textContent = refusal || "";
      box.toggleAttribute("aria-invalid", Boolean(refusal));
      if (refusal) this.#problems.set(box, refusal);
      else this.#problems.delete(box);
      if (!refusal) entry[key] = value;
      edited();
    } });
    return h("div", { class: "brand-number" }, this.#box(words, h("div", { class: "field-box" }, before && h("span", { class: "unit", "aria-hidden": "true" }, before), box, after && h("span", { class: "unit", "aria-hidden": "true" }, after))), problem);
  }

  #edited(path) {
    this.isEdited = true;
    this.#save.disabled = this.#problems.size > 0;
    this.#showPreview(path);
  }

  /** The field as a franchisee will see it. */
  #showPreview(path) {
    const inputs = inputsOf({ financialInputs: null }, this.#brand);
    const fields = sectionsOf([...this.#catalogue.values()], this.#brand, inputs).flatMap((section) => section.fields);
    const field = fields.find((entry) => entry.path === path) ?? fields[0];
    const { currentValue, item7Range } = inputs[field.path];
    put(this.#preview, h("div", { class: "field default" },
      h("div", { class: "field-line" }, h("span", { class: "field-label", dir: "auto" }, field.label), h("span", { class: "field-value" }, formatValue(field.kind, currentValue)), h("span", { class: "badge brand" }, t("source.brand"))),
      item7Range && h("div", { class: "field-range" }, rangeBar(field.kind, currentValue, item7Range), h("span", { class: "field-range-words" }, `${formatValue(field.kind, item7Range.low)} – ${formatValue(field.kind, item7Range.high)}`)),
      h("p", { class: "soft", dir: "auto" }, field.help || t("brand.noHelp")),
      field.aliases.length > 0 && h("p", { class: "soft", dir: "auto" }, t("glossary.aliases", { words: field.aliases.join(", ") }))));
  }

  async #write() {
    if (this.#save.disabled) return;
    this.#save.disabled = true;
    put(this.#problem);
    try {
      await this.#client.replaceBrand(this.#brand);
      this.isEdited = false;
      this.#toast.show(t("brand.saved"));
    } catch (error) {
      this.#save.disabled = false;
      put(this.#problem, icon("warning"), error.details?.length ? error.details.map(({ field, message }) => h("span", {}, `${this.#labelOf(field)}: ${message}. `)) : errorText(error));
      this.element.querySelector("h1").scrollIntoView();
    }
  }

  #labelOf(field) {
    return this.#brand.parameters[field]?.label ?? visible(field);
  }
}

function setOrDrop(entry, key, value) {
  if (value.length > 0) entry[key] = value;
  else delete entry[key];
}

function listOf(text) {
  return text.split(",").map((word) => word.trim()).filter(Boolean);
}
