/**
 * A destructive action that waits for an answer. The question is the server's own, the clock is the server's deadline,
 * and the button that changes things never has the focus by itself.
 */
import { h, put, s } from "../dom.js";
import { formatCountdown, visible } from "../format.js";
import { errorText } from "../errors.js";
import { known, t } from "../texts.js";

const CIRCLE = 2 * Math.PI * 9;

export class ConfirmationCard {
  #pending;
  #decide;
  #timer;
  #whole;
  #clock = h("span", { class: "countdown-time" });
  #ring = s("circle", { class: "ring-left", cx: 12, cy: 12, r: 9, transform: "rotate(-90 12 12)", "stroke-dasharray": CIRCLE });
  #body = h("div", {});

  /**
   * `decide("approve" | "deny")` carries it out. With `asked` the question stands in the message right above, and the
   * card does not repeat it for the eye.
   */
  constructor(pending, decide, { asked = false } = {}) {
    this.#pending = pending;
    this.#decide = decide;
    this.#whole = Math.max(300, this.#left());
    this.element = h("li", { class: "card confirmation", "data-confirmation": pending.id }, this.#body);
    put(this.#body,
      h("div", { class: "card-head" },
        h("p", { class: "card-lead" }, t("confirm.lead")),
        h("div", { class: "countdown", role: "timer", "aria-live": "off", "aria-label": t("confirm.left") },
          s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("circle", { class: "ring", cx: 12, cy: 12, r: 9 }), this.#ring),
          this.#clock)),
      h("p", { class: asked ? "spoken" : "card-prompt", dir: "auto" }, visible(pending.prompt)),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "danger small", onclick: () => this.#choose("approve") }, this.#approveWords()),
        h("button", { type: "button", class: "quiet small", onclick: () => this.#choose("deny") }, t("cancel"))),
      h("p", { class: "problem", role: "alert" }));
    this.#timer = setInterval(() => this.#tick(), 1000);
    this.#tick();
  }

  /** Ends the clock and leaves one quiet sentence, or nothing. */
  close(sentence) {
    clearInterval(this.#timer);
    if (!sentence) return void this.element.remove();
    this.element.classList.add("settled");
    put(this.#body, h("p", { class: "soft" }, sentence));
  }

  /** The act by its name, with the number of fields where it has one. */
  #approveWords() {
    const { toolName, arguments: values } = this.#pending;
    const fields = values?.fields ?? values?.paths;
    return known(`confirm.${toolName}.button`, { count: Array.isArray(fields) ? fields.length : 0 }) ?? t("confirm.button");
  }

  #left() {
    return (Date.parse(this.#pending.expiresAt) - Date.now()) / 1000;
  }

  #tick() {
    const left = this.#left();
    if (left <= 0) return this.close(t("confirm.expired"));
    this.#clock.textContent = formatCountdown(left);
    this.#ring.setAttribute("stroke-dashoffset", String(CIRCLE * (1 - left / this.#whole)));
  }

  async #choose(decision) {
    const buttons = this.element.querySelectorAll("button");
    for (const button of buttons) button.disabled = true;
    try {
      await this.#decide(decision);
    } catch (error) {
      for (const button of buttons) button.disabled = false;
      this.element.querySelector(".problem").textContent = error.status === 409 ? t("error.settled") : errorText(error);
    }
  }
}
