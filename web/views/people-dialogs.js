/** What administrators do with people: invite, change a role, make a link for a new password, disable, remove. */
import { h, put } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { errorText } from "../errors.js";
import { t } from "../texts.js";
import { dialog } from "./dialogs.js";
import { formDialog, secretDialog } from "./form-dialog.js";
import { Field, emailField } from "./form.js";
import { identityList, ownerOf } from "./identities-part.js";

const ROLES = ["franchisee", "franchisor_admin", "platform_admin"];

/** Asks whom to invite; `invited(invitation)` is called once the server has it. Without `brands` only franchisees can be invited. */
export function inviteDialog(client, { brands = null, brandId = null }, invited) {
  const email = emailField(t("invite.email"), { hint: t("invite.email.hint") });
  const choice = brands && roleAndBrand(brands, "franchisee", brandId);
  formDialog(t(brands ? "invite.dialog" : "invite.dialogBrand"), {
    fields: [email, choice?.brand].filter(Boolean), submit: t("invite.button"),
    between: choice && { after: email, content: choice.roles },
    explain: (error) => (error.status === 409 ? t("invite.conflict") : errorText(error)),
    send: async () => {
      const invitation = await client.invite({ email: email.value, ...(choice ? choice.values() : { role: "franchisee", brandId }) });
      invited(invitation);
      return () => showInvitationLink(invitation);
    },
  });
}

/** The link, once. Nothing is mailed by the server, so a mail to send is offered. */
export function showInvitationLink({ email, url, expiresAt }) {
  const address = absolute(url);
  const time = formatTime(expiresAt);
  const mail = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(t("invite.mail.subject"))}&body=${encodeURIComponent(t("invite.mail.body", { url: address, time }))}`;
  secretDialog(t("invite.link", { email }), t("invite.link.help", { email, time }), t("invite.link.label"), address, h("a", { class: "quiet button", href: mail }, t("invite.mail")));
}

/** An invitation with a new link: the old one is deleted first, because an address is invited once. `invited()` is called before the link is shown. */
export function inviteAgainDialog(client, { id, email, role, brandId }, invited) {
  let link = null;
  dialog(t("invite.again.title", { email }), t("invite.again.button"), [h("p", {}, t("invite.again.help"))], async () => {
    await client.deleteInvitation(id).catch((error) => { if (error.status !== 404) throw error; });
    link = await client.invite(brandId ? { email, role, brandId } : { email, role });
  }, { then: () => { invited(); showInvitationLink(link); } });
}

export function deleteInvitationDialog(email, remove, then) {
  dialog(t("invite.delete.title"), t("invite.delete"), [h("p", {}, t("invite.delete.question", { email }))], remove, { then, danger: true });
}

/** `change({role, brandId})` does it. */
export function roleDialog(person, brands, change) {
  const { roles, brand, values } = roleAndBrand(brands, person.role, person.brandId);
  formDialog(t("manage.role.title", { name: visible(person.displayName) }), {
    fields: [brand], submit: t("save"), content: roles, explain: (error) => explain(error, person), send: () => change({ brandId: null, ...values() }),
  });
}

export function disableDialog(person, disable) {
  const name = visible(person.displayName);
  formDialog(t("manage.disable.title", { name }), {
    fields: [], submit: t("manage.disable.button"), danger: true, content: h("p", {}, t("manage.disable.help", { name })), explain: (error) => explain(error, person), send: disable,
  });
}

/** A link for a new password; it is shown once. */
export function passwordResetDialog(client, person) {
  const name = visible(person.displayName);
  formDialog(t("manage.reset.title", { name }), {
    fields: [], submit: t("manage.reset.button"), content: h("p", {}, t("manage.reset.help", { name })),
    explain: (error) => (error.code === "CONFLICT" ? t("manage.reset.disabled") : errorText(error)),
    send: async () => {
      const { url, expiresAt, needsApproval } = await client.createPasswordReset(person.id);
      return () => secretDialog(t("manage.reset.title", { name }), t("manage.reset.send", { email: person.email, time: formatTime(expiresAt) }), t("manage.reset.label"), absolute(url), needsApproval && h("p", {}, t("manage.reset.approval")));
    },
  });
}

/** The second administrator's yes to a link that another one has made for an administrator. */
export function approveResetDialog(client, person, approved) {
  const name = visible(person.displayName);
  formDialog(t("manage.approve.title", { name }), {
    fields: [], submit: t("manage.approve.button"), content: h("p", {}, t("manage.approve.help", { name })),
    explain: (error) => (error.status === 404 ? t("manage.approve.none") : error.code === "CONFLICT" ? t("manage.approve.own") : errorText(error)),
    send: async () => {
      await client.approvePasswordReset(person.id);
      return approved;
    },
  });
}

/** The accounts at identity providers that sign a person in; each can be removed. */
export async function identitiesDialog(client, person, removed) {
  const name = visible(person.displayName);
  let identities = await client.identitiesOf(person.id);
  const list = h("div", {});
  const show = () => put(list, identities.length === 0 ? h("p", { class: "soft" }, t("manage.identities.none", { name })) : identityList(identities, remove));
  const remove = async (identity) => {
    try {
      await client.unlinkIdentityOf(person.id, identity.id).catch((error) => { if (error.status !== 404) throw error; });
      identities = identities.filter((entry) => entry !== identity);
      removed(t("account.single.unlink.done", { name: ownerOf(identity) }));
    } catch (error) {
      removed(errorText(error));
    }
    show();
  };
  show();
  const element = dialog(t("manage.identities.title", { name }), t("manage.identities.close"), [h("p", { class: "soft" }, t("manage.identities.help")), list], async () => {});
  // There is nothing to cancel.
  element.querySelector(".actions button.quiet").remove();
}

/** Asks for the address once more; `remove(email)` does it. */
export function removeDialog(person, remove) {
  const { email } = person;
  const name = visible(person.displayName);
  const typed = new Field("email", t("manage.remove.email", { email }), h("input", { type: "email", autocomplete: "off", maxlength: "254" }), {
    check: (value) => (value.toLowerCase() === email.toLowerCase() ? "" : t("data.delete.otherEmail", { email })),
  });
  formDialog(t("manage.remove.title", { name }), {
    fields: [typed], submit: t("manage.remove.button"), danger: true, content: h("p", {}, t("manage.remove.help")), explain: (error) => explain(error, person), send: () => remove(typed.value),
  });
}

function explain(error, person) {
  if (error.code === "TURN_IN_PROGRESS") return t("manage.running");
  return error.code === "CONFLICT" ? t("manage.last", { name: visible(person.displayName) }) : errorText(error);
}

/** Roles with a sentence each, and the brand where the role may or must have one. */
function roleAndBrand(brands, role, brandId) {
  const none = h("option", { value: "" });
  const control = h("select", {}, none, brands.map((entry) => h("option", { value: entry.id, selected: entry.id === brandId }, visible(entry.name))));
  const chosen = () => roles.querySelector("input:checked").value;
  const brand = new Field("brandId", t("invite.brand"), control, {
    box: h("div", { class: "select" }, control), check: (value) => (chosen() === "franchisor_admin" && value === "" ? t("invite.brand.missing") : ""),
  });
  const fit = () => {
    put(none, t(chosen() === "franchisor_admin" ? "invite.brand.choose" : "invite.brand.none"));
    brand.element.hidden = chosen() === "platform_admin";
    brand.complain("");
  };
  const roles = h("fieldset", { class: "choices", onchange: fit }, h("legend", {}, t("invite.role")), ROLES.map((key) => h("label", {},
    h("input", { type: "radio", name: "role", value: key, checked: key === role, "aria-labelledby": `role-${key}`, "aria-describedby": `role-${key}-help` }),
    h("span", {}, h("b", { id: `role-${key}` }, t(`role.${key}`)), h("span", { class: "soft", id: `role-${key}-help` }, t(`invite.role.${key}`))))));
  fit();
  return { roles, brand, values: () => (brand.isVisible && brand.value !== "" ? { role: chosen(), brandId: brand.value } : { role: chosen() }) };
}

/** Without an address of its own the server names a path of this one. */
function absolute(url) {
  return new URL(url, location.href).href;
}
