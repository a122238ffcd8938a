/** A person's access tokens: what each may do, how long, and when it was used. */
import { h, put } from "../dom.js";
import { formatDate, visible } from "../format.js";
import { known, t } from "../texts.js";
import { createTokenDialog, deleteTokenDialog } from "./account-dialogs.js";

export class TokensPart {
  #context;
  #tokens;
  #plans;
  #title = h("h2", { id: "part-tokens", tabindex: "-1" }, t("tokens.title"));
  #list = h("div", {});

  constructor(context, tokens, plans) {
    this.#context = context;
    this.#tokens = tokens;
    this.#plans = plans;
    this.element = h("section", { class: "account-part", "data-part": "tokens", "aria-labelledby": "part-tokens" },
      this.#title, h("p", { class: "soft" }, t("tokens.help")), this.#list,
      h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => this.#create() }, t("tokens.create"))));
    this.#show();
  }

  async reload() {
    this.#tokens = await this.#context.client.tokens();
    this.#show();
  }

  #create() {
    createTokenDialog(this.#context.client, this.#plans, (token) => { this.#tokens = [token, ...this.#tokens]; this.#show(); });
  }

  #delete(token) {
    const { client, toast } = this.#context;
    deleteTokenDialog(token, async () => {
      await client.deleteToken(token.id).catch((error) => { if (error.status !== 404) throw error; });
    }, () => {
      this.#tokens = this.#tokens.filter((entry) => entry !== token);
      this.#show();
      this.#title.focus();
      toast.show(t("tokens.deleted", { name: visible(token.name) }));
    });
  }

  #show() {
    put(this.#list, this.#tokens.length === 0 ? h("p", { class: "soft" }, t("tokens.none")) : h("ul", { class: "rows" }, this.#tokens.map((token) => h("li", { "data-token": token.id },
      h("div", { class: "row-words" },
        h("p", {}, h("b", { dir: "auto" }, visible(token.name)), hasEnded(token) && h("span", { class: "state failed" }, t("tokens.ended"))),
        h("p", { class: "soft", dir: "auto" }, this.#about(token))),
      h("button", { type: "button", class: "quiet small", "aria-label": t("tokens.deleteOf", { name: visible(token.name) }), onclick: () => this.#delete(token) }, t("tokens.delete"))))));
  }

  #about(token) {
    const scopes = token.scopes.map((scope) => known(`tokens.scope.${scope}`) ?? visible(scope)).join(", ");
    const plan = token.planId ? visible(this.#plans.find(({ id }) => id === token.planId)?.name) || t("tokens.plan.gone") : t("tokens.plan.all");
    const used = token.lastUsedOn ? t("tokens.used", { date: formatDate(token.lastUsedOn) }) : t("tokens.unused");
    return [scopes, plan, t(hasEnded(token) ? "tokens.since" : "tokens.until", { date: formatDate(token.expiresAt) }), used].join(" · ");
  }
}

function hasEnded({ expiresAt }) {
  return Date.parse(expiresAt) <= Date.now();
}
