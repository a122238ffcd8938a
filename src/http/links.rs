//! Links that are handed to people.
//!
//! The token of a one-time link is in the fragment, which browsers send to no server and in no `Referer`.

use plan_model::secret::Secret;

/// Opens an account. `base` is `PUBLIC_URL`; without it the link is a bare path.
pub(crate) fn invitation(base: Option<&str>, token: &Secret) -> String {
    link(base, "invitation", token)
}

/// Lets a person choose a new password.
pub(crate) fn password_reset(base: Option<&str>, token: &Secret) -> String {
    link(base, "password-reset", token)
}

/// Shows a document to whoever has the link. Programs of banks fetch it as well, so the token is in the path; the server's log has the
/// route in its place.
pub(crate) fn document(base: Option<&str>, token: &Secret) -> String {
    format!("{}/d/{}", base.unwrap_or_default(), token.expose())
}

fn link(base: Option<&str>, view: &str, token: &Secret) -> String {
    let base = base.unwrap_or_default();
    format!("{base}/?view={view}#token={}", token.expose())
}
