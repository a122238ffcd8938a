/**
 * The line on top: which plan is open, whether the advisor can answer, and who is here.
 */
import { h, icon, put, spoken } from "../dom.js";
import { visible } from "../format.js";
import { brandMark } from "./brand-mark.js";
import { initials } from "./sign-in.js";

const ROLES = { franchisee: "Franchisee", franchisor_admin: "Franchisor", platform_admin: "Administrator" };

export class TopBar {
  #plans = h("select", { id: "plan-chooser" });
  #chooser;
  #model = h("span", { class: "model-state" });

  /**
   * `actions`: `onChoose(planId)`, `onNewPlan()`, `onSignOut()`, and for administrators `onActFor()`, `onPrompts()`.
   */
  constructor(session, actions) {
    this.#plans.addEventListener("change", () => actions.onChoose(this.#plans.value));
    this.#chooser = h("div", { class: "chooser", hidden: true },
      h("label", { class: "spoken", for: "plan-chooser" }, "Plan"),
      h("div", { class: "select" }, this.#plans),
      actions.onNewPlan && h("button", { type: "button", class: "quiet small new-plan", onclick: actions.onNewPlan }, icon("plus"), h("span", {}, "New plan")));
    this.element = h("header", { class: "top-bar" }, brandMark(), this.#chooser, this.#model, this.#menu(session, actions));
  }

  /** `ofOthers` adds whose plan each is, for administrators who see them all. */
  showPlans(plans, activeId, { ofOthers = false } = {}) {
    const name = (plan) => visible(plan.name) || "Plan without a name";
    const owner = (plan) => (ofOthers && plan.owner ? ` · ${visible(plan.owner.displayName)}` : "");
    this.#chooser.hidden = false;
    this.#chooser.firstElementChild.nextElementSibling.hidden = plans.length === 0;
    put(this.#plans, plans.map((plan) => h("option", { value: plan.id, selected: plan.id === activeId }, name(plan) + owner(plan))));
    if (activeId) this.#plans.value = activeId;
  }

  /** `status` as the API says it; null when even that could not be asked. */
  showModel(status) {
    const state = status?.model ?? "down";
    const words = { ok: "Advisor ready", down: "Advisor away", unconfigured: "No advisor set up" }[state] ?? state;
    this.#model.className = `model-state ${state}`;
    put(this.#model, h("span", { class: "dot", "aria-hidden": "true" }), h("span", {}, words));
    this.#model.title = status?.modelName ? `Model: ${visible(status.modelName)}` : "";
  }

  #menu(session, actions) {
    const user = session.user;
    const close = () => { menu.open = false; };
    const item = (words, act) => h("li", {}, h("button", { type: "button", onclick: () => { close(); act(); } }, words));
    const menu = h("details", { class: "menu" },
      h("summary", {}, spoken(`Account of ${visible(user.displayName)}`), h("span", { class: "initials", "aria-hidden": "true" }, initials(user.displayName))),
      h("div", { class: "menu-body" },
        h("p", { class: "menu-who" }, h("b", {}, visible(user.displayName)), h("span", {}, user.email), h("span", {}, ROLES[user.role] ?? user.role)),
        h("ul", {},
          actions.onActFor && item("Act for a franchisee…", actions.onActFor),
          actions.onPrompts && item("Prompts", actions.onPrompts),
          h("li", {}, h("a", { href: "/docs" }, "API reference")),
          item("Sign out", actions.onSignOut))));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      close();
      menu.querySelector("summary").focus();
    });
    menu.addEventListener("focusout", (event) => event.relatedTarget && !menu.contains(event.relatedTarget) && close());
    const closeFromOutside = (event) => !menu.contains(event.target) && close();
    menu.addEventListener("toggle", () => document[menu.open ? "addEventListener" : "removeEventListener"]("click", closeFromOutside));
    return menu;
  }
}
