/** The accounts at identity providers that sign a person in: whose they are, connecting and disconnecting. */
import { h, put } from "../dom.js";
import { formatDate, visible } from "../format.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";
import { formDialog } from "./form-dialog.js";
import { passwordField } from "./form.js";

const BACK = "/?view=account";

export class IdentitiesPart {
  #context;
  #account;
  #identities;
  #changed;
  #title = h("h2", { id: "part-single", tabindex: "-1" }, t("account.single"));
  #help = h("p", { class: "soft" });
  #list = h("div", {});
  element = null;

  /** `changed()` is called when other sessions have ended. Without single sign-on and identities there is nothing to see. */
  constructor(context, account, changed) {
    this.#context = context;
    this.#account = account;
    this.#identities = account.identities;
    this.#changed = changed;
    if (!account.oidc && account.identities.length === 0) return;
    this.element = h("section", { class: "account-part", "data-part": "single", "aria-labelledby": "part-single" }, this.#title, this.#help, this.#list);
    this.#show();
  }

  #show() {
    const { oidc } = this.#account;
    this.#help.textContent = t(this.#identities.length > 0 ? "account.single.here" : "account.single.help");
    put(this.#list,
      this.#identities.length > 0 && identityList(this.#identities, (identity) => this.#disconnect(identity)),
      oidc && h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => this.#connect(oidc) },
        t(this.#identities.length > 0 ? "account.single.another" : "account.single.connect", { label: visible(oidc.label) }))));
  }

  #connect({ label }) {
    const { client } = this.#context;
    const name = visible(label);
    proofDialog(this.#account, t("account.single.connect", { label: name }), {
      submit: t("account.single.go", { label: name }), help: t("account.single.connect.help", { label: name }),
      send: async (password) => {
        const { url } = await client.linkIdentity(BACK, password);
        return () => location.assign(url);
      },
    });
  }

  #disconnect(identity) {
    const { client, toast } = this.#context;
    const name = ownerOf(identity);
    proofDialog(this.#account, t("account.single.unlink.title", { name }), {
      submit: t("account.single.unlink"), danger: true, help: t("account.single.unlink.help"),
      send: async (password) => {
        await client.unlinkIdentity(identity.id, password).catch((error) => { if (error.status !== 404) throw error; });
        return () => {
          this.#identities = this.#identities.filter((entry) => entry !== identity);
          this.#show();
          this.#title.focus();
          this.#changed();
          toast.show(t("account.single.unlink.done", { name }));
        };
      },
    });
  }
}

/** Whose account at the provider it is, by what the provider tells. */
export function ownerOf({ email, name, subject }) {
  return visible(email) || visible(name) || visible(subject);
}

/** A row for each, with a button that calls `disconnect(identity)`. */
export function identityList(identities, disconnect) {
  return h("ul", { class: "rows" }, identities.map((identity) => {
    const { id, label, issuer, name, linkedBy, createdAt } = identity;
    const owner = ownerOf(identity);
    const about = [visible(label) || visible(issuer), visible(name) !== owner && visible(name), t(`account.single.by.${linkedBy === "email" ? "email" : "hand"}`, { date: formatDate(createdAt) })];
    return h("li", { "data-identity": id },
      h("div", { class: "row-words" }, h("p", {}, h("b", { dir: "auto" }, owner)), h("p", { class: "soft", dir: "auto" }, about.filter(Boolean).join(" · "))),
      h("button", { type: "button", class: "quiet small", "aria-label": t("account.single.unlinkOf", { name: owner }), onclick: () => disconnect(identity) }, t("account.single.unlink")));
  }));
}

/** Asks who has a password for it; `send(password)` does the rest. */
function proofDialog({ hasPassword }, title, { submit, help, danger = false, send }) {
  const password = passwordField("password", t("account.password.current"), { refusal: t("account.password.wrong") });
  formDialog(title, {
    fields: hasPassword ? [password] : [], submit, danger, content: h("p", { class: "soft" }, help),
    explain: (error) => (error.code === "FORBIDDEN" ? t("account.password.signInFirst") : error.code === "CONFLICT" ? t("account.single.unlink.last") : errorText(error)),
    send: () => send(hasPassword ? password.value : undefined),
  });
}
