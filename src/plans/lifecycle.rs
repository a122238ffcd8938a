//! Making, renaming and deleting plans.

use crate::plans::Actor;
use crate::store::brands::BrandVersion;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::users::User;
use crate::store::plans::{Description, NewPlan, Plan};
use crate::store::turns::prompts::Prompt;
use crate::store::{Conn, Db, StoreError};
use diesel_async::AsyncConnection;
use pg_link::json::Json;
use plan_model::ids::{BrandId, PlanId, TurnId};
use plan_model::inputs::FinancialInputs;

/// Why a plan was neither made nor deleted.
#[derive(Debug, thiserror::Error)]
pub enum LifecycleError {
    #[error("there is no such brand")]
    UnknownBrand,
    #[error("the idempotency key was used for another plan")]
    KeyReused,
    #[error("the user has {0} plans, which is the limit")]
    TooMany(u32),
    #[error("a turn runs on the plan")]
    Busy(TurnId),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for LifecycleError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// A plan that was made, now or by an earlier request with the same key.
#[derive(Debug)]
pub(crate) struct Created {
    pub plan: Plan,
    pub brand_version: BrandVersion,
    pub replayed: bool,
}

/// What a plan is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanRequest<'a> {
    pub name: &'a str,
    pub brand: BrandId,
    /// Requests of a user with the same key make one plan.
    pub key: Option<&'a str>,
}

/// Makes a plan at the defaults of the brand's current version. `max_plans` is the number a user may have; 0 is no limit.
///
/// # Errors
/// See [`LifecycleError`].
pub(crate) async fn create(
    db: &Db,
    actor: &Actor,
    request: PlanRequest<'_>,
    max_plans: u32,
) -> Result<Created, LifecycleError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, LifecycleError, _>(async |conn| {
        // One at a time per user, so that neither the key nor the limit can be passed twice.
        User::lock(conn, actor.effective).await?;
        if let Some(created) = created_before(conn, actor, request).await? {
            return Ok(created);
        }
        if max_plans > 0 && Plan::count_of(conn, actor.effective).await? >= i64::from(max_plans) {
            return Err(LifecycleError::TooMany(max_plans));
        }
        let brand_version = BrandVersion::find_current(conn, request.brand)
            .await?
            .ok_or(LifecycleError::UnknownBrand)?;
        let plan = NewPlan {
            id: PlanId::fresh().0,
            user_id: actor.effective.0,
            brand_version_id: brand_version.id.0,
            name: request.name,
            financial_inputs: Some(Json(FinancialInputs::from_brand(&brand_version.brand))),
            creation_key: request.key,
            creation_request: request.key.map(|_| request.text()).as_deref(),
        }
        .insert(conn)
        .await?
        .ok_or_else(|| StoreError::Conflict("plans".to_owned()))?;
        let event = AuditEvent::new(AuditKind::PlanCreated, Some(actor.actor), Some(actor.effective));
        event.plan(PlanId(plan.id)).insert(conn).await?;
        Ok(Created {
            plan,
            brand_version,
            replayed: false,
        })
    })
    .await
}

impl PlanRequest<'_> {
    /// The request that an idempotency key was used for.
    fn text(&self) -> String {
        format!("{} {}", self.brand, self.name)
    }
}

async fn created_before(
    conn: &Conn,
    actor: &Actor,
    request: PlanRequest<'_>,
) -> Result<Option<Created>, LifecycleError> {
    let Some(key) = request.key else { return Ok(None) };
    match Plan::find_created(conn, actor.effective, key).await? {
        None => Ok(None),
        // Without it the words of the plan were erased: then the key alone tells.
        Some((_, Some(known))) if known != request.text() => Err(LifecycleError::KeyReused),
        Some((plan, _)) => Ok(Some(Created {
            brand_version: BrandVersion::load(conn, plan.brand_version()).await?,
            plan,
            replayed: true,
        })),
    }
}

/// Gives a plan another name, another opening month or both.
///
/// # Errors
/// See [`LifecycleError`].
pub(crate) async fn describe(
    db: &Db,
    actor: &Actor,
    plan: PlanId,
    new: &Description<'_>,
) -> Result<Plan, LifecycleError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, LifecycleError, _>(async |conn| {
        let described = Plan::describe(conn, plan, new).await?;
        let changed = [
            new.name.map(|_| AuditKind::PlanRenamed),
            new.opening_month.map(|_| AuditKind::OpeningMonthChanged),
        ];
        for kind in changed.into_iter().flatten() {
            let event = AuditEvent::new(kind, Some(actor.actor), Some(actor.effective));
            event.plan(plan).insert(conn).await?;
        }
        Ok(described)
    })
    .await
}

/// Deletes a plan with its conversation. The audit event stays.
///
/// # Errors
/// [`LifecycleError::Busy`] while a turn runs on it.
pub(crate) async fn delete(db: &Db, actor: &Actor, plan: PlanId) -> Result<(), LifecycleError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, LifecycleError, _>(async |conn| {
        Plan::lock_against_turns(conn, plan).await?;
        if let Some(turn) = Prompt::find_running(conn, plan).await? {
            return Err(LifecycleError::Busy(turn.turn()));
        }
        Plan::delete(conn, plan).await?;
        let event = AuditEvent::new(AuditKind::PlanDeleted, Some(actor.actor), Some(actor.effective));
        event.plan(plan).insert(conn).await?;
        Ok(())
    })
    .await
}
