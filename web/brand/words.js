/** Edits of a brand in words: which number, which part of it, from what to what. */
import { formatValue, visible } from "../format.js";
import { kindOf, sectionsOf } from "../fields.js";
import { known, t } from "../texts.js";
import { rowPath } from "./edits.js";

const AMOUNTS = ["value", "defaultAmount", "item7Low", "item7High"];

/** The brand's fields as the page shows them, by path: catalogue, the brand's own words, the reader's language. */
export function fieldsOf(brand, catalogue) {
  const paths = [...Object.keys(brand.parameters), ...brand.startupCostTemplate.map(rowPath)];
  const inputs = Object.fromEntries(paths.map((path) => [path, {}]));
  return new Map(sectionsOf(catalogue, brand, inputs).flatMap((section) => section.fields).map((field) => [field.path, field]));
}

/** What the catalogue says of a field, which stands where the brand says nothing itself. */
export function inheritedOf(path, catalogue) {
  if (!catalogue.some((entry) => entry.path === path)) return { help: "", aliases: [] };
  const [field] = sectionsOf(catalogue, null, { [path]: {} }).flatMap((section) => section.fields);
  return { help: field.help, aliases: field.aliases.map(visible) };
}

/** `{label, part, before, after}` of an edit. `fields` are those of both documents. */
export function editWords({ path, part, before, after }, fields) {
  const label = path === "" ? t("desk.part.brand") : fields.get(path)?.label ?? visible((after ?? before)?.label) ?? path;
  if (part === "row") {
    const row = after ?? before;
    return { label: visible(row.label) || label, part: t(after ? "desk.part.added" : "desk.part.removed"), before: before && formatValue("money", row.defaultAmount), after: after && formatValue("money", row.defaultAmount) };
  }
  const say = (value) => partWords(part, value, fields.get(path)?.kind ?? kindOf(path, "money"));
  return { label, part: known(`desk.part.${part}`) ?? visible(part), before: say(before), after: say(after) };
}

function partWords(part, value, kind) {
  if (value === null || value === undefined || value === "" || value.length === 0) return t("desk.nothing");
  if (AMOUNTS.includes(part)) return formatValue(kind, value);
  if (part === "provenance") return known(`provenance.${value}`) ?? visible(value);
  if (part === "class") return known(`desk.class.${value}`) ?? visible(value);
  if (part === "aliases") return value.map(visible).join(", ");
  return typeof value === "object" ? t("desk.changed") : visible(value);
}
