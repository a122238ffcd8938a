/**
 * A plan as the package a lender asks for: cover with the request, key results, story, sources and uses, statements, loan,
 * other cases, assumptions, notes. The sentence about whose assumptions they are is on every page.
 *
 * On screen it is a preview, with what is worth a second look before it goes out; the browser prints it or saves it as a PDF.
 */
import { h, icon, put } from "../dom.js";
import { useOpeningMonth, visible } from "../format.js";
import { inputsOf, sectionsOf, withOverrides } from "../fields.js";
import { useMetrics } from "../metrics.js";
import { follow, go, planPath } from "../router.js";
import { currentLanguage, t } from "../texts.js";
import { assumptions, conversation, notes } from "../paper/back.js";
import { whatIf } from "../paper/cases.js";
import { cover, results, running, standing, story } from "../paper/front.js";
import { funds, item7, loan, startupRows, statements } from "../paper/middle.js";
import { PAPERS, leavePaper, usePaper } from "../paper/sheet-style.js";
import { DocumentsPart } from "../views/documents-part.js";
import { secondLook } from "../views/second-look.js";
import { TopBar } from "../views/top-bar.js";

const TRAIL = 500;
/** Numbers of a scenario that are named before the rest is only counted. */
const NAMED = 3;

export function printScreen(context) {
  const { client, session } = context;
  const sheet = h("div", { class: "print-sheet", tabindex: "0", role: "group", "aria-label": t("print.title") });
  const look = h("section", { class: "second-look", "aria-labelledby": "second-title" });
  const documents = h("div", {});
  const toolbar = tools();
  const element = h("div", { class: "screen print-screen" }, new TopBar(context).element,
    h("main", { class: "page", "aria-labelledby": "print-title" }, toolbar.element, toolbar.differs, h("p", { class: "soft print-hint" }, t("print.hint")), look, documents, sheet));
  let asked = 0;
  return {
    element,
    close: leavePaper,
    takes: ({ view, planId }) => view === "print" && toolbar.isOf(planId),
    async go({ planId }) {
      const turn = (asked += 1);
      const query = new URLSearchParams(location.search);
      toolbar.show(planId, query);
      usePaper(query.get("paper"));
      const data = await read(client, session, planId, query);
      if (turn !== asked) return;
      toolbar.showScenarios(data.scenarios, data.scenario, data.fields.filter(({ path }) => "planned" in data.inputs[path]).map(({ label }) => label));
      const kept = new DocumentsPart(context, planId, data.scenarios);
      put(documents, data.outputs && kept.element);
      // The print does not wait for them.
      if (data.outputs) kept.load().catch(() => {});
      // The name of a saved file comes from here.
      document.title = t("title.print", { name: [data.plan, data.scenario].filter(Boolean).map(({ name }) => visible(name)).join(" – ") });
      const { title, content } = secondLook(planId, data);
      put(look, h("h2", { id: "second-title" }, title), content);
      put(sheet, repeated(data, sectionsIn(data, client, query.has("words"))));
      // What moves in its own box can be moved by keys.
      for (const part of sheet.querySelectorAll("[data-part]")) if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    },
  };
}

/** What can be chosen before it is printed; each choice is in the address. */
function tools() {
  const choose = (name, words) => h("select", { name, "aria-label": t(words), onchange: () => go(address()) });
  const tick = (name) => h("input", { type: "checkbox", name, onchange: () => go(address()) });
  const differs = h("p", { class: "soft print-hint print-differs", id: "print-differs", hidden: true });
  const scenario = choose("scenario", "print.scenario");
  scenario.setAttribute("aria-describedby", differs.id);
  const paper = choose("paper", "print.paper");
  const [words, talk] = [tick("words"), tick("conversation")];
  const scenarioBox = h("div", { class: "select", hidden: true }, scenario);
  const [back, write] = ["print.back", "print.story"].map((key) => h("a", { class: "quiet button", onclick: follow }, t(key)));
  const address = () => {
    const pairs = [["scenario", scenario.value], ["paper", paper.value === PAPERS[0] ? "" : paper.value], ["words", words.checked ? "1" : ""], ["conversation", talk.checked ? "1" : ""]].filter(([, value]) => value);
    return location.pathname + (pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "");
  };
  const label = (box, key) => h("label", { class: "print-talk" }, box, h("span", {}, t(key)));
  return {
    element: h("header", { class: "page-head" }, h("h1", { id: "print-title" }, t("print.title")), scenarioBox, h("div", { class: "select" }, paper),
      label(words, "print.words"), label(talk, "print.conversation"),
      h("button", { type: "button", class: "primary", onclick: () => window.print() }, icon("print"), t("print.button")), write, back),
    differs,
    isOf: (planId) => back.getAttribute("href") === planPath(planId),
    show(planId, query) {
      back.href = planPath(planId);
      write.href = planPath(planId, "story");
      put(paper, PAPERS.map((name) => h("option", { value: name, selected: name === query.get("paper") }, t(`print.paper.${name}`))));
      words.checked = query.has("words");
      talk.checked = query.has("conversation");
    },
    /** `labels` are those of the numbers in which the chosen one differs from the plan. */
    showScenarios(scenarios, chosen, labels) {
      differs.hidden = !chosen;
      put(differs, chosen && (labels.length === 0 ? t("print.differs.none") : t("print.differs", { count: labels.length, labels: [...labels.slice(0, NAMED), ...(labels.length > NAMED ? ["…"] : [])].join(" · ") })));
      scenarioBox.hidden = scenarios.length === 0;
      put(scenario, h("option", { value: "" }, t("scenarios.plan")), scenarios.map(({ id, name }) => h("option", { value: id, selected: id === chosen?.id }, visible(name))));
    },
  };
}

/** Everything that is printed. */
async function read(client, session, planId, query) {
  const chosen = query.get("scenario");
  const [plan, plans, catalogue, metrics, changes, scenarios, outputs, cases, told, proposals, talk] = await Promise.all([
    client.plan(planId), client.listPlans(), client.fields(planId, currentLanguage()), client.metrics(), client.changes(planId, { limit: TRAIL }), client.scenarios(planId),
    client.outputs(planId, chosen), client.cases(planId, chosen, currentLanguage()), client.story(planId), client.proposals(planId), query.has("conversation") ? client.history(planId) : null]);
  const brand = await client.brand(plan.brandId);
  useMetrics(metrics);
  useOpeningMonth(plan.openingMonth);
  const owner = plans.find((entry) => entry.id === planId)?.owner ?? session.effectiveUser;
  const scenario = scenarios.find(({ id }) => id === chosen) ?? null;
  const inputs = withOverrides(inputsOf(plan, brand), scenario?.overrides);
  const sections = sectionsOf(catalogue, brand, inputs);
  return {
    plan, brand, outputs, cases, inputs, sections, scenario, scenarios, talk, changes: changes ?? [], proposals: proposals ?? [], story: told.texts,
    fields: sections.flatMap(({ fields }) => fields), owner: { id: owner.id, name: visible(owner.displayName), isReader: false }, at: new Date().toISOString(),
  };
}

function sectionsIn(data, client, withWords) {
  const { outputs, inputs, sections, plan, scenario } = data;
  const told = story(data.story);
  if (!outputs) return [cover(data), told, h("p", {}, t("print.noFigures"))];
  const rows = startupRows(sections, inputs);
  const chart = (name, language) => client.chartUrl(plan.id, name, plan.version, language, scenario?.id);
  return [
    cover(data), results(outputs, chart), told, funds(outputs, rows), item7(rows), statements(outputs), loan(outputs),
    whatIf(data.cases, outputs), assumptions(data, sections, withWords), notes(standing(data.brand)), conversation(data.talk, data.owner),
  ];
}

/** A table's foot is repeated on every printed page: nothing else is, in every browser. */
function repeated(data, parts) {
  return h("table", { class: "print-frame", role: "presentation" },
    h("tfoot", {}, h("tr", {}, h("td", {}, h("div", { class: "print-foot" }, h("p", {}, standing(data.brand)), h("p", { dir: "auto" }, running(data)))))),
    h("tbody", {}, h("tr", {}, h("td", {}, parts))));
}
