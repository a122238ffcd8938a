//! Values of a plan that wait for a decision: listed, and decided on together.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PlanAccess, UncheckedJson};
use crate::http::wire::{Data, data};
use crate::plans::proposals::{self, Decided, ProposalError, Settled};
use crate::store::plans::extractions::{Extraction, Proposal};
use plan_model::error::FieldError;
use plan_model::extracted::{ExtractedValue, NoteCode, RangeCode};
use plan_model::field::{FieldPath, Kind};
use plan_model::ids::{ExtractionId, UserId};
use plan_model::message::Author;
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;
use time::OffsetDateTime;
use uuid::Uuid;

/// Decisions of one request.
const MAX_DECISIONS: usize = 200;

/// A value that waits for a decision.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProposalResponse {
    id: Uuid,
    /// The turn it was said in; `null` if that was deleted for its age, and for what an assistant has proposed.
    turn_id: Option<Uuid>,
    #[schema(value_type = String, example = "operatingCosts.rentMonthly")]
    field: FieldPath,
    label: String,
    #[schema(value_type = String, example = "money")]
    kind: Kind,
    /// In the field's unit: cents, decimals, whole numbers.
    #[schema(value_type = f64)]
    value: Number,
    /// What the plan held when it was said.
    #[schema(value_type = Option<f64>)]
    previous_value: Option<Number>,
    /// The words that it is from.
    evidence: Option<String>,
    note_code: Option<NoteCode>,
    range_code: Option<RangeCode>,
    /// Who said it, where that was not the plan's owner in person. An assistant's words are not known to be the owner's.
    author: Option<Author>,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// What becomes of proposals, by id. At least one, none of them twice.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettleRequest {
    /// These are written into the plan as they were proposed.
    #[serde(default)]
    accept: Vec<Uuid>,
    /// These are dropped.
    #[serde(default)]
    dismiss: Vec<Uuid>,
}

/// Decided values, accepted ones first, and what they did to the plan's results.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettledResponse {
    extracted_values: Vec<ExtractedValue>,
    updated_outputs: Option<UpdatedOutputs>,
}

impl ProposalResponse {
    fn new(proposal: Proposal, owner: UserId) -> Self {
        let Proposal {
            turn,
            value,
            at,
            author,
        } = proposal;
        Self {
            id: value.id.0,
            turn_id: turn.map(|turn| turn.0),
            field: value.field,
            label: value.label,
            kind: value.kind,
            value: value.value,
            previous_value: value.previous_value,
            evidence: value.evidence,
            note_code: value.note_code,
            range_code: value.range_code,
            author: author.filter(|author| author.is_assistant || author.id != owner),
            at,
        }
    }
}

impl From<ProposalError> for AppError {
    fn from(error: ProposalError) -> Self {
        match error {
            ProposalError::NotFound(_) => Self::not_found("The value"),
            ProposalError::AlreadyResolved(_) => Self::conflict("This value is decided already."),
            ProposalError::Refused(_, why) => Self::invalid("value", why),
            ProposalError::SameField(field) => Self::invalid("accept", format!("has two values of {field}")),
            ProposalError::Edit(error) => error.into(),
        }
    }
}

/// Lists the values of a plan that wait for a decision, oldest first.
#[utoipa::path(get, path = "/api/plans/{id}/proposals", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    responses((status = 200, body = Data<Vec<ProposalResponse>>)))]
pub(crate) async fn list_proposals(app: AppState, access: PlanAccess) -> Result<Data<Vec<ProposalResponse>>, AppError> {
    let owner = UserId(access.plan.user_id);
    let open = Extraction::list_open(&*app.db.conn().await?, access.id()).await?;
    Ok(data(
        open.into_iter().map(|one| ProposalResponse::new(one, owner)).collect(),
    ))
}

/// Decides on proposals: all of them or none, as one group of changes, which can be undone together.
///
/// 409 names those that are decided already. Two accepted values of one field: 400.
#[utoipa::path(post, path = "/api/plans/{id}/proposals/resolve", tag = "plans", params(("id" = Uuid, Path, description = "The plan")),
    request_body = SettleRequest,
    responses((status = 200, body = Data<SettledResponse>)))]
pub(crate) async fn resolve_proposals(
    app: AppState,
    access: PlanAccess,
    UncheckedJson(body, permit): UncheckedJson<SettleRequest>,
) -> Result<Data<SettledResponse>, AppError> {
    let decisions = checked(&body)?;
    permit.take(&app).await?;
    let (actor, plan, now) = (access.actor(), access.plan_ref(&app).await?, app.clock.now());
    let settled = proposals::settle(&app.db, &actor, &plan, &decisions, now).await;
    let Settled {
        values,
        updated_outputs,
    } = settled.map_err(|error| match error {
        ProposalError::Refused(id, why) => AppError::invalid("accept", format!("{}: the value {why}", id.0)),
        ProposalError::AlreadyResolved(settled) => {
            let settled: Vec<_> = settled.into_iter().map(|id| json!({ "id": id })).collect();
            AppError::conflict("Some of these values are decided already.").with_details(settled)
        }
        error => error.into(),
    })?;
    Ok(data(SettledResponse {
        extracted_values: values,
        updated_outputs,
    }))
}

fn checked(body: &SettleRequest) -> Result<Vec<(ExtractionId, Decided)>, AppError> {
    let accept = body.accept.iter().map(|id| (ExtractionId(*id), Decided::Accept(None)));
    let dismiss = body.dismiss.iter().map(|id| (ExtractionId(*id), Decided::Dismiss));
    let decisions: Vec<_> = accept.chain(dismiss).collect();
    let mut seen = HashSet::new();
    let mut errors = Vec::new();
    if decisions.is_empty() {
        errors.push(FieldError::new(
            "accept",
            "must name at least one value, here or in dismiss",
        ));
    }
    if decisions.len() > MAX_DECISIONS {
        errors.push(FieldError::new(
            "accept",
            format!("must be at most {MAX_DECISIONS}, those of dismiss included"),
        ));
    }
    for (id, decided) in &decisions {
        if !seen.insert(id.0) {
            let field = if *decided == Decided::Dismiss {
                "dismiss"
            } else {
                "accept"
            };
            errors.push(FieldError::new(field, format!("names {} twice", id.0)));
        }
    }
    if errors.is_empty() {
        Ok(decisions)
    } else {
        Err(AppError::validation(errors))
    }
}
