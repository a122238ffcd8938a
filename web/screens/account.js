/** A person's own account: password, single sign-on, where they are signed in, access tokens, and their data. */
import { h, icon, put } from "../dom.js";
import { formatDate, visible } from "../format.js";
import { errorText } from "../errors.js";
import { known, t } from "../texts.js";
import { deleteAccountDialog } from "../views/account-dialogs.js";
import { assistantPart } from "../views/assistant-part.js";
import { form, passwordField } from "../views/form.js";
import { stillSignsIn } from "../views/reset-notice.js";
import { problemWords, takeProblem } from "../views/single-sign-on.js";
import { IdentitiesPart } from "../views/identities-part.js";
import { SessionsPart } from "../views/sessions-part.js";
import { TokensPart } from "../views/tokens-part.js";
import { TopBar } from "../views/top-bar.js";

export function accountScreen(context) {
  const { client, session, restart, toast } = context;
  const page = h("main", { class: "page account-page" });
  const element = h("div", { class: "screen" }, new TopBar(context).element, page);
  return {
    element,
    async go() {
      document.title = t("title.account");
      const problem = takeProblem();
      if (session.impersonation) return put(page, closed(context));
      const [account, sessions, tokens, plans, methods, identities] = await Promise.all([client.account(), client.sessions(), client.tokens(), client.listPlans().catch(() => []), client.signInMethods().catch(() => null), client.identities()]);
      // Nobody is asked for a password that the server would not take.
      const hasPassword = account.hasPassword && methods?.password !== false;
      const sessionsPart = new SessionsPart(context, sessions);
      const tokensPart = new TokensPart(context, tokens, plans);
      const again = () => restart().catch((error) => toast.show(errorText(error)));
      put(page,
        h("h1", {}, t("account.title")), h("p", { class: "problem", role: "alert" }, problem !== null && [icon("warning"), h("span", {}, problemWords(problem))]),
        who(account), methods?.password !== false && passwordPart(context, account, () => Promise.all([sessionsPart.reload(), tokensPart.reload()]).catch(() => {}), again), new IdentitiesPart(context, { ...account, hasPassword, identities }, () => sessionsPart.reload().catch(() => {})).element, sessionsPart.element, tokensPart.element, assistantPart(account.mcp), dataPart(context, account));
    },
  };
}

function closed({ client, session, restart, toast }) {
  const stop = async () => { await client.endImpersonation(); await restart(); };
  return [h("h1", {}, t("account.title")), h("p", {}, t("account.acting", { name: visible(session.effectiveUser.displayName) })),
    h("div", { class: "actions" }, h("button", { type: "button", class: "primary", onclick: () => stop().catch((error) => toast.show(errorText(error))) }, t("account.stop")))];
}

function who({ user, createdAt }) {
  const lines = [["name", visible(user.displayName)], ["email", user.email], ["role", known(`role.${user.role}`) ?? user.role], ["since", formatDate(createdAt)]];
  return h("dl", { class: "facts" }, lines.map(([key, value]) => h("div", {}, h("dt", {}, t(`account.${key}`)), h("dd", { dir: "auto" }, value))));
}

/** `saved()` is called when other sessions have ended, `again()` when the account is another one than before. */
function passwordPart({ client, toast }, { user, hasPassword }, saved, again) {
  const current = passwordField("current", t("account.password.current"), { refusal: t(hasPassword ? "account.password.wrong" : "account.password.signInFirst") });
  const next = passwordField("next", t("account.password.next"), { isNew: true });
  current.element.hidden = !hasPassword;
  const element = form({
    fields: [current, next], submit: t(hasPassword ? "account.password.change" : "account.password.set"),
    explain: (error) => (!hasPassword && error.details?.some(({ field }) => field === "current") ? t("account.password.signInFirst") : errorText(error)),
    content: h("input", { type: "email", value: user.email, autocomplete: "username", readonly: true, hidden: true }),
    send: async () => {
      const remaining = await client.changePassword(hasPassword ? current.value : "", next.value);
      for (const field of [current, next]) { field.control.value = ""; field.control.type = "password"; field.complain(""); }
      // Drawn anew before it is said: a screen that goes takes its messages along.
      await (hasPassword ? saved() : again());
      toast.show([t("account.password.saved"), stillSignsIn(remaining)].filter(Boolean).join(" "));
    },
  });
  return part("password", t("account.password"), t(hasPassword ? "account.password.help" : "account.password.none"), element);
}

function dataPart(context, account) {
  return part("data", t("data.title"), t("data.help"), h("div", { class: "actions" },
    h("a", { class: "quiet button", href: context.client.exportUrl(), download: true }, icon("down"), t("data.download")),
    h("button", { type: "button", class: "quiet bad", onclick: () => deleteAccountDialog(context, account) }, t("data.delete"))));
}

function part(name, title, help, ...content) {
  return h("section", { class: "account-part", "data-part": name, "aria-labelledby": `part-${name}` }, h("h2", { id: `part-${name}` }, title), h("p", { class: "soft" }, help), content);
}
