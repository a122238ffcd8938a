/**
 * Remembers the message that is on its way, per plan and tab, so that a reload in mid-answer can pick it up again and
 * a message that never arrived is still there to be sent once more under the same key.
 *
 * Storage may be forbidden or full; then a reload still finds the running turn on the server, only a failed one is lost.
 */
const name = (planId) => `pending-turn:${planId}`;

/** @param {{text: string, key: string, turnId: string|null}} turn */
export function rememberTurn(planId, turn) {
  try {
    sessionStorage.setItem(name(planId), JSON.stringify(turn));
  } catch { /* see above */ }
}

export function pendingTurn(planId) {
  try {
    return JSON.parse(sessionStorage.getItem(name(planId)));
  } catch {
    return null;
  }
}

export function forgetTurn(planId) {
  try {
    sessionStorage.removeItem(name(planId));
  } catch { /* see above */ }
}
