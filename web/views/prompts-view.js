/** The prompt store for administrators: what was asked of the model, how it ended, and what it cost. */
import { h, put } from "../dom.js";
import { formatTime, plural, visible } from "../format.js";

const PAGE = 25;
const STATES = ["running", "completed", "failed", "stopped", "interrupted"];

/** `onBack()` returns to the plan. */
export function promptsView(client, onBack) {
  let state = "";
  let offset = 0;
  const table = h("tbody", {});
  const count = h("p", { class: "soft", role: "status" });
  const more = h("div", { class: "pager" });
  const load = async () => {
    const { prompts, total } = await client.prompts({ state, limit: PAGE, offset });
    put(table, prompts.map(row));
    count.textContent = total === 0 ? "No prompt yet." : `${plural(total, "prompt")}, newest first`;
    put(more,
      offset > 0 && h("button", { type: "button", class: "quiet small", onclick: () => { offset -= PAGE; load(); } }, "Newer"),
      offset + PAGE < total && h("button", { type: "button", class: "quiet small", onclick: () => { offset += PAGE; load(); } }, "Older"));
  };
  const chooser = h("select", { onchange: (event) => { state = event.target.value; offset = 0; load(); } },
    h("option", { value: "" }, "Every state"), STATES.map((word) => h("option", { value: word }, word)));
  load().catch((error) => { count.textContent = error.message; });
  return h("main", { class: "page prompts", "aria-labelledby": "prompts-title" },
    h("header", { class: "page-head" },
      h("h1", { id: "prompts-title" }, "Prompts"),
      h("label", { class: "inline" }, h("span", { class: "spoken" }, "State"), h("div", { class: "select" }, chooser)),
      h("button", { type: "button", class: "quiet", onclick: onBack }, "Back to the plan")),
    count,
    h("div", { class: "table-frame", tabindex: "0", role: "group", "aria-label": "Table of prompts" },
      h("table", {},
        h("thead", {}, h("tr", {}, ["State", "Asked", "Began", "Took", "Tokens", "Model"].map((word) => h("th", { scope: "col" }, word)))),
        table)),
    more);
}

function row(prompt) {
  const input = typeof prompt.input === "string" ? prompt.input : prompt.input?.message ?? "";
  const took = prompt.completedAt ? `${((Date.parse(prompt.completedAt) - Date.parse(prompt.createdAt)) / 1000).toFixed(1)} s` : "";
  const tokens = prompt.usage ? `${prompt.usage.totalTokens.toLocaleString("en-US")}${prompt.usage.estimated ? " (estimated)" : ""}` : "";
  return h("tr", { "data-prompt": prompt.id },
    h("td", {}, h("span", { class: `state ${STATES.includes(prompt.state) ? prompt.state : ""}` }, visible(prompt.state)), prompt.errorCode && h("span", { class: "soft code" }, visible(prompt.errorCode))),
    h("td", { class: "asked", dir: "auto" }, input.length > 160 ? `${input.slice(0, 160)}…` : input),
    h("td", {}, formatTime(prompt.createdAt)), h("td", {}, took), h("td", {}, tokens), h("td", {}, visible(prompt.model ?? "")));
}
