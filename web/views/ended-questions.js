/** A line below each question that is over: what came of it, where the conversation does not say so itself. */
import { h } from "../dom.js";
import { endedQuestions, mayWait } from "../ended-question.js";
import { localStorageOrNull, name, read, write } from "../storage.js";
import { t } from "../texts.js";

/** Decisions that are kept. */
const KEPT = 50;

/** Follows the conversation and the plan; both have to be there. */
export function showEndedQuestions(workspace, chat) {
  const update = () => {
    const { history, planId } = chat;
    if (!history || chat.isRunning || workspace.planId !== planId || workspace.brand === null) return;
    const { messages } = history;
    const newest = messages.at(-1);
    const isWaiting = chat.pending !== null || (newest !== undefined && !workspace.owner.isReader && mayWait(newest));
    for (const line of chat.element.querySelectorAll(".question-end")) line.remove();
    for (const { message, end } of endedQuestions(messages, { changes: workspace.changes, decisions: decisions(planId), isWaiting })) {
      const extras = chat.element.querySelector(`[id="m-${message.id}"]:not(:has(+ .confirmation)) .extras`);
      extras?.prepend(h("p", { class: "aside question-end", "data-end": end }, t(`question.${end}`)));
    }
  };
  chat.addEventListener("decided", ({ detail: { planId, turnId, decision } }) => {
    const kept = Object.entries(decisions(planId)).slice(1 - KEPT);
    write(localStorageOrNull(), name("decided", planId), Object.fromEntries([...kept, [turnId, decision]]));
  });
  chat.addEventListener("history", update);
  workspace.addEventListener("change", update);
}

function decisions(planId) {
  return read(localStorageOrNull(), name("decided", planId)) ?? {};
}
