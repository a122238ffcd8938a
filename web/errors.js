/** What to tell a person about a refusal or a failure: the page's own words where it has some for the code. */
import { known } from "./texts.js";

/** `error` as the reference client throws it. A refusal of one field is shown by the view of the field. */
export function errorText(error) {
  const own = known(`error.${error.code}`);
  const words = own ?? error.details?.[0]?.message ?? error.message;
  const wait = error.retryAfter ? known("error.wait", { count: error.retryAfter }) : "";
  return wait ? `${words} ${wait}` : words;
}
