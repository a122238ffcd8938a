//! An assistant and what it may: whose token it has, which plans that opens, what it uses up.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::Credential;
use crate::http::mcp::plans::Opened;
use crate::http::reads::Reads;
use crate::store::people::audit::{AuditEvent, AuditKind};
use plan_model::access::{Caller, TokenGrant, TokenScope};
use plan_model::ids::PlanId;

/// A person's assistant, for one request.
#[derive(Clone)]
pub(super) struct Assistant {
    pub app: AppState,
    pub caller: Caller,
    credential: Credential,
    token: TokenGrant,
    reads: Reads,
}

impl Assistant {
    /// # Errors
    /// 401 for a caller without a token, whom no layer lets pass.
    pub(super) fn new(app: AppState, caller: Caller, credential: Credential, reads: Reads) -> Result<Self, AppError> {
        let token = caller.token.clone().ok_or_else(AppError::unauthenticated)?;
        Ok(Self {
            app,
            caller,
            credential,
            token,
            reads,
        })
    }

    /// Counts and records a call, and opens its plan. One that is not the caller's is not in the record, which nobody can fill with ids
    /// that are made up.
    ///
    /// # Errors
    /// If it is one too many, or there is no such plan.
    pub(super) async fn begin(&self, kind: AuditKind, plan: Option<&str>) -> Result<Option<Opened>, AppError> {
        self.reads.count(self.caller.actor.id)?;
        let opened = match plan {
            Some(id) => Opened::open(&self.app, &self.caller, self.credential, id)
                .await
                .map(Some),
            None => Ok(None),
        };
        let found = opened.as_ref().ok().and_then(Option::as_ref);
        self.record(kind, found.map(|opened| opened.access.id())).await?;
        opened
    }

    async fn record(&self, kind: AuditKind, plan: Option<PlanId>) -> Result<(), AppError> {
        let event = AuditEvent::by(kind, &self.caller);
        let event = match plan {
            Some(plan) => event.plan(plan),
            None => event,
        };
        let conn = self.app.db.conn().await?;
        Ok(event.count_call(&conn, self.token.id, self.app.clock.now()).await?)
    }

    /// # Errors
    /// If the token has none of the scopes.
    pub(super) fn require(&self, scopes: &[TokenScope]) -> Result<(), AppError> {
        if scopes.iter().any(|scope| self.token.scopes.contains(scope)) {
            return Ok(());
        }
        let names: Vec<_> = scopes.iter().map(|scope| format!("`{}`", scope.as_str())).collect();
        let words = format!("This access token lacks the scope {}.", names.join(" or "));
        Err(AppError::forbidden(words))
    }
}
