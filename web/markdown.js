/**
 * Light Markdown to DOM nodes: paragraphs, emphasis, code, lists, quotes, tables, links. Never HTML.
 *
 * What is not understood stays visible as the text it was. Images are not loaded (the address of an image can carry
 * a secret away), headings become bold lines (a model must not reshape the page's outline), and a link goes to http
 * or https only and names its host, so that its words cannot lie about where it leads. Characters that would turn the
 * direction of what stands beside them are left out, and the words and the host of a link are isolated from each other.
 *
 * Every loop moves forward and every pattern is bounded: no text, however hostile, takes more than linear time.
 */
import { h } from "./dom.js";
import { readable, visible } from "./format.js";

/** Renders a whole text. */
export function renderMarkdown(text) {
  const fragment = document.createDocumentFragment();
  fragment.append(...splitBlocks(text).map(renderBlock));
  return fragment;
}

/**
 * Shows a text that grows: blocks that have not changed keep their nodes, so a selection survives and a long answer
 * does not flicker while its last line is written.
 */
export class MarkdownView {
  #element;
  #sources = [];

  constructor(element) {
    this.#element = element;
  }

  update(text) {
    const blocks = splitBlocks(text);
    const sources = blocks.map((block) => block.kind + block.lines.join("\n"));
    let same = 0;
    while (same < sources.length && sources[same] === this.#sources[same]) same += 1;
    while (this.#element.childNodes.length > same) this.#element.lastChild.remove();
    this.#element.append(...blocks.slice(same).map(renderBlock));
    this.#sources = sources;
  }
}

// ---- Blocks ---------------------------------------------------------------------------------------------------

const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^ {0,3}#{1,6} +/;
const RULE = /^ {0,3}(?:\*{3,}|-{3,}|_{3,})\s*$/;
const BULLET = /^ {0,8}[-*+] +/;
const NUMBER = /^ {0,8}(\d{1,9})[.)] +/;
const QUOTE = /^ {0,3}> ?/;
const TABLE_RULE = /^[ :|-]*$/;

/** Groups lines into `{kind, lines}`; exported for the tests. */
export function splitBlocks(text) {
  const lines = readable(text).replace(/\r\n?/g, "\n").split("\n");
  const blocks = [];
  let at = 0;
  const take = (kind, belongs) => {
    const from = at;
    at += 1;
    while (at < lines.length && belongs(lines[at])) at += 1;
    blocks.push({ kind, lines: lines.slice(from, at) });
  };
  while (at < lines.length) {
    const line = lines[at];
    if (line.trim() === "") at += 1;
    else if (FENCE.test(line)) {
      const mark = FENCE.exec(line)[1];
      let closed = false;
      take("code", (next) => {
        if (closed) return false;
        closed = next.trim() === mark;
        return true;
      });
    } else if (RULE.test(line)) take("rule", () => false);
    else if (HEADING.test(line)) take("heading", () => false);
    else if (QUOTE.test(line)) take("quote", (next) => QUOTE.test(next));
    else if (BULLET.test(line)) take("bullets", (next) => isListLine(next, BULLET));
    else if (NUMBER.test(line)) take("numbers", (next) => isListLine(next, NUMBER));
    else if (line.includes("|") && isTableRule(lines[at + 1])) take("table", (next) => next.includes("|"));
    else take("paragraph", (next) => next.trim() !== "" && !startsBlock(next));
  }
  return blocks;
}

function isTableRule(line = "") {
  return line.includes("|") && line.includes("-") && TABLE_RULE.test(line);
}

function startsBlock(line) {
  return [FENCE, HEADING, RULE, QUOTE, BULLET, NUMBER].some((pattern) => pattern.test(line));
}

/** An item, or an indented line that continues one. */
function isListLine(line, item) {
  return item.test(line) || (/^ {2,}\S/.test(line) && !FENCE.test(line));
}

function renderBlock({ kind, lines }) {
  switch (kind) {
    case "code": return renderCode(lines);
    case "rule": return h("hr");
    case "heading": return h("p", { class: "md-heading" }, renderInline(lines[0].replace(HEADING, "").replace(/ #{1,6}\s*$/, "")));
    case "quote": return h("blockquote", {}, withBreaks(lines.map((line) => line.replace(QUOTE, ""))));
    case "bullets":
    case "numbers": return renderList(lines);
    case "table": return renderTable(lines);
    default: return h("p", {}, withBreaks(lines));
  }
}

function renderCode(lines) {
  const closed = lines.length > 1 && FENCE.test(lines.at(-1));
  // A box that scrolls must be reachable by keyboard.
  return h("pre", { tabindex: "0" }, h("code", {}, lines.slice(1, closed ? -1 : undefined).join("\n")));
}

/** A list with the lists inside it; deeper ones than this stay items of the deepest. */
const DEEPEST = 4;

function renderList(lines, depth = 1) {
  const marker = BULLET.test(lines[0]) ? BULLET : NUMBER;
  const indent = indentOf(lines[0]);
  const items = [];
  for (const line of lines) {
    const begins = (BULLET.test(line) || NUMBER.test(line)) && (indentOf(line) < indent + 2 || depth >= DEEPEST);
    if (begins) items.push({ words: [line.replace(BULLET.test(line) ? BULLET : NUMBER, "")], inner: [] });
    else if (items.at(-1).inner.length > 0 || BULLET.test(line) || NUMBER.test(line)) items.at(-1).inner.push(line);
    else items.at(-1).words.push(line.trim());
  }
  const content = items.map(({ words, inner }) => h("li", {}, withTask(words), inner.length > 0 && renderList(inner, depth + 1)));
  return marker === BULLET ? h("ul", {}, content) : h("ol", { start: NUMBER.exec(lines[0])[1] }, content);
}

function indentOf(line) {
  return line.length - line.trimStart().length;
}

/** `[ ]` and `[x]` in front of an item become boxes to look at. */
function withTask([first, ...others]) {
  const task = /^\[([ xX])\] +/.exec(first);
  return [task && (task[1] === " " ? "☐ " : "☑ "), withBreaks([task ? first.slice(task[0].length) : first, ...others])];
}

function renderTable([head, rule, ...rows]) {
  const columns = cells(head);
  const sides = cells(rule).map((cell) => (/^:-+:$/.test(cell) ? "center" : cell.endsWith(":") ? "right" : null));
  const side = (index) => ({ class: sides[index] && `md-${sides[index]}` });
  return h("div", { class: "md-table", tabindex: "0", role: "group", "aria-label": "Table" },
    h("table", {},
      h("thead", {}, h("tr", {}, columns.map((cell, index) => h("th", { scope: "col", ...side(index) }, renderInline(cell))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, cells(row).slice(0, columns.length).map((cell, index) => h("td", side(index), renderInline(cell))))))));
}

function cells(line) {
  return line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|").map((cell) => cell.trim());
}

function withBreaks(lines) {
  return lines.flatMap((line, index) => (index === 0 ? [] : [h("br")]).concat(renderInline(line.trim())));
}

// ---- Inside a line --------------------------------------------------------------------------------------------

// One pass, first match wins; lengths are bounded so that no pattern can be made to look at a text again and again.
const INLINE = new RegExp([
  /`([^`]{1,2000})`/,
  /\*\*(?=\S)((?:[^*]|\*(?!\*)){1,2000})\*\*/,
  /__(?=\S)([^_]{1,2000})__/,
  /\*(?=[^\s*])([^*]{1,2000})\*/,
  /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{1,2000})_(?![\p{L}\p{N}_])/u,
  /~~(?=\S)([^~]{1,2000})~~/,
  /!\[([^\][]{0,500})\]\([^()\s]{0,2000}\)/,
  /\[([^\][]{1,500})\]\(([^()\s]{1,2000})\)/,
  /(https?:\/\/[^\s<>"'`\][]{1,2000})/,
].map((part) => part.source).join("|"), "gu");

/** Renders emphasis, code and links of one line; answers a list of nodes and texts. */
export function renderInline(text, depth = 0) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const node = renderMatch(match, depth);
    if (node === null) continue;
    if (match.index > from) nodes.push(text.slice(from, match.index));
    nodes.push(...[node].flat());
    from = match.index + match[0].length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

function renderMatch([whole, code, strong, strongLine, em, emLine, struck, image, label, target, address], depth) {
  const inner = (text) => (depth < 4 ? renderInline(text, depth + 1) : [text]);
  if (code !== undefined) return h("code", {}, code);
  if (strong ?? strongLine) return h("strong", {}, inner(strong ?? strongLine));
  if (em ?? emLine) return h("em", {}, inner(em ?? emLine));
  if (struck) return h("s", {}, inner(struck));
  if (image !== undefined) return image === "" ? null : `[image: ${image}]`;
  if (address) {
    const trimmed = address.replace(/[.,;:!?)*_]+$/, "");
    const anchor = link(trimmed, [trimmed], false);
    return anchor && [anchor, address.slice(trimmed.length)];
  }
  return link(target, [label], true) ?? whole;
}

/** Places of this page that an answer may lead to. */
const PLACES = ["print", "excel", "csv", "guide", "scenarios", "account", "glossary"];

/** A link to http or https or to a place of this page, or null. Its host stands beside words that do not already show it. */
function link(target, children, named) {
  if (PLACES.includes(target.slice(1)) && target.startsWith("#")) return h("a", { href: target, "data-place": target.slice(1) }, children);
  let url;
  try {
    url = new URL(target);
  } catch {
    return null;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  if (url.username !== "" || url.password !== "") return null;
  const words = h("bdi", {}, children.map(visible));
  return h("a", { href: url.href, target: "_blank", rel: "noopener noreferrer nofollow", referrerpolicy: "no-referrer" },
    words, named && h("span", { class: "md-host" }, " (", h("bdi", { dir: "ltr" }, url.host), ")"));
}
