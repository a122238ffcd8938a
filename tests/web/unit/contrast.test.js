/** Contrast of every pair of colors that meets, in light and in dark, by the formula of WCAG 2: 4.5 for text, 3 for what is no text. */
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const CSS = readFileSync(new URL("../../../web/css/tokens.css", import.meta.url), "utf8");
const colorsOf = (css) => Object.fromEntries([...css.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
const [light, dark] = CSS.split("@media screen and (prefers-color-scheme: dark)").map(colorsOf);
const SCHEMES = { light, dark: { ...light, ...dark } };

/** Grounds by the text that stands on them, with what that is. */
const TEXT = {
  ink: ["paper", "surface", "sunken", "hover", "mark", "mark-strong", "accent-soft", "warn-soft", "bad-soft", "admin-soft"],
  "ink-2": ["paper", "surface", "sunken", "hover", "mark", "accent-soft", "warn-soft"],
  // Placeholders, origins, what was before; also in a row under the pointer, and in one that has just changed.
  "ink-3": ["paper", "surface", "sunken", "hover", "mark", "warn-soft"],
  accent: ["paper", "surface", "sunken", "hover", "warn-soft", "mark"],
  "accent-strong": ["paper", "surface", "sunken", "hover", "accent-soft"],
  "on-accent": ["accent", "accent-strong"],
  // A button that deletes, the banner of whoever acts for somebody, a message in passing.
  surface: ["bad", "admin"],
  paper: ["ink"],
  yours: ["surface", "yours-soft", "mark"],
  admin: ["paper", "surface", "admin-soft"],
  warn: ["paper", "surface", "hover", "warn-soft"],
  bad: ["paper", "surface", "hover", "bad-soft"],
};
/** Edges, focus, marks of what is chosen, lines of charts. */
const SHAPES = {
  edge: ["paper", "surface", "sunken"],
  accent: ["paper", "surface", "sunken", "accent-soft", "warn-soft", "hover"],
  "chart-1": ["surface"], "chart-2": ["surface"], admin: ["surface"],
  warn: ["surface", "warn-soft"], yours: ["surface"], bad: ["surface", "bad-soft"],
};

function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(one, other) {
  const [dim, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

for (const [scheme, colors] of Object.entries(SCHEMES)) {
  test(`text and shapes stand out from what is behind them: ${scheme}`, () => {
    const weak = (pairs, least) => Object.entries(pairs).flatMap(([front, grounds]) => grounds.map((ground) => [`${front} on ${ground}`, ratio(colors[front], colors[ground])]))
      .filter(([, found]) => !(found >= least)).map(([pair, found]) => `${pair}: ${found.toFixed(2)}`);
    assert.deepEqual({ text: weak(TEXT, 4.5), shapes: weak(SHAPES, 3) }, { text: [], shapes: [] });
  });
}

test("boxes to type into, and what is chosen, have an edge that is seen", () => {
  const rule = (file, selector) => readFileSync(new URL(`../../../web/css/${file}.css`, import.meta.url), "utf8").replace(/\/\*.*?\*\//gs, "").split("}").find((part) => part.trimStart().startsWith(selector)) ?? "";
  for (const [file, selector] of [["base", 'input:not([type="radio"], [type="checkbox"]), select, textarea'], ["chat", ".composer-box {"], ["panels", ".boxed {"], ["panels", '.segments button[aria-pressed="true"]']]) {
    assert.match(rule(file, selector), /var\(--edge\)/, selector);
  }
});
