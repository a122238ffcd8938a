/** The prompt store for support: what was asked of the model and by whom, what it answered, how it ended and what it cost. */
import { h, put } from "../dom.js";
import { formatTime, visible } from "../format.js";
import { errorText } from "../errors.js";
import { follow, planPath } from "../router.js";
import { known, t } from "../texts.js";
import { TopBar } from "../views/top-bar.js";

const PAGE = 25;
const STATES = ["running", "completed", "failed", "stopped", "interrupted"];

export function promptsScreen(context) {
  const { client } = context;
  let state = "";
  let offset = 0;
  let plans = new Map();
  const list = h("ul", { class: "prompt-list" });
  const count = h("p", { class: "soft", role: "status" });
  const more = h("div", { class: "pager" });
  const load = async () => {
    const { prompts, total } = await client.prompts({ state, limit: PAGE, offset });
    put(list, prompts.map((prompt) => row(prompt, plans.get(prompt.planId))));
    count.textContent = t("prompts.count", { count: total });
    put(more,
      offset > 0 && h("button", { type: "button", class: "quiet small", onclick: () => turn(-PAGE) }, t("prompts.newer")),
      offset + PAGE < total && h("button", { type: "button", class: "quiet small", onclick: () => turn(PAGE) }, t("prompts.older")));
  };
  const tell = (error) => { count.textContent = errorText(error); };
  const turn = (by) => { offset += by; load().catch(tell); };
  const chooser = h("select", { onchange: (event) => { state = event.target.value; offset = 0; load().catch(tell); } },
    h("option", { value: "" }, t("prompts.every")), STATES.map((word) => h("option", { value: word }, t(`prompts.${word}`))));
  const element = h("div", { class: "screen" }, new TopBar(context).element,
    h("main", { class: "page prompts", "aria-labelledby": "prompts-title" },
      h("header", { class: "page-head" }, h("h1", { id: "prompts-title" }, t("prompts.title")),
        h("label", { class: "inline" }, h("span", { class: "spoken" }, t("prompts.state")), h("div", { class: "select" }, chooser))),
      count, list, more));
  return {
    element,
    async go() {
      document.title = t("title.prompts");
      plans = new Map((await client.listPlans()).map((plan) => [plan.id, plan]));
      await load();
    },
  };
}

function row(prompt, plan) {
  const input = typeof prompt.input === "string" ? prompt.input : prompt.input?.message ?? (prompt.input === null ? t("message.erased") : "");
  const took = prompt.completedAt ? t("prompts.seconds", { seconds: ((Date.parse(prompt.completedAt) - Date.parse(prompt.createdAt)) / 1000).toFixed(1) }) : "";
  const tokens = prompt.usage ? t(prompt.usage.estimated ? "prompts.tokens.estimated" : "prompts.tokens", { count: prompt.usage.totalTokens, number: prompt.usage.totalTokens.toLocaleString("en-US") }) : "";
  const who = plan?.owner ? visible(plan.owner.displayName) : "";
  const about = [who, visible(plan?.name), formatTime(prompt.createdAt), took, tokens].filter(Boolean);
  return h("li", {}, h("details", { class: "prompt", "data-prompt": prompt.id },
    h("summary", {},
      h("span", { class: `state ${STATES.includes(prompt.state) ? prompt.state : ""}` }, known(`prompts.${prompt.state}`) ?? visible(prompt.state)),
      h("span", { class: "asked", dir: "auto" }, input.length > 160 ? `${input.slice(0, 160)}…` : input),
      h("span", { class: "soft" }, about.join(" · "))),
    h("dl", {},
      part("prompts.input", input), part("prompts.output", typeof prompt.output === "string" ? prompt.output : ""),
      prompt.errorCode && part("prompts.error", [known(`error.${prompt.errorCode}`), `(${visible(prompt.errorCode)})`].filter(Boolean).join(" ")),
      part("prompts.model", visible(prompt.model))),
    plan && h("a", { href: planPath(plan.id), onclick: follow }, t("prompts.plan"))));
}

function part(key, words) {
  return words && [h("dt", {}, t(key)), h("dd", { dir: "auto" }, words)];
}
