/** Why a value waits to be confirmed, in words: the person's own where they are the reason. */
import { hedgeIn } from "./hedge.js";
import { visible } from "./format.js";
import { known, t } from "./texts.js";

/** `shown` is the value as it is written. Of what an assistant passed on there is no message of the person that could have the number. */
export function reasonOf({ value, note, noteCode, evidence, author }, kind, shown) {
  if (noteCode === "not_said" && author?.isAssistant) return t("note.relayed");
  const word = noteCode === "model_unsure" && hedgeIn(evidence, (text) => isWritten(text, kind, value));
  return word ? t("note.hedged", { word }) : known(`note.${noteCode}`, { value: shown }) ?? visible(note);
}

/** Whether a number as it was said, "$4,200" or "12k", is a value of this kind. */
function isWritten(text, kind, value) {
  const [, digits, scale] = /^\$?(\d[\d,]*(?:\.\d+)?)\s*(k|m|thousand|million)?/i.exec(text) ?? [];
  if (!digits) return false;
  const number = Number(digits.replaceAll(",", "")) * (!scale ? 1 : /^m/i.test(scale) ? 1e6 : 1e3);
  const unit = { money: 100, percent: 0.01 }[kind] ?? 1;
  return Math.abs(number * unit - value) < unit / 1000;
}
