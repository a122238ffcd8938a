//! Personal access tokens: for programs that act in a person's name.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{InPerson, PathId, SessionId, UncheckedJson, open_plan};
use crate::http::handlers::access::auth::password_check::PasswordCheck;
use crate::http::handlers::access::auth::proof;
use crate::http::wire::{Data, data};
use crate::store::people::access_tokens::{AccessToken, MOST, NewAccessToken};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::sessions::{METHOD_KEY, SignInMethod};
use axum::http::StatusCode;
use plan_model::access::{Caller, TokenScope};
use plan_model::clean;
use plan_model::error::FieldError;
use plan_model::ids::{PlanId, TokenId};
use plan_model::secret::Secret;
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Duration, OffsetDateTime};
use tower_sessions::Session;
use uuid::Uuid;

const MAX_NAME_CHARS: usize = 60;
const DAYS: std::ops::RangeInclusive<i64> = 1..=365;
const DEFAULT_DAYS: i64 = 90;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"name": "Nightly report", "scopes": ["read"], "expiresInDays": 30}))]
pub(crate) struct CreateTokenRequest {
    /// 1 to 60 characters on one line: what it is for.
    pub name: String,
    /// `read`, and `chat` or `write` beside it; each once.
    #[schema(min_items = 1, max_items = 3)]
    pub scopes: Vec<TokenScope>,
    /// The only plan it opens; without it, all that the person may open.
    pub plan_id: Option<Uuid>,
    /// 1 to 365; 90 if left out.
    #[schema(minimum = 1, maximum = 365, default = 90)]
    pub expires_in_days: Option<i64>,
    /// The person's password. May be left out within 10 minutes of signing in.
    #[schema(max_length = 256)]
    pub password: Option<String>,
}

/// A token without its secret.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenResponse {
    pub id: Uuid,
    pub name: String,
    pub scopes: Vec<TokenScope>,
    pub plan_id: Option<Uuid>,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// An expired one is listed for 30 days more.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    /// Day of the last use, UTC; `null` before the first.
    #[schema(format = Date, example = "2026-11-28")]
    pub last_used_on: Option<String>,
}

/// A new token. No other answer shows its secret.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct CreatedTokenResponse {
    #[serde(flatten)]
    pub token: TokenResponse,
    /// What a program sends as `Authorization: Bearer …`.
    #[schema(pattern = "^pat_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$")]
    pub secret: String,
}

impl From<AccessToken> for TokenResponse {
    fn from(token: AccessToken) -> Self {
        Self {
            id: token.id,
            scopes: token.scopes(),
            name: token.name,
            plan_id: token.plan_id,
            created_at: token.created_at,
            expires_at: token.expires_at,
            last_used_on: token.last_used_on.map(|day| day.to_string()),
        }
    }
}

/// Lists one's access tokens, newest first.
#[utoipa::path(get, path = "/api/me/tokens", tag = "tokens", responses((status = 200, body = Data<Vec<TokenResponse>>)))]
pub(crate) async fn list_tokens(
    app: AppState,
    caller: Caller,
    _: SessionId,
) -> Result<Data<Vec<TokenResponse>>, AppError> {
    let tokens = AccessToken::list(&*app.db.conn().await?, caller.effective.id).await?;
    Ok(data(tokens.into_iter().map(TokenResponse::from).collect()))
}

/// Makes an access token. Its secret is shown this once.
///
/// Needs a session in one's own name, and the password or a sign-in of the last ten minutes, because a token outlives the session.
/// Twenty tokens at most may be valid at a time.
#[utoipa::path(post, path = "/api/me/tokens", tag = "tokens", request_body = CreateTokenRequest,
    responses((status = 201, body = Data<CreatedTokenResponse>)))]
pub(crate) async fn create_token(
    app: AppState,
    InPerson(person): InPerson,
    caller: Caller,
    session: Session,
    checks: PasswordCheck,
    UncheckedJson(mut body, permit): UncheckedJson<CreateTokenRequest>,
) -> Result<(StatusCode, Data<CreatedTokenResponse>), AppError> {
    let password = body.password.take();
    let request = checked(body)?;
    // A session from before single sign-on was the only way must not last as a token.
    if app.config.oidc.only && session.get(METHOD_KEY).await? != Some(SignInMethod::Oidc) {
        return Err(AppError::forbidden("Sign in with single sign-on first."));
    }
    proof::require(&app, &session, &checks, &person, password).await?;
    if let Some(plan) = request.plan {
        open_plan(&app, &caller, plan).await?;
    }
    permit.take(&app).await?;
    let (id, secret) = (TokenId::fresh(), Secret::new().map_err(AppError::internal)?);
    let created_at = app.clock.or_database(app.db.now().await?);
    let new = NewAccessToken {
        id: id.0,
        user_id: caller.actor.id.0,
        name: &request.name,
        hash: &secret.hash(),
        scopes: request.scopes.iter().map(|scope| scope.as_str()).collect(),
        plan_id: request.plan.map(|plan| plan.0),
        created_at,
        expires_at: created_at + request.life,
    };
    let recorded = event(AuditKind::TokenCreated, &caller, id);
    let added = new.insert(&mut *app.db.conn().await?, &recorded).await?;
    let too_many = || AppError::conflict(format!("There may be {MOST} tokens, and there are. Revoke one first."));
    let token = added.ok_or_else(too_many)?.into();
    let secret = secret.token(id.0);
    Ok((StatusCode::CREATED, data(CreatedTokenResponse { token, secret })))
}

/// Revokes an access token. Programs that use it are refused from now on; their open streams end within seconds.
#[utoipa::path(delete, path = "/api/me/tokens/{id}", tag = "tokens", params(("id" = Uuid, Path, description = "The token")),
    responses((status = 204, description = "The token is gone")))]
pub(crate) async fn delete_token(
    app: AppState,
    caller: Caller,
    _: SessionId,
    PathId(id): PathId,
) -> Result<StatusCode, AppError> {
    let id = TokenId(id);
    let recorded = event(AuditKind::TokenRevoked, &caller, id);
    let mut conn = app.db.conn().await?;
    match AccessToken::delete(&mut conn, caller.effective.id, id, &recorded).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(AppError::not_found("The token")),
    }
}

/// Without the token's name: that is the person's own words, which the audit could not forget.
fn event(kind: AuditKind, caller: &Caller, id: TokenId) -> AuditEvent {
    AuditEvent::by(kind, caller).detail(json!({ "tokenId": id }))
}

/// A request that can be carried out.
struct TokenRequest {
    name: String,
    /// In the order of [`TokenScope::ALL`].
    scopes: Vec<TokenScope>,
    plan: Option<PlanId>,
    life: Duration,
}

/// The request, or everything that is wrong with it.
fn checked(body: CreateTokenRequest) -> Result<TokenRequest, AppError> {
    let mut errors = Vec::new();
    let name = clean::label(&clean::storable(body.name));
    if !(1..=MAX_NAME_CHARS).contains(&name.chars().count()) {
        errors.push(FieldError::new(
            "name",
            format!("must have 1 to {MAX_NAME_CHARS} characters"),
        ));
    }
    let asked = |scope: &&TokenScope| body.scopes.contains(scope);
    let scopes: Vec<TokenScope> = TokenScope::ALL.iter().filter(asked).copied().collect();
    let problem = match (scopes.first(), scopes.len() == body.scopes.len()) {
        (None, _) => Some("must name at least one of `read`, `chat` and `write`"),
        (_, false) => Some("must name no scope twice"),
        (Some(TokenScope::Read), true) => None,
        (Some(_), true) => Some("must have `read` beside `chat` or `write`"),
    };
    errors.extend(problem.map(|problem| FieldError::new("scopes", problem)));
    let days = body.expires_in_days.unwrap_or(DEFAULT_DAYS);
    if !DAYS.contains(&days) {
        let problem = format!("must be between {} and {}", DAYS.start(), DAYS.end());
        errors.push(FieldError::new("expiresInDays", problem));
    }
    if !errors.is_empty() {
        return Err(AppError::validation(errors));
    }
    Ok(TokenRequest {
        name,
        scopes,
        plan: body.plan_id.map(PlanId),
        life: Duration::days(days),
    })
}
