/**
 * Where the page begins: who is here, what the address names, and the screen for it. Screens other than the sign-in and a plan's
 * conversation are loaded when they are needed.
 */
import { AdvisorClient } from "./advisor-client.js";
import { h, put } from "./dom.js";
import { errorText } from "./errors.js";
import { firstLook } from "./first-look.js";
import { visible } from "./format.js";
import { takeToken } from "./link-token.js";
import { withNeeds } from "./needs.js";
import { currentRoute, go, planPath, viewPath } from "./router.js";
import { forgetAll, rememberFor } from "./storage.js";
import { loadAllTexts, startLanguage, t } from "./texts.js";
import { deskScreen } from "./screens/desk.js";
import { signInScreen } from "./screens/sign-in.js";
import { Toast } from "./views/toast.js";
import { VIEWS } from "./views/view-switch.js";

const SCREENS = {
  desk: async () => deskScreen,
  print: async () => (await withNeeds("paper", import("./screens/print.js"))).printScreen,
  story: async () => (await withNeeds("paper", import("./screens/story.js"))).storyScreen,
  scenarios: async () => (await withNeeds("scenarios", import("./screens/scenarios.js"))).scenariosScreen,
  glossary: async () => (await import("./screens/glossary.js")).glossaryScreen,
  people: async () => (await withNeeds("brand", withNeeds("account", import("./screens/people.js")))).peopleScreen,
  account: async () => (await withNeeds("account", import("./screens/account.js"))).accountScreen,
  invitation: async () => (await withNeeds("account", import("./screens/invitation.js"))).invitationScreen,
  "password-reset": async () => (await withNeeds("account", import("./screens/password-reset.js"))).passwordResetScreen,
  "signed-in": async () => (await withNeeds("account", import("./screens/signed-in.js"))).signedInScreen,
  prompts: async () => (await import("./screens/prompts.js")).promptsScreen,
  brand: async () => (await withNeeds("brand", import("./screens/brand.js"))).brandScreen,
  none: async () => (await import("./screens/no-plan.js")).noPlanScreen,
  nowhere: async () => (await import("./screens/nowhere.js")).nowhereScreen,
};

/** Those of a plan, beside the desk. Where no plan is named it is the one that was open last. */
const OF_PLAN = ["print", "story", "scenarios", "glossary"];

/** These need no session; who has one may see them, too. */
const OPEN = ["invitation", "password-reset"];

const root = document.getElementById("app");
const toast = new Toast();
const client = new AdvisorClient({ onUnauthenticated: () => sessionOver() });
let session = null;
let current = null;
/** The address of what is shown. */
let place = "";
let showing = 0;
let asking = false;
let isLoading = false;
/** The first look at the plan of the address, where it has been asked for. */
let first = null;

begin();

async function begin() {
  takeToken();
  lookAhead();
  await startLanguage();
  document.body.append(toast.element);
  addEventListener("popstate", show);
  addEventListener("route", show);
  document.addEventListener("keydown", showKeys);
  await restart();
}

/** "?" where nothing is typed. */
async function showKeys(event) {
  if (event.key !== "?" || event.defaultPrevented || event.target.closest?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const [{ keysDialog }] = await withNeeds("panels", Promise.all([import("./views/keys.js"), loadAllTexts()]));
  keysDialog();
}

/** A plan is on its way while we ask who is here: most people want to see one. */
function lookAhead() {
  const { planId, view } = currentRoute();
  first = planId && screenOf({ planId, view }) === "desk" ? firstLook(client, planId) : null;
}

/**
 * Asks who is signed in and shows what is theirs. Also after every change of identity or language. Where somebody has just signed
 * in (`signedIn`), no session means that the browser did not keep its cookie.
 */
async function restart({ path = null, signedIn = false } = {}) {
  leave();
  if (path) history.replaceState(null, "", path);
  if (!first) lookAhead();
  const notice = new URLSearchParams(location.search).get("notice");
  try {
    session = await (first?.me ?? client.me());
    if (session) rememberFor(session.effectiveUser.id, session.user.id);
    else if (signedIn) return showSignIn(t("signIn.notKept"));
    await tellOfReset();
    await show();
    if (session && notice !== null) (await import("./views/single-sign-on.js")).showNotice(notice);
  } catch (error) {
    trouble(error);
  }
}

const recoveryPart = () => withNeeds("account", import("./views/reset-notice.js"));

async function tellOfReset() {
  document.querySelector("[data-part=reset-notice]")?.remove();
  if (!session?.passwordReset) return;
  const notice = (await recoveryPart()).resetNotice(session);
  if (notice) root.before(notice);
}

async function show(event) {
  const token = (showing += 1);
  takeToken();
  const asked = currentRoute();
  if (session === null && !OPEN.includes(asked.view)) return showSignIn();
  try {
    const route = await resolve(asked);
    if (token !== showing || !(await mayGo(route, event, token)) || token !== showing) return;
    if (current?.takes?.(route)) return await current.go(route);
    if (screenOf(route) !== "desk") await withNeeds("panels", loadAllTexts());
    const make = await SCREENS[screenOf(route)]();
    if (token !== showing) return;
    leave();
    current = make({ client, session, toast, restart, signOut, signedOut, trouble, actsFor: Boolean(session?.impersonation), firstLook: first });
    first = null;
    put(root, current.element);
    document.title = t("title.app");
    isLoading = true;
    await current.go(route);
  } catch (error) {
    if (token === showing && error.status !== 401) trouble(error);
  } finally {
    if (token === showing) isLoading = false;
  }
}

/** A screen with something that is not stored asks before it is left; where one stays, so does the address. */
async function mayGo(route, event, token) {
  const address = location.pathname + location.search + location.hash;
  if (current?.isEdited && !current.takes(route) && !(await current.mayLeave())) {
    if (token === showing && event?.type === "popstate") history.pushState(null, "", place);
    else if (token === showing) history.back();
    return false;
  }
  place = address;
  return true;
}

/** What an address without a plan means for who is here. */
async function resolve(route) {
  if (OPEN.includes(route.view)) return route;
  if (route.view === "sign-in") return resolve(signedInAlready());
  const { role } = session.effectiveUser;
  const { view } = route;
  if (route.planId || (view && !OF_PLAN.includes(view))) return route;
  if (role !== "franchisee") return { ...route, view: view ? "nowhere" : role === "franchisor_admin" ? "brand" : "people" };
  const [plans, active] = await Promise.all(client.together(() => [client.listPlans(), client.activePlan().catch(() => null)]));
  const plan = plans.find((entry) => entry.id === active) ?? plans[0];
  if (!plan) return { ...route, view: "none" };
  history.replaceState(null, "", planPath(plan.id, view));
  return currentRoute();
}

/** Single sign-on may send somebody who is signed in to the sign-in: what went wrong then was about their account. */
function signedInAlready() {
  const problem = new URLSearchParams(location.search).get("problem");
  history.replaceState(null, "", problem ? `${viewPath("account")}&problem=${encodeURIComponent(problem)}` : "/");
  return currentRoute();
}

function screenOf({ planId, view }) {
  if (planId) return VIEWS.includes(view) ? "desk" : OF_PLAN.includes(view) ? view : "nowhere";
  return Object.hasOwn(SCREENS, view) && view !== "desk" ? view : "nowhere";
}

function showSignIn(notice = null) {
  // What is on its way to the screen was asked for with a session.
  showing += 1;
  isLoading = false;
  leave();
  document.title = t("title.signIn");
  put(root, signInScreen(client, restart, notice));
  if (notice) root.querySelector(".notice").focus();
}

function leave() {
  current?.close?.();
  current = null;
  toast.hide();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/** Something could not be shown: say what, and offer the ways that may help. */
function trouble(error) {
  leave();
  const isGone = error.status === 404 || error.status === 403;
  document.title = t("title.app");
  put(root, h("main", { class: "page trouble" },
    h("h1", {}, t(isGone ? "trouble.gone" : "trouble.title")),
    h("p", {}, isGone ? t("trouble.gone.help") : errorText(error)),
    error.requestId && !isGone && h("p", { class: "soft" }, t("trouble.request", { id: visible(error.requestId) })),
    h("div", { class: "actions" },
      h("button", { type: "button", class: "primary", onclick: () => (isGone ? go(viewPath("")) : restart()) }, t(isGone ? "trouble.home" : "trouble.again")))));
}

/** The session has ended while something was open: sign in again in its place, and everything typed is still there. */
async function sessionOver() {
  if (asking || session === null) return;
  if (!current || isLoading) {
    session = null;
    return showSignIn();
  }
  asking = true;
  const ended = session;
  const { signInAgainDialog } = await import("./views/dialogs.js");
  // A request that was under way when somebody signed out is refused, too: by then no session is left to go on with.
  if (session !== ended) {
    asking = false;
    return;
  }
  const { email } = session.user;
  const wasActing = session.impersonation !== null;
  const goOn = async () => {
    asking = false;
    // Impersonation ends with its session.
    if (wasActing) await restart({ path: "/" });
  };
  signInAgainDialog(client, email, goOn, () => { asking = false; session = null; showSignIn(); });
}

async function signOut({ everywhere = false } = {}) {
  if (current?.isEdited && !(await current.mayLeave({ endsSession: true }))) return;
  let elsewhere = null;
  try {
    elsewhere = await (everywhere ? client.logoutEverywhere() : client.logout());
  } catch (error) {
    // Already gone is as good as signed out, here; anything else the user should know.
    if (error.status !== 401) return toast.show(errorText(error));
    elsewhere = everywhere ? { only: "here" } : null;
  }
  // The provider of the single sign-on ends its own session, and comes back here.
  if (elsewhere?.url) return leaveFor(elsewhere.url);
  signedOut(everywhere ? (await recoveryPart()).signedOutWords(elsewhere) : null);
}

function leaveFor(url) {
  forgetAll();
  location.assign(url);
}

/** The session is gone, and with it what this browser remembers. */
function signedOut(notice = null) {
  forgetAll();
  session = null;
  tellOfReset();
  history.replaceState(null, "", "/");
  showSignIn(notice);
}
