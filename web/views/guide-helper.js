/** Below a question of the guide: boxes for what the asked number is made of. What they come to goes into its box, not into the plan. */
import { h, put } from "../dom.js";
import { formatDollars, formatValue } from "../format.js";
import { HELPERS, workOut } from "../helpers.js";
import { parseValue } from "../typed.js";
import { t } from "../texts.js";

/** `{element, found()}`: what is shown, and the number worked out, null where there is none. `use(value)` takes it over; null for a field that has no helper. */
export function guideHelper({ path, kind }, inputs, use) {
  const helper = HELPERS[path];
  if (!helper) return null;
  const sum = h("p", { role: "status" });
  const take = h("button", { type: "button", class: "quiet small", hidden: true });
  let found = null;
  const look = () => {
    found = workOut(path, boxes.map(({ input, as }) => parseValue(as, input.value)), inputs);
    take.hidden = found === null;
    if (found) take.textContent = t("helper.use", { value: formatValue(kind, found.value) });
    put(sum, found && t(`helper.${helper.key}.sum`, { monthly: formatDollars(found.monthly), value: formatValue(kind, found.value) }));
  };
  const boxes = helper.asked.map(([name, as]) => ({ as, name, input: h("input", { type: "text", inputmode: "decimal", autocomplete: "off", name, oninput: look }) }));
  take.addEventListener("click", () => use(found.value));
  const element = h("details", { class: "guide-helper" },
    h("summary", {}, t(`helper.${helper.key}`)),
    h("div", { class: "guide-helper-boxes" }, boxes.map(({ name, input }) => h("label", {}, h("span", {}, t(`helper.${name}`)), input))),
    h("div", { class: "guide-helper-sum" }, sum, take));
  return { element, found: () => found?.value ?? null };
}
