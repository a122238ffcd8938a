/** How a person's own assistant is connected: the address, and settings to copy for the usual programs. */
import { h } from "../dom.js";
import { t } from "../texts.js";
import { secretBox } from "./secret.js";

/** Stands where the person's token goes. */
const TOKEN = "pat_…";
const NAME = "plan-advisor";

/** What each program reads, with the file or the command that it is for. */
export function assistantSettings(address) {
  const headers = (token) => ({ Authorization: `Bearer ${token}` });
  const json = (value) => JSON.stringify(value, null, 2);
  return [
    { name: "Claude", place: "claude mcp add", text: `claude mcp add --transport http ${NAME} ${address} --header "Authorization: Bearer ${TOKEN}"` },
    { name: "VS Code", place: ".vscode/mcp.json", text: json({
      inputs: [{ type: "promptString", id: "plan-token", description: t("tokens.secret.label"), password: true }],
      servers: { [NAME]: { type: "http", url: address, headers: headers("${input:plan-token}") } },
    }) },
    { name: "Cursor", place: ".cursor/mcp.json", text: json({ mcpServers: { [NAME]: { url: address, headers: headers(TOKEN) } } }) },
  ];
}

/** `address` is the server's, or null where it answers no assistants. */
export function assistantPart(address) {
  return address && h("section", { class: "account-part", "data-part": "assistant", "aria-labelledby": "part-assistant" },
    h("h2", { id: "part-assistant" }, t("assistant.title")), h("p", { class: "soft" }, t("assistant.help")),
    secretBox(t("assistant.address"), address),
    assistantSettings(address).map(({ name, place, text }) => h("details", {},
      h("summary", {}, t("assistant.settings", { name })), h("p", { class: "soft" }, place),
      h("pre", { class: "settings", tabindex: "0", "aria-label": t("assistant.settings", { name }) }, text))));
}
