/** The question of a destructive action, below the newest answer, and what is decided there by click. Loaded when there is one. */
import { visible } from "../format.js";
import { known, t } from "../texts.js";
import { ConfirmationCard } from "./confirmation-card.js";

/** Shows what `pending` asks; answers the card, which can be closed. */
export function askToConfirm(chat, pending, transcript, announcer) {
  const asked = transcript.lastAnswer.endsWith(pending.prompt.trim());
  const card = new ConfirmationCard(pending, (decision) => decide(decision), { asked });
  const decide = async (decision) => {
    const { client, planId, workspace, history } = chat;
    const { turnId } = history.messages.findLast((message) => message.content.trim().endsWith(pending.prompt.trim())) ?? {};
    const { message } = await (decision === "approve" ? client.approve(planId, pending.id) : client.deny(planId, pending.id));
    const words = known(`confirm.${pending.toolName}.${decision}`) ?? visible(message);
    card.close(words);
    chat.pending = null;
    chat.dispatchEvent(new CustomEvent("decided", { detail: { planId, turnId, decision } }));
    announcer.say(words);
    chat.focus();
    if (decision === "approve") await workspace.absorb(planId);
    await chat.sync();
  };
  transcript.attach(card.element);
  announcer.say(t("announce.confirm", { question: visible(pending.prompt) }));
  transcript.follow();
  return card;
}
