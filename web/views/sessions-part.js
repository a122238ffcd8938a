/** The browsers in which a person is signed in, and the way to end each. */
import { h, put } from "../dom.js";
import { formatTime } from "../format.js";
import { errorText } from "../errors.js";
import { known, t } from "../texts.js";
import { readUserAgent } from "../user-agent.js";

export class SessionsPart {
  #context;
  #sessions;
  #title = h("h2", { id: "part-sessions", tabindex: "-1" }, t("sessions.title"));
  #list = h("ul", { class: "rows" });

  constructor(context, sessions) {
    this.#context = context;
    this.#sessions = sessions;
    this.element = h("section", { class: "account-part", "data-part": "sessions", "aria-labelledby": "part-sessions" },
      this.#title, h("p", { class: "soft" }, t("sessions.help")), this.#list,
      h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => context.signOut({ everywhere: true }) }, t("sessions.everywhere"))));
    this.#show();
  }

  async reload() {
    this.#sessions = await this.#context.client.sessions();
    this.#show();
  }

  #show() {
    put(this.#list, this.#sessions.map((session) => {
      const name = nameOf(session);
      return h("li", { "data-session": session.id },
        h("div", { class: "row-words" },
          h("p", {}, h("b", { dir: "auto" }, name), session.current && h("span", { class: "state completed" }, t("sessions.current"))),
          h("p", { class: "soft" }, t("sessions.times", { started: formatTime(session.startedAt), how: known(`sessions.${session.method}`) ?? "", used: formatTime(session.lastUsedAt) }))),
        h("button", { type: "button", class: "quiet small", "aria-label": t("sessions.endOf", { name }), onclick: (event) => this.#end(session, name, event.currentTarget) }, t("sessions.end")));
    }));
  }

  async #end(session, name, button) {
    const { client, signOut, toast } = this.#context;
    if (session.current) return signOut();
    button.disabled = true;
    try {
      await client.endSession(session.id);
    } catch (error) {
      button.disabled = false;
      // Gone already is what was wanted.
      if (error.status !== 404) return toast.show(errorText(error));
    }
    this.#sessions = this.#sessions.filter((entry) => entry !== session);
    this.#show();
    this.#title.focus();
    toast.show(t("sessions.ended", { name }));
  }
}

function nameOf({ userAgent }) {
  const { browser, system } = readUserAgent(userAgent);
  return browser && system ? t("sessions.on", { browser, system }) : browser || system || t("sessions.unknown");
}
