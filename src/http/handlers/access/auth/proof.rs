//! Showing once more who one is, before what a stolen session must not do.

use super::password_check::PasswordCheck;
use super::sign_in::is_recent;
use crate::app::AppState;
use crate::http::error::AppError;
use crate::store::people::users::User;
use plan_model::access::Person;
use tower_sessions::Session;

/// Longer ones are refused.
const MAX_PASSWORD_CHARACTERS: usize = 256;

/// The password, or without one a sign-in of the last ten minutes.
///
/// # Errors
/// 400 for a password that is not theirs, 403 if there is none and the sign-in is older, and as [`PasswordCheck::check`].
pub(crate) async fn require(
    app: &AppState,
    session: &Session,
    checks: &PasswordCheck,
    person: &Person,
    password: Option<String>,
) -> Result<(), AppError> {
    if let Some(password) = password {
        return require_password(checks, person, password).await;
    }
    match is_recent(app, session).await? {
        true => Ok(()),
        false => Err(AppError::forbidden(
            "It is a while since you signed in. Give your password, or sign in again first.",
        )),
    }
}

/// A wrong password counts as a failed login.
///
/// # Errors
/// As [`require`].
pub(crate) async fn require_password(
    checks: &PasswordCheck,
    person: &Person,
    password: String,
) -> Result<(), AppError> {
    let wrong = || AppError::invalid("password", "is not your password");
    if password.is_empty() || password.chars().count() > MAX_PASSWORD_CHARACTERS {
        return Err(wrong());
    }
    let accepted = checks.check(&person.email, password).await?;
    match accepted.is_some_and(|accepted| accepted.person.id == person.id) {
        true => Ok(()),
        false => Err(wrong()),
    }
}

/// The password, also shortly after signing in: a stolen session may be a fresh one. Where the person has none, or none is
/// accepted, a sign-in of the last ten minutes.
///
/// # Errors
/// 400 for `password`, and as [`require`].
pub(crate) async fn require_password_if_any(
    app: &AppState,
    session: &Session,
    checks: &PasswordCheck,
    person: &Person,
    password: Option<String>,
) -> Result<(), AppError> {
    match has_password(app, person).await? && !app.config.oidc.only {
        true => {
            let password = password.ok_or_else(|| AppError::invalid("password", "is required"))?;
            require_password(checks, person, password).await
        }
        false => require(app, session, checks, person, None).await,
    }
}

/// Whether the person signs in with a password, if passwords are accepted.
///
/// # Errors
/// 503 if the database fails.
pub(crate) async fn has_password(app: &AppState, person: &Person) -> Result<bool, AppError> {
    let account = User::account(&*app.db.conn().await?, person.id).await?;
    Ok(account.is_some_and(|(_, has_password)| has_password))
}
