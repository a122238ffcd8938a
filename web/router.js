/**
 * Addresses: which view of which plan, and a message in it.
 *
 * `/plans/<id>` is the plan with its conversation, `/plans/<id>/<view>` another view of it, `#m-<id>` a message, `#f-<path>` a
 * number of the plan, `#r-<name>` a result; what belongs to no plan is `/?view=<name>`. Every other address is "nowhere".
 */
const PLAN = /^\/plans\/([0-9a-f-]{36})(?:\/([a-z-]*))?\/?$/i;

/** `{planId, view, message, field, result}` of an address; `view` is "" for the usual one. */
export function parseRoute({ pathname, search, hash }) {
  const [, planId = null, view = ""] = PLAN.exec(pathname) ?? [];
  const message = /^#m-([0-9a-f-]{36})$/i.exec(hash)?.[1] ?? null;
  const field = /^#f-([\w.]{1,100})$/.exec(hash)?.[1] ?? null;
  const result = /^#r-(\w{1,50})$/.exec(hash)?.[1] ?? null;
  if (planId) return { planId, view, message, field, result };
  const isHome = /^\/(?:index\.html)?$/.test(pathname);
  return { planId: null, view: isHome ? new URLSearchParams(search).get("view") ?? "" : "nowhere", message: null, field: null, result: null };
}

export function currentRoute() {
  return parseRoute(location);
}

export function planPath(planId, view = "", message = null) {
  return `/plans/${planId}${view && `/${view}`}${message ? `#m-${message}` : ""}`;
}

/** Where a number of the plan stands. */
export function fieldPath(planId, path) {
  return `${planPath(planId, "plan")}#f-${path}`;
}

/** Where a result stands; "second" is what is worth a second look. */
export function resultPath(planId, name) {
  return `${planPath(planId, "results")}#r-${name}`;
}

export function viewPath(view) {
  return view ? `/?view=${view}` : "/";
}

/** Goes to an address of this page and dispatches "route". With `replace` Back leads to the place before. */
export function go(path, { replace = false } = {}) {
  if (path !== location.pathname + location.search + location.hash) history[replace ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new Event("route"));
}

/** Writes an address without going anywhere: what it names is shown already. */
export function note(path, { replace = false } = {}) {
  if (path !== location.pathname + location.search + location.hash) history[replace ? "replaceState" : "pushState"](null, "", path);
}

/** A link within the page: a click with no other wish stays here, the rest is the browser's. */
export function follow(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(event.currentTarget.getAttribute("href"));
}
