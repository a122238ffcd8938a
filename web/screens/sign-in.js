/**
 * Sign-in: by password, by single sign-on where the server has it, or both. In demo mode the server names its demo people;
 * a click on one fills in nothing secret and signs in.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";
import { errorText } from "../errors.js";
import { known, t } from "../texts.js";
import { entryFrame } from "../views/entry.js";
import { initials } from "../views/initials.js";

/** `onSignedIn()` is called once the session stands; `notice` says why one is here, where that is not plain. */
export function signInScreen(client, onSignedIn, notice = null) {
  const problem = h("p", { class: "problem", role: "alert", id: "sign-in-problem" });
  const email = h("input", { type: "email", name: "email", autocomplete: "username", maxlength: "254", "aria-describedby": "sign-in-problem" });
  const password = h("input", { type: "password", name: "password", autocomplete: "current-password", maxlength: "256", "aria-describedby": "sign-in-problem" });
  const demo = h("div", { class: "demo" });
  const more = h("div", { class: "single-sign-on" });

  const complain = (sentence, box) => {
    for (const input of [email, password]) input.toggleAttribute("aria-invalid", false);
    box?.setAttribute("aria-invalid", "true");
    problem.textContent = sentence;
    box?.focus();
  };
  const signIn = async (address, secret) => {
    complain("");
    setBusy(view, true);
    try {
      await client.login(address, secret);
      await onSignedIn({ signedIn: true });
    } catch (error) {
      setBusy(view, false);
      password.value = "";
      complain(error.code === "UNAUTHENTICATED" ? t("signIn.wrong") : errorText(error), password);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    if (email.value.trim() === "") complain(t("signIn.noEmail"), email);
    else if (!email.checkValidity()) complain(t("signIn.badEmail"), email);
    else if (password.value === "") complain(t("signIn.noPassword"), password);
    else signIn(email.value.trim(), password.value);
  };
  const form = h("form", { class: "sign-in-form", novalidate: true, onsubmit: submit },
    h("label", {}, h("span", {}, t("signIn.email")), email),
    h("label", {}, h("span", {}, t("signIn.password")), password),
    problem,
    h("button", { type: "submit", class: "primary wide" }, t("signIn.button")),
    h("p", { class: "soft" }, t("signIn.forgot")));
  const view = entryFrame([h("h1", {}, t("signIn.title")), h("p", {}, t("signIn.what"))],
    [h("p", { class: "notice", tabindex: "-1" }, notice), more, form, demo], onSignedIn);
  // Not awaited: a password may be typed meanwhile, and is the way in where this cannot be had. Asked for once the form is on the page: on a busy
  // processor the module arrived first, and counted among what the first screen needs.
  requestAnimationFrame(() => import("../views/single-sign-on.js").then(({ showSingleSignOn }) => showSingleSignOn(client, more, form)).catch(() => {}));
  showDemoLogins(demo, signIn);
  return view;
}

async function showDemoLogins(place, signIn) {
  // Served in demo mode only; anywhere else there is nothing here, and nothing is what should be shown.
  const response = await fetch("/demo.json").catch(() => null);
  if (!response?.ok) return;
  const { logins, password } = await response.json();
  put(place,
    h("h2", {}, t("signIn.demo")),
    h("ul", {}, logins.map((login) => h("li", {},
      h("button", { type: "button", class: "person", "data-email": login.email, onclick: () => signIn(login.email, password) },
        h("span", { class: "initials", "aria-hidden": "true" }, initials(login.displayName)),
        h("span", { class: "person-words" },
          h("span", { class: "person-name" }, visible(login.displayName), h("span", { class: "person-role" }, known(`role.${login.role}`) ?? login.role)),
          h("span", { class: "person-note" }, known(`demo.${login.email}`) ?? visible(login.note))))))));
}

function setBusy(view, busy) {
  for (const control of view.querySelectorAll("button, input")) control.disabled = busy;
}
