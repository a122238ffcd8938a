/**
 * What the brand has corrected since the plan was made, said above the plan's numbers. It asks the server when a plan is opened
 * or has changed; the card itself is loaded where there is something to say.
 */
import { h, put } from "../dom.js";
import { withNeeds } from "../needs.js";

export class Corrections {
  #workspace;
  #notify;
  #asked = "";
  element = h("section", { class: "corrections", hidden: true, "aria-labelledby": "corrections-title" });

  constructor(workspace, notify) {
    this.#workspace = workspace;
    this.#notify = notify;
    workspace.addEventListener("change", () => this.#look());
  }

  /** Asks once for each state of the plan. A notice is a convenience: where it cannot be had, the plan is as it is. */
  #look() {
    const { planId, plan } = this.#workspace;
    const state = `${planId} ${plan.version}`;
    if (state === this.#asked) return;
    if (!this.#asked.startsWith(planId)) this.#show([]);
    this.#asked = state;
    this.#load(planId).catch(() => {});
  }

  async #load(planId) {
    const found = await this.#workspace.client.corrections(planId);
    if (planId !== this.#workspace.planId) return;
    if (found.corrections.length === 0) return this.#show([]);
    const { correctionsCard } = await withNeeds("brand", import("../brand/corrections-card.js"));
    if (planId === this.#workspace.planId) this.#show(correctionsCard(this.#workspace, found, { notify: this.#notify, again: () => this.#load(planId) }));
  }

  #show(content) {
    const hadFocus = this.element.contains(document.activeElement);
    put(this.element, content);
    this.element.hidden = this.element.childElementCount === 0;
    if (!hadFocus) return;
    if (this.element.hidden) document.getElementById("message")?.focus();
    else this.element.querySelector("h3").focus();
  }
}
