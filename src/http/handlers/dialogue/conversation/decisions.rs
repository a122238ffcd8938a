//! Proposals and confirmations: decisions the advisor leaves to the franchisee.

use crate::app::AppState;
use crate::conversation::TurnError;
use crate::conversation::confirmation::{ConfirmationError, Decision, ResolvedConfirmation};
use crate::http::error::AppError;
use crate::http::extract::{JsonBody, OptionalJson, PathId, PlanAccess};
use crate::http::wire::{Data, data};
use crate::plans::proposals::{self, ResolvedProposal};
use plan_model::event::PendingConfirmation;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::{ExtractionId, PendingActionId};
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A correction, in the field's unit: cents, decimal, whole number.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AcceptRequest {
    #[serde(default)]
    #[schema(value_type = Option<f64>, example = 420_000)]
    pub value: Option<Number>,
}

/// A decided value and what it did to the plan's results.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolvedProposalResponse {
    extracted_value: ExtractedValue,
    updated_outputs: Option<UpdatedOutputs>,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecisionRequest {
    Approve,
    Deny,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResolveRequest {
    /// The pending action's id.
    pub id: Uuid,
    pub decision: DecisionRequest,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolvedConfirmationResponse {
    decision: DecisionRequest,
    /// What was done, in words.
    message: String,
    updated_outputs: Option<UpdatedOutputs>,
}

impl From<ResolvedProposal> for Data<ResolvedProposalResponse> {
    fn from(resolved: ResolvedProposal) -> Self {
        let ResolvedProposal {
            extracted_value,
            updated_outputs,
        } = resolved;
        data(ResolvedProposalResponse {
            extracted_value,
            updated_outputs,
        })
    }
}

impl From<ConfirmationError> for AppError {
    fn from(error: ConfirmationError) -> Self {
        match error {
            ConfirmationError::Gone => Self::conflict(
                "No such question waits for you: it is decided already, its time is over, or it was put to somebody else.",
            ),
            ConfirmationError::Busy(turn) => TurnError::Busy(turn).into(),
            ConfirmationError::Edit(error) => error.into(),
        }
    }
}

/// Puts a proposed value, or a corrected one, into the plan. Once.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/extractions/{extraction_id}/accept", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ("extraction_id" = Uuid, Path, description = "Extracted value")),
    request_body(content = Option<AcceptRequest>, description = "Left out: the value as proposed"),
    responses(
        (status = 200, body = Data<ResolvedProposalResponse>),
    ))]
pub(crate) async fn accept_extraction(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
    OptionalJson(body, permit): OptionalJson<AcceptRequest>,
) -> Result<Data<ResolvedProposalResponse>, AppError> {
    permit.take(&app).await?;
    let correction = body.and_then(|body| body.value);
    let (actor, plan) = (access.actor(), access.plan_ref(&app).await?);
    let now = app.clock.now();
    let resolved = proposals::accept(&app.db, &actor, &plan, ExtractionId(id), correction, now).await?;
    Ok(resolved.into())
}

/// Refuses a proposed value; the plan stays as it is. Once.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/extractions/{extraction_id}/dismiss", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan"), ("extraction_id" = Uuid, Path, description = "Extracted value")),
    responses(
        (status = 200, body = Data<ResolvedProposalResponse>),
    ))]
pub(crate) async fn dismiss_extraction(
    app: AppState,
    access: PlanAccess,
    PathId(id): PathId,
) -> Result<Data<ResolvedProposalResponse>, AppError> {
    let (actor, plan) = (access.actor(), access.plan_ref(&app).await?);
    let resolved = proposals::dismiss(&app.db, &actor, &plan, ExtractionId(id), app.clock.now()).await?;
    Ok(resolved.into())
}

/// Reads the destructive action that waits for a yes.
#[utoipa::path(get, path = "/api/plans/{id}/conversation/confirmation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    responses(
        (status = 200, body = Data<Option<PendingConfirmation>>, description = "`data` is `null` where nothing waits for an answer"),
    ))]
pub(crate) async fn get_confirmation(
    app: AppState,
    access: PlanAccess,
) -> Result<Data<Option<PendingConfirmation>>, AppError> {
    Ok(data(app.conversations.pending(&access.caller, access.id()).await?))
}

/// Approves or denies the destructive action that waits. Carried out once, within five minutes of the question.
#[utoipa::path(post, path = "/api/plans/{id}/conversation/confirmation", tag = "conversation",
    params(("id" = Uuid, Path, description = "Plan")),
    request_body = ResolveRequest,
    responses(
        (status = 200, body = Data<ResolvedConfirmationResponse>),
    ))]
pub(crate) async fn resolve_confirmation(
    app: AppState,
    access: PlanAccess,
    JsonBody(body): JsonBody<ResolveRequest>,
) -> Result<Data<ResolvedConfirmationResponse>, AppError> {
    let decision = match body.decision {
        DecisionRequest::Approve => Decision::Approve,
        DecisionRequest::Deny => Decision::Deny,
    };
    let (actor, plan) = (access.actor(), access.plan_ref(&app).await?);
    let id = PendingActionId(body.id);
    let resolved = app
        .conversations
        .resolve_confirmation(&actor, &plan, id, decision)
        .await?;
    let ResolvedConfirmation { text, updated_outputs } = resolved;
    Ok(data(ResolvedConfirmationResponse {
        decision: body.decision,
        message: text,
        updated_outputs,
    }))
}
