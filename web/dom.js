/**
 * Builds elements from nodes and text, and from nothing else.
 *
 * Every text of this page, from any source, reaches the document through here: as a text node or as the value of a
 * plain attribute. There is no way to hand in markup, so there is nothing to escape.
 */
const SVG = "http://www.w3.org/2000/svg";

/**
 * `h("button", { class: "quiet", onclick: save }, "Save")`. A property that is false, null or undefined is left out,
 * true becomes an empty attribute, functions become listeners. Children may be nodes, texts, lists, or nothing.
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG elements. */
export function s(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Replaces what an element holds. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(isSomething));
  return element;
}

/** A text for screen readers only. */
export function spoken(text) {
  return h("span", { class: "spoken" }, text);
}

/** A decorative icon from the small set below, drawn with the current text colour. */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    s("path", { d: ICONS[name], fill: "none", stroke: "currentColor", "stroke-width": "1.6", "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

const ICONS = {
  send: "M10 16V4M5 9l5-5 5 5",
  stop: "M6 6h8v8H6z",
  undo: "M7 5 4 8l3 3M4 8h8a4 4 0 0 1 0 8H9",
  reset: "M4 10a6 6 0 1 0 2-4.5M4 4v3h3",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  cross: "m5.5 5.5 9 9m0-9-9 9",
  pencil: "M4 16l.8-3.2L13 4.6l2.4 2.4-8.2 8.2z",
  warning: "M10 3.5 17.5 16h-15zM10 8.5v3.4M10 14v.1",
  arrow: "M4 10h12m-4-4 4 4-4 4",
  down: "M10 4v12m-5-5 5 5 5-5",
  up: "M10 16V4m-5 5 5-5 5 5",
  copy: "M7 7h9v9H7zM4 13V4h9",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2L10 5.8M11.5 8.5a3 3 0 0 0-4.2 0l-2.6 2.6a3 3 0 0 0 4.2 4.2l1.1-1.1",
  search: "M13 13l4 4M8.5 14a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11z",
  info: "M10 9v5M10 6.2v.1M10 17.5a7.5 7.5 0 1 1 0-15 7.5 7.5 0 0 1 0 15z",
  question: "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M10 14.4v.1M10 17.5a7.5 7.5 0 1 1 0-15 7.5 7.5 0 0 1 0 15z",
  circle: "M10 16a6 6 0 1 1 0-12 6 6 0 0 1 0 12z",
  later: "M10 6v4l2.5 2M10 17a7 7 0 1 1 0-14 7 7 0 0 1 0 14z",
  more: "M4.4 10a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0m5 0a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0m5 0a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0",
  enlarge: "M12 4h4v4M8 16H4v-4M16 4l-5 5M4 16l5-5",
  print: "M6 8V3h8v5M6 14H4V8h12v6h-2M6 12h8v5H6z",
  plus: "M10 4v12M4 10h12",
  quote: "M5 13c2 0 3-1.5 3-4V6H4v4h4M13 13c2 0 3-1.5 3-4V6h-4v4h4",
};

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name.startsWith("on")) throw new TypeError(`${name} takes a function`);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter(isSomething));
  return element;
}

function isSomething(child) {
  return child !== null && child !== undefined && child !== false;
}
