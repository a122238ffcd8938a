/** Who wrote a message or named a value, where that was not the plan's owner in person. */
import { visible } from "./format.js";
import { t } from "./texts.js";

/** Before the name of an assistant's token, as the server puts it. */
const ASSISTANT = /^assistant \((.*)\)$/su;

export function authorName({ displayName, isAssistant }) {
  return isAssistant ? t("author.assistant", { name: visible(displayName.replace(ASSISTANT, "$1")) }) : visible(displayName);
}
