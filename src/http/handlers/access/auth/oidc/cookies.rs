//! The cookies of sign-ins under way: one for each, so that two tabs do not disturb each other.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::handlers::access::auth::sign_in::Connection;
use crate::http::throttle::once_key;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use oidc_login::{Begun, PATIENCE};
use std::fmt::Write;

/// Sign-ins that one browser may have under way. Each cookie is sent with every request.
const MOST: usize = 4;

/// With the prefix no other host and no plain http can set them.
fn prefix(app: &AppState, from: &Connection) -> &'static str {
    match from.secure_attribute(app) {
        "" => "oidc-",
        _ => "__Host-oidc-",
    }
}

/// The name for a `state`, which everybody may see.
pub(super) fn name(app: &AppState, from: &Connection, state: &str) -> String {
    let mut name = prefix(app, from).to_owned();
    for byte in &once_key("state cookie", &[state])[..8] {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// Keeps a sign-in that has begun; the oldest ones make room.
///
/// # Errors
/// Never: the text is a valid header.
pub(super) fn keep(app: &AppState, from: &Connection, begun: &Begun) -> Result<HeaderMap, AppError> {
    let mut headers = HeaderMap::new();
    let prefix = prefix(app, from);
    let kept: Vec<&str> = from
        .cookies()
        .map(|(name, _)| name)
        .filter(|name| name.starts_with(prefix))
        .collect();
    let surplus = (kept.len() + 1).saturating_sub(MOST);
    for name in &kept[..surplus] {
        headers.append(SET_COOKIE, cookie(app, from, name, "", 0)?);
    }
    let name = name(app, from, &begun.state);
    headers.append(
        SET_COOKIE,
        cookie(app, from, &name, &begun.cookie, PATIENCE.whole_seconds())?,
    );
    Ok(headers)
}

/// Takes the cookie of a sign-in back, if the browser has it.
///
/// # Errors
/// Never: the text is a valid header.
pub(super) fn forget(app: &AppState, from: &Connection, state: &str, headers: &mut HeaderMap) -> Result<(), AppError> {
    let name = name(app, from, state);
    if from.cookie(&name).is_some() {
        headers.append(SET_COOKIE, cookie(app, from, &name, "", 0)?);
    }
    Ok(())
}

fn cookie(app: &AppState, from: &Connection, name: &str, value: &str, life: i64) -> Result<HeaderValue, AppError> {
    let secure = from.secure_attribute(app);
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={life}{secure}");
    cookie.try_into().map_err(AppError::internal)
}
