//! Who is asking, decided once per request and before anything else is looked at; then whether the request comes from our
//! own page, and whether somebody who may only look is trying to write.

use super::{origin, session};
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::SessionId;
use crate::model::access::{Caller, ImpersonationMode, UserRole};
use crate::model::error::ErrorCode;
use crate::model::ids::{PlanId, UserId};
use crate::store::plans::PlanOwner;
use crate::store::sessions::{LiveSession, USER_KEY};
use crate::store::users::User;
use crate::store::{Conn, StoreResult};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use time::{Duration, OffsetDateTime};
use tower_sessions::{Expiry, Session};

/// The one address of the API that needs no session.
const LOGIN: &str = "/api/auth/login";

/// Tells how the database is, so it must answer without asking it.
const STATUS: &str = "/api/status";

/// What somebody who may only look can still write: the end of looking.
const WAYS_OUT: [&str; 3] = [
    "/api/auth/logout",
    "/api/auth/logout-everywhere",
    "/api/admin/impersonation",
];

/// A database that has not said who is asking by then is away.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(2_500);

/// A session in use is prolonged at most this often.
const TOUCH_EVERY: Duration = Duration::minutes(5);

/// Lets through what may pass, with a [`Caller`] where there is one.
pub async fn authenticate(State(app): State<AppState>, request: Request, next: Next) -> Result<Response, AppError> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    if !is_api(&path) {
        return Ok(next.run(Request::from_parts(parts, body)).await);
    }
    if path != LOGIN {
        let identified = identify(&app, parts.extensions.get::<Session>(), plan_in(&path));
        // A database that holds its connections but says nothing would hold every request.
        let identified = tokio::time::timeout(PATIENCE, identified).await;
        match identified.unwrap_or_else(|_| Err(AppError::unavailable())) {
            Ok((caller, id, plan)) => {
                parts.extensions.insert(caller);
                parts.extensions.insert(id);
                parts.extensions.insert(plan);
            }
            Err(error) if path == STATUS && error.code() == ErrorCode::Unavailable => {}
            Err(error) => return Err(error),
        }
    }
    origin::check(&app.config.http, &parts)?;
    if let Some(caller) = parts.extensions.get::<Caller>() {
        refuse_writing_where_only_looking(caller, &parts.method, &path)?;
    }
    Ok(next.run(Request::from_parts(parts, body)).await)
}

fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

fn refuse_writing_where_only_looking(caller: &Caller, method: &Method, path: &str) -> Result<(), AppError> {
    let only_looks = caller
        .impersonation
        .as_ref()
        .is_some_and(|terms| terms.mode == ImpersonationMode::Read);
    if only_looks && !matches!(*method, Method::GET | Method::HEAD) && !WAYS_OUT.contains(&path) {
        return Err(AppError::forbidden(
            "You are looking only. Begin again in edit mode to change something.",
        ));
    }
    Ok(())
}

/// What the path says about a plan, looked up in the same round trip as the session. Says nothing about access.
#[derive(Debug, Clone)]
pub enum FoundPlan {
    NotAsked,
    Asked(PlanId, Option<PlanOwner>),
}

fn plan_in(path: &str) -> Option<PlanId> {
    path.strip_prefix("/api/plans/")?
        .split('/')
        .next()?
        .parse()
        .ok()
        .map(PlanId)
}

async fn find_plan(conn: &Conn, plan: Option<PlanId>) -> StoreResult<FoundPlan> {
    match plan {
        Some(id) => Ok(FoundPlan::Asked(id, PlanOwner::find(conn, id).await?)),
        None => Ok(FoundPlan::NotAsked),
    }
}

async fn identify(
    app: &AppState,
    session: Option<&Session>,
    plan: Option<PlanId>,
) -> Result<(Caller, SessionId, FoundPlan), AppError> {
    let session = session.ok_or_else(AppError::unauthenticated)?;
    let id = SessionId(session.id().ok_or_else(AppError::unauthenticated)?);
    let (found, plan) = {
        let conn = app.db.conn().await?;
        tokio::try_join!(resolve(app, &conn, id), find_plan(&conn, plan))?
    };
    let (caller, left) = found.ok_or_else(AppError::unauthenticated)?;
    let idle = session::idle_time(&app.config.session);
    if left <= idle - TOUCH_EVERY.min(idle / 2) {
        touch(session, idle).await?;
    }
    Ok((caller, id, plan))
}

/// The session layer stores the new end with the answer. A session that is gone by now stays gone.
async fn touch(session: &Session, idle: Duration) -> Result<(), AppError> {
    if session.get_value(USER_KEY).await?.is_some() {
        session.set_expiry(Some(Expiry::OnInactivity(idle)));
    }
    Ok(())
}

/// Who a session speaks for right now, and how long it lives if it is not used: roles, impersonations and the account itself
/// may have changed since it began.
async fn resolve(app: &AppState, conn: &Conn, id: SessionId) -> StoreResult<Option<(Caller, Duration)>> {
    let Some(live) = LiveSession::find(conn, &id.0).await? else {
        return Ok(None);
    };
    let now = app.clock.or_told(live.asked_at);
    let absolute = Duration::hours(app.config.session.absolute_hours);
    if live.expires_at <= now || live.logged_in_at().is_none_or(|at| at + absolute <= now) {
        return Ok(None);
    }
    let caller = impersonated(conn, &live, now)
        .await?
        .unwrap_or_else(|| in_person(&live));
    Ok(Some((caller, live.expires_at - now)))
}

fn in_person(live: &LiveSession) -> Caller {
    let person = live.user.person();
    Caller {
        effective: person.clone(),
        actor: person,
        impersonation: None,
    }
}

/// The caller in another's name; `None` once it is over, or one of the two is no longer who they were.
async fn impersonated(conn: &Conn, live: &LiveSession, now: OffsetDateTime) -> StoreResult<Option<Caller>> {
    let Some(stored) = live.impersonation() else {
        return Ok(None);
    };
    let actor = live.user.person();
    if stored.terms.expires_at <= now || actor.role != UserRole::PlatformAdmin {
        return Ok(None);
    }
    let Some(user) = User::find(conn, UserId(stored.user_id.0)).await? else {
        return Ok(None);
    };
    let effective = user.person();
    Ok((effective.role == UserRole::Franchisee).then_some(Caller {
        actor,
        effective,
        impersonation: Some(stored.terms),
    }))
}
