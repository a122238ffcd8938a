/** The editions of a brand: who published each, when, and what it changed. The documents are read when one is opened. */
import { h, put } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";
import { editsOf } from "./edits.js";
import { editList } from "./publish.js";
import { sheet } from "./sheet.js";
import { fieldsOf } from "./words.js";

export async function showEditions(client, brandId, catalogue) {
  const editions = await client.brandEditions(brandId);
  const documents = new Map();
  const read = (id) => {
    if (!documents.has(id)) documents.set(id, client.brandDocument(brandId, id));
    return documents.get(id);
  };
  sheet(t("desk.editions"), [
    h("p", { class: "soft" }, t("desk.editions.help")),
    h("ol", { class: "editions" }, editions.map((edition, at) => h("li", {}, row(edition, editions[at + 1], read, catalogue)))),
  ]);
}

function row(edition, before, read, catalogue) {
  const body = h("div", { class: "edition-body" });
  const who = edition.publishedBy === null ? t("desk.edition.nobody") : visible(edition.publishedBy);
  const fill = async () => {
    put(body, h("p", { class: "soft" }, t("desk.edition.reading")));
    try {
      put(body, before ? await changes(edition, before, read, catalogue) : h("p", { class: "soft" }, t("desk.edition.first")));
    } catch (error) {
      put(body, h("p", { class: "problem", role: "alert" }, errorText(error)));
    }
  };
  return h("details", { "data-edition": edition.version, ontoggle: (event) => event.currentTarget.open && fill() },
    h("summary", {}, h("b", {}, t("desk.edition", { version: edition.version })), h("span", { class: "soft", dir: "auto" }, `${formatTime(edition.publishedAt)} · ${who}`)), body);
}

async function changes(edition, before, read, catalogue) {
  const [now, old] = await Promise.all([read(edition.id), read(before.id)]);
  const edits = editsOf(old, now);
  if (edits.length === 0) return h("p", { class: "soft" }, t("desk.edition.same"));
  return editList(edits, new Map([...fieldsOf(old, catalogue), ...fieldsOf(now, catalogue)]));
}
