/** Why a value waits to be confirmed, in words: the person's own where they are the reason. */
import { hedgeIn } from "./hedge.js";
import { visible } from "./format.js";
import { parseValue } from "./typed.js";
import { known, t } from "./texts.js";

/** `shown` is the value as it is written. */
export function reasonOf({ value, note, noteCode, evidence }, kind, shown) {
  const word = noteCode === "model_unsure" && hedgeIn(evidence, (text) => parseValue(kind, text) === value);
  return word ? t("note.hedged", { word }) : known(`note.${noteCode}`, { value: shown }) ?? visible(note);
}
