/** The bar above everything: which plan, whether something is wrong, and who is here. */
import { h, icon, put, spoken } from "../dom.js";
import { visible } from "../format.js";
import { LANGUAGES, chooseLanguage, currentLanguage, t } from "../texts.js";
import { follow, planPath, viewPath } from "../router.js";
import { brandMark } from "./brand-mark.js";
import { initials } from "./initials.js";

export class TopBar {
  #context;
  #actions;
  #plans = h("select", { id: "plan-chooser" });
  #chooser;
  #planMenu = h("div", { class: "plan-menu" });
  #state = h("span", { class: "state-light", role: "status" });

  /**
   * `context` as every screen gets it; `actions`, where a plan is open: `onChoose(planId)`, `onNewPlan()`, `onRename()`,
   * `onErase()`, `onDelete()`, each null where it may not be done.
   */
  constructor(context, actions = null) {
    this.#context = context;
    this.#actions = actions;
    if (actions) this.#plans.addEventListener("change", () => actions.onChoose(this.#plans.value));
    this.#chooser = h("div", { class: "chooser", hidden: true },
      h("label", { class: "spoken", for: "plan-chooser" }, t("bar.plan")),
      h("div", { class: "select" }, this.#plans), this.#planMenu,
      actions?.onNewPlan && h("button", { type: "button", class: "quiet small new-plan", onclick: actions.onNewPlan }, icon("plus"), h("span", {}, t("newPlan.title"))));
    this.element = h("header", { class: "top-bar" },
      h("a", { href: "/", class: "home", onclick: follow }, brandMark()), this.#chooser, this.#state, this.#accountMenu());
  }

  /** `ofOthers` adds whose plan each is, for administrators who see them all. */
  showPlans(plans, activeId, { ofOthers = false } = {}) {
    const name = (plan) => visible(plan.name) || t("plan.unnamed");
    const owner = (plan) => (ofOthers && plan.owner ? ` · ${visible(plan.owner.displayName)}` : "");
    this.#chooser.hidden = false;
    this.#chooser.querySelector(".select").hidden = plans.length === 0;
    put(this.#plans, plans.map((plan) => h("option", { value: plan.id, selected: plan.id === activeId }, name(plan) + owner(plan))));
    if (activeId) this.#plans.value = activeId;
    put(this.#planMenu, activeId && this.#menuOfPlan(activeId));
  }

  /** Says what is wrong; nothing while all is well. `state` is "", "offline", "unconfigured" or "reconnecting". */
  showState(state) {
    if (this.#state.dataset.state === state) return;
    this.#state.dataset.state = state;
    put(this.#state, state && [h("span", { class: "dot", "aria-hidden": "true" }), h("span", {}, t(`state.${state}`))]);
  }

  #menuOfPlan(planId) {
    const { onRename, onErase, onDelete } = this.#actions;
    const { client } = this.#context;
    return menu(h("summary", { class: "tool" }, spoken(t("plan.menu")), icon("more")), [
      onRename && item(t("rename.open"), onRename),
      link(t("scenarios.title"), planPath(planId, "scenarios")),
      link(t("story.open"), planPath(planId, "story")),
      link(t("print.open"), planPath(planId, "print")),
      h("a", { href: client.xlsxUrl(planId, null, currentLanguage()), download: true }, t("xlsx")),
      h("a", { href: client.csvUrl(planId, null, currentLanguage()), download: true }, t("csv")),
      link(t("glossary.title"), planPath(planId, "glossary")),
      onErase && item(t("erase.open"), onErase),
      onDelete && item(t("delete.open"), onDelete, "bad"),
    ]);
  }

  #accountMenu() {
    const { session, signOut, actsFor } = this.#context;
    const { user } = session;
    const isAdmin = user.role === "platform_admin" && !actsFor;
    return menu(h("summary", {}, spoken(t("menu.account", { name: visible(user.displayName) })), h("span", { class: "initials", "aria-hidden": "true" }, initials(user.displayName))), [
      isAdmin && link(t("people.title"), viewPath("people")),
      isAdmin && link(t("prompts.title"), viewPath("prompts")),
      isAdmin && link(t("brand.menu"), viewPath("brand")),
      user.role === "franchisor_admin" && [link(t("brand.own"), viewPath("brand")), link(t("menu.invitations"), viewPath("people"))],
      !actsFor && link(t("menu.me"), viewPath("account")),
      h("a", { href: "/docs", target: "_blank", rel: "noopener" }, t("menu.docs")),
      LANGUAGES.filter(([code]) => code !== currentLanguage()).map(([code, name]) => h("button", { type: "button", lang: code, onclick: async () => {
        await chooseLanguage(code);
        this.#context.restart();
      } }, name)),
      item(t("menu.signOut"), () => signOut()),
      item(t("menu.signOutEverywhere"), () => signOut({ everywhere: true })),
    ], h("p", { class: "menu-who" }, h("b", {}, visible(user.displayName)), h("span", {}, user.email), h("span", {}, t(`role.${user.role}`))));
  }
}

function item(words, act, className = "") {
  return h("button", { type: "button", class: className, onclick: act }, words);
}

function link(words, href) {
  return h("a", { href, onclick: follow }, words);
}

/** A list of things to do behind one button. It closes with Escape, a choice, or a click elsewhere. */
export function menu(summary, entries, head = null) {
  const close = () => { element.open = false; };
  const body = h("div", { class: "menu-body", onclick: close }, head, h("ul", {}, entries.flat().filter(Boolean).map((entry) => h("li", {}, entry))));
  const element = h("details", { class: "menu" }, summary, body);
  // A window that a choice opens gives the focus back to where it was: what was chosen is hidden by then.
  body.addEventListener("click", () => summary.focus(), { capture: true });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !element.open) return;
    event.preventDefault();
    close();
    summary.focus();
  });
  element.addEventListener("focusout", (event) => event.relatedTarget && !element.contains(event.relatedTarget) && close());
  const closeFromOutside = (event) => !element.contains(event.target) && close();
  element.addEventListener("toggle", () => document[element.open ? "addEventListener" : "removeEventListener"]("click", closeFromOutside));
  return element;
}
