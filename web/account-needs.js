/** What everything about accounts needs beside itself: words and looks that few visits ask for. */
import { h } from "./dom.js";
import { loadAccountTexts } from "./texts.js";

let styles = null;

export async function loadAccountNeeds() {
  await Promise.all([loadAccountTexts(), (styles ??= loadStyles("/css/account.css"))]);
}

/** Without its style sheet a page looks plain and works. */
function loadStyles(href) {
  return new Promise((resolve) => document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve })));
}
