//! Operational metrics in Prometheus' text format. Labels hold routes, outcomes and codes, never ids or texts.

use crate::app::AppState;
use axum::http::header;
use axum::response::IntoResponse;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Seconds: from a served page to a long turn.
const BUCKETS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0, 120.0,
];

static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

static DROPPED_LINES: OnceLock<fn() -> u64> = OnceLock::new();

/// Where the number of dropped log lines is asked for.
pub(crate) fn ask_for_dropped_lines(dropped_lines: fn() -> u64) {
    let _ = DROPPED_LINES.set(dropped_lines);
}

/// Makes the process count. Once per process; later calls change nothing.
pub(crate) fn install() {
    HANDLE.get_or_init(|| {
        // Without buckets histograms come out as summaries, which cannot be added up over instances.
        let recorder = PrometheusBuilder::new().set_buckets(&BUCKETS).ok()?.build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).ok()?;
        metrics::describe_counter!(
            "plan_advisor_http_requests_total",
            "Requests by method, route and status"
        );
        metrics::describe_histogram!(
            "plan_advisor_http_request_duration_seconds",
            metrics::Unit::Seconds,
            "Time until the head of the answer"
        );
        metrics::describe_counter!("plan_advisor_logins_total", "Logins by outcome");
        metrics::describe_gauge!(
            "plan_advisor_db_connections_in_use",
            "Database connections that are checked out"
        );
        metrics::describe_counter!("plan_advisor_turns_total", "Turns by outcome");
        metrics::describe_histogram!(
            "plan_advisor_turn_seconds",
            metrics::Unit::Seconds,
            "From claim to ending"
        );
        metrics::describe_histogram!(
            "plan_advisor_first_token_seconds",
            metrics::Unit::Seconds,
            "From claim to the first text"
        );
        metrics::describe_counter!(
            "plan_advisor_tokens_total",
            "Tokens of model calls by kind; cached_prompt and cache_write are parts of prompt, reasoning of completion"
        );
        metrics::describe_counter!(
            "plan_advisor_model_calls_total",
            "Requests to the model in turns, by purpose"
        );
        metrics::describe_counter!("plan_advisor_tool_calls_total", "Calls by tool and result");
        metrics::describe_counter!(
            "plan_advisor_extractions_total",
            "Values heard, by status at the commit"
        );
        metrics::describe_counter!("plan_advisor_llm_errors_total", "Failed calls of the model by class");
        metrics::describe_counter!(
            "plan_advisor_flagged_answers_total",
            "Answers that speak like a claim, by code"
        );
        metrics::describe_gauge!("plan_advisor_open_streams", "Streams that are being listened to");
        metrics::describe_histogram!(
            "plan_advisor_pool_wait_seconds",
            metrics::Unit::Seconds,
            "Wait for a database connection"
        );
        metrics::describe_counter!(
            "plan_advisor_log_lines_dropped_total",
            "Log lines dropped because the output did not keep up"
        );
        Some(handle)
    });
}

/// Operational metrics in Prometheus' text format.
#[utoipa::path(get, path = "/metrics", tag = "operation", responses((status = 200, description = "Prometheus text format", body = String, content_type = "text/plain")))]
pub(crate) async fn get_metrics(app: AppState) -> impl IntoResponse {
    metrics::gauge!("plan_advisor_db_connections_in_use").set(f64::from(app.db.in_use()));
    if let Some(dropped_lines) = DROPPED_LINES.get() {
        metrics::counter!("plan_advisor_log_lines_dropped_total").absolute(dropped_lines());
    }
    let text = HANDLE
        .get()
        .and_then(Option::as_ref)
        .map_or_else(String::new, |handle| {
            handle.run_upkeep();
            handle.render()
        });
    (
        [
            (header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
        ],
        text,
    )
}
