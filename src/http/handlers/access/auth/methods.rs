//! The ways to sign in.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::wire::{Data, data};
use plan_model::error::ErrorCode;
use serde::Serialize;

/// How people sign in here.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct SignInMethods {
    /// Whether passwords are accepted.
    pub password: bool,
    /// `null` without single sign-on.
    pub oidc: Option<OidcMethod>,
}

/// Single sign-on.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct OidcMethod {
    /// The identity provider's name, for people.
    pub label: String,
}

/// The ways to sign in.
#[utoipa::path(get, path = "/api/auth/methods", tag = "session", responses((status = 200, body = Data<SignInMethods>)))]
pub(crate) async fn get_sign_in_methods(app: AppState) -> Data<SignInMethods> {
    data(SignInMethods {
        password: !app.config.oidc.only,
        oidc: oidc_method(&app),
    })
}

/// `None` without single sign-on.
pub(crate) fn oidc_method(app: &AppState) -> Option<OidcMethod> {
    let provider = app.oidc.as_ref()?;
    let label = app.config.oidc.label();
    Some(OidcMethod {
        label: label.unwrap_or_else(|| provider.issuer().to_owned()),
    })
}

/// Refuses what is about passwords where nobody signs in with one.
///
/// # Errors
/// 404 under `OIDC_ONLY`.
pub(crate) fn require_passwords(app: &AppState) -> Result<(), AppError> {
    match app.config.oidc.only {
        false => Ok(()),
        true => Err(AppError::new(
            ErrorCode::NotFound,
            "Passwords are not used here: sign in with single sign-on.",
        )),
    }
}

/// Whether a new account needs a password, because there is no other way to sign in.
pub(crate) fn password_required(app: &AppState) -> bool {
    app.oidc.is_none()
}
