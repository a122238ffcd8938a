/**
 * Scrolls as a reader would want it: it follows a growing answer while the end is in view, stays where the reader
 * went otherwise, and then offers the way back.
 */
import { h, icon } from "../dom.js";

const NEAR = 48;

export class Scroller {
  #box;
  #atEnd = true;
  #back = h("button", { type: "button", class: "to-end", hidden: true, onclick: () => this.toEnd() }, icon("down"), "Newest");

  constructor(content) {
    this.#box = h("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": "Messages", onscroll: () => this.#look() }, content);
    this.element = h("div", { class: "scroll-frame" }, this.#box, this.#back);
    // A window that turns or a keyboard that slides in changes the height without a scroll of the reader's.
    new ResizeObserver(() => this.follow()).observe(this.#box);
  }

  /** Goes to the end if the reader is there already. */
  follow() {
    if (this.#atEnd) this.toEnd();
    else this.#back.hidden = false;
  }

  toEnd() {
    this.#box.scrollTop = this.#box.scrollHeight;
    this.#atEnd = true;
    this.#back.hidden = true;
  }

  /** Changes what stands above without moving what is being read. */
  keepPlace(change) {
    const fromEnd = this.#box.scrollHeight - this.#box.scrollTop;
    change();
    this.#box.scrollTop = this.#box.scrollHeight - fromEnd;
  }

  #look() {
    this.#atEnd = this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight < NEAR;
    if (this.#atEnd) this.#back.hidden = true;
  }
}
