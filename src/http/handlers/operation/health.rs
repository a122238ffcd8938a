//! Liveness, readiness and the status of the services behind the server.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::wire::{Data, data};
use plan_model::error::ErrorCode;

use axum::Extension;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long a look at the model's server is believed.
const BELIEVED: Duration = Duration::from_secs(5);

/// How long a look may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// The last look at the model's server, so that pages that ask often do not make us ask often.
#[derive(Clone, Default)]
pub(crate) struct ModelProbe(Arc<Mutex<Option<(Instant, bool)>>>);

impl ModelProbe {
    async fn is_reachable(&self, app: &AppState) -> bool {
        let mut last = self.0.lock().await;
        match *last {
            Some((at, answer)) if at.elapsed() < BELIEVED => answer,
            _ => {
                let answer = tokio::time::timeout(PATIENCE, app.llm.is_reachable())
                    .await
                    .unwrap_or(false);
                *last = Some((Instant::now(), answer));
                answer
            }
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DatabaseState {
    Ok,
    Down,
}

#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ModelState {
    Ok,
    Down,
    /// Neither a key nor a base URL is set: everything works but chat.
    Unconfigured,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"database": "ok", "model": "ok", "modelName": "gpt-4o"}))]
pub(crate) struct StatusResponse {
    pub database: DatabaseState,
    pub model: ModelState,
    pub model_name: String,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct HealthResponse {
    #[schema(example = "ok")]
    pub status: &'static str,
}

/// Says whether the database accepts writes and the model can be reached.
#[utoipa::path(get, path = "/api/status", tag = "operation", responses((status = 200, body = Data<StatusResponse>)))]
pub(crate) async fn get_status(app: AppState, Extension(probe): Extension<ModelProbe>) -> Data<StatusResponse> {
    let model = async {
        match app.llm.is_configured() {
            false => ModelState::Unconfigured,
            true if probe.is_reachable(&app).await => ModelState::Ok,
            true => ModelState::Down,
        }
    };
    let (alive, model) = tokio::join!(app.db.is_writable(), model);
    let database = if alive { DatabaseState::Ok } else { DatabaseState::Down };
    data(StatusResponse {
        database,
        model,
        model_name: app.llm.model_name().to_string(),
    })
}

/// The process is alive. Checks nothing else.
#[utoipa::path(get, path = "/healthz", tag = "operation", responses((status = 200, body = Data<HealthResponse>)))]
pub(crate) async fn get_health() -> Data<HealthResponse> {
    data(HealthResponse { status: "ok" })
}

/// Says whether requests should be sent here: the last successful write is at most five seconds old and the server is not
/// shutting down, nor short of memory while another one runs. Answered without asking the database.
#[utoipa::path(get, path = "/readyz", tag = "operation", responses((status = 200, body = Data<HealthResponse>)))]
pub(crate) async fn get_readiness(app: AppState) -> Result<Data<HealthResponse>, AppError> {
    if app.conversations.is_draining() {
        return Err(AppError::new(ErrorCode::Unavailable, "The server is shutting down."));
    }
    if !app.db.is_writable().await {
        return Err(AppError::new(ErrorCode::Unavailable, "The database cannot be reached."));
    }
    if app.conversations.is_full() {
        return Err(AppError::new(
            ErrorCode::Unavailable,
            "The server is short of memory; another one may not be.",
        ));
    }
    Ok(data(HealthResponse { status: "ready" }))
}
