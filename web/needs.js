/** What some parts of the page need beside themselves: words and looks that few visits ask for. */
import { h } from "./dom.js";
import { loadTexts } from "./texts.js";

const styles = new Map();

/** Loads the words and looks of "account", "brand", "paper" or "scenarios"; answers what `part`, a module on its way, is. */
export async function withNeeds(name, part = null) {
  if (!styles.has(name)) styles.set(name, loadStyles(`/css/${name}.css`));
  const [loaded] = await Promise.all([part, loadTexts(name), styles.get(name)]);
  return loaded;
}

/** Without its style sheet a page looks plain and works. */
function loadStyles(href) {
  return new Promise((resolve) => document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve })));
}
