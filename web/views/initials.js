/** The initials of a person, where a name is too long. */
import { visible } from "../format.js";

export function initials(name) {
  return visible(name).split(/\s+/).slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase();
}
