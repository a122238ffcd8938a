/**
 * The secret of an invitation or of a password reset. It comes behind the `#` of a link, which no server and no other site
 * is told, and leaves the address bar before anything else happens. Only this tab remembers it, until it is closed.
 */
let kept = null;

/** Takes the secret out of the address, if there is one. */
export function takeToken() {
  const token = tokenOf(location.hash);
  if (token === null) return;
  kept = token;
  history.replaceState(null, "", location.pathname + location.search);
}

export function keptToken() {
  return kept;
}

export function forgetToken() {
  kept = null;
}

/** The token in the fragment of an address, or null. */
export function tokenOf(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") || null;
}
