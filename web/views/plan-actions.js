/**
 * What is done to a plan as a whole, each in a window of its own. `desk` is `{context, workspace, chat, looksOnly}` and what changes what
 * it shows: `readPlans()`, `showPlans()`, `focusNext()`.
 */
import { visible } from "../format.js";
import { go, planPath } from "../router.js";
import { drafts } from "../storage.js";
import { t } from "../texts.js";
import { deleteDialog, describeDialog, eraseDialog, newPlanDialog } from "./dialogs.js";

export async function askForNewPlan({ context: { client }, readPlans, focusNext }) {
  const made = { id: null };
  newPlanDialog(await client.listBrands(), async (name, brandId, idempotencyKey) => {
    made.id = (await client.createPlan(name, brandId, { idempotencyKey })).id;
    await readPlans();
  }, () => { focusNext(); go(planPath(made.id)); });
}

export async function askToDescribe({ workspace, readPlans, showPlans }) {
  describeDialog({ ...workspace.plan, name: visible(workspace.plan.name) }, async (values) => {
    await workspace.describe(values);
    await readPlans();
    showPlans();
  });
}

export async function askToDelete({ context, workspace: { planId, plan } }) {
  deleteDialog(visible(plan.name), async () => {
    await context.client.deletePlan(planId);
    drafts.set(planId, "");
  }, () => { context.toast.show(t("delete.done")); context.restart({ path: "/" }); });
}

/** The one thing an administrator does to a plan without its owner's rights: what was said may have to go. */
export async function askToErase({ context: { client, toast }, workspace, chat, looksOnly }) {
  const { planId, plan } = workspace;
  eraseDialog(visible(plan.name), async () => {
    await (looksOnly ? client.eraseWordsOf(planId) : client.eraseWords(planId));
    // Done is done: where reading it again fails, the next look a few seconds later finds the same.
    await Promise.all([chat.forgetWords(), workspace.refresh()]).catch(() => {});
    toast.show(t("erase.done"));
  });
}
