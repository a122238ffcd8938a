//! Values that wait for the franchisee: accepted with or without a correction, or dismissed, once.
use crate::plans::{Actor, EditError, PlanEdit, PlanRef, Provenance};
use crate::store::brands::BrandVersion;
use crate::store::plans::Plan;
use crate::store::plans::extractions::{Extraction, NewExtraction};
use crate::store::plans::plan_changes::Reason;
use crate::store::{Conn, Db, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use plan_model::extracted::{DecidedBy, ExtractedValue, Status};
use plan_model::field::FieldPath;
use plan_model::ids::{ExtractionId, PlanId, TurnId, UserId};
use plan_model::inputs::Source;
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use std::collections::HashSet;
use time::OffsetDateTime;

/// A proposal that has been decided.
#[derive(Debug)]
pub(crate) struct ResolvedProposal {
    pub extracted_value: ExtractedValue,
    pub updated_outputs: Option<UpdatedOutputs>,
}

/// Why a proposal was not resolved.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    #[error("the plan has no such value")]
    NotFound(Vec<ExtractionId>),
    #[error("the value is resolved already")]
    AlreadyResolved(Vec<ExtractionId>),
    /// The value, proposed or corrected, is outside its hard bounds; the text gives the reason.
    #[error("{1}")]
    Refused(ExtractionId, String),
    /// Two values of one field were accepted together.
    #[error("two values of {0}")]
    SameField(FieldPath),
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

/// What is decided on one proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// The value, or a correction instead of it, goes into the plan.
    Accept(Option<Number>),
    Dismiss,
}

/// Proposals that have been decided together.
#[derive(Debug)]
pub(crate) struct Settled {
    /// In the order of the decisions.
    pub values: Vec<ExtractedValue>,
    pub updated_outputs: Option<UpdatedOutputs>,
}

/// Adds a value that an assistant has named, with its author. The plan stays as it is.
///
/// Of each assistant one value of a field waits: the same one again is that which waits already, so that a call whose answer
/// was lost can be repeated; another one takes its place.
///
/// # Errors
/// Where the database fails, or the plan has gone.
pub(crate) async fn propose(db: &Db, plan: PlanId, value: ExtractedValue, by: UserId) -> StoreResult<ExtractedValue> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, StoreError, _>(async |conn| {
        Plan::lock(conn, plan).await?;
        let open = Extraction::list_proposed(conn, plan).await?;
        let is_earlier = |one: &ExtractedValue| one.field == value.field && one.author == value.author;
        for mut earlier in open.into_iter().filter(is_earlier) {
            if earlier.value == value.value && earlier.evidence == value.evidence {
                return Ok(earlier);
            }
            earlier.status = Status::Dismissed;
            Extraction::resolve(conn, plan, &earlier, by).await?;
        }
        NewExtraction::insert_all(conn, &[NewExtraction::new(plan, None, &value, None)]).await?;
        Ok(value)
    })
    .await
}

/// Puts a proposed value, or `correction` instead of it, into the plan.
///
/// # Errors
/// See [`ProposalError`]; nothing has changed then.
pub(crate) async fn accept(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    id: ExtractionId,
    correction: Option<Number>,
    at: OffsetDateTime,
) -> Result<ResolvedProposal, ProposalError> {
    one(settle(db, actor, plan, &[(id, Decided::Accept(correction))], at).await?)
}

/// Refuses a proposed value; the plan stays as it is.
///
/// # Errors
/// See [`ProposalError`].
pub(crate) async fn dismiss(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    id: ExtractionId,
    at: OffsetDateTime,
) -> Result<ResolvedProposal, ProposalError> {
    one(settle(db, actor, plan, &[(id, Decided::Dismiss)], at).await?)
}

fn one(settled: Settled) -> Result<ResolvedProposal, ProposalError> {
    let extracted_value = settled
        .values
        .into_iter()
        .next()
        .ok_or(ProposalError::NotFound(Vec::new()))?;
    Ok(ResolvedProposal {
        extracted_value,
        updated_outputs: settled.updated_outputs,
    })
}

/// Decides on proposals: all of them or none, in one group of changes, which can be undone together.
///
/// # Errors
/// See [`ProposalError`]; nothing has changed then.
pub(crate) async fn settle(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    decisions: &[(ExtractionId, Decided)],
    at: OffsetDateTime,
) -> Result<Settled, ProposalError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ProposalError, _>(async |conn| {
        let mut edit = PlanEdit::open(conn, actor, plan, at).await?;
        let values = settle_in(conn, actor, plan, &mut edit, decisions).await?;
        let edited = edit.commit(conn).await?;
        Ok(Settled {
            values,
            updated_outputs: edited.outputs,
        })
    })
    .await
}

/// As [`settle`], within an edit that the caller writes.
///
/// # Errors
/// See [`ProposalError`]; the transaction must not be committed then.
pub(crate) async fn settle_in(
    conn: &mut Conn,
    actor: &Actor,
    plan: &PlanRef,
    edit: &mut PlanEdit<'_>,
    decisions: &[(ExtractionId, Decided)],
) -> Result<Vec<ExtractedValue>, ProposalError> {
    let ids: Vec<ExtractionId> = decisions.iter().map(|(id, _)| *id).collect();
    let open = find_open(conn, plan, &ids).await?;
    let accepted = decisions
        .iter()
        .zip(&open)
        .filter(|((_, decided), _)| *decided != Decided::Dismiss);
    let mut fields = HashSet::new();
    if let Some((_, (_, value))) = accepted
        .into_iter()
        .find(|(_, (_, value))| !fields.insert(value.field.clone()))
    {
        return Err(ProposalError::SameField(value.field.clone()));
    }
    let mut values = Vec::with_capacity(decisions.len());
    for ((_, decided), (turn, mut value)) in decisions.iter().zip(open) {
        match decided {
            Decided::Accept(correction) => write(edit, plan, actor, turn, &mut value, *correction)?,
            Decided::Dismiss => value.status = Status::Dismissed,
        }
        if !Extraction::resolve(conn, plan.id, &value, actor.actor).await? {
            return Err(ProposalError::AlreadyResolved(vec![value.id]));
        }
        values.push(value);
    }
    Ok(values)
}

fn write(
    edit: &mut PlanEdit<'_>,
    plan: &PlanRef,
    actor: &Actor,
    turn: Option<TurnId>,
    value: &mut ExtractedValue,
    correction: Option<Number>,
) -> Result<(), ProposalError> {
    let wanted = checked(&plan.brand_version, value, correction)?;
    let provenance = Provenance {
        confidence: Some(value.confidence),
        evidence: evidence(value),
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
    Ok(())
}

/// The words that the audit keeps: those of an assistant under its name, because the person may not have said them.
fn evidence(value: &ExtractedValue) -> Option<String> {
    let words = value.evidence.clone();
    match &value.author {
        Some(author) => words.map(|words| format!("{}: “{words}”", author.display_name)),
        None => words,
    }
}

/// The values in the order of `ids`, all of them still proposed, each with the turn it was said in.
async fn find_open(
    conn: &Conn,
    plan: &PlanRef,
    ids: &[ExtractionId],
) -> Result<Vec<(Option<TurnId>, ExtractedValue)>, ProposalError> {
    let mut found = Extraction::find_all(conn, plan.id, ids).await?;
    let (mut open, mut unknown, mut settled) = (Vec::new(), Vec::new(), Vec::new());
    for id in ids {
        match found.remove(&id.0).map(|row| (row.turn_id.map(TurnId), row.current())) {
            None => unknown.push(*id),
            Some((turn, value)) if value.status == Status::Proposed => open.push((turn, value)),
            Some(_) => settled.push(*id),
        }
    }
    match (unknown.is_empty(), settled.is_empty()) {
        (false, _) => Err(ProposalError::NotFound(unknown)),
        (_, false) => Err(ProposalError::AlreadyResolved(settled)),
        _ => Ok(open),
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
        .ok_or_else(|| ProposalError::NotFound(vec![value.id]))?;
    let wanted = correction.unwrap_or(value.value);
    match field.refusal(wanted) {
        Some(refusal) => Err(ProposalError::Refused(value.id, refusal)),
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
