/** One short sentence about what just happened, with a way to take it back. It waits as long as it is looked at. */
import { h, icon, put } from "../dom.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";

/** Long enough to read it; and to take it back. */
const SHOWN_MS = { words: 5000, undo: 8000 };

export class Toast {
  #timer = 0;
  #shownMs = 0;
  element = h("div", { class: "toast", role: "status", onmouseenter: () => this.#hold(), onmouseleave: () => this.#release(), onfocusin: () => this.#hold(), onfocusout: () => this.#release() });

  /** `undo()` may be given; it is called at most once. */
  show(sentence, undo = null) {
    put(this.element, h("span", {}, sentence), undo && h("button", { type: "button", class: "link", onclick: async () => {
      this.hide();
      try {
        await undo();
        this.show(t("toast.undone"));
      } catch (error) {
        this.show(error.status === 409 ? t("error.nothingStands") : errorText(error));
      }
    } }, icon("undo"), t("undo")));
    this.#shownMs = undo ? SHOWN_MS.undo : SHOWN_MS.words;
    this.element.classList.add("shown");
    this.#release();
  }

  hide() {
    this.#hold();
    this.element.classList.remove("shown");
    put(this.element);
  }

  #hold() {
    clearTimeout(this.#timer);
  }

  #release() {
    clearTimeout(this.#timer);
    if (this.element.classList.contains("shown")) this.#timer = setTimeout(() => this.hide(), this.#shownMs);
  }
}
