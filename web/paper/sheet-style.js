/**
 * What the paper is like: its size, and the number of each page. Both depend on what the reader chooses and reads, so the rules
 * are made here; a browser that knows no boxes in margins prints no numbers.
 */
import { parts } from "../texts.js";

const SIZES = { letter: "letter", a4: "A4" };
let sheet = null;

export const PAPERS = Object.keys(SIZES);

/** Begins to count for what is printed; an unknown paper is the first. */
export function usePaper(paper) {
  sheet ??= new CSSStyleSheet();
  sheet.replaceSync(`@page { size: ${SIZES[paper] ?? SIZES.letter}; @bottom-right { content: ${pageOf()}; font: 7.5pt sans-serif; } }`);
  leavePaper();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

export function leavePaper() {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((entry) => entry !== sheet);
}

/** `"Page " counter(page) " of " counter(pages)`. */
function pageOf() {
  const page = { counter: "page" };
  const pages = { counter: "pages" };
  return parts("print.page", { page, pages }).map((piece) => (typeof piece === "string" ? JSON.stringify(piece) : `counter(${piece.counter})`)).join(" ");
}
