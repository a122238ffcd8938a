/** What stands beside the conversation: plan, results, and the guide. Loaded once the conversation can be used. */
import { showEndedQuestions } from "./ended-questions.js";
import { Guide } from "./guide.js";
import { PlanPanel } from "./plan-panel.js";
import { ResultsPanel } from "./results.js";

/** `tools` are `notify(text, undo?)`, `ask(path?)` and `numbers()`. */
export function makePanels(workspace, chat, { notify, ask, numbers }) {
  const { client } = chat;
  showEndedQuestions(workspace, chat);
  const proposals = () => (chat.history?.openProposals() ?? []).map(({ value }) => value);
  const guide = new Guide(workspace, client, { notify, numbers, leave: () => chat.focus(), proposals });
  chat.addEventListener("sent", () => guide.makeRoom());
  return {
    plan: new PlanPanel(workspace, chat, { notify, ask, numbers }),
    results: new ResultsPanel(workspace, client, { proposals }),
    guide,
  };
}
