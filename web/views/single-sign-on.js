/** What single sign-on adds to the sign-in: the button, and why it did not work. Loaded while the sign-in stands already. */
import { h, icon } from "../dom.js";
import { visible } from "../format.js";
import { withNeeds } from "../needs.js";
import { known, t } from "../texts.js";
import { dialog } from "./dialogs.js";

/** Fills `place`; hides `form` where nobody has a password. */
export async function showSingleSignOn(client, place, form) {
  const code = takeProblem();
  const isSignIn = new URLSearchParams(location.search).get("view") === "sign-in";
  const next = isSignIn ? "/" : location.pathname + location.search;
  if (code !== null) {
    await withNeeds("account");
    place.append(h("p", { class: "problem", role: "alert" }, icon("warning"), h("span", {}, problemWords(code))));
  }
  const { password, oidc } = await client.signInMethods();
  if (!oidc) return;
  await withNeeds("account");
  place.append(h("a", { class: "quiet wide button", href: client.singleSignOnUrl(next), "data-sso": true }, t("single.signIn", { label: visible(oidc.label) })));
  if (password) place.append(h("p", { class: "or" }, t("single.or")));
  form.hidden = !password;
}

/** The code in the address, `?problem=<code>`, once: it is not said again after a reload. Null where there is none. */
export function takeProblem() {
  return take("problem");
}

/** What a sign-on has to say to who has come in, by its code; it must not be overlooked, and is not said again after a reload. */
export async function showNotice(code) {
  take("notice");
  await withNeeds("account");
  const words = known(`notice.${code}`);
  if (words) dialog(t("notice.title"), t("secret.done"), h("p", {}, words), async () => {}, { mustAnswer: true });
}

function take(name) {
  const query = new URLSearchParams(location.search);
  const code = query.get(name);
  if (code === null) return null;
  query.delete(name);
  const rest = query.toString();
  history.replaceState(null, "", location.pathname + (rest && `?${rest}`) + location.hash);
  return code;
}

/** What to do about a code; the words must be loaded. */
export function problemWords(code) {
  return known(`problem.${code}`) ?? t("problem.other");
}
