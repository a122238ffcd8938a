/**
 * Where the page begins: who is here, what may they see, which plan is open.
 */
import { AdvisorClient } from "./advisor-client.js";
import { h, put } from "./dom.js";
import { visible } from "./format.js";
import { Workspace } from "./workspace.js";
import { adminBar } from "./views/admin-bar.js";
import { brandView } from "./views/brand-view.js";
import { ChatView } from "./views/chat.js";
import { actForDialog, newPlanDialog } from "./views/dialogs.js";
import { OutcomePanel } from "./views/outcome.js";
import { PlanPanel } from "./views/plan-panel.js";
import { promptsView } from "./views/prompts-view.js";
import { signInView } from "./views/sign-in.js";
import { Toast } from "./views/toast.js";
import { TopBar } from "./views/top-bar.js";
import { viewSwitch } from "./views/view-switch.js";

const client = new AdvisorClient();
const root = document.getElementById("app");
const toast = new Toast();
document.body.append(toast.element);
let closeScreen = () => {};

document.addEventListener("signed-out", () => {
  showSignIn();
  toast.show("Your session has ended. Please sign in again.");
});
begin();

/** Asks who is signed in and shows what is theirs. Also after every change of identity. */
async function begin() {
  closeScreen();
  try {
    const session = await client.me();
    if (session === null) return showSignIn();
    if (session.effectiveUser.role === "franchisor_admin") return await showBrand(session);
    await showPlans(session);
  } catch (error) {
    showTrouble(error);
  }
}

function showSignIn() {
  closeScreen();
  document.title = "Sign in · Plan Advisor";
  put(root, signInView(client, begin));
}

/** The page itself could not be put together: say so, and offer the one thing that may help. */
function showTrouble(error) {
  put(root, h("main", { class: "page trouble" },
    h("h1", {}, "The page could not be loaded"),
    h("p", {}, error.message),
    error.requestId && h("p", { class: "soft" }, `Request ${visible(error.requestId)}`),
    h("button", { type: "button", class: "primary", onclick: begin }, "Try again")));
}

async function showBrand(session) {
  const bar = new TopBar(session, { onSignOut: signOut });
  document.title = "Brand · Plan Advisor";
  put(root, bar.element, session.user.brandId
    ? await brandView(client, session.user.brandId)
    : h("main", { class: "page" }, h("h1", {}, "No brand"), h("p", {}, "Your account is not linked to a brand yet.")));
}

async function showPlans(session) {
  const isAdmin = session.user.role === "platform_admin";
  const acting = session.impersonation;
  const workspace = new Workspace(client, {
    readOnly: acting?.mode === "read",
    firstName: visible(session.effectiveUser.displayName).split(/\s+/)[0],
  });
  const notify = (sentence, undo) => toast.show(sentence, undo);
  const chat = new ChatView(workspace, client, notify);
  const plan = new PlanPanel(workspace, notify);
  const outcome = new OutcomePanel(workspace, client);
  const bar = new TopBar(session, {
    onChoose: (planId) => open(planId).catch(tell),
    onNewPlan: workspace.readOnly ? null : () => askForNewPlan().catch(tell),
    onSignOut: signOut,
    onActFor: isAdmin && !acting ? () => actForDialog((email) => client.findUsers(email), async (...who) => { await client.impersonate(...who); await begin(); }) : null,
    onPrompts: isAdmin && !acting ? showPrompts : null,
  });
  const desk = h("main", { class: "desk" }, h("h1", { class: "spoken" }, "Your plan with the advisor"), plan.element, chat.element, outcome.element);
  chat.element.addEventListener("model-changed", async () => bar.showModel(await client.status().catch(() => null)));
  const views = viewSwitch(desk, workspace);
  const screen = [acting && adminBar(session, async () => { await client.endImpersonation(); await begin(); }), bar.element, desk, views];
  closeScreen = () => chat.close();

  const show = (...content) => put(root, h("div", { class: "screen" }, content));
  const tell = (error) => (error.status === 401 ? document.dispatchEvent(new Event("signed-out")) : toast.show(error.message));

  async function open(planId) {
    delete desk.dataset.plan;
    await workspace.open(planId);
    document.title = `${visible(workspace.plan.name)} · Plan Advisor`;
    await chat.open();
    desk.dataset.plan = planId;
    // Where the user was last is a convenience: failing to note it is no reason to fail.
    if (!workspace.readOnly) client.setActivePlan(planId).catch(() => {});
  }

  async function askForNewPlan() {
    newPlanDialog(await client.listBrands(), async (name, brandId) => {
      const { id } = await client.createPlan(name, brandId);
      show(screen);
      bar.showPlans(await client.listPlans(), id, { ofOthers: isAdmin && !acting });
      await open(id);
      chat.focus();
    });
  }

  function showPrompts() {
    show(bar.element, promptsView(client, () => show(screen)));
  }

  const [plans, active, status] = await Promise.all([client.listPlans(), client.activePlan().catch(() => null), client.status().catch(() => null)]);
  const first = plans.find((entry) => entry.id === active) ?? plans[0];
  bar.showModel(status);
  bar.showPlans(plans, first?.id, { ofOthers: isAdmin && !acting });
  if (!first) return show(acting && screen[0], bar.element, noPlanYet(workspace.readOnly ? null : () => askForNewPlan().catch(tell)));
  show(screen);
  await open(first.id);
}

function noPlanYet(onNewPlan) {
  return h("main", { class: "page trouble" },
    h("h1", {}, "No plan yet"),
    h("p", {}, "A plan holds your numbers, the conversation about them, and the projection that follows."),
    onNewPlan && h("button", { type: "button", class: "primary", onclick: onNewPlan }, "Make the first one"));
}

async function signOut() {
  try {
    await client.logout();
  } catch (error) {
    // Already gone is as good as signed out; anything else the user should know.
    if (error.status !== 401) return toast.show(error.message);
  }
  showSignIn();
}
