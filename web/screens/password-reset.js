/** What a password reset's link opens: one box for the new password. */
import { h, put } from "../dom.js";
import { forgetToken, keptToken } from "../link-token.js";
import { t } from "../texts.js";
import { entryFrame } from "../views/entry.js";
import { form, passwordField } from "../views/form.js";
import { showEnd } from "../views/link-end.js";
import { stillSignsIn } from "../views/reset-notice.js";

export function passwordResetScreen({ client, restart, signedOut }) {
  const side = h("div", { class: "entry" });
  const element = entryFrame([h("h1", {}, t("reset.title")), h("p", {}, t("reset.what"))], side, restart);
  return {
    element,
    async go() {
      document.title = t("title.reset");
      const token = keptToken();
      if (token === null) return showEnd(side, t("link.none"), t("link.none.help"));
      const password = passwordField("next", t("reset.password"), { isNew: true });
      put(side, form({ fields: [password], submit: t("reset.save"), send: async () => {
        let remaining = null;
        try {
          remaining = await client.resetPassword(token, password.value);
        } catch (error) {
          // A refusal of the token itself is no fault of what was typed.
          if (error.status !== 404 && !error.details?.some((detail) => detail.field === "token")) throw error;
          forgetToken();
          return showEnd(side, t("reset.gone"), t("reset.gone.help"));
        }
        forgetToken();
        signedOut([t("reset.done"), stillSignsIn(remaining)].filter(Boolean).join(" "));
      } }));
    },
  };
}
