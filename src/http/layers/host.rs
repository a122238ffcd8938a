//! The demo answers under the names of this machine only; [`crate::app::Demo`] says why.

use crate::app::AppState;
use crate::http::error::AppError;
use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Refuses requests to another host's name. Outside of the demo any name will do: the proxy in front knows them.
pub(crate) async fn refuse_strange_hosts(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let Some(demo) = &app.demo else {
        return next.run(request).await;
    };
    if host(&request).is_some_and(|host| demo.answers_as(&host)) {
        return next.run(request).await;
    }
    let text = "The demo answers on this machine only. Start it with --hosts NAME to reach it under another name.";
    AppError::forbidden(text).into_response()
}

/// The name that the client asked for, without port.
fn host(request: &Request) -> Option<String> {
    let authority = match request.uri().authority() {
        Some(authority) => authority.clone(),
        None => {
            let mut lines = request.headers().get_all(HOST).iter();
            let line = lines.next().filter(|_| lines.next().is_none())?;
            line.to_str().ok()?.parse().ok()?
        }
    };
    Some(authority.host().to_owned())
}
