/**
 * Questions that need a window of their own. One answer is sent once: while it is on its way the buttons wait.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";
import { errorText } from "../errors.js";
import { randomKey } from "../advisor-client.js";
import { parts, t } from "../texts.js";

/** Asks for name and brand; `create(name, brandId, key)` makes the plan, `then()` is called when the window is closed. */
export function newPlanDialog(brands, create, then) {
  const name = h("input", { type: "text", required: true, maxlength: "120", autocomplete: "off" });
  const brand = h("select", { required: true }, brands.map((entry) => h("option", { value: entry.id }, visible(entry.name))));
  const key = randomKey();
  return dialog(t("newPlan.title"), t("newPlan.create"), [
    labelled(t("newPlan.name"), name),
    brands.length > 1 && labelled(t("newPlan.brand"), h("div", { class: "select" }, brand)),
    h("p", { class: "soft" }, t("newPlan.help")),
  ], () => create(name.value.trim(), brand.value, key), { then });
}

/** Asks for a plan's name and the month in which it opens; `describe(values)` gets what has changed. */
export function describeDialog({ name: before, openingMonth }, describe) {
  const name = h("input", { type: "text", required: true, maxlength: "120", autocomplete: "off", value: before });
  // Where a browser has no calendar for months this is a box for text, and the pattern says how it is written.
  const month = h("input", { type: "month", min: "2000-01", max: "2100-12", pattern: "\\d{4}-\\d{2}", title: t("rename.opening.bad"), autocomplete: "off", value: openingMonth ?? "" });
  const element = dialog(t("rename.title"), t("save"), [labelled(t("newPlan.name"), name), labelled(t("rename.opening"), month), h("p", { class: "soft" }, t("rename.opening.help"))], async () => {
    const values = { name: name.value.trim(), openingMonth: month.value || null };
    const changed = Object.entries(values).filter(([key, value]) => value !== ({ name: before, openingMonth: openingMonth ?? null })[key]);
    if (changed.length > 0) await describe(Object.fromEntries(changed));
  });
  name.select();
  return element;
}

/** Asks before a plan is gone for good. */
export function deleteDialog(name, remove, then) {
  return dialog(t("delete.title"), t("delete.button"), [
    h("p", {}, parts("delete.question", { name: h("b", { dir: "auto" }, name) })),
    h("p", { class: "soft" }, t("delete.help")),
  ], remove, { then, danger: true });
}

/** Asks for a scenario's name; `save(name)` stores it. */
export function nameScenarioDialog(title, current, save) {
  const name = h("input", { type: "text", required: true, maxlength: "60", autocomplete: "off", value: current });
  const element = dialog(title, t("save"), [labelled(t("scenarios.name"), name), h("p", { class: "soft" }, t("scenarios.name.help"))], () => save(name.value.trim()));
  name.select();
  return element;
}

export function deleteScenarioDialog(name, remove) {
  return dialog(t("scenarios.delete"), t("scenarios.delete.button"), [h("p", {}, parts("scenarios.delete.question", { name: h("b", { dir: "auto" }, name) }))], remove, { danger: true });
}

/** Why and how an administrator acts for `person`; `begin(reason, mode)` starts it. */
export function actForDialog(person, begin) {
  const reason = h("input", { type: "text", required: true, maxlength: "300", autocomplete: "off" });
  return dialog(t("actFor.title", { name: visible(person.displayName) }), t("actFor.begin"), [
    labelled(t("actFor.reason"), reason),
    h("fieldset", { class: "modes" }, h("legend", {}, t("actFor.what")),
      h("label", {}, h("input", { type: "radio", name: "mode", value: "read", checked: true }), h("span", {}, t("actFor.read"))),
      h("label", {}, h("input", { type: "radio", name: "mode", value: "edit" }), h("span", {}, t("actFor.edit")))),
    h("p", { class: "soft" }, t("actFor.help")),
  ], (form) => begin(reason.value.trim(), new FormData(form).get("mode")));
}

/** Asks before the words of a conversation are gone for good. */
export function eraseDialog(name, erase) {
  return dialog(t("erase.title"), t("erase.button"), [
    h("p", {}, parts("erase.question", { name: h("b", { dir: "auto" }, name) })),
    h("p", { class: "soft" }, t("delete.help")),
  ], erase, { danger: true });
}

/**
 * The session is over: signing in again leaves the page as it was. Single sign-on happens in a tab of its own, because it
 * would take what was typed with it; when that tab is done, this one goes on.
 */
export function signInAgainDialog(client, email, goOn, leave) {
  const password = h("input", { type: "password", required: true, autofocus: true, autocomplete: "current-password", maxlength: "256" });
  const secret = h("div", {}, labelled(t("signIn.password"), password));
  const single = h("div", {});
  const element = dialog(t("again.title"), t("signIn.button"), [
    h("p", {}, t("again.help")),
    labelled(t("signIn.email"), h("input", { type: "email", value: email, readonly: true, autocomplete: "username" })),
    secret, single,
    h("button", { type: "button", class: "link", onclick: () => { element.close(); leave(); } }, t("again.other")),
  ], async () => {
    try {
      await client.login(email, password.value);
    } catch (error) {
      password.value = "";
      throw error;
    }
    await goOn();
  }, { mustAnswer: true });
  offerSingleSignOn(client, { element, single, secret, password }, email, goOn).catch(() => {});
  return element;
}

async function offerSingleSignOn(client, { element, single, secret, password }, email, goOn) {
  const { password: hasPassword, oidc } = await client.signInMethods();
  if (!oidc) return;
  put(single, h("a", { class: "quiet wide button", "data-sso": true, target: "_blank", rel: "noopener", href: client.singleSignOnUrl("/?view=signed-in") }, t("again.single", { label: visible(oidc.label) })));
  if (!hasPassword) {
    secret.hidden = true;
    password.required = false;
    element.querySelector("[type=submit]").hidden = true;
  }
  const look = async () => {
    const session = document.hidden ? null : await client.me().catch(() => null);
    // Somebody else who signed in meanwhile does not get to see this.
    if (session?.user.email !== email || !element.open) return;
    element.close();
    await goOn();
  };
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
  element.addEventListener("close", () => { removeEventListener("focus", look); document.removeEventListener("visibilitychange", look); });
}

function labelled(words, control) {
  return h("label", {}, h("span", {}, words), control);
}

/**
 * A modal with one question; it stays open and shows the reason when `act` fails. `then` is called once it is closed after `act`.
 * One that must be answered has no way out.
 */
export function dialog(title, word, content, act, { then = () => {}, danger = false, mustAnswer = false } = {}) {
  const problem = h("p", { class: "problem", role: "alert" });
  let busy = false;
  const form = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    put(problem);
    try {
      await act(form);
      element.close();
      then();
    } catch (error) {
      problem.textContent = errorText(error);
    } finally {
      setBusy(false);
    }
  } }, h("h2", { id: "dialog-title" }, title), content, problem,
  h("div", { class: "actions" },
    h("button", { type: "submit", class: danger ? "danger" : "primary" }, word),
    !mustAnswer && h("button", { type: "button", class: "quiet", onclick: () => element.close() }, t("cancel"))));
  const setBusy = (is) => {
    busy = is;
    for (const button of form.querySelectorAll("button")) button.disabled = is;
  };
  const element = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => element.remove(), oncancel: (event) => (busy || mustAnswer) && event.preventDefault() }, form);
  document.body.append(element);
  element.showModal();
  return element;
}
