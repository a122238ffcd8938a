/** Why a value waits to be confirmed, in words: the person's own where they are the reason. */
import { hedgeIn } from "./hedge.js";
import { visible } from "./format.js";
import { parseValue } from "./typed.js";
import { known, t } from "./texts.js";

/** `shown` is the value as it is written. Of what an assistant passed on there is no message of the person that could have the number. */
export function reasonOf({ value, note, noteCode, evidence, author }, kind, shown) {
  if (noteCode === "not_said" && author?.isAssistant) return t("note.relayed");
  const word = noteCode === "model_unsure" && hedgeIn(evidence, (text) => parseValue(kind, text) === value);
  return word ? t("note.hedged", { word }) : known(`note.${noteCode}`, { value: shown }) ?? visible(note);
}
