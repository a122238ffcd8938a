//! The plan of the path, after the access check. Later queries use this value, never a bare id.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::Credential;
use crate::http::extract::path::{parse, path_params};
use crate::plans::{Actor, PlanRef};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::PlanOwner;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use plan_model::access::{Caller, UserRole};
use plan_model::ids::{BrandVersionId, PlanId};

/// The plan of the route, read in the same round trip as the session or token. Access is not checked yet.
#[derive(Debug, Clone)]
pub(crate) enum FoundPlan {
    NotAsked,
    Asked(PlanId, Option<PlanOwner>),
}

/// A plan that the caller may access. Read-only callers were refused writes before this point.
#[derive(Clone)]
pub struct PlanAccess {
    pub caller: Caller,
    pub plan: PlanOwner,
    pub credential: Credential,
}

impl PlanAccess {
    pub fn id(&self) -> PlanId {
        PlanId(self.plan.id)
    }

    pub fn brand_version(&self) -> BrandVersionId {
        BrandVersionId(self.plan.brand_version_id)
    }

    pub fn actor(&self) -> Actor {
        Actor::from(&self.caller)
    }

    /// The plan for those who edit it.
    ///
    /// # Errors
    /// Where its brand version cannot be read.
    pub async fn plan_ref(&self, app: &AppState) -> Result<PlanRef, AppError> {
        Ok(PlanRef {
            id: self.id(),
            brand_version: app.db.brand_version(self.brand_version()).await?,
        })
    }
}

/// Franchisees have access to their own plans, platform administrators to all, franchisor administrators to none. A token may
/// be for one plan only.
pub(crate) fn may_touch(caller: &Caller, plan: &PlanOwner) -> bool {
    if !caller.token_opens(PlanId(plan.id)) {
        return false;
    }
    match caller.effective.role {
        UserRole::Franchisee => plan.user_id == caller.effective.id.0,
        UserRole::PlatformAdmin => true,
        UserRole::FranchisorAdmin => false,
    }
}

/// The refusal of a token that is for one plan only.
pub(crate) fn other_plan() -> AppError {
    AppError::forbidden("This access token is for another plan.")
}

/// The plan, if it exists and the caller has access.
pub(crate) async fn open(app: &AppState, caller: &Caller, id: PlanId) -> Result<PlanOwner, AppError> {
    let found = PlanOwner::find(&*app.db.conn().await?, id).await?;
    admit(app, caller, id, found).await
}

async fn admit(app: &AppState, caller: &Caller, id: PlanId, found: Option<PlanOwner>) -> Result<PlanOwner, AppError> {
    let plan = found.ok_or_else(|| AppError::not_found("The plan"))?;
    if may_touch(caller, &plan) {
        return Ok(plan);
    }
    AuditEvent::by(AuditKind::AccessDenied, caller)
        .plan(id)
        .once_an_hour(app.clock.now())
        .insert(&*app.db.conn().await?)
        .await?;
    if caller.token_opens(id) {
        return Err(AppError::forbidden("This plan belongs to somebody else."));
    }
    Err(other_plan())
}

impl FromRequestParts<AppState> for PlanAccess {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let credential = Credential::from_request_parts(parts, app).await?;
        let params = path_params(parts, app).await?;
        let (name, text) = params
            .iter()
            .find(|(name, _)| *name == "id")
            .ok_or_else(|| AppError::internal("the route names no plan"))?;
        let id = PlanId(parse(name, text)?);
        let plan = match parts.extensions.get::<FoundPlan>() {
            Some(FoundPlan::Asked(asked, found)) if *asked == id => admit(app, &caller, id, found.clone()).await?,
            _ => open(app, &caller, id).await?,
        };
        Ok(Self {
            caller,
            plan,
            credential,
        })
    }
}
