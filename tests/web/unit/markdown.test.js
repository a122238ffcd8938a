import test from "node:test";
import assert from "node:assert/strict";
import { elementsOf, toHtml } from "./support/mini-dom.js";
import { hostileTexts } from "../support/hostile-texts.js";
import { MarkdownView, renderMarkdown } from "../../../web/markdown.js";
import { seeded } from "./support/random.js";

const html = (text) => toHtml(renderMarkdown(text));
const SAFE_TAGS = new Set(["p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "a", "span", "div", "table", "thead", "tbody", "tr", "th", "td", "s", "bdi"]);
const SAFE_ATTRIBUTES = new Set(["class", "href", "target", "rel", "referrerpolicy", "tabindex", "role", "aria-label", "scope", "start", "dir"]);

function assertHarmless(text) {
  for (const element of elementsOf(renderMarkdown(text))) {
    assert.ok(SAFE_TAGS.has(element.tag), `${element.tag} from ${JSON.stringify(text)}`);
    for (const [name, value] of element.attributes) {
      assert.ok(SAFE_ATTRIBUTES.has(name), `${name} from ${JSON.stringify(text)}`);
      if (name === "href") assert.match(value, /^https?:\/\/[^@]*$/);
    }
  }
}

test("paragraphs, breaks and emphasis", () => {
  assert.equal(html("One *two* **three**\nfour\n\nfive `six`"), "<p>One <em>two</em> <strong>three</strong><br></br>four</p><p>five <code>six</code></p>");
  assert.equal(html("**bold with *em* inside**"), "<p><strong>bold with <em>em</em> inside</strong></p>");
  assert.equal(html("a_b_c and 2 * 3 * 4"), "<p>a_b_c and 2 * 3 * 4</p>");
});

test("lists, quotes, headings, rules, code and tables", () => {
  assert.equal(html("- a\n- b\n  more"), "<ul><li>a</li><li>b<br></br>more</li></ul>");
  assert.equal(html("3. a\n4. b"), "<ol start=\"3\"><li>a</li><li>b</li></ol>");
  assert.equal(html("Text:\n- a"), "<p>Text:</p><ul><li>a</li></ul>");
  assert.equal(html("> a\n> b"), "<blockquote>a<br></br>b</blockquote>");
  assert.equal(html("## Title #\ntext"), "<p>Title</p><p>text</p>");
  assert.equal(html("---"), "<hr></hr>");
  assert.equal(html("```js\n<b>\n```\nafter"), "<pre><code>&lt;b></code></pre><p>after</p>");
  assert.equal(html("```\nstill open"), "<pre><code>still open</code></pre>");
  assert.equal(html("| a | b |\n|---|--:|\n| 1 | 2 | 3 |"), "<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>");
});

test("lists inside lists, tasks, struck words and aligned columns", () => {
  assert.equal(html("- a\n  - b\n    1. c\n  - d\n- e"), "<ul><li>a<ul><li>b<ol start=\"1\"><li>c</li></ol></li><li>d</li></ul></li><li>e</li></ul>");
  assert.equal(html("- [ ] open\n- [x] done"), "<ul><li>☐ open</li><li>☑ done</li></ul>");
  assert.equal(html("~~old~~ new ~~"), "<p><s>old</s> new ~~</p>");
  const aligned = elementsOf(renderMarkdown("| a | b | c |\n|---|:-:|--:|\n| 1 | 2 | 3 |")).filter(({ tag }) => tag === "td").map(({ attributes }) => attributes.get("class"));
  assert.deepEqual(aligned, [undefined, "md-center", "md-right"]);
  assert.equal(elementsOf(renderMarkdown(Array.from({ length: 200 }, (_, depth) => `${" ".repeat(Math.min(8, depth * 2))}- x`).join("\n"))).filter(({ tag }) => tag === "li").length, 200);
});

test("links go to http and https only and name their host", () => {
  assert.equal(html("[the rule](https://www.ftc.gov/rule)"), "<p><a href=\"https://www.ftc.gov/rule\"><bdi>the rule</bdi><span> (<bdi>www.ftc.gov</bdi>)</span></a></p>");
  assert.equal(html("see https://example.org/a."), "<p>see <a href=\"https://example.org/a\"><bdi>https://example.org/a</bdi></a>.</p>");
  for (const target of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "//evil.test", "/etc", "file:///x", "https://a@evil.test", "https://user:pw@evil.test"]) {
    assert.equal(html(`[x](${target})`).includes("<a"), false, target);
  }
});

test("no character turns the words around it, and a link's words cannot change how its host is read", () => {
  const turning = "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C\u200B\u2060\uFEFF\u{E0041}\0\u0085";
  for (const mark of turning) {
    assert.equal(html(`[your bank${mark}](https://moc.knab.ai/)`), "<p><a href=\"https://moc.knab.ai/\"><bdi>your bank</bdi><span> (<bdi>moc.knab.ai</bdi>)</span></a></p>");
    for (const text of [`one ${mark}two`, `- one ${mark}two`, `> one ${mark}two`, `# one ${mark}two`, `**one ${mark}two**`, `\`one ${mark}two\``, `| one ${mark}two |\n|-|`]) {
      assert.equal(html(text).includes(mark), false, JSON.stringify(text));
    }
  }
  assert.equal(html("می\u200Cخواهم 👩\u200D🔧 ❤\uFE0F"), "<p>می\u200Cخواهم 👩\u200D🔧 ❤\uFE0F</p>");
});

test("an image is words, never a request", () => {
  assert.equal(html("![chart](https://evil.test/x.png?secret=1)"), "<p>[image: chart]</p>");
  assert.equal(elementsOf(renderMarkdown("![](https://evil.test/x.png)")).some((element) => element.tag === "img"), false);
});

test("hostile texts build nothing but harmless elements and keep their words", () => {
  for (const text of hostileTexts) assertHarmless(text);
});

test("any mixture of marks builds nothing but harmless elements", () => {
  const random = seeded(13);
  const parts = ["<script>", "</p>", "[", "](", ")", "![", "https://a.test", "javascript:", "*", "**", "_", "`", "```", "\n", "\n\n", "> ", "- ", "1. ", "|", "|-|", "# ", " ", "word", "\"", "'", "onerror=", "\\", "\u202E", "\0"];
  for (let round = 0; round < 5000; round += 1) {
    assertHarmless(Array.from({ length: random.below(30) }, () => random.pick(parts)).join(""));
  }
});

test("no text takes more than linear time", () => {
  for (const part of ["*", "**a", "[", "[a](", "![", "`", "_a", "> ", "- ", "|-", "# ", " ", "https://", "https://a.", "((", "**a*", "\n", "-"]) {
    const text = part.repeat(Math.ceil(60_000 / part.length));
    const began = performance.now();
    renderMarkdown(text);
    renderMarkdown(`a|b\n${text}x`);
    assert.ok(performance.now() - began < 4000, `${JSON.stringify(part)} took ${Math.round(performance.now() - began)} ms`);
  }
});

test("a growing text ends the same as a whole one and keeps the nodes of finished blocks", () => {
  const text = "# Plan\n\nOne **two** three.\n\n- a\n- b\n\n```\ncode\n```\n\nEnd with [a link](https://example.org).";
  const place = document.createElement("div");
  const view = new MarkdownView(place);
  let first = null;
  for (let length = 1; length <= text.length; length += 1) {
    view.update(text.slice(0, length));
    if (length === 30) first = place.childNodes[0];
  }
  assert.equal(toHtml(place), html(text));
  assert.equal(place.childNodes[0], first);
});

test("an answer may lead to a place of this page, and to none that it has not", () => {
  const place = toHtml(renderMarkdown("[print it](#print)"));
  assert.match(place, /<a[^>]*href="#print"[^>]*>print it<\/a>/);
  for (const other of ["#erase", "#", "print", "#print/../x", "javascript:print"]) assert.doesNotMatch(toHtml(renderMarkdown(`[there](${other})`)), /<a/, other);
});
