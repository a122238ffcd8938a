//! Authenticates each request before anything else, by access token or session; then checks the origin, whether a read-only
//! impersonation tries to write, and what the token is for.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::plan::FoundPlan;
use crate::http::extract::{Credential, SessionId};
use crate::http::layers::{bearer, origin, resource, session, signed};
use crate::http::policy::{Policy, Who};
use crate::store::people::sessions::{LiveSession, USER_KEY};
use crate::store::people::users::User;
use crate::store::plans::PlanOwner;
use crate::store::{Conn, StoreResult};
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use plan_model::access::{Caller, ImpersonationMode, UserRole};
use plan_model::error::ErrorCode;
use plan_model::ids::{PlanId, UserId};
use time::{Duration, OffsetDateTime};
use tower_sessions::{Expiry, Session};

/// Timeout of the lookup; after it the database counts as unavailable.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(2_500);

/// Minimum interval between renewals of a session.
const TOUCH_EVERY: Duration = Duration::minutes(5);

/// Passes on permitted requests, with a [`Caller`] unless the route needs none.
pub(crate) async fn authenticate(
    State(app): State<AppState>,
    request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let (mut parts, body) = request.into_parts();
    let policy = Policy::of(&parts.extensions);
    if !policy.is_api() {
        return Ok(next.run(Request::from_parts(parts, body)).await);
    }
    bearer::refuse_in_query(&parts.uri)?;
    if policy.needs_caller() {
        let plan = plan_of(policy, &mut parts).await;
        let identified = identify(&app, &parts, policy, plan);
        // Without a timeout, an unresponsive database would block every request.
        let identified = tokio::time::timeout(PATIENCE, identified).await;
        match identified.unwrap_or_else(|_| Err(AppError::unavailable())) {
            Ok(Identified {
                caller,
                credential,
                plan,
                is_over,
            }) => {
                parts.extensions.insert(caller);
                parts.extensions.insert(credential);
                parts.extensions.insert(plan);
                if is_over {
                    parts.extensions.insert(ImpersonationOver);
                }
            }
            Err(error) if policy.works_without_database && error.code() == ErrorCode::Unavailable => {}
            Err(error) if policy.who == Who::Program => {
                return Err(error.for_resource(resource::metadata_address(&app.config, &parts.headers)));
            }
            Err(error) => return Err(error),
        }
    }
    permit(&app, policy, &parts)?;
    Ok(next.run(Request::from_parts(parts, body)).await)
}

fn permit(app: &AppState, policy: Policy, parts: &Parts) -> Result<(), AppError> {
    let caller = parts.extensions.get::<Caller>();
    // No browser adds a token by itself, so no other site can make it send one.
    if let Some(token) = caller.and_then(|caller| caller.token.as_ref()) {
        // An assistant may be a page, which whoever has its token can still make ask from elsewhere.
        if policy.who == Who::Program {
            origin::check(&app.config, parts)?;
        }
        return policy.check(token);
    }
    origin::check(&app.config, parts)?;
    let Some(caller) = caller else { return Ok(()) };
    let is_over = parts.extensions.get::<ImpersonationOver>().is_some();
    if !matches!(parts.method, Method::GET | Method::HEAD) && !policy.ends_impersonation {
        refuse_writing_where_only_looking(caller, is_over)?;
    }
    if policy.who == Who::PlatformAdmin && caller.actor.role != UserRole::PlatformAdmin {
        return Err(AppError::forbidden("Only platform administrators may do this."));
    }
    Ok(())
}

fn refuse_writing_where_only_looking(caller: &Caller, is_over: bool) -> Result<(), AppError> {
    if is_over {
        return Err(AppError::forbidden(
            "Your time to act for somebody is over. Load the page again to go on in your own name.",
        ));
    }
    let only_looks = caller
        .impersonation
        .as_ref()
        .is_some_and(|terms| terms.mode == ImpersonationMode::Read);
    if only_looks {
        return Err(AppError::forbidden(
            "You are looking only. Begin again in edit mode to change something.",
        ));
    }
    Ok(())
}

/// The session's impersonation has expired, or actor or target no longer qualify. A tab that still shows the franchisee
/// must not write with the administrator's own rights, so nothing is written until the page has asked who is signed in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImpersonationOver;

struct Identified {
    caller: Caller,
    credential: Credential,
    plan: FoundPlan,
    is_over: bool,
}

/// The plan that the route names, if it is an id at all; the handler refuses what is not.
async fn plan_of(policy: Policy, parts: &mut Parts) -> Option<PlanId> {
    if policy.who != Who::Plan {
        return None;
    }
    let params = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    let (_, text) = params.iter().find(|(name, _)| *name == "id")?;
    text.parse().ok().map(PlanId)
}

async fn find_plan(conn: &Conn, plan: Option<PlanId>) -> StoreResult<FoundPlan> {
    match plan {
        Some(id) => Ok(FoundPlan::Asked(id, PlanOwner::find(conn, id).await?)),
        None => Ok(FoundPlan::NotAsked),
    }
}

/// Whoever the session belongs to, for open paths that do more for people who have signed in.
///
/// # Errors
/// 401 without a session; 503 if the database fails.
pub(crate) async fn caller_of(app: &AppState, session: &Session) -> Result<Caller, AppError> {
    let identified = identify_session(app, Some(session), None);
    let identified = tokio::time::timeout(PATIENCE, identified).await;
    Ok(identified.unwrap_or_else(|_| Err(AppError::unavailable()))?.caller)
}

/// A token wins over a session.
async fn identify(app: &AppState, parts: &Parts, policy: Policy, plan: Option<PlanId>) -> Result<Identified, AppError> {
    let is_program = policy.who == Who::Program;
    let signed = bearer::signed(&parts.headers).filter(|_| is_program);
    if let (Some(token), Some(oidc)) = (signed, &app.oidc) {
        let (caller, id) = signed::resolve(app, oidc, token).await?;
        return Ok(Identified {
            caller,
            credential: Credential::Token(id),
            plan: FoundPlan::NotAsked,
            is_over: false,
        });
    }
    let Some(token) = bearer::presented(&parts.headers)? else {
        if is_program {
            return Err(bearer::required());
        }
        return identify_session(app, parts.extensions.get::<Session>(), plan).await;
    };
    let conn = app.db.conn().await?;
    let (found, plan) = tokio::try_join!(bearer::resolve(app, &conn, &token), find_plan(&conn, plan))?;
    Ok(Identified {
        caller: found.ok_or_else(bearer::refused)?,
        credential: Credential::Token(token.id),
        plan,
        is_over: false,
    })
}

async fn identify_session(
    app: &AppState,
    session: Option<&Session>,
    plan: Option<PlanId>,
) -> Result<Identified, AppError> {
    let session = session.ok_or_else(AppError::unauthenticated)?;
    let id = SessionId(session.id().ok_or_else(AppError::unauthenticated)?);
    let found = resolve(app, &*app.db.conn().await?, id, plan).await?;
    let found = found.ok_or_else(AppError::unauthenticated)?;
    let idle = session::idle_time(&app.config.session);
    if found.left <= idle.saturating_sub(TOUCH_EVERY.min(idle.checked_div(2).unwrap_or(idle))) {
        touch(session, idle).await?;
    }
    Ok(Identified {
        caller: found.caller,
        credential: Credential::Session(id),
        plan: plan.map_or(FoundPlan::NotAsked, |id| FoundPlan::Asked(id, found.plan)),
        is_over: found.is_over,
    })
}

/// Renews the session; the session layer stores the new expiry with the response. A deleted session stays deleted.
async fn touch(session: &Session, idle: Duration) -> Result<(), AppError> {
    if session.get_value(USER_KEY).await?.is_some() {
        session.set_expiry(Some(Expiry::OnInactivity(idle)));
    }
    Ok(())
}

struct Resolved {
    caller: Caller,
    /// Until the session ends without use.
    left: Duration,
    /// See [`ImpersonationOver`].
    is_over: bool,
    /// The plan that was asked for, if there is one of that id.
    plan: Option<PlanOwner>,
}

/// The caller of a session as of now: role, impersonation and account may have changed since the session began.
async fn resolve(app: &AppState, conn: &Conn, id: SessionId, plan: Option<PlanId>) -> StoreResult<Option<Resolved>> {
    let Some((live, plan)) = LiveSession::find(conn, &id.0, plan).await? else {
        return Ok(None);
    };
    let now = app.clock.or_database(live.asked_at);
    let absolute = Duration::hours(app.config.session.absolute_hours);
    if live.expires_at <= now || live.logged_in_at().is_none_or(|at| at + absolute <= now) {
        return Ok(None);
    }
    let impersonated = impersonated(conn, &live, now).await?;
    Ok(Some(Resolved {
        is_over: impersonated.is_none() && live.impersonation().is_some(),
        left: live.expires_at - now,
        caller: impersonated.unwrap_or_else(|| in_person(&live)),
        plan,
    }))
}

fn in_person(live: &LiveSession) -> Caller {
    let person = live.user.person();
    Caller {
        effective: person.clone(),
        actor: person,
        impersonation: None,
        token: None,
    }
}

/// The caller during an impersonation; `None` if it has expired, or if actor or target no longer qualify.
async fn impersonated(conn: &Conn, live: &LiveSession, now: OffsetDateTime) -> StoreResult<Option<Caller>> {
    let Some(stored) = live.impersonation() else {
        return Ok(None);
    };
    let actor = live.user.person();
    if stored.terms.expires_at <= now || actor.role != UserRole::PlatformAdmin {
        return Ok(None);
    }
    let user = User::find(conn, UserId(stored.user_id.0)).await?;
    let Some(user) = user.filter(|user| user.disabled_at.is_none()) else {
        return Ok(None);
    };
    let effective = user.person();
    Ok((effective.role == UserRole::Franchisee).then_some(Caller {
        actor,
        effective,
        impersonation: Some(stored.terms),
        token: None,
    }))
}
