/**
 * The two questions that need a window of their own: a new plan, and whom to act for.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";

/** Asks for name and brand; `create(name, brandId)` makes the plan. */
export function newPlanDialog(brands, create) {
  const name = h("input", { type: "text", required: true, maxlength: "120", autocomplete: "off" });
  const brand = h("select", { required: true }, brands.map((entry) => h("option", { value: entry.id }, visible(entry.name))));
  return dialog("A new plan", "Make the plan", [
    h("label", {}, h("span", {}, "Name"), name),
    h("label", {}, h("span", {}, "Brand"), h("div", { class: "select" }, brand)),
    h("p", { class: "soft" }, "It starts from the placeholders of the brand administrator. You change what you know better."),
  ], () => create(name.value.trim(), brand.value));
}

/** Finds a franchisee by e-mail; `begin(userId, reason, mode)` starts acting for them. */
export function actForDialog(find, begin) {
  const people = h("div", { class: "people", role: "radiogroup", "aria-label": "Franchisees" });
  const email = h("input", { type: "search", autocomplete: "off", placeholder: "name@example.com" });
  const reason = h("input", { type: "text", required: true, maxlength: "300", autocomplete: "off" });
  let asked = 0;
  const search = async () => {
    const question = (asked += 1);
    const found = (await find(email.value.trim())).filter((user) => user.role === "franchisee");
    if (question !== asked) return; // a slower answer to an older question
    put(people, found.length === 0 ? h("p", { class: "soft" }, "Nobody found.") : found.map((user) => h("label", { class: "person-choice" },
      h("input", { type: "radio", name: "user", value: user.id, required: true }),
      h("span", {}, h("b", {}, visible(user.displayName)), h("span", { class: "soft" }, user.email)))));
  };
  email.addEventListener("input", search);
  search().catch((error) => put(people, h("p", { class: "problem" }, error.message)));
  return dialog("Act for a franchisee", "Begin", [
    h("label", {}, h("span", {}, "Find by e-mail"), email), people,
    h("label", {}, h("span", {}, "Reason"), reason),
    h("fieldset", { class: "modes" }, h("legend", {}, "What you may do"),
      h("label", {}, h("input", { type: "radio", name: "mode", value: "read", checked: true }), h("span", {}, "Look only")),
      h("label", {}, h("input", { type: "radio", name: "mode", value: "edit" }), h("span", {}, "Look and change"))),
    h("p", { class: "soft" }, "It ends by itself after an hour. Your name and the reason are kept with everything you do."),
  ], (form) => begin(new FormData(form).get("user"), reason.value.trim(), new FormData(form).get("mode")));
}

/** A modal with one question; it stays open and says why when `act` fails. */
function dialog(title, word, content, act) {
  const problem = h("p", { class: "problem", role: "alert" });
  const form = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    try {
      await act(form);
      element.close();
    } catch (error) {
      problem.textContent = error.details?.[0]?.message ?? error.message;
    }
  } }, h("h2", { id: "dialog-title" }, title), content, problem,
  h("div", { class: "actions" },
    h("button", { type: "submit", class: "primary" }, word),
    h("button", { type: "button", class: "quiet", onclick: () => element.close() }, "Cancel")));
  const element = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => element.remove() }, form);
  document.body.append(element);
  element.showModal();
  return element;
}
