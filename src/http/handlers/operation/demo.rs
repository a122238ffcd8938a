//! The logins that the sign-in page offers in `demo`, and only there.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::plans::seed::{DEMO_LOGINS, DEMO_PASSWORD};
use axum::Json;
use serde_json::{Value, json};

/// The demo's logins.
pub(crate) async fn get_demo(app: AppState) -> Result<Json<Value>, AppError> {
    if app.demo.is_none() {
        return Err(AppError::not_found("This address"));
    }
    let logins = DEMO_LOGINS.iter().map(|login| json!({"email": login.email, "displayName": login.display_name, "role": login.role, "note": login.note}));
    Ok(Json(
        json!({"logins": logins.collect::<Vec<_>>(), "password": DEMO_PASSWORD}),
    ))
}
