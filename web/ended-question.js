/**
 * What became of a question whose yes changes the plan. Pure: the stored messages and changes, and what was decided in this
 * browser, go in.
 */

/** How such a question ends: in the language of the message, whichever the page has. */
const ASKS = /(Shall I do that\?|¿Lo hago\?|in place of what stands there\?) (?:Answer yes or no|Responda sí o no)\.\s*$/;
const TEXT = "in place of what stands there?";
/** What a yes, a no, and one that comes too late are answered. */
const TELLS = /^(Done\. |All right, nothing was changed\.|That request has expired|Hecho\. |De acuerdo, no se cambió nada\.|Esa solicitud ya venció)/;
/** Milliseconds until a yes does nothing any more. */
const LIFETIME = 5 * 60_000;

/**
 * `[{message, end}]` for the questions that are over where no message after them says how; `end` is "done", "nothing", or "over" where that is not
 * known. `isWaiting` says whether the newest question still waits, `decisions` has "approve" or "deny" by turn.
 */
export function endedQuestions(messages, { changes, decisions, isWaiting }) {
  return messages.flatMap((message, at) => {
    const [, question] = (message.role === "assistant" && ASKS.exec(message.content)) || [];
    const [said, answer] = messages.slice(at + 1);
    if (!question || (!said && isWaiting) || TELLS.test(answer?.content ?? "")) return [];
    const decision = decisions[message.turnId];
    if (decision) return [{ message, end: decision === "approve" ? "done" : "nothing" }];
    if (question === TEXT) return [{ message, end: "over" }];
    return [{ message, end: changes.some((change) => followsFrom(change, message, said)) ? "done" : "nothing" }];
  });
}

/** Whether a change was made by a click on yes: outside of a turn, in the time that the question had. */
function followsFrom({ turnId, reason, at }, asked, said) {
  const since = Date.parse(at) - Date.parse(asked.timestamp);
  return !turnId && ["reset", "scenario"].includes(reason) && since >= 0 && since <= LIFETIME && (!said || Date.parse(at) < Date.parse(said.timestamp));
}

/** Whether a question of this age could still be answered by somebody. */
export function mayWait(message, now = Date.now()) {
  return now - Date.parse(message.timestamp) < LIFETIME;
}
