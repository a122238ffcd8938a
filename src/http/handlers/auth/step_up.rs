//! What a person shows once more before they change how they sign in.

use super::password_check::PasswordCheck;
use super::proof;
use crate::app::AppState;
use crate::http::error::AppError;
use crate::store::people::users::User;
use plan_model::access::Person;
use tower_sessions::Session;

/// The password, also shortly after signing in: a stolen session may be a fresh one. Where the person has none, or none is
/// accepted, a sign-in of the last ten minutes.
///
/// # Errors
/// 400 for `password`, and as [`proof::require`].
pub async fn require(
    app: &AppState,
    session: &Session,
    checks: &PasswordCheck,
    person: &Person,
    password: Option<String>,
) -> Result<(), AppError> {
    let account = User::account(&*app.db.conn().await?, person.id).await?;
    let has_password = account.is_some_and(|(_, has_password)| has_password);
    match has_password && !app.config.oidc.only {
        true => {
            let password = password.ok_or_else(|| AppError::invalid("password", "is required"))?;
            proof::require_password(checks, person, password).await
        }
        false => proof::require(app, session, checks, person, None).await,
    }
}
