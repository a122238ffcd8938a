/**
 * Scrolls as a reader would want it: it follows a growing answer as long as the question above it stays in view, stays
 * where the reader went otherwise, and then offers the way to the end.
 */
import { h, icon } from "../dom.js";
import { t } from "../texts.js";

const NEAR = 48;
const ABOVE_HEAD = 12;

export class Scroller {
  #box;
  #following = true;
  #head = null;
  #placed = 0;
  #offers = true;
  #back = h("button", { type: "button", class: "to-end", hidden: true, onclick: () => this.toEnd() }, icon("down"), h("span", {}, t("chat.toEnd")));

  constructor(content) {
    this.#box = h("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("chat.messages"), onscroll: () => this.#look() }, content);
    this.element = h("div", { class: "scroll-frame" }, this.#box, this.#back);
    // A window that turns or a keyboard that slides in changes the height without a scroll of the reader's.
    new ResizeObserver(() => this.follow()).observe(this.#box);
  }

  /** Follows what grows below `head`, without moving `head` out of view. Without `offersEnd` nothing points to the end. */
  followFrom(head, { offersEnd = true } = {}) {
    this.#head = head;
    this.#offers = offersEnd;
    this.#following = true;
    this.follow();
  }

  /** Goes on towards the end if the reader has not gone elsewhere. */
  follow() {
    if (this.#following) this.#place(Math.min(this.#end, this.#headTop));
    this.#back.hidden = !this.#offers || this.#end - this.#box.scrollTop < NEAR;
  }

  toEnd() {
    this.#head = null;
    this.#offers = true;
    this.#following = true;
    this.follow();
  }

  /** Changes what stands above without moving what is being read. */
  keepPlace(change) {
    const fromEnd = this.#box.scrollHeight - this.#box.scrollTop;
    change();
    this.#place(this.#box.scrollHeight - fromEnd);
  }

  /** Brings an element into view and stays there. */
  show(element) {
    this.#following = false;
    element.scrollIntoView({ block: "center" });
    this.#placed = this.#box.scrollTop;
    this.follow();
  }

  get #end() {
    return this.#box.scrollHeight - this.#box.clientHeight;
  }

  get #headTop() {
    if (!this.#head?.isConnected) return Infinity;
    return this.#head.getBoundingClientRect().top - this.#box.getBoundingClientRect().top + this.#box.scrollTop - ABOVE_HEAD;
  }

  #place(top) {
    this.#box.scrollTop = top;
    this.#placed = this.#box.scrollTop;
  }

  #look() {
    const isAtEnd = this.#end - this.#box.scrollTop < NEAR;
    if (Math.abs(this.#box.scrollTop - this.#placed) > 2) {
      this.#following = isAtEnd;
      if (isAtEnd) this.#head = null;
    }
    this.#placed = this.#box.scrollTop;
    this.#back.hidden = !this.#offers || isAtEnd;
  }
}
