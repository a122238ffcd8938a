/** The last pages of the package: assumptions with where each is from, notes, and the conversation where it is wanted. */
import { h, put } from "../dom.js";
import { authorName } from "../author.js";
import { derivedOf, sourceOf } from "../fields.js";
import { formatDate, formatTime, formatValue, visible } from "../format.js";
import { MarkdownView } from "../markdown.js";
import { known, t } from "../texts.js";
import { part } from "./table.js";
import { isWorthQuoting } from "./quotes.js";

const NOTES = ["cents", "rounded", "method", "coverage"];

/** Every number with whose it is; with `withWords` also the words that it came from. */
export function assumptions(data, sections, withWords) {
  // Context for the advisor counts in no figure: of it only what somebody has told.
  const counts = ({ path }) => !path.startsWith("profile.") || data.inputs[path].isCustom;
  const shown = sections.map((section) => ({ ...section, fields: section.fields.filter(counts) })).filter(({ fields }) => fields.length > 0);
  return part("assumptions", t("print.assumptions"), shown.map(({ title, fields }) => h("table", { class: "print-assumptions" },
    h("caption", {}, title),
    h("thead", {}, h("tr", {}, ["field", "value", "from"].map((key) => h("th", { scope: "col" }, t(`print.${key}`))))),
    h("tbody", {}, fields.map((field) => row(field, data, withWords))))));
}

function row(field, { inputs, outputs, changes, owner, brand, scenario, fields }, withWords) {
  const input = inputs[field.path];
  const derived = derivedOf(field.path, input, outputs?.metrics);
  const change = changes.find((entry) => entry.field === field.path && entry.newValue === input.currentValue);
  const words = withWords && !derived && input.source === "ai_populated" && isWorthQuoting(change?.evidence) && change.evidence;
  return h("tr", { "data-path": field.path },
    h("th", { scope: "row", dir: "auto" }, field.label),
    h("td", { class: "number" }, formatValue(field.kind, derived ? derived.value : input.currentValue)),
    h("td", {}, derived ? t("print.source.derived", { field: fields.find(({ path }) => path === derived.from)?.label ?? derived.from }) : sourceWords(field, input, { change, owner, brand, scenario }),
      words && [" ", h("q", { dir: "auto" }, words)]));
}

function sourceWords({ path, kind }, input, { change, owner, brand, scenario }) {
  if ("planned" in input) return t("print.scenario.source", { name: visible(scenario.name), value: formatValue(kind, input.planned) });
  const { key } = sourceOf(input.source, change?.actor, owner);
  if (key === "brand") {
    const provenance = input.item7Range && path.startsWith("startupCosts.") ? "item7" : brand.parameters?.[path]?.provenance;
    const from = known(`provenance.${provenance}`);
    return from ? t("print.source.brand.from", { provenance: from }) : t("print.source.brand");
  }
  const date = input.lastModifiedAt ? formatDate(input.lastModifiedAt) : "";
  const support = input.source.startsWith("admin:") ? visible(input.source.slice(6)) : visible(change?.actor?.displayName);
  return t(`print.source.${key}`, { name: key === "support" ? support : owner.name, date });
}

export function notes(sentence, { signature = true } = {}) {
  return part("notes", t("print.notes"), h("ul", { class: "print-notes" }, NOTES.map((key) => h("li", {}, t(`print.note.${key}`))), h("li", {}, sentence)),
    signature && h("dl", { class: "print-sign" }, ["print.sign", "print.sign.date"].map((key) => h("div", {}, h("dt", {}, t(key)), h("dd", {})))));
}

/** The messages, where they are wanted. */
export function conversation(talk, owner) {
  const messages = talk?.messages ?? [];
  return messages.length > 0 && part("conversation", t("chat.title"), h("dl", { class: "print-messages" }, messages.map(({ role, content, author, timestamp, erased }) => {
    const text = h("dd", { dir: "auto" });
    if (erased) put(text, h("span", { class: "erased" }, t("message.erased")));
    else if (role === "assistant") new MarkdownView(text).update(content);
    else text.textContent = content;
    const name = role === "assistant" ? t("message.advisor") : author?.isAssistant ? authorName(author) : author ? t("message.author", { name: visible(author.displayName) }) : owner.name;
    return h("div", {}, h("dt", {}, `${name}, ${formatTime(timestamp)}`), text);
  })));
}
