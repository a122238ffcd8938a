//! Values that wait for the franchisee: accepted with or without a correction, or dismissed, once.
use crate::plans::{Actor, EditError, PlanEdit, PlanRef, Provenance};
use crate::store::brands::BrandVersion;
use crate::store::plans::Plan;
use crate::store::plans::extractions::Extraction;
use crate::store::plans::plan_changes::Reason;
use crate::store::{Conn, Db, StoreError};
use diesel_async::AsyncConnection;
use plan_model::extracted::{DecidedBy, ExtractedValue, Status};
use plan_model::ids::{ExtractionId, TurnId};
use plan_model::inputs::Source;
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use time::OffsetDateTime;

/// A proposal that has been decided.
#[derive(Debug)]
pub struct ResolvedProposal {
    pub extracted_value: ExtractedValue,
    pub updated_outputs: Option<UpdatedOutputs>,
}

/// Why a proposal was not resolved.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    #[error("the plan has no such value")]
    NotFound,
    #[error("the value is resolved already")]
    AlreadyResolved,
    /// The value, proposed or corrected, is outside its hard bounds; the text gives the reason.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StoreError> for ProposalError {
    fn from(error: StoreError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<diesel::result::Error> for ProposalError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Edit(error.into())
    }
}

/// Puts a proposed value, or `correction` instead of it, into the plan.
///
/// # Errors
/// See [`ProposalError`]; nothing has changed then.
pub async fn accept(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    id: ExtractionId,
    correction: Option<Number>,
    at: OffsetDateTime,
) -> Result<ResolvedProposal, ProposalError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ProposalError, _>(async |conn| {
        let mut edit = PlanEdit::open(conn, actor, plan, at).await?;
        let (turn, mut value) = find_open(conn, plan, id).await?;
        let wanted = checked(&plan.brand_version, &value, correction)?;
        let provenance = Provenance {
            confidence: Some(value.confidence),
            evidence: value.evidence.clone(),
            turn,
            ..Provenance::user(source(actor, wanted == value.value), Reason::Accept)
        };
        let change = edit.set(&value.field, wanted, provenance)?;
        value.previous_value = Some(change.old.current_value);
        (value.value, value.status, value.applied) = (wanted, Status::Accepted, true);
        (value.decided_by, value.change_id) = (Some(DecidedBy::User), Some(change.id));
        let field = plan.brand_version.field(value.field.as_str());
        let warning = field.and_then(|field| plan_reader::warning(field, change.new.item7(), wanted));
        (value.range_code, value.range_warning) = warning.map_or((None, None), |(code, text)| (Some(code), Some(text)));
        resolve(conn, plan, &value, actor).await?;
        let edited = edit.commit(conn).await?;
        Ok(ResolvedProposal {
            extracted_value: value,
            updated_outputs: edited.outputs,
        })
    })
    .await
}

/// Refuses a proposed value; the plan stays as it is.
///
/// # Errors
/// See [`ProposalError`].
pub async fn dismiss(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    id: ExtractionId,
    at: OffsetDateTime,
) -> Result<ResolvedProposal, ProposalError> {
    let mut conn = db.conn().await?;
    let (_, mut value) = find_open(&conn, plan, id).await?;
    value.status = Status::Dismissed;
    resolve(&mut conn, plan, &value, actor).await?;
    let row = Plan::load(&conn, plan.id).await?;
    let current = row
        .inputs()
        .map(|inputs| plan_engine::project(inputs, &plan.brand_version.brand));
    Ok(ResolvedProposal {
        extracted_value: value,
        updated_outputs: current.map(|current| plan_engine::update(None, &current, at)),
    })
}

/// The value where it is still proposed, and the turn it was said in.
async fn find_open(
    conn: &Conn,
    plan: &PlanRef,
    id: ExtractionId,
) -> Result<(Option<TurnId>, ExtractedValue), ProposalError> {
    let found = Extraction::find(conn, plan.id, id)
        .await?
        .ok_or(ProposalError::NotFound)?;
    let value = found.current();
    match value.status {
        Status::Proposed => Ok((found.turn_id.map(TurnId), value)),
        _ => Err(ProposalError::AlreadyResolved),
    }
}

/// The value to write.
fn checked(
    brand_version: &BrandVersion,
    value: &ExtractedValue,
    correction: Option<Number>,
) -> Result<Number, ProposalError> {
    let field = brand_version
        .field(value.field.as_str())
        .ok_or(ProposalError::NotFound)?;
    let wanted = correction.unwrap_or(value.value);
    match field.refusal(wanted) {
        Some(refusal) => Err(ProposalError::Refused(refusal)),
        None => Ok(wanted),
    }
}

/// A correction is the person's own entry.
fn source(actor: &Actor, as_proposed: bool) -> Source {
    if as_proposed {
        Source::AiPopulated
    } else {
        actor.entry_source.clone()
    }
}

async fn resolve(conn: &mut Conn, plan: &PlanRef, value: &ExtractedValue, actor: &Actor) -> Result<(), ProposalError> {
    match Extraction::resolve(conn, plan.id, value, actor.actor).await? {
        true => Ok(()),
        false => Err(ProposalError::AlreadyResolved),
    }
}
