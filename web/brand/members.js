/** Who has joined a brand: name, role and since when; not their plans. */
import { h, put } from "../dom.js";
import { formatDate, visible } from "../format.js";
import { known, t } from "../texts.js";
import { initials } from "../views/initials.js";

export class MembersPart {
  #context;
  #list = h("div", {});

  constructor(context) {
    this.#context = context;
    this.element = h("section", { class: "members", "aria-labelledby": "members-title" }, h("h2", { id: "members-title" }, t("desk.members")), this.#list);
  }

  async load() {
    const { client, session } = this.#context;
    const { brandId, id } = session.user;
    if (!brandId) return;
    const members = await client.brandMembers(brandId);
    const others = members.filter((member) => member.id !== id);
    put(this.#list,
      h("p", { class: "soft" }, others.length === 0 ? t("desk.members.none") : t("desk.members.help")),
      h("ul", { class: "rows" }, members.map((member) => this.#row(member, member.id === id))));
  }

  #row({ id, displayName, role, joinedAt, invitedAs, disabled }, isOneself) {
    const about = [known(`role.${role}`) ?? visible(role), t("desk.member.since", { date: formatDate(joinedAt) }), visible(invitedAs)];
    return h("li", { "data-member": id },
      h("span", { class: "initials", "aria-hidden": "true" }, initials(displayName)),
      h("div", { class: "row-words" },
        h("p", {}, h("b", { dir: "auto" }, visible(displayName)), isOneself && h("span", { class: "person-role" }, t("source.you")), disabled && h("span", { class: "state failed" }, t("desk.member.disabled"))),
        h("p", { class: "soft", dir: "auto" }, about.filter(Boolean).join(" · "))));
  }
}
