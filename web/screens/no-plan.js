/** Nobody has made a plan here yet: what one is, and the way to the first. */
import { h } from "../dom.js";
import { errorText } from "../errors.js";
import { go, planPath } from "../router.js";
import { t } from "../texts.js";
import { newPlanDialog } from "../views/dialogs.js";
import { TopBar } from "../views/top-bar.js";

export function noPlanScreen(context) {
  const { client, session, toast } = context;
  const mayMake = session.effectiveUser.role === "franchisee" && session.impersonation?.mode !== "read";
  const make = async () => {
    const made = { id: null };
    newPlanDialog(await client.listBrands(), async (name, brandId, idempotencyKey) => {
      made.id = (await client.createPlan(name, brandId, { idempotencyKey })).id;
    }, () => go(planPath(made.id)));
  };
  const element = h("div", { class: "screen" }, new TopBar(context).element, h("main", { class: "page trouble" },
    h("h1", {}, t("noPlan.title")),
    h("p", {}, t("noPlan.help")),
    mayMake && h("button", { type: "button", class: "primary", onclick: () => make().catch((error) => toast.show(errorText(error))) }, t("noPlan.create"))));
  return { element, go: async () => {} };
}
