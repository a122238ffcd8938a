//! The demo answers under the names of this machine only; [`crate::app::Demo`] says why. What is for assistants answers under names
//! that the operator has said.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::layers::resource;
use crate::http::policy::{Policy, Who};
use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Refuses requests to another host's name. For people any name will do outside of the demo: the proxy in front knows them.
pub(crate) async fn refuse_strange_hosts(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let is_for_assistants = Policy::of(request.extensions()).who == Who::Program;
    let text = match &app.demo {
        Some(demo) if !host(&request).is_some_and(|host| demo.answers_as(&host)) => {
            "The demo answers on this machine only. Start it with --hosts NAME to reach it under another name."
        }
        None if is_for_assistants
            && !host(&request).is_some_and(|host| resource::answers_as(&app.config.http, &host)) =>
        {
            "Assistants are not answered under this host name: it is not the one of PUBLIC_URL."
        }
        _ => return next.run(request).await,
    };
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
