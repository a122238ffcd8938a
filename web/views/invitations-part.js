/** Invitations that nobody has accepted yet, and the way to a new one. */
import { h, put } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { errorText } from "../errors.js";
import { known, t } from "../texts.js";
import { deleteInvitationDialog, inviteAgainDialog, inviteDialog } from "./people-dialogs.js";

export class InvitationsPart {
  #context;
  #invitations = [];
  #list = h("div", {});
  button = h("button", { type: "button", class: "primary", onclick: () => this.#invite().catch((error) => this.#context.toast.show(errorText(error))) }, t("invite.open"));

  /** The button to invite stands where its page wants it. Where there is nothing to list, `ifNone` stands instead. */
  constructor(context, { ifNone = null } = {}) {
    this.#context = context;
    this.element = h("section", { class: "invitations", "aria-label": t("invite.list") }, this.#list);
    this.ifNone = ifNone;
  }

  async load() {
    this.#invitations = await this.#context.client.invitations();
    this.#show();
  }

  /** A platform administrator chooses role and brand, everybody else invites franchisees of their own brand. */
  async #invite() {
    const { client, session } = this.#context;
    const { role, brandId } = session.user;
    const choice = role === "platform_admin" ? { brands: await client.listBrands() } : { brandId };
    inviteDialog(client, choice, () => this.#reload());
  }

  #inviteAgain(invitation) {
    inviteAgainDialog(this.#context.client, invitation, () => {
      // The row is about to be replaced, and the focus with it.
      this.button.focus({ preventScroll: true });
      this.#reload();
    });
  }

  async #reload() {
    await this.load().catch((error) => this.#context.toast.show(errorText(error)));
  }

  #delete({ id, email }) {
    const { client, toast } = this.#context;
    const remove = () => client.deleteInvitation(id).catch((error) => { if (error.status !== 404) throw error; });
    deleteInvitationDialog(email, remove, async () => {
      await this.#reload();
      this.button.focus();
      toast.show(t("invite.deleted", { email }));
    });
  }

  #show() {
    put(this.#list, this.#invitations.length === 0 ? this.ifNone : [
      h("h2", {}, t("invite.title")), h("p", { class: "soft" }, t("invite.help")),
      h("ul", { class: "rows" }, this.#invitations.map((entry) => this.#row(entry))),
    ]);
  }

  #row(invitation) {
    const { id, email, role, brandName, invitedBy, expired, expiresAt } = invitation;
    const about = [known(`role.${role}`) ?? visible(role), visible(brandName), invitedBy && t("invite.by", { name: visible(invitedBy.displayName) }), !expired && t("invite.until", { time: formatTime(expiresAt) })];
    return h("li", { "data-invitation": id },
      h("div", { class: "row-words" },
        h("p", {}, h("b", {}, email), expired && h("span", { class: "state failed" }, t("invite.expired"))),
        h("p", { class: "soft", dir: "auto" }, about.filter(Boolean).join(" · "))),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "quiet small", "aria-label": t("invite.againOf", { email }), onclick: () => this.#inviteAgain(invitation) }, t("invite.again")),
        h("button", { type: "button", class: "quiet small", "aria-label": t("invite.deleteOf", { email }), onclick: () => this.#delete(invitation) }, t("invite.delete"))));
  }
}
