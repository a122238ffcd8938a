/** Windows with a form, and windows that show something once. */
import { h } from "../dom.js";
import { t } from "../texts.js";
import { form } from "./form.js";
import { secretBox } from "./secret.js";

/**
 * A modal around a {@link form}; what `send()` answers, if it is a function, is called once the window is closed. `between`
 * puts content after one of the fields.
 */
export function formDialog(title, { send, between = null, ...rest }) {
  let busy = false;
  const element = modal(title, { mayCancel: () => !busy }, (close) => {
    // Where there is nothing to fill in, the button that changes things never has the focus by itself.
    const inner = form({ ...rest, more: h("button", { type: "button", class: "quiet", autofocus: rest.fields.length === 0, onclick: close }, t("cancel")), send: async () => {
      busy = true;
      const then = await send().finally(() => { busy = false; });
      close();
      then?.();
    } });
    if (between) between.after.element.after(between.content);
    return inner;
  });
  return element;
}

/** A modal with something that is never shown again: no key closes it by accident. */
export function secretDialog(title, help, words, secret, more = null) {
  const element = modal(title, { mayCancel: () => false }, (close) => [
    h("p", { id: "form-dialog-help" }, help), secretBox(words, secret),
    h("div", { class: "actions" }, more, h("button", { type: "button", class: "quiet", onclick: close }, t("secret.done"))),
  ]);
  element.setAttribute("aria-describedby", "form-dialog-help");
  element.querySelector(".secret-box button").focus();
  return element;
}

function modal(title, { mayCancel }, fill) {
  const element = h("dialog", { "aria-labelledby": "form-dialog-title", onclose: () => element.remove(), oncancel: (event) => !mayCancel() && event.preventDefault() });
  // Removed at once, not with the event that comes later: nothing of a secret stays on the page.
  const close = () => { element.close(); element.remove(); };
  element.append(h("div", { class: "dialog-body" }, h("h2", { id: "form-dialog-title" }, title), fill(close)));
  document.body.append(element);
  element.showModal();
  return element;
}
