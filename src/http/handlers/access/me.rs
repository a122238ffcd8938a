//! The user's own settings: the active plan.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{JsonBody, open_plan};
use crate::http::wire::{Data, data};
use crate::store::people::users::User;
use plan_model::access::Caller;
use plan_model::ids::PlanId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetActivePlanRequest {
    pub plan_id: Uuid,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivePlanResponse {
    /// `null` before the first conversation.
    pub plan_id: Option<Uuid>,
}

/// The plan whose conversation the user was last in.
#[utoipa::path(get, path = "/api/me/active-plan", tag = "session", responses((status = 200, body = Data<ActivePlanResponse>)))]
pub(crate) async fn get_active_plan(app: AppState, caller: Caller) -> Result<Data<ActivePlanResponse>, AppError> {
    let user = User::find(&*app.db.conn().await?, caller.effective.id).await?;
    Ok(data(ActivePlanResponse {
        plan_id: user
            .and_then(|user| user.active_plan_id)
            .filter(|plan| caller.token_opens(PlanId(*plan))),
    }))
}

/// Remembers the plan whose conversation the user is in.
#[utoipa::path(put, path = "/api/me/active-plan", tag = "session", request_body = SetActivePlanRequest,
    responses((status = 200, body = Data<ActivePlanResponse>)))]
pub(crate) async fn set_active_plan(
    app: AppState,
    caller: Caller,
    JsonBody(body): JsonBody<SetActivePlanRequest>,
) -> Result<Data<ActivePlanResponse>, AppError> {
    let plan = open_plan(&app, &caller, PlanId(body.plan_id)).await?;
    User::set_active_plan(&*app.db.conn().await?, caller.effective.id, PlanId(plan.id)).await?;
    Ok(data(ActivePlanResponse { plan_id: Some(plan.id) }))
}
