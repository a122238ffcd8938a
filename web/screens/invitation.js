/** What an invitation's link opens: what it is for, and the way to an account. Who is signed in already is told so. */
import { h, put } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { forgetToken, keptToken } from "../link-token.js";
import { known, t } from "../texts.js";
import { entryFrame } from "../views/entry.js";
import { Field, form, passwordField } from "../views/form.js";
import { showEnd } from "../views/link-end.js";

const LONGEST_NAME = 100;

export function invitationScreen(context) {
  const { client, session, restart } = context;
  const side = h("div", { class: "entry" });
  const element = entryFrame([h("h1", {}, t("invitation.title")), h("p", {}, t("invitation.what"))], side, restart);
  const gone = () => { forgetToken(); showEnd(side, t("invitation.gone"), t("invitation.gone.help")); };
  return {
    element,
    async go() {
      document.title = t("title.invitation");
      const token = keptToken();
      if (token === null) return showEnd(side, t("link.none"), t("link.none.help"));
      try {
        const [invitation, methods] = await Promise.all([client.lookAtInvitation(token), client.signInMethods().catch(() => null)]);
        put(side, about(invitation), session && here(session, invitation), ways(client, methods ?? { password: true, oidc: null }, invitation, async (name, password) => {
          try {
            await client.acceptInvitation(token, name, password);
          } catch (error) {
            if (error.status !== 404) throw error;
            return gone();
          }
          forgetToken();
          await restart({ path: "/", signedIn: true });
        }));
      } catch (error) {
        if (error.status !== 404 && error.status !== 400) throw error;
        gone();
      }
    },
  };
}

function about({ email, role, brandName, expiresAt }) {
  const lines = [["email", email], ["role", known(`role.${role}`) ?? role], ["brand", visible(brandName)], ["expires", formatTime(expiresAt)]];
  return h("dl", { class: "facts" }, lines.filter(([, value]) => value).map(([key, value]) => h("div", {}, h("dt", {}, t(`invitation.${key}`)), h("dd", { dir: "auto" }, value))));
}

function here(session, { email }) {
  return h("p", { class: "notice" }, t("invitation.here", { name: visible(session.user.displayName), email }));
}

/** By single sign-on, with a password, or either. */
function ways(client, methods, { email }, accept) {
  const label = visible(methods.oidc?.label);
  const single = methods.oidc && h("a", { class: "primary wide button", "data-sso": true, href: client.singleSignOnUrl("/") }, t("invitation.single", { label }));
  if (!methods.password) return [h("h2", {}, t("invitation.form")), h("p", { class: "soft" }, t("invitation.singleOnly", { label })), single];
  const name = new Field("displayName", t("invitation.name"), h("input", { type: "text", autocomplete: "name", maxlength: "200" }), {
    hint: t("invitation.name.hint"),
    check: (value) => (visible(value) === "" ? t("invitation.noName") : [...value].length > LONGEST_NAME ? t("invitation.longName", { max: LONGEST_NAME }) : ""),
  });
  const password = passwordField("password", t("invitation.password"), { isNew: true });
  return [
    h("h2", {}, t("invitation.form")),
    single && [single, h("p", { class: "or" }, t("invitation.orPassword"))],
    form({
      fields: [name, password], submit: t("invitation.accept"), send: () => accept(name.value, password.value),
      // For the browser's list of passwords.
      content: h("input", { type: "email", value: email, autocomplete: "username", readonly: true, hidden: true }),
    }),
  ];
}
