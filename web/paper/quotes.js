/** Whether somebody's words say something to a reader who was not there. A bare yes to a question does not. Pure. */
const YES = /^(?:yes|yeah|yep|yup|ok(?:ay)?|sure|correct|right|both|all|agreed|fine|do (?:it|that)|sí|si|claro|correcto|vale|ambos|todos|de acuerdo)(?!\p{L})/iu;

export function isWorthQuoting(words) {
  const said = (words ?? "").trim();
  return said !== "" && !YES.test(said) && !said.includes("(to “");
}
