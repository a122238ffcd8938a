/**
 * Tables of amounts on paper. Amounts have two decimals, so that whoever adds a column finds its total; letters become smaller
 * where figures are wide, so that none is cut off.
 */
import { h } from "../dom.js";
import { minus } from "../format.js";
import { known, t } from "../texts.js";

const AMOUNT = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Points that the columns of the narrower paper share, what the first column takes of them, and what stands beside a figure. */
const WIDTH = 520;
const LABEL = 140;
const GAP = 7;
const [SMALLEST, LARGEST] = [4, 9];

/** "−1,234.50" for −123,450 cents. */
export function amountOf(cents) {
  return minus(AMOUNT.format(cents / 100));
}

/** A share in tenths of a percent: "75.4%". */
function percentOf(tenths) {
  return `${(tenths / 10).toFixed(1)}%`;
}

/**
 * A table of rows as `rows.js` makes them. `heads` are those of the columns behind the first; a cell that is no number is shown
 * as `say(cell, row)` says.
 */
export function amountTable(heads, rows, { caption = null, first = t("print.dollars"), say = () => "" } = {}) {
  const shown = rows.map((row) => ({ ...row, texts: row.cells.map((cell) => textOf(cell, row, say)) }));
  return h("table", { class: `amounts letters-${lettersFor(shown.map(({ texts }) => texts))}` },
    caption && h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first), heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, shown.map(({ kind, key, label, texts }) => h("tr", { "data-kind": kind, "data-row": key },
      kind === "group" ? h("th", { scope: "rowgroup", colspan: String(heads.length + 1) }, nameOf(key))
        : [h("th", { scope: "row", dir: "auto" }, label ?? nameOf(key)), texts.map((text) => h("td", {}, text))]))));
}

/** A section of the document with a heading of its own. */
export function part(name, title, ...content) {
  return h("section", { class: "paper-part", "data-part": name }, h("h2", {}, title), content);
}

function nameOf(key) {
  return known(`row.${key}`) ?? key;
}

function textOf(cell, row, say) {
  if (row.kind === "ratio") return say(cell, row);
  if (typeof cell === "number") return amountOf(cell);
  if (cell === null || cell === undefined) return "";
  return "tenths" in Object(cell) ? percentOf(cell.tenths) : say(cell, row);
}

/** The size, in points, at which the widest figure of each column has its place: a sign of it is half as wide as it is high. */
export function lettersFor(texts) {
  const columns = Math.max(0, ...texts.map((row) => row.length));
  const widest = Array.from({ length: columns }, (_, at) => Math.max(0, ...texts.map((row) => row[at]?.length ?? 0)));
  const characters = widest.reduce((sum, count) => sum + count, 0);
  const size = Math.floor((WIDTH - LABEL - GAP * columns) / (0.5 * (characters || 1)));
  return Math.max(SMALLEST, Math.min(LARGEST, size));
}
