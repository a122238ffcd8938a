/**
 * What a franchisor sees: the brand's placeholders and its Item 7 table. Never a plan and never a conversation; those
 * belong to the franchisees, and the server would refuse them anyway.
 */
import { h, put } from "../dom.js";
import { formatMoney, formatValue, visible } from "../format.js";

const PROVENANCE = { item5: "Item 5", item6: "Item 6", item7: "Item 7", item19: "Item 19", admin_estimate: "Administrator’s estimate" };

export async function brandView(client, brandId) {
  const [brand, catalogue] = await Promise.all([client.brand(brandId), client.fields()]);
  const kinds = new Map(catalogue.map((field) => [field.path, field.kind]));
  const body = h("main", { class: "page brand-page" });
  return put(body,
    h("header", { class: "page-head" }, h("h1", { dir: "auto" }, visible(brand.name))),
    h("p", { class: "soft" }, "New plans of this brand start from these placeholders. Plans that exist keep what they were made with. What franchisees enter and say stays with them."),
    table("Opening costs (Item 7)", ["Line", "Placeholder", "Disclosed range"], brand.startupCostTemplate.map((row) =>
      [visible(row.label), formatMoney(row.defaultAmount), row.item7Low === null || row.item7Low === undefined ? "not in Item 7" : `${formatMoney(row.item7Low)} to ${formatMoney(row.item7High)}`])),
    table("Placeholders", ["Field", "Value", "From"], Object.entries(brand.parameters).map(([path, parameter]) =>
      [visible(parameter.label) || path, formatValue(kinds.get(path) ?? "count", parameter.value), PROVENANCE[parameter.provenance] ?? visible(parameter.provenance)])));
}

function table(title, heads, rows) {
  return h("div", { class: "table-frame", tabindex: "0", role: "group", "aria-label": title },
    h("table", {},
      h("caption", {}, title),
      h("thead", {}, h("tr", {}, heads.map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", {}, rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, first), rest.map((cell) => h("td", {}, cell)))))));
}
