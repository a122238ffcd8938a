/**
 * Labelled boxes with a hint, and with what is wrong right below the box it is about. A form checks all of its fields, says
 * everything at once and puts the focus into the first that needs it.
 */
import { h, icon, put } from "../dom.js";
import { visible } from "../format.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";

export const PASSWORD_LENGTH = { min: 10, max: 128 };
let count = 0;

export class Field {
  #check;
  #refusal;
  #problem;
  control;

  /**
   * `name` is what the API calls the field; `check(value)` answers what is wrong or "", `refusal` is said instead of the
   * server's own words when it refuses the field.
   */
  constructor(name, words, control, { hint = "", check = () => "", refusal = null, box = control } = {}) {
    const id = `box-${count += 1}`;
    Object.assign(this, { name, control });
    this.#check = check;
    this.#refusal = refusal;
    this.#problem = h("p", { class: "problem", role: "alert", id: `${id}-problem` });
    control.id = id;
    control.setAttribute("aria-describedby", [hint && `${id}-hint`, `${id}-problem`].filter(Boolean).join(" "));
    control.addEventListener("input", () => this.complain(""));
    this.element = h("div", { class: "form-field" }, h("label", { for: id }, words), box, hint && h("p", { class: "soft", id: `${id}-hint` }, hint), this.#problem);
  }

  get value() {
    return this.control.value.trim();
  }

  get isVisible() {
    return !this.element.hidden;
  }

  /** Shows what is wrong; "" for nothing. */
  complain(sentence) {
    if (this.#problem.textContent === sentence) return;
    this.control.setAttribute("aria-invalid", String(sentence !== ""));
    put(this.#problem, sentence && [icon("warning"), h("span", {}, sentence)]);
  }

  /** Whether all is well; says what is not. */
  isRight() {
    const sentence = this.isVisible ? this.#check(this.value) : "";
    this.complain(sentence);
    return sentence === "";
  }

  refuse(words) {
    this.complain(this.#refusal ?? visible(words));
  }
}

/** A password's letters count as they are: nothing is cut off at the ends. */
class PasswordField extends Field {
  get value() {
    return this.control.value;
  }
}

/** A box for a password with a button that shows it. A new one is told the rules. */
export function passwordField(name, words, { isNew = false, check = null, refusal = null } = {}) {
  const control = h("input", { type: "password", autocomplete: isNew ? "new-password" : "current-password", maxlength: "256", autocapitalize: "off", spellcheck: "false" });
  const button = h("button", { type: "button", class: "link reveal", "aria-pressed": "false", onclick: () => {
    const isShown = control.type === "text";
    control.type = isShown ? "password" : "text";
    button.setAttribute("aria-pressed", String(!isShown));
  } }, t("password.show"));
  const usual = isNew ? (value) => passwordProblem(value) : (value) => (value === "" ? t("signIn.noPassword") : "");
  return new PasswordField(name, words, control, {
    hint: isNew ? t("password.rule", PASSWORD_LENGTH) : "", check: check ?? usual, refusal: refusal ?? (isNew ? t("password.refused") : null),
    box: h("div", { class: "reveal-box" }, control, button),
  });
}

/** What is wrong with a new password, or "". */
export function passwordProblem(value) {
  const { length } = [...value];
  if (length === 0) return t("password.none");
  if (length < PASSWORD_LENGTH.min) return t("password.short", { min: PASSWORD_LENGTH.min, count: length });
  return length > PASSWORD_LENGTH.max ? t("password.long", PASSWORD_LENGTH) : "";
}

export function emailField(words, { value = "", hint = "", refusal = null } = {}) {
  const control = h("input", { type: "email", autocomplete: "off", maxlength: "254", value, autocapitalize: "off", spellcheck: "false" });
  const check = (address) => (address === "" ? t("signIn.noEmail") : control.checkValidity() ? "" : t("signIn.badEmail"));
  return new Field("email", words, control, { hint, check, refusal: refusal ?? t("signIn.badEmail") });
}

/** Checks all fields; the first with a complaint gets the focus. */
export function areRight(fields) {
  return focusFirst(fields.filter((field) => !field.isRight()));
}

/** Shows a refusal at the fields it is about; answers whether there were any. */
export function showRefusal(fields, error) {
  const refused = fields.filter((field) => {
    const detail = (error.details ?? []).find((entry) => entry.field === field.name);
    if (detail) field.refuse(detail.message);
    return detail && field.isVisible;
  });
  return !focusFirst(refused);
}

function focusFirst(fields) {
  fields[0]?.control.focus();
  return fields.length === 0;
}

/**
 * A form that sends once. `send()` runs when all fields are right; while it runs, the buttons wait. A refusal is shown at its
 * fields, or above the buttons in the words of `explain(error)`.
 */
export function form({ fields, submit, send, explain = errorText, content = [], more = null, danger = false }) {
  const problem = h("p", { class: "problem", role: "alert" });
  const button = h("button", { type: "submit", class: danger ? "danger" : "primary" }, submit);
  let busy = false;
  const element = h("form", { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    if (busy) return;
    put(problem);
    if (!areRight(fields)) return;
    setBusy(true);
    const refusal = await send().then(() => null, (error) => error);
    setBusy(false);
    // Without a session another window asks for it, and this one waits as it is.
    if (refusal === null || refusal.status === 401 || showRefusal(fields, refusal)) return;
    put(problem, icon("warning"), h("span", {}, explain(refusal)));
    button.focus();
  } }, content, fields.map((field) => field.element), problem, h("div", { class: "actions" }, button, more));
  // The boxes stay as they are: a disabled one would lose the focus.
  const setBusy = (is) => { busy = is; for (const entry of element.querySelectorAll(".actions button")) entry.disabled = is; };
  return element;
}
