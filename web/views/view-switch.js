/**
 * On narrow screens the three parts of the desk share one place; this bar chooses. Wide screens show all three and
 * hide the bar.
 */
import { h } from "../dom.js";
import { plural } from "../format.js";

const VIEWS = [["chat", "Chat"], ["plan", "Plan"], ["outcome", "Outcome"]];

export function viewSwitch(desk, workspace) {
  const news = new Map(VIEWS.map(([key]) => [key, h("span", { class: "news" })]));
  const bar = h("nav", { class: "view-switch", "aria-label": "Views" }, VIEWS.map(([key, word]) =>
    h("button", { type: "button", "data-show": key, onclick: () => show(key) }, word, news.get(key))));

  function show(view) {
    desk.dataset.shown = view;
    for (const button of bar.children) {
      if (button.dataset.show === view) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    tell(view, 0);
  }

  /** A small number on a part that changed while it was out of sight. */
  function tell(view, count) {
    const badge = news.get(view);
    badge.textContent = count > 0 && desk.dataset.shown !== view ? String(count) : "";
    badge.title = badge.textContent ? plural(count, "change") : "";
  }

  workspace.addEventListener("change", () => {
    tell("plan", workspace.moved.fields.size);
    tell("outcome", workspace.moved.metrics.size > 0 ? 1 : 0);
  });
  show("chat");
  return bar;
}
