//! The audit trail of a plan's values, and taking changes back.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PathId, PlanAccess, UncheckedJson, ValidQuery};
use crate::http::handlers::planning::plans::{PlanResponse, etag};
use crate::http::wire::{DEFAULT_LIMIT, Data, List, Total, data};
use crate::plans::undo::{GroupRef, TakenBack, UndoError};
use crate::plans::{Change, undo};
use crate::store::people::users::User;
use crate::store::plans::plan_changes::{PlanChange, Reason};
use axum::http::header;
use axum::response::IntoResponse;
use pg_link::json::Json;
use plan_model::access::{Person, UserRole};
use plan_model::field::FieldPath;
use plan_model::ids::{ChangeId, TurnId};
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChangeQuery {
    /// At most this many.
    #[serde(default = "default_limit")]
    #[validate(range(min = 1, max = 500, message = "must be between 1 and 500"))]
    #[param(default = 50, minimum = 1, maximum = 500)]
    pub limit: i64,
    /// Leaves out this many of the newest.
    #[serde(default)]
    #[validate(range(min = 0, message = "must not be negative"))]
    #[param(minimum = 0)]
    pub offset: i64,
}

fn default_limit() -> i64 {
    DEFAULT_LIMIT
}

/// One change of one value.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangeResponse {
    pub id: Uuid,
    #[schema(example = "operatingCosts.rentMonthly")]
    pub field: String,
    #[schema(value_type = Option<f64>)]
    pub old_value: Option<Number>,
    #[schema(value_type = f64)]
    pub new_value: Number,
    /// Of the new value.
    #[schema(example = "ai_populated")]
    pub source: String,
    /// `entry`, `turn`, `accept`, `undo`, `reset` or `scenario`.
    #[schema(example = "turn")]
    pub reason: Reason,
    /// `plain` words, the model's second look (`review`) or the `user`; null for changes of older releases.
    #[schema(example = "plain")]
    pub decided_by: Option<String>,
    /// Of the extraction, where the value came from one.
    #[schema(example = "high")]
    pub confidence: Option<String>,
    /// The franchisee's own words, where the value came from an extraction.
    pub evidence: Option<String>,
    /// The turn, where the value came from one.
    pub turn_id: Option<Uuid>,
    /// Who did it; null if they were removed.
    pub actor: Option<Participant>,
    /// In whose name; null if they were removed.
    pub effective_user: Option<Participant>,
    /// The name of a removed actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_name: Option<String>,
    /// The name of a removed person in whose name it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_user_name: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

/// Somebody who changed a value.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Participant {
    pub id: Uuid,
    /// Left out of what franchisees see of others: support's addresses are their log-ins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub display_name: String,
    pub role: UserRole,
    pub brand_id: Option<Uuid>,
}

impl Participant {
    fn seen_by(viewer: &Person, person: Person) -> Self {
        let may_see = viewer.role != UserRole::Franchisee || viewer.id == person.id;
        Self {
            id: person.id.0,
            email: may_see.then_some(person.email),
            display_name: person.display_name,
            role: person.role,
            brand_id: person.brand_id.map(|brand| brand.0),
        }
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UndoneResponse {
    pub plan: PlanResponse,
    pub updated_outputs: Option<UpdatedOutputs>,
}

/// Names a group of changes: those of a turn, or those that were made together with a change. Exactly one of them.
#[derive(Debug, Deserialize, Validate, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"turnId": "0199c0de-0000-7000-8000-000000000031"}))]
pub(crate) struct UndoRequest {
    pub turn_id: Option<Uuid>,
    pub change_id: Option<Uuid>,
}

/// A field that holds again what it held before the group.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReturnedField {
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    pub field: FieldPath,
    #[schema(value_type = f64)]
    pub old_value: Number,
    #[schema(value_type = f64)]
    pub new_value: Number,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UndoneGroupResponse {
    pub plan: PlanResponse,
    pub updated_outputs: Option<UpdatedOutputs>,
    pub returned: Vec<ReturnedField>,
    /// Fields that have moved since and stay as they are.
    #[schema(value_type = Vec<String>)]
    pub moved: Vec<FieldPath>,
}

impl UndoRequest {
    fn group(&self) -> Result<GroupRef, AppError> {
        match (self.turn_id, self.change_id) {
            (Some(turn), None) => Ok(GroupRef::Turn(TurnId(turn))),
            (None, Some(change)) => Ok(GroupRef::Change(ChangeId(change))),
            _ => Err(AppError::invalid(
                "turnId",
                "or changeId must be given, and only one of them",
            )),
        }
    }
}

impl From<Change> for ReturnedField {
    fn from(change: Change) -> Self {
        Self {
            field: change.field,
            old_value: change.old.current_value,
            new_value: change.new.current_value,
        }
    }
}

impl From<UndoError> for AppError {
    fn from(error: UndoError) -> Self {
        match error {
            UndoError::NotFound => Self::not_found("The change"),
            UndoError::NothingStands => Self::conflict("The field has changed since."),
            UndoError::Edit(error) => error.into(),
        }
    }
}

impl ChangeResponse {
    fn new(change: PlanChange, people: &HashMap<Uuid, Participant>) -> Self {
        Self {
            id: change.id,
            field: change.field,
            old_value: change.old_value.map(|Json(value)| value.current_value),
            new_value: change.new_value.0.current_value,
            source: change.source,
            reason: change.reason,
            decided_by: change.decided_by,
            confidence: change.confidence,
            evidence: change.evidence,
            turn_id: change.turn_id,
            actor: change.actor_id.and_then(|id| people.get(&id).cloned()),
            effective_user: change.effective_user_id.and_then(|id| people.get(&id).cloned()),
            actor_name: change.actor_name,
            effective_user_name: change.effective_user_name,
            at: change.created_at,
        }
    }
}

/// Lists the changes of a plan's values, newest first.
#[utoipa::path(get, path = "/api/plans/{id}/changes", tag = "plans", params(("id" = Uuid, Path, description = "The plan"), ChangeQuery),
    responses((status = 200, body = List<ChangeResponse, Total>)))]
pub(crate) async fn list_changes(
    app: AppState,
    access: PlanAccess,
    ValidQuery(query): ValidQuery<ChangeQuery>,
) -> Result<List<ChangeResponse, Total>, AppError> {
    let conn = app.db.conn().await?;
    let (changes, total) = tokio::try_join!(
        PlanChange::list(&conn, access.id(), query.limit, query.offset),
        PlanChange::count(&conn, access.id())
    )?;
    let mut ids: Vec<Uuid> = changes
        .iter()
        .flat_map(|change| [change.actor_id, change.effective_user_id])
        .flatten()
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let people = User::list(&conn, &ids).await?;
    let viewer = &access.caller.actor;
    let seen = |user: &User| (user.id, Participant::seen_by(viewer, user.person()));
    let people: HashMap<Uuid, Participant> = people.iter().map(seen).collect();
    Ok(List {
        data: changes
            .into_iter()
            .map(|change| ChangeResponse::new(change, &people))
            .collect(),
        meta: Total { total },
    })
}

/// Takes one change back: the value from before it returns, as a new change.
///
/// 409 where the field has changed since.
#[utoipa::path(post, path = "/api/plans/{id}/changes/{change_id}/undo", tag = "plans",
    params(("id" = Uuid, Path, description = "The plan"), ("change_id" = Uuid, Path, description = "The change")),
    responses((status = 200, body = Data<UndoneResponse>)))]
pub(crate) async fn undo_change(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
) -> Result<impl IntoResponse, AppError> {
    let plan = access.plan_ref(&app).await?;
    let edited = undo::undo_change(&app.db, &access.actor(), &plan, ChangeId(id), app.clock.now()).await?;
    Ok((
        [(header::ETAG, etag(edited.plan.version))],
        data(UndoneResponse {
            plan: PlanResponse::new(edited.plan, &plan.brand_version),
            updated_outputs: edited.outputs,
        }),
    ))
}

/// Takes back what still stands of the changes of one turn, or of the edit that a change belongs to.
///
/// Fields that have changed since stay as they are and are named; 409 where all of them have.
#[utoipa::path(post, path = "/api/plans/{id}/changes/undo", tag = "plans",
    params(("id" = Uuid, Path, description = "The plan")), request_body = UndoRequest,
    responses((status = 200, body = Data<UndoneGroupResponse>, headers(("ETag" = String, description = "The new version, quoted")))))]
pub(crate) async fn undo_changes(
    app: AppState,
    access: PlanAccess,
    UncheckedJson(body, permit): UncheckedJson<UndoRequest>,
) -> Result<impl IntoResponse, AppError> {
    let group = body.group()?;
    permit.take(&app).await?;
    let plan = access.plan_ref(&app).await?;
    let (edited, taken_back) = undo::undo_group(&app.db, &access.actor(), &plan, group, app.clock.now()).await?;
    let TakenBack { returned, moved } = taken_back;
    Ok((
        [(header::ETAG, etag(edited.plan.version))],
        data(UndoneGroupResponse {
            plan: PlanResponse::new(edited.plan, &plan.brand_version),
            updated_outputs: edited.outputs,
            returned: returned.into_iter().map(ReturnedField::from).collect(),
            moved,
        }),
    ))
}
