/** Every word of the plan in one sentence: results, fields by section, and terms of the trade. */
import { h, put } from "../dom.js";
import { inputsOf, sectionsOf } from "../fields.js";
import { metricHelp, metricLabel, metricNames, useMetrics } from "../metrics.js";
import { follow, planPath } from "../router.js";
import { currentLanguage, t } from "../texts.js";
import { TopBar } from "../views/top-bar.js";

const TERMS = ["default", "fdd", "item7", "item6", "auv", "ramp", "cogs", "royalty", "adFund", "ebitda", "dscr", "equity", "draw", "workingCapital", "depreciation", "proposal"];

export function glossaryScreen(context) {
  const { client } = context;
  const body = h("div", { class: "glossary" });
  const search = h("input", { type: "search", autocomplete: "off", placeholder: t("glossary.find"), "aria-label": t("glossary.find"), oninput: () => filter(body, search.value.trim().toLowerCase()) });
  const back = h("a", { class: "quiet button" }, t("glossary.back"));
  back.addEventListener("click", follow);
  const element = h("div", { class: "screen" }, new TopBar(context).element,
    h("main", { class: "page" }, h("header", { class: "page-head" }, h("h1", {}, t("glossary.title")), search, back), h("p", { class: "soft" }, t("glossary.help")), body));
  return {
    element,
    async go({ planId }) {
      document.title = t("title.glossary");
      back.href = planPath(planId);
      const [plan, catalogue, metrics] = await Promise.all([client.plan(planId), client.fields(planId, currentLanguage()), client.metrics()]);
      const brand = await client.brand(plan.brandId);
      useMetrics(metrics);
      const sections = sectionsOf(catalogue, brand, inputsOf(plan, brand));
      put(body,
        list(t("results.title"), metricNames().map((name) => ({ id: `metric-${name}`, words: metricLabel(name), help: metricHelp(name) }))),
        list(t("glossary.terms"), TERMS.map((key) => ({ id: `term-${key}`, words: t(`term.${key}`), help: t(`term.${key}.help`) }))),
        sections.map(({ title, fields }) => list(title, fields.map((field) => ({ id: field.path, words: field.label, help: field.help, aliases: field.aliases })))));
      filter(body, search.value.trim().toLowerCase());
    },
  };
}

function list(title, entries) {
  return h("section", {}, h("h2", {}, title), h("dl", {}, entries.filter(({ help, aliases }) => help || aliases?.length).map(({ id, words, help, aliases = [] }) =>
    h("div", { "data-term": id }, h("dt", { dir: "auto" }, words), h("dd", { dir: "auto" }, help, aliases.length > 0 && h("span", { class: "soft" }, ` ${t("glossary.aliases", { words: aliases.join(", ") })}`))))));
}

function filter(body, words) {
  for (const section of body.children) {
    let shown = 0;
    for (const entry of section.querySelectorAll("[data-term]")) {
      entry.hidden = words !== "" && !entry.textContent.toLowerCase().includes(words);
      shown += entry.hidden ? 0 : 1;
    }
    section.hidden = shown === 0;
  }
}
