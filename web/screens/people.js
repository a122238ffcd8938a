/**
 * An administrator's first page: people, their plans and invitations. Viewing takes a click, impersonation a reason. A
 * franchisor sees who has joined its brand and who is invited, and no plan.
 */
import { h, icon, put, spoken } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { errorText } from "../errors.js";
import { follow, planPath } from "../router.js";
import { t } from "../texts.js";
import { actForDialog } from "../views/dialogs.js";
import { initials } from "../views/initials.js";
import { InvitationsPart } from "../views/invitations-part.js";
import { approveResetDialog, disableDialog, identitiesDialog, passwordResetDialog, removeDialog, roleDialog } from "../views/people-dialogs.js";
import { MembersPart } from "../brand/members.js";
import { TopBar, menu } from "../views/top-bar.js";

export function peopleScreen(context) {
  return context.session.user.role === "franchisor_admin" ? new BrandPeopleScreen(context) : new PeopleScreen(context);
}

class BrandPeopleScreen {
  #invitations;
  #members;

  constructor(context) {
    this.#invitations = new InvitationsPart(context, { ifNone: h("p", { class: "soft" }, t("invite.none")) });
    this.#members = new MembersPart(context);
    this.element = h("div", { class: "screen" }, new TopBar(context).element,
      h("main", { class: "page people-page" },
        h("header", { class: "page-head" }, h("h1", {}, t("invite.brandTitle")), this.#invitations.button),
        h("p", { class: "soft" }, t("invite.brandHelp")), this.#invitations.element, this.#members.element));
  }

  async go() {
    document.title = t("title.invitations");
    await Promise.all([this.#invitations.load(), this.#members.load()]);
  }
}

class PeopleScreen {
  #context;
  #people = [];
  #plans = [];
  #brands = [];
  #invitations;
  #list = h("ul", { class: "people-list" });
  #count = h("p", { class: "soft", role: "status" });
  #search = h("input", { type: "search", autocomplete: "off", placeholder: t("people.find"), "aria-label": t("people.find"), oninput: () => this.#show() });

  constructor(context) {
    this.#context = context;
    this.#invitations = new InvitationsPart(context);
    this.element = h("div", { class: "screen" }, new TopBar(context).element,
      h("main", { class: "page people-page" },
        h("header", { class: "page-head" }, h("h1", {}, t("people.title")), this.#search, this.#invitations.button),
        h("p", { class: "soft" }, t("people.help")), this.#invitations.element, this.#count, this.#list));
  }

  async go() {
    const { client, session } = this.#context;
    document.title = t("title.people");
    if (session.user.role !== "platform_admin") throw Object.assign(new Error(), { status: 403 });
    [this.#people, this.#plans, this.#brands] = await Promise.all([client.findUsers(), client.listPlans(), client.listBrands(), this.#invitations.load().catch((error) => this.#context.toast.show(errorText(error)))]);
    this.#show();
  }

  #plansOf(person) {
    return this.#plans.filter((plan) => plan.owner?.id === person.id);
  }

  #show() {
    const words = this.#search.value.trim().toLowerCase();
    const texts = (person) => [person.displayName, person.email, ...this.#plansOf(person).map((plan) => plan.name)].join("\n").toLowerCase();
    const found = this.#people.filter((person) => texts(person).includes(words));
    this.#count.textContent = t("people.count", { count: found.length });
    put(this.#list, found.map((person) => this.#row(person)));
  }

  #row(person) {
    const brand = this.#brands.find(({ id }) => id === person.brandId);
    const about = [visible(person.email), visible(brand?.name), person.lastSignInAt && t("manage.seen", { time: formatTime(person.lastSignInAt) })];
    return h("li", { "data-person": person.email },
      h("span", { class: "initials", "aria-hidden": "true" }, initials(person.displayName)),
      h("div", { class: "person-words" },
        h("p", {}, h("b", { dir: "auto" }, visible(person.displayName)), h("span", { class: "person-role" }, t(`role.${person.role}`)), person.disabled && h("span", { class: "state failed" }, t("manage.disabled"))),
        h("p", { class: "soft" }, about.filter(Boolean).join(" · ")),
        h("ul", { class: "plan-links" }, this.#plansOf(person).map((plan) => h("li", {},
          h("a", { href: planPath(plan.id), onclick: follow, dir: "auto" }, visible(plan.name) || t("plan.unnamed")),
          h("span", { class: "soft" }, t("people.changed", { time: formatTime(plan.updatedAt) })))))),
      person.role === "franchisee" && h("button", { type: "button", class: "quiet small act-for", onclick: () => this.#actFor(person) }, t("people.act")),
      this.#menu(person));
  }

  #actFor(person) {
    actForDialog(person, async (reason, mode) => {
      await this.#context.client.impersonate(person.id, reason, mode);
      await this.#context.restart({ path: "/" });
    });
  }

  /** Nobody takes rights from themselves here: their own account has a page. */
  #menu(person) {
    const { client, session } = this.#context;
    if (person.id === session.user.id) return null;
    const name = visible(person.displayName);
    const item = (key, act, className = "") => h("button", { type: "button", class: className, onclick: act }, t(`manage.${key}`));
    const element = menu(h("summary", { class: "tool" }, spoken(t("manage.menu", { name })), icon("more")), [
      item("role", () => roleDialog(person, this.#brands, (values) => this.#change(person, values, t("manage.role.saved", { name, role: t(`role.${values.role}`) })))),
      !person.disabled && item("reset", () => passwordResetDialog(client, person)),
      !person.disabled && item("approve", () => approveResetDialog(client, person, () => this.#context.toast.show(t("manage.approve.done", { name })))),
      item("identities", () => identitiesDialog(client, person, (sentence) => this.#context.toast.show(sentence)).catch((error) => this.#context.toast.show(errorText(error)))),
      person.disabled
        ? item("enable", () => this.#enable(person))
        : item("disable", () => disableDialog(person, () => this.#change(person, { disabled: true }, t("manage.disable.done", { name })))),
      item("remove", () => removeDialog(person, async (email) => { await client.removeUser(person.id, email); return () => this.#removed(person); }), "bad"),
    ]);
    // The last rows stand at the edge of the window, and what opens there would be below it.
    element.addEventListener("toggle", () => element.open && element.lastElementChild.scrollIntoView({ block: "nearest" }));
    return element;
  }

  async #enable(person) {
    const done = await this.#change(person, { disabled: false }, t("manage.enable.done", { name: visible(person.displayName) })).catch((error) => () => this.#context.toast.show(errorText(error)));
    done();
  }

  /** Answers what to do once no window is open any more: say it, and go on at the same person. */
  async #change({ id, email }, values, sentence) {
    const changed = await this.#context.client.updateUser(id, values);
    return () => {
      this.#people = this.#people.map((entry) => (entry.id === id ? { ...entry, ...changed } : entry));
      this.#show();
      this.#list.querySelector(`[data-person="${CSS.escape(email)}"] summary`)?.focus();
      this.#context.toast.show(sentence);
    };
  }

  #removed(person) {
    this.#people = this.#people.filter((entry) => entry !== person);
    this.#show();
    this.#search.focus();
    this.#context.toast.show(t("manage.remove.done", { name: visible(person.displayName) }));
  }
}
