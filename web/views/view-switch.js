/**
 * On narrow screens the three parts of the desk share one place; this bar chooses. Wide screens show all three and
 * hide the bar.
 */
import { h } from "../dom.js";
import { t } from "../texts.js";

/** The parts by their name in the address; the conversation has none. */
export const VIEWS = ["", "plan", "results"];
const name = (view) => view || "chat";

export class ViewSwitch {
  #desk;
  #news = new Map();

  /** `choose(view)` is called with the name of a part. */
  constructor(desk, choose) {
    this.#desk = desk;
    this.element = h("nav", { class: "view-switch", "aria-label": t("views.label") }, VIEWS.map((view) => {
      this.#news.set(view, h("span", { class: "news" }));
      return h("button", { type: "button", "data-show": name(view), onclick: () => choose(view) }, t(`views.${name(view)}`), this.#news.get(view));
    }));
    this.show("");
  }

  show(view) {
    this.#desk.dataset.shown = name(view);
    for (const button of this.element.children) {
      if (button.dataset.show === name(view)) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    this.tell(view, 0);
  }

  /** A small number on a part that changed while it was out of sight. */
  tell(view, count) {
    const badge = this.#news.get(view);
    badge.textContent = count > 0 && this.#desk.dataset.shown !== name(view) ? String(count) : "";
    badge.title = badge.textContent ? t("views.news", { count }) : "";
  }
}
