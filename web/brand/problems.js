/**
 * What is wrong with a brand's document, in words and by place: `{path, part, words}`. The page looks for it itself while one
 * types; what only the server finds is read from its answer.
 */
import { t } from "../texts.js";
import { visible } from "../format.js";
import { rowPath } from "./edits.js";

const ROW = /^startupCostTemplate\[(\d+)\](?:\.(\w+))?/;
const PARAMETER = /^parameters\.(\w+\.\w+)(?:\.(\w+))?/;
/** The server's sentences, by what they say. */
const SENTENCES = [
  [/must not be below item7Low/, () => t("desk.problem.order")],
  [/needs both item7Low and item7High/, () => t("desk.problem.both")],
  [/must have (\d+) to (\d+) characters/, ([, low, high]) => t("desk.problem.length", { low, high })],
  [/control or invisible/, () => t("desk.problem.invisible")],
  [/class prepaid|must be the only entry/, () => t("desk.problem.kind")],
  [/must be on one line/, () => t("desk.problem.line")],
  [/must have at most (\d+) entries/, ([, high]) => t("desk.problem.names", { high })],
  [/must have at most (\d+) rows/, ([, high]) => t("desk.problem.rows", { high })],
  [/must be between 0 and 10000000000/, () => t("desk.problem.amount")],
  [/must be whole cents/, () => t("desk.problem.cents")],
];

/** What the two ends of a published range say about each other, or "". */
export function rangeProblem({ item7Low: low, item7High: high }) {
  const isMissing = (value) => value === null || value === undefined;
  if (isMissing(low) !== isMissing(high)) return t("desk.problem.both");
  return !isMissing(low) && low > high ? t("desk.problem.order") : "";
}

/** The problems of the server's answer, each at the box that it is about. */
export function problemsOf(details, brand) {
  const found = details.filter((detail) => detail?.field).map(({ field, message }) => ({ ...placeOf(field, brand), words: wordsOf(message) }));
  // One box says one thing at a time: a range that lacks an end is also in the wrong order.
  return found.filter(({ path, part }, at) => found.findIndex((other) => other.path === path && other.part === part) === at);
}

function placeOf(field, brand) {
  const row = ROW.exec(field);
  // What a range says about monthly costs has no box of its own; it hangs on the kind of cost.
  if (row?.[2] === "derives") return { path: rowPath(brand.startupCostTemplate[Number(row[1])] ?? { slug: "" }), part: "class" };
  if (row) return { path: rowPath(brand.startupCostTemplate[Number(row[1])] ?? { slug: "" }), part: row[2] ?? "item7High" };
  const parameter = PARAMETER.exec(field);
  if (parameter) return { path: parameter[1], part: parameter[2] ?? "value" };
  return { path: "", part: field };
}

function wordsOf(message) {
  for (const [pattern, words] of SENTENCES) {
    const match = pattern.exec(message);
    if (match) return words(match);
  }
  return t("desk.problem.other", { message: visible(message) });
}
