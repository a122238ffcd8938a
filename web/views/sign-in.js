/**
 * Sign-in. In demo mode the server names its demo people; a click on one fills in nothing secret and signs in.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";
import { brandMark } from "./brand-mark.js";

const ROLES = { franchisee: "Franchisee", franchisor_admin: "Franchisor", platform_admin: "Administrator" };

/** `onSignedIn()` is called once the session stands. */
export function signInView(client, onSignedIn) {
  const problem = h("p", { class: "problem", role: "alert" });
  const email = h("input", { type: "email", name: "email", autocomplete: "username", required: true, maxlength: "254" });
  const password = h("input", { type: "password", name: "password", autocomplete: "current-password", required: true, maxlength: "256" });
  const demo = h("div", { class: "demo" });

  const signIn = async (address, secret) => {
    problem.textContent = "";
    setBusy(view, true);
    try {
      await client.login(address, secret);
      await onSignedIn();
    } catch (error) {
      problem.textContent = error.retryAfter ? `${error.message} Try again in ${error.retryAfter} seconds.` : error.message;
      setBusy(view, false);
      password.value = "";
      password.focus();
    }
  };
  const form = h("form", { class: "sign-in-form", onsubmit: (event) => { event.preventDefault(); signIn(email.value, password.value); } },
    h("label", {}, h("span", {}, "E-mail"), email),
    h("label", {}, h("span", {}, "Password"), password),
    problem,
    h("button", { type: "submit", class: "primary wide" }, "Sign in"));
  const view = h("main", { class: "sign-in" },
    h("div", { class: "sign-in-card" },
      h("div", { class: "sign-in-words" },
        brandMark(),
        h("h1", {}, "Say it. See what it does to your plan."),
        h("p", {}, "Talk through rent, sales, staff and loans in your own words. Every number you name goes into your plan exactly as you said it, and sixty months of projection follow.")),
      h("div", { class: "sign-in-side" }, form, demo)));
  showDemoLogins(demo, signIn);
  return view;
}

async function showDemoLogins(place, signIn) {
  // Served in demo mode only; anywhere else there is nothing here, and nothing is what should be shown.
  const response = await fetch("demo.json").catch(() => null);
  if (!response?.ok) return;
  const { logins, password } = await response.json();
  put(place,
    h("h2", {}, "Or step in as"),
    h("ul", {}, logins.map((login) => h("li", {},
      h("button", { type: "button", class: "person", "data-email": login.email, onclick: () => signIn(login.email, password) },
        h("span", { class: "initials", "aria-hidden": "true" }, initials(login.displayName)),
        h("span", { class: "person-words" },
          h("span", { class: "person-name" }, visible(login.displayName), h("span", { class: "person-role" }, ROLES[login.role] ?? login.role)),
          h("span", { class: "person-note" }, visible(login.note))))))));
}

export function initials(name) {
  return visible(name).split(/\s+/).slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase();
}

function setBusy(view, busy) {
  for (const control of view.querySelectorAll("button, input")) control.disabled = busy;
}
