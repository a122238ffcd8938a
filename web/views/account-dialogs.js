/** The questions of the account page: making and deleting a token, and deleting the account. */
import { h } from "../dom.js";
import { formatDate, visible } from "../format.js";
import { errorText } from "../errors.js";
import { parts, t } from "../texts.js";
import { formDialog, secretDialog } from "./form-dialog.js";
import { dialog } from "./dialogs.js";
import { Field, passwordField } from "./form.js";

const LONGEST_NAME = 60;
const SCOPES = ["read", "chat", "write"];
const DAYS = [7, 30, 90, 180, 365];
const USUAL_DAYS = 90;
const DAY_MS = 86_400_000;

/** `made(token)` is called with the new token, without its secret. */
export function createTokenDialog(client, plans, made) {
  const name = new Field("name", t("tokens.name"), h("input", { type: "text", autocomplete: "off", maxlength: "200" }), {
    hint: t("tokens.name.hint"),
    check: (value) => (visible(value) === "" ? t("tokens.noName") : [...value].length > LONGEST_NAME ? t("tokens.longName", { max: LONGEST_NAME }) : ""),
  });
  const boxes = SCOPES.map((scope) => h("input", { type: "checkbox", value: scope, checked: scope === "read", disabled: scope === "read", "aria-labelledby": `scope-${scope}`, "aria-describedby": `scope-${scope}-help` }));
  const plan = select("planId", t("tokens.plan"), [["", t("tokens.plan.all")], ...plans.map((entry) => [entry.id, visible(entry.name) || t("plan.unnamed")])], "");
  const days = select("expiresInDays", t("tokens.expires"), DAYS.map((count) => [String(count), t("tokens.days", { count, date: formatDate(new Date(Date.now() + count * DAY_MS).toISOString()) })]), String(USUAL_DAYS));
  const password = passwordField("password", t("tokens.password"), { check: () => "" });
  formDialog(t("tokens.create.button"), {
    fields: [name, plan, days, password], submit: t("tokens.create.button"),
    between: { after: name, content: h("fieldset", { class: "choices" }, h("legend", {}, t("tokens.scopes")), boxes.map((box) =>
      h("label", {}, box, h("span", {}, h("b", { id: `scope-${box.value}` }, t(`tokens.scope.${box.value}`)), h("span", { class: "soft", id: `scope-${box.value}-help` }, t(`tokens.scope.${box.value}.help`)))))) },
    explain: (error) => (error.status === 409 ? t("tokens.full") : error.code === "FORBIDDEN" ? t("tokens.signInFirst") : errorText(error)),
    send: async () => {
      const values = { name: name.value, scopes: boxes.filter((box) => box.checked).map((box) => box.value), expiresInDays: Number(days.value) };
      if (password.value !== "") values.password = password.value;
      const { secret, ...token } = await client.createToken(plan.value === "" ? values : { ...values, planId: plan.value });
      made(token);
      return () => secretDialog(t("tokens.secret"), t("tokens.secret.help"), t("tokens.secret.label"), secret);
    },
  });
}

export function deleteTokenDialog(token, remove, then) {
  dialog(t("tokens.delete.title"), t("tokens.delete"), [h("p", {}, parts("tokens.delete.question", { name: h("b", { dir: "auto" }, visible(token.name)) }))], remove, { then, danger: true });
}

/** Asks for the password, or for the email of who has none. */
export function deleteAccountDialog({ client, signedOut }, { user, hasPassword }) {
  const email = user.email;
  const proof = hasPassword
    ? passwordField("password", t("data.delete.password"), { refusal: t("data.delete.wrong") })
    : new Field("email", t("data.delete.email", { email }), h("input", { type: "email", autocomplete: "off", maxlength: "254" }), {
      check: (value) => (value.toLowerCase() === email.toLowerCase() ? "" : t("data.delete.otherEmail", { email })), refusal: t("data.delete.otherEmail", { email }),
    });
  formDialog(t("data.delete.title"), {
    fields: [proof], submit: t("data.delete.button"), danger: true,
    content: ["goes", "stays", "first"].map((key) => h("p", { class: key === "goes" ? "" : "soft" }, t(`data.delete.${key}`))),
    explain: (error) => (error.code === "CONFLICT" ? t("data.delete.last") : error.code === "FORBIDDEN" ? t("data.delete.signInFirst") : errorText(error)),
    send: async () => {
      await client.deleteAccount(hasPassword ? { password: proof.value } : { email });
      return () => signedOut(t("data.delete.done"));
    },
  });
}

function select(name, words, options, chosen) {
  const control = h("select", {}, options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
  return new Field(name, words, control, { box: h("div", { class: "select" }, control) });
}
