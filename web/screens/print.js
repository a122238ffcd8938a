/**
 * A plan's financial part as a document, for a bank: cover, key results, sources and uses, assumptions with where each
 * number came from, five years, sixty months, charts. The disclaimer is on every page.
 *
 * On screen it is a preview; the browser prints it or saves it as a PDF.
 */
import { h, icon, put } from "../dom.js";
import { formatDollars, formatMoney, formatTime, formatValue, visible } from "../format.js";
import { inputsOf, sectionsOf, sourceOf } from "../fields.js";
import { formatMetric, metricHelp, metricLabel, useMetrics } from "../metrics.js";
import { follow, go, planPath } from "../router.js";
import { MarkdownView } from "../markdown.js";
import { currentLanguage, known, t } from "../texts.js";
import { DocumentsPart } from "../views/documents-part.js";
import { TopBar } from "../views/top-bar.js";

const KEY_RESULTS = ["breakEvenMonth", "stableFromMonth", "paybackMonth", "dscrYear1", "minDscr", "lowestCash", "lowestCashMonth", "monthlyPayment",
  "projectedAnnualRevenueYear1", "fiveYearOwnerCashFlow", "fiveYearRoiPct", "reserveTarget", "reserveGap"];
/** A year's lines, top to bottom. */
const ANNUAL = ["revenue", "materials", "royalty", "adFund", "grossProfit", "directLabor", "contribution", "operatingExpenses", "ebitda", "operatingEbitda",
  "depreciation", "amortization", "interest", "preTaxIncome", "tax", "netIncome", "operatingCashFlow", "principal", "ownerDraw", "netCashFlow", "endingCash", "loanBalance"];
const MONTHLY = ["revenue", "grossProfit", "contribution", "operatingEbitda", "interest", "principal", "tax", "ownerDraw", "netCashFlow", "endingCash"];
const CHARTS = ["cash", "revenue-costs", "break-even"];
const TRAIL = 500;
/** A table with fewer rows is not divided between pages. */
const SHORT_TABLE = 12;

export function printScreen(context) {
  const { client, session } = context;
  const sheet = h("div", { class: "print-sheet" });
  const documents = h("div", {});
  const back = h("a", { class: "quiet button" }, t("print.back"));
  const save = h("button", { type: "button", class: "primary", onclick: () => window.print() }, icon("print"), t("print.button"));
  back.addEventListener("click", follow);
  const which = h("select", { "aria-label": t("print.scenario"), onchange: () => go(address()) });
  const choice = h("div", { class: "select", hidden: true }, which);
  const withTalk = h("input", { type: "checkbox", onchange: () => go(address()) });
  const address = () => {
    const pairs = [["scenario", which.value], ["conversation", withTalk.checked ? "1" : ""]].filter(([, value]) => value);
    return location.pathname + (pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "");
  };
  const element = h("div", { class: "screen print-screen" }, new TopBar(context).element,
    h("main", { class: "page", "aria-labelledby": "print-title" },
      h("header", { class: "page-head" }, h("h1", { id: "print-title" }, t("print.title")), choice, h("label", { class: "print-talk" }, withTalk, h("span", {}, t("print.conversation"))), save, back),
      documents, h("p", { class: "soft print-hint" }, t("print.hint")), sheet));
  return {
    element,
    takes: ({ view, planId }) => view === "print" && back.getAttribute("href") === planPath(planId),
    async go({ planId }) {
      back.href = planPath(planId);
      const query = new URLSearchParams(location.search);
      const chosen = query.get("scenario");
      withTalk.checked = query.has("conversation");
      const [plan, plans, catalogue, metrics, changes, scenarios, outputs, talk] = await Promise.all([
        client.plan(planId), client.listPlans(), client.fields(planId), client.metrics(), client.changes(planId, { limit: TRAIL }), client.scenarios(planId),
        client.outputs(planId, chosen), withTalk.checked ? client.history(planId) : null]);
      const scenario = scenarios.find(({ id }) => id === chosen) ?? null;
      choice.hidden = scenarios.length === 0;
      put(which, h("option", { value: "" }, t("scenarios.plan")), scenarios.map(({ id, name }) => h("option", { value: id, selected: id === chosen }, visible(name))));
      const brand = await client.brand(plan.brandId);
      useMetrics(metrics);
      const kept = new DocumentsPart(context, planId, scenarios);
      put(documents, outputs && kept.element);
      // The print does not wait for them.
      if (outputs) kept.load().catch(() => {});
      const owner = plans.find((entry) => entry.id === planId)?.owner ?? session.effectiveUser;
      // The name of a saved file comes from here.
      document.title = t("title.print", { name: [plan, scenario].filter(Boolean).map(({ name }) => visible(name)).join(" – ") });
      const data = { plan, brand, outputs, scenario, changes: changes ?? [], owner: { id: owner.id, name: visible(owner.displayName), isReader: false } };
      const inputs = withOverrides(inputsOf(plan, brand), scenario);
      const sections = sectionsOf(catalogue, brand, inputs);
      put(sheet, repeated(outputs ? [
        cover(data), results(outputs), sourcesAndUses(outputs, sections, inputs), charts(client, plan, scenario), years(outputs.annual), assumptions(data, sections, inputs), months(outputs.monthly), conversation(talk, data.owner),
      ] : [cover(data), h("p", {}, t("results.none"))]));
    },
  };
}

/** A table's foot is repeated on every printed page: nothing else is, in every browser. */
function repeated(parts) {
  return h("table", { class: "print-frame", role: "presentation" },
    h("tfoot", {}, h("tr", {}, h("td", {}, h("p", { class: "print-foot" }, t("standing"))))),
    h("tbody", {}, h("tr", {}, h("td", {}, parts))));
}

function cover({ plan, brand, owner, outputs, scenario }) {
  return h("section", { class: "print-cover" },
    h("p", { class: "print-kind" }, t("print.kind")),
    h("h2", { dir: "auto" }, visible(plan.name) || t("plan.unnamed")),
    scenario && h("p", { class: "print-scenario", dir: "auto" }, t("print.scenario.kind", { name: visible(scenario.name) })),
    h("dl", {},
      pair(t("print.owner"), owner.name), pair(t("print.brand"), visible(brand.name)), pair(t("print.date"), formatTime(new Date().toISOString())),
      pair(t("print.version"), t("print.version.value", { version: plan.version, time: formatTime(plan.updatedAt) })),
      outputs && pair(metricLabel("totalInvestment"), formatDollars(outputs.metrics.totalInvestment))),
    h("p", { class: "standing" }, t("standing")));
}

function results({ metrics }) {
  return part(t("print.results"), h("table", {}, h("tbody", {}, KEY_RESULTS.map((name) => h("tr", { "data-result": name },
    h("th", { scope: "row" }, metricLabel(name)), h("td", { class: "number" }, formatMetric(name, metrics[name])), h("td", { class: "soft" }, metricHelp(name)))))));
}

function sourcesAndUses({ opening, metrics }, sections, inputs) {
  const rows = sections.find(({ key }) => key === "startupCosts")?.fields ?? [];
  const uses = rows.map((field) => [field.label, inputs[field.path].currentValue]).filter(([, cents]) => cents !== 0);
  return part(t("print.sources"), h("div", { class: "print-columns" },
    moneyTable(t("print.uses"), uses, [metricLabel("totalInvestment"), metrics.totalInvestment]),
    moneyTable(t("print.sources.title"), [[metricLabel("loanAmount"), opening.loan], [metricLabel("ownerCash"), opening.paidIn]], [t("print.total"), opening.loan + opening.paidIn])));
}

function moneyTable(title, rows, [totalWords, total]) {
  return h("table", {}, h("caption", {}, title),
    h("tbody", {}, rows.map(([words, cents]) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, words), h("td", { class: "number" }, formatMoney(cents))))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, totalWords), h("td", { class: "number" }, formatMoney(total)))));
}

function charts(client, plan, scenario) {
  return part(t("print.charts"), h("div", { class: "print-charts" }, CHARTS.map((name) =>
    h("img", { src: client.chartUrl(plan.id, name, plan.version, currentLanguage(), scenario?.id), alt: t(`chart.${name}`), width: "720", height: "360" }))));
}

function years(annual) {
  return part(t("years.title"), h("table", { class: "numbers" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("years.year")), annual.map((year) => h("th", { scope: "col" }, String(year.year))))),
    h("tbody", {}, ANNUAL.map((name) => h("tr", {}, h("th", { scope: "row" }, t(`row.${name}`)), annual.map((year) => h("td", {}, formatDollars(year[name]))))),
      h("tr", {}, h("th", { scope: "row" }, t("years.cover")), annual.map((year) => h("td", {}, formatMetric("dscrYear1", year.dscr)))))));
}

function months(monthly) {
  return part(t("print.months"), h("table", { class: "numbers small-print" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("print.month")), MONTHLY.map((name) => h("th", { scope: "col" }, t(`row.${name}`))))),
    h("tbody", {}, monthly.map((month) => h("tr", {}, h("th", { scope: "row" }, String(month.month)), MONTHLY.map((name) => h("td", {}, formatDollars(month[name]))))))));
}

/** Every number with whose it is, and the words it came from. */
function assumptions({ changes, owner, scenario }, sections, inputs) {
  return part(t("print.assumptions"), sections.map(({ title, fields }) => h("table", { class: `print-assumptions${fields.length < SHORT_TABLE ? " short" : ""}` },
    h("caption", {}, title),
    h("thead", {}, h("tr", {}, ["field", "value", "from"].map((key) => h("th", { scope: "col" }, t(`print.${key}`))))),
    h("tbody", {}, fields.map((field) => {
      const input = inputs[field.path];
      const change = changes.find((entry) => entry.field === field.path && entry.newValue === input.currentValue);
      const source = sourceOf(input.source, change?.actor, owner);
      const words = input.source === "ai_populated" ? change?.evidence : null;
      return h("tr", { "data-path": field.path },
        h("th", { scope: "row", dir: "auto" }, field.label), h("td", { class: "number" }, formatValue(field.kind, input.currentValue)),
        h("td", {}, "planned" in input ? t("print.scenario.source", { name: visible(scenario.name), value: formatValue(field.kind, input.planned) }) : known(`print.source.${source.key}`, { name: owner.name }) ?? source.sentence, words && [" ", h("q", { dir: "auto" }, words)]));
    })))));
}

/** The messages, where they are wanted. */
function conversation(talk, owner) {
  const messages = talk?.messages ?? [];
  return messages.length > 0 && part(t("chat.title"), h("dl", { class: "print-messages" }, messages.map(({ role, content, author, timestamp, erased }) => {
    const text = h("dd", { dir: "auto" });
    if (erased) put(text, h("span", { class: "erased" }, t("message.erased")));
    else if (role === "assistant") new MarkdownView(text).update(content);
    else text.textContent = content;
    const name = role === "assistant" ? t("message.advisor") : author ? t("message.author", { name: visible(author.displayName) }) : owner.name;
    return h("div", {}, h("dt", {}, `${name}, ${formatTime(timestamp)}`), text);
  })));
}

/** A scenario's values in the place of the plan's, which are kept as `planned`. */
function withOverrides(inputs, scenario) {
  const changed = Object.entries(scenario?.overrides ?? {}).filter(([path, value]) => inputs[path] && inputs[path].currentValue !== value);
  return { ...inputs, ...Object.fromEntries(changed.map(([path, value]) => [path, { ...inputs[path], currentValue: value, planned: inputs[path].currentValue, source: "" }])) };
}

function part(title, ...content) {
  return h("section", {}, h("h2", {}, title), content);
}

function pair(words, value) {
  return h("div", {}, h("dt", {}, words), h("dd", { dir: "auto" }, value));
}
