/**
 * The handful of DOM calls the page's builders use, so that they can be tested without a browser. It keeps a strict
 * house: markup can only come from `createElement`, and `toHtml` shows what a browser would hold.
 */
class Node {
  childNodes = [];
  parent = null;

  append(...children) {
    for (const child of children) {
      const nodes = typeof child === "string" ? [new Text(child)] : child instanceof Fragment ? [...child.childNodes] : [child];
      for (const node of nodes) {
        node.parent = this;
        this.childNodes.push(node);
      }
    }
  }

  replaceChildren(...children) {
    this.childNodes = [];
    this.append(...children);
  }

  get lastChild() {
    return this.childNodes.at(-1) ?? null;
  }

  remove() {
    this.parent.childNodes = this.parent.childNodes.filter((node) => node !== this);
  }

  get textContent() {
    return this.childNodes.map((node) => node.textContent).join("");
  }
}

class Text extends Node {
  constructor(text) {
    super();
    this.text = String(text);
  }

  get textContent() {
    return this.text;
  }
}

class Fragment extends Node {}

class Element extends Node {
  attributes = new Map();

  constructor(tag) {
    super();
    this.tag = tag;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  addEventListener() {}
}

globalThis.document = {
  createElement: (tag) => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
  createDocumentFragment: () => new Fragment(),
};

/** Every element below a node. */
export function elementsOf(node) {
  return node.childNodes.flatMap((child) => (child instanceof Element ? [child, ...elementsOf(child)] : []));
}

/** The tree as text. The class and link attributes that never vary are left out, so that a test reads well. */
export function toHtml(node) {
  return node.childNodes.map((child) => {
    if (child instanceof Text) return child.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const shown = [...child.attributes].filter(([name]) => ["href", "start"].includes(name)).map(([name, value]) => ` ${name}="${value}"`).join("");
    return `<${child.tag}${shown}>${toHtml(child)}</${child.tag}>`;
  }).join("");
}
