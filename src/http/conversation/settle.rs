//! Proposals and confirmations: what the advisor left for the franchisee to decide.

use super::question;
use crate::app::AppState;
use crate::conversation::confirmation::{Decision, Settlement};
use crate::conversation::proposals::SettledValue;
use crate::http::error::{AppError, ErrorEnvelope};
use crate::http::extract::{PathId, PlanAccess, ValidJson};
use crate::model::event::PendingConfirmation;
use crate::model::extracted::ExtractedValue;
use crate::model::ids::{ExtractionId, PendingActionId};
use crate::model::number::Number;
use crate::model::outputs::UpdatedOutputs;
use axum::Json;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use validator::Validate;

/// A correction, in the field's unit: cents, decimal, whole number.
#[derive(Debug, Default, Deserialize, Validate, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptRequest {
    #[serde(default)]
    #[schema(value_type = Option<f64>, example = 420_000)]
    pub value: Option<Number>,
}

/// A settled value and what it did to the plan's results.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettledValueBody {
    extracted_value: ExtractedValue,
    updated_outputs: Option<UpdatedOutputs>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SettledValueResponse {
    data: SettledValueBody,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ConfirmationResponse {
    /// null where nothing waits for an answer
    data: Option<PendingConfirmation>,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionRequest {
    Approve,
    Deny,
}

#[derive(Debug, Deserialize, Validate, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettleRequest {
    /// The pending action's id.
    pub id: Uuid,
    pub decision: DecisionRequest,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettlementBody {
    decision: DecisionRequest,
    /// What was done, in words.
    message: String,
    updated_outputs: Option<UpdatedOutputs>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SettlementResponse {
    data: SettlementBody,
}

impl From<SettledValue> for Json<SettledValueResponse> {
    fn from(settled: SettledValue) -> Self {
        let SettledValue {
            extracted_value,
            updated_outputs,
        } = settled;
        Self(SettledValueResponse {
            data: SettledValueBody {
                extracted_value,
                updated_outputs,
            },
        })
    }
}

/// Puts a proposed value, or a corrected one, into the plan. Once.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/extractions/{extraction_id}/accept", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ("extraction_id" = Uuid, Path, description = "Extracted value")),
    request_body(content = Option<AcceptRequest>, description = "Left out: the value as proposed"),
    responses(
        (status = 200, body = SettledValueResponse),
        (status = 400, body = ErrorEnvelope, description = "VALIDATION_ERROR"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
        (status = 409, body = ErrorEnvelope, description = "CONFLICT: settled already"),
        (status = 413, body = ErrorEnvelope, description = "PAYLOAD_TOO_LARGE"),
        (status = 415, body = ErrorEnvelope, description = "UNSUPPORTED_MEDIA_TYPE"),
    ))]
pub async fn accept_extraction(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
    body: Option<ValidJson<AcceptRequest>>,
) -> Result<Json<SettledValueResponse>, AppError> {
    let correction = body.and_then(|ValidJson(body)| body.value);
    let question = question(&app, &access, String::new(), None);
    let settled = app
        .conversations
        .accept(&question, ExtractionId(id), correction)
        .await?;
    Ok(settled.into())
}

/// Takes a proposed value off the table. Once.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/extractions/{extraction_id}/dismiss", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ("extraction_id" = Uuid, Path, description = "Extracted value")),
    responses(
        (status = 200, body = SettledValueResponse),
        (status = 400, body = ErrorEnvelope, description = "VALIDATION_ERROR"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
        (status = 409, body = ErrorEnvelope, description = "CONFLICT: settled already"),
    ))]
pub async fn dismiss_extraction(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
) -> Result<Json<SettledValueResponse>, AppError> {
    let question = question(&app, &access, String::new(), None);
    Ok(app.conversations.dismiss(&question, ExtractionId(id)).await?.into())
}

/// Reads the destructive action that waits for a yes.
#[utoipa::path(get, path = "/api/plans/{id}/conversation/confirmation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses(
        (status = 200, body = ConfirmationResponse),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
    ))]
pub async fn get_confirmation(app: AppState, access: PlanAccess) -> Result<Json<ConfirmationResponse>, AppError> {
    let data = app.conversations.pending(&access.caller, access.id()).await?;
    Ok(Json(ConfirmationResponse { data }))
}

/// Approves or denies the destructive action that waits. Carried out once, within five minutes of the question.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/confirmation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    request_body = SettleRequest,
    responses(
        (status = 200, body = SettlementResponse),
        (status = 400, body = ErrorEnvelope, description = "VALIDATION_ERROR"),
        (status = 401, body = ErrorEnvelope, description = "UNAUTHENTICATED"),
        (status = 403, body = ErrorEnvelope, description = "FORBIDDEN"),
        (status = 404, body = ErrorEnvelope, description = "NOT_FOUND"),
        (status = 409, body = ErrorEnvelope, description = "CONFLICT: settled or expired; TURN_IN_PROGRESS"),
        (status = 413, body = ErrorEnvelope, description = "PAYLOAD_TOO_LARGE"),
        (status = 415, body = ErrorEnvelope, description = "UNSUPPORTED_MEDIA_TYPE"),
    ))]
pub async fn settle_confirmation(
    app: AppState,
    access: PlanAccess,
    ValidJson(body): ValidJson<SettleRequest>,
) -> Result<Json<SettlementResponse>, AppError> {
    let decision = match body.decision {
        DecisionRequest::Approve => Decision::Approve,
        DecisionRequest::Deny => Decision::Deny,
    };
    let question = question(&app, &access, String::new(), None);
    let settled = app
        .conversations
        .settle(&question, PendingActionId(body.id), decision)
        .await?;
    let Settlement { text, updated_outputs } =
        settled.ok_or_else(|| AppError::conflict("This question is settled already, or its time is over."))?;
    Ok(Json(SettlementResponse {
        data: SettlementBody {
            decision: body.decision,
            message: text,
            updated_outputs,
        },
    }))
}
