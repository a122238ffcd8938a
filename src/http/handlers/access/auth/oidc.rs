//! Single sign-on: to the identity provider, back from it, and out when it says so.
//!
//! A browser that comes back is never shown an error of the API: it goes to the sign-in page, which has a sentence for each
//! problem. The cause is in the log.

mod arrival;
mod cookies;
pub(crate) mod link;
mod problem;

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{Form, ValidQuery};
use crate::http::handlers::access::auth::password_check::PasswordCheck;
use crate::http::handlers::access::auth::sign_in::Connection;
use crate::http::layers::origin;
use crate::http::throttle::once_key;
use crate::store::people::identities::{SignedOut, end_sessions};
use arrival::Return;
use axum::extract::Query;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use oidc_login::Oidc;
use problem::Problem;
use serde::Deserialize;
use tower_sessions::Session;
use validator::{Validate, ValidationError};

/// Characters of `next` that fit into a cookie.
const MAX_NEXT: usize = 1000;

#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StartQuery {
    /// The path to end at; the page's own address when left out.
    #[serde(default = "home")]
    #[validate(custom(function = "is_path"))]
    pub next: String,
}

fn home() -> String {
    "/".to_owned()
}

/// A path of this site. Browsers read `//host` and `/\host` as another site, and drop tabs and line ends.
fn is_path(next: &str) -> Result<(), ValidationError> {
    let is_plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if next.starts_with('/') && !next.starts_with("//") && is_plain && next.len() <= MAX_NEXT {
        return Ok(());
    }
    Err(ValidationError::new("path").with_message("must be a path of this site, as /plans".into()))
}

/// Sends the browser to the identity provider.
///
/// It comes back to `/api/auth/oidc/callback` within 10 minutes. If the provider cannot be asked, the browser goes to the
/// sign-in page with `problem=sso_unavailable`. A visit that another site caused signs nobody in: it goes to `next`, where the
/// page has the button.
#[utoipa::path(get, path = "/api/auth/oidc/start", tag = "session", params(StartQuery),
    responses((status = 302, description = "To the identity provider, with a cookie of 10 minutes", headers(("Location" = String)))))]
pub(crate) async fn start_single_sign_on(
    app: AppState,
    from: Connection,
    ValidQuery(query): ValidQuery<StartQuery>,
) -> Result<Response, AppError> {
    let provider = provider(&app)?;
    if origin::is_of_another_site(&from.0) {
        return redirect(&query.next, HeaderMap::new());
    }
    match provider.begin(query.next, None, app.clock.now()).await {
        Ok(begun) => redirect(&begun.url, cookies::keep(&app, &from, &begun)?),
        Err(error) => redirect(&Problem::from(error).report(&app, &from).await, HeaderMap::new()),
    }
}

/// The identity provider sends the browser here.
///
/// Signs in and goes on to where the sign-in began, or to the sign-in page with `problem=` one of `sso_unavailable`,
/// `sso_refused`, `sso_failed`, `sso_expired`, `sso_no_cookie`, `sso_too_many`, `sso_not_invited`, `sso_email_unverified`,
/// `sso_link_taken`. An answer is good once. With `notice=sso_first_proof` the provider has vouched for the account's address
/// for the first time, which ended the password, sessions, tokens and links that there were.
#[utoipa::path(get, path = "/api/auth/oidc/callback", tag = "session",
    params(
        ("code" = Option<String>, Query, description = "The provider's code"),
        ("state" = Option<String>, Query, description = "As it was sent to the provider"),
        ("iss" = Option<String>, Query, description = "The provider's issuer (RFC 9207)"),
        ("error" = Option<String>, Query, description = "Why there is no code"),
    ),
    responses((status = 302, description = "To the page, signed in or with a problem", headers(("Location" = String)))))]
pub(crate) async fn finish_single_sign_on(
    app: AppState,
    session: Session,
    checks: PasswordCheck,
    Query(answer): Query<Vec<(String, String)>>,
) -> Result<Response, AppError> {
    let provider = provider(&app)?;
    let returned = Return {
        app: &app,
        provider,
        session: &session,
        checks: &checks,
        answer: Form(answer),
    };
    let (goes_to, mut headers) = match returned.sign_in().await {
        Ok(signed_in) => signed_in,
        Err(problem) => (problem.report(&app, &checks.from).await, HeaderMap::new()),
    };
    // Whatever came of it: the cookie is for one answer. Those of other sign-ins under way stay.
    cookies::forget(&app, &checks.from, returned.state(), &mut headers)?;
    redirect(&goes_to, headers)
}

/// Ends sessions here that have ended at the identity provider (OpenID Connect Back-Channel Logout 1.0).
///
/// The provider calls it, with a signed token in a form field. The sessions of the token's `sid`, or all that the person
/// (`sub`) began with single sign-on. A token is good once.
#[utoipa::path(post, path = "/api/auth/oidc/backchannel-logout", tag = "session",
    request_body(content = LogoutForm, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "The sessions are gone, if there were any")))]
pub(crate) async fn backchannel_logout(app: AppState, form: Form) -> Result<Response, AppError> {
    let provider = provider(&app)?;
    let token = form
        .one("logout_token")
        .ok_or_else(|| AppError::invalid("logout_token", "is required"))?;
    let whom = match provider.logged_out(token, app.clock.now()).await {
        Ok(whom) => whom,
        Err(error) => {
            tracing::warn!("A logout token was refused: {error}");
            return Ok(refused());
        }
    };
    let (subject, sid) = (whom.subject.as_deref(), whom.sid.as_deref());
    let id = [
        provider.issuer(),
        &whom.token_id,
        subject.unwrap_or_default(),
        sid.unwrap_or_default(),
    ];
    let signed_out = SignedOut {
        issuer: provider.issuer(),
        subject,
        sid,
        once: &once_key("logout token", &id),
    };
    let Some(count) = end_sessions(&mut *app.db.conn().await?, signed_out).await? else {
        tracing::warn!("A logout token was refused: it was used before (jti)");
        return Ok(refused());
    };
    tracing::info!(sessions = count, "The identity provider ended {count} sessions");
    Ok((StatusCode::OK, [(CACHE_CONTROL, HeaderValue::from_static("no-store"))]).into_response())
}

fn refused() -> Response {
    let refusal = AppError::invalid("logout_token", "is not valid; our log says why").into_response();
    ([(CACHE_CONTROL, HeaderValue::from_static("no-store"))], refusal).into_response()
}

/// What the identity provider sends.
#[derive(Debug, utoipa::ToSchema)]
#[expect(dead_code, reason = "describes a form in the API's document")]
pub(crate) struct LogoutForm {
    logout_token: String,
}

fn provider(app: &AppState) -> Result<&Oidc, AppError> {
    app.oidc.as_ref().ok_or_else(|| AppError::not_found("Single sign-on"))
}

fn redirect(to: &str, mut headers: HeaderMap) -> Result<Response, AppError> {
    headers.insert(LOCATION, to.try_into().map_err(AppError::internal)?);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok((StatusCode::FOUND, headers).into_response())
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn only_paths_of_this_site_are_gone_on_to() {
        for path in ["/", "/plans/1?view=chat#end", "/.//x", "/a//b", "/%5Cevil.example"] {
            assert!(is_path(path).is_ok(), "{path}");
        }
        let long = format!("/{}", "x".repeat(1000));
        for other in [
            "",
            "plans",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "/\n",
            "/a b",
            "https://evil.example",
            "javascript:alert(1)",
            "/p\u{e4}th",
            "/a\\b",
            &long,
        ] {
            assert!(is_path(other).is_err(), "{other}");
        }
    }
}
