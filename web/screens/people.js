/** An administrator's first page: people and their plans. Viewing takes a click, impersonation a reason. */
import { h, put } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { follow, planPath } from "../router.js";
import { t } from "../texts.js";
import { actForDialog } from "../views/dialogs.js";
import { initials } from "../views/initials.js";
import { TopBar } from "../views/top-bar.js";

export function peopleScreen(context) {
  const { client, session } = context;
  const list = h("ul", { class: "people-list" });
  const count = h("p", { class: "soft", role: "status" });
  const search = h("input", { type: "search", autocomplete: "off", placeholder: t("people.find"), "aria-label": t("people.find"), oninput: () => show() });
  const element = h("div", { class: "screen" }, new TopBar(context).element,
    h("main", { class: "page people-page" },
      h("header", { class: "page-head" }, h("h1", {}, t("people.title")), search),
      h("p", { class: "soft" }, t("people.help")), count, list));
  let people = [];
  let plans = [];

  function show() {
    const words = search.value.trim().toLowerCase();
    const plansOf = (person) => plans.filter((plan) => plan.owner?.id === person.id);
    const texts = (person) => [person.displayName, person.email, ...plansOf(person).map((plan) => plan.name)].join("\n").toLowerCase();
    const found = people.filter((person) => texts(person).includes(words));
    count.textContent = t("people.count", { count: found.length });
    put(list, found.map((person) => h("li", { "data-person": person.email },
      h("span", { class: "initials", "aria-hidden": "true" }, initials(person.displayName)),
      h("div", { class: "person-words" },
        h("p", {}, h("b", { dir: "auto" }, visible(person.displayName)), h("span", { class: "person-role" }, t(`role.${person.role}`))),
        h("p", { class: "soft" }, person.email),
        h("ul", { class: "plan-links" }, plansOf(person).map((plan) => h("li", {},
          h("a", { href: planPath(plan.id), onclick: follow, dir: "auto" }, visible(plan.name) || t("plan.unnamed")),
          h("span", { class: "soft" }, t("people.changed", { time: formatTime(plan.updatedAt) })))))),
      person.role === "franchisee" && h("button", { type: "button", class: "quiet small", onclick: () => actForDialog(person, async (reason, mode) => {
        await client.impersonate(person.id, reason, mode);
        await context.restart({ path: "/" });
      }) }, t("people.act")))));
  }

  return {
    element,
    async go() {
      document.title = t("title.people");
      if (session.user.role !== "platform_admin") throw Object.assign(new Error(), { status: 403 });
      [people, plans] = await Promise.all([client.findUsers(), client.listPlans()]);
      show();
    },
  };
}
