//! The audit trail of a plan's values, and taking one step back.

use super::edit::{Draft, Edited};
use super::error::AppError;
use super::extract::{PathId, PlanAccess, ValidQuery};
use super::plans::{PlanResponse, etag};
use super::wire::{DEFAULT_LIMIT, Data, Page, PageMeta, data};
use crate::app::AppState;
use crate::model::access::Person;
use crate::model::field::FieldPath;
use crate::model::ids::ChangeId;
use crate::model::number::Number;
use crate::model::outputs::UpdatedOutputs;
use crate::plan::apply;
use crate::store::json::Json;
use crate::store::plan_changes::{PlanChange, Reason};
use crate::store::users::User;
use axum::http::header;
use axum::response::IntoResponse;
use diesel_async::AsyncConnection;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;
use validator::Validate;

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ChangeQuery {
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
pub struct ChangeResponse {
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
    /// Of the extraction, where the value came from one.
    #[schema(example = "high")]
    pub confidence: Option<String>,
    /// The franchisee's own words, where the value came from an extraction.
    pub evidence: Option<String>,
    /// The turn, where the value came from one.
    pub turn_id: Option<Uuid>,
    /// Who did it.
    pub actor: Option<Person>,
    /// In whose name.
    pub effective_user: Option<Person>,
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoneResponse {
    pub plan: PlanResponse,
    pub updated_outputs: Option<UpdatedOutputs>,
}

impl ChangeResponse {
    fn new(change: PlanChange, people: &HashMap<Uuid, Person>) -> Self {
        Self {
            id: change.id,
            field: change.field,
            old_value: change.old_value.map(|Json(value)| value.current_value),
            new_value: change.new_value.0.current_value,
            source: change.source,
            confidence: change.confidence,
            evidence: change.evidence,
            turn_id: change.turn_id,
            actor: people.get(&change.actor_id).cloned(),
            effective_user: people.get(&change.effective_user_id).cloned(),
            at: change.created_at,
        }
    }
}

/// Lists the changes of a plan's values, newest first.
#[utoipa::path(get, path = "/api/plans/{id}/changes", tag = "plans", params(("id" = Uuid, Path, description = "The plan"), ChangeQuery),
    responses((status = 200, body = Page<ChangeResponse>)))]
pub async fn list_changes(
    app: AppState,
    access: PlanAccess,
    ValidQuery(query): ValidQuery<ChangeQuery>,
) -> Result<Page<ChangeResponse>, AppError> {
    let conn = app.db.conn().await?;
    let (changes, total) = tokio::try_join!(
        PlanChange::list(&conn, access.id(), query.limit, query.offset),
        PlanChange::count(&conn, access.id())
    )?;
    let mut ids: Vec<Uuid> = changes
        .iter()
        .flat_map(|change| [change.actor_id, change.effective_user_id])
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let people = User::list(&conn, &ids).await?;
    let people: HashMap<Uuid, Person> = people.iter().map(|user| (user.id, user.person())).collect();
    Ok(Page {
        data: changes
            .into_iter()
            .map(|change| ChangeResponse::new(change, &people))
            .collect(),
        meta: PageMeta { total },
    })
}

/// Takes one change back: the value from before it returns, as a new change.
///
/// 409 where the field has changed since.
#[utoipa::path(post, path = "/api/plans/{id}/changes/{change_id}/undo", tag = "plans",
    params(("id" = Uuid, Path, description = "The plan"), ("change_id" = Uuid, Path, description = "The change")),
    responses((status = 200, body = Data<UndoneResponse>), (status = 409, body = super::error::ErrorEnvelope, description = "CONFLICT")))]
pub async fn undo_change(app: AppState, access: PlanAccess, PathId(id): PathId) -> Result<impl IntoResponse, AppError> {
    let edition = app.db.edition(access.edition()).await?;
    let mut conn = app.db.conn().await?;
    let Edited { plan, outputs } = conn
        .transaction::<_, AppError, _>(async |conn| {
            let mut draft = Draft::open(conn, &access, &edition).await?;
            let change = PlanChange::find(conn, access.id(), ChangeId(id))
                .await?
                .ok_or_else(|| AppError::not_found("The change"))?;
            let latest = PlanChange::latest_of(conn, access.id(), &change.field).await?;
            take_back(&mut draft, change, latest.map(|latest| latest.id))?;
            draft.save(conn, &app, &access, &edition).await
        })
        .await?;
    Ok((
        [(header::ETAG, etag(plan.version))],
        data(UndoneResponse {
            plan,
            updated_outputs: outputs,
        }),
    ))
}

fn take_back(draft: &mut Draft, change: PlanChange, latest: Option<Uuid>) -> Result<(), AppError> {
    let path = FieldPath::new(change.field);
    if latest != Some(change.id) || draft.value(&path) != Some(&change.new_value.0) {
        return Err(AppError::conflict("The field has changed since."));
    }
    match change.old_value {
        Some(Json(old)) => draft.change(&path, Reason::Undo, |inputs| apply::restore(inputs, &path, old)),
        None => draft.change(&path, Reason::Undo, |inputs| apply::reset(inputs, &path)),
    }
    Ok(())
}
