//! One edit of a plan within a transaction: lock, change in memory, write everything together.

use crate::plans::{Actor, Change, EditError, PlanRef, apply};
use crate::store::brands::BrandVersion;
use crate::store::plans::extractions::Extraction;
use crate::store::plans::plan_changes::{NewPlanChange, PlanChange, Reason};
use crate::store::plans::{LockedPlan, Plan, Revision};
use crate::store::turns::rate_limits;
use crate::store::{Conn, StoreError, StoreResult};
use pg_link::json::Json;
use plan_model::extracted::{Confidence, DecidedBy};
use plan_model::field::FieldPath;
use plan_model::ids::{ChangeGroupId, PlanId, TurnId};
use plan_model::inputs::{FieldValue, FinancialInputs, Source};
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use std::borrow::Cow;
use time::OffsetDateTime;

/// Where a value comes from, as its audit row says.
#[derive(Debug, Clone)]
pub struct Provenance {
    /// Stored with the value, too.
    pub source: Source,
    pub reason: Reason,
    pub decided_by: Option<DecidedBy>,
    /// Of the extraction, where the value comes from one.
    pub confidence: Option<Confidence>,
    /// The user's own words, where the value comes from an extraction.
    pub evidence: Option<String>,
    /// The turn the value was said in, where that is not the turn that writes it.
    pub turn: Option<TurnId>,
}

impl Provenance {
    /// A decision of the person who edits.
    pub fn user(source: Source, reason: Reason) -> Self {
        Self {
            source,
            reason,
            decided_by: Some(DecidedBy::User),
            confidence: None,
            evidence: None,
            turn: None,
        }
    }
}

/// What the caller knows of a plan; its inputs are not read again where the row still has the revision.
#[derive(Debug, Clone, Copy)]
pub struct KnownPlan<'a> {
    pub revision: Revision,
    pub inputs: Option<&'a FinancialInputs>,
}

/// An edit in progress. Its changes form one group, which can be undone together.
#[derive(Debug)]
pub struct PlanEdit<'a> {
    actor: &'a Actor,
    plan: &'a PlanRef,
    at: OffsetDateTime,
    group: ChangeGroupId,
    turn: Option<TurnId>,
    row: LockedPlan,
    stored: Option<Cow<'a, FinancialInputs>>,
    /// Set by the first change.
    edited: Option<FinancialInputs>,
    changes: Vec<Change>,
    rows: Vec<NewPlanChange>,
    /// Fields whose value was said again: other values that waited for them end.
    confirmed: Vec<FieldPath>,
}

/// What an edit left behind.
#[derive(Debug)]
pub struct Edited {
    pub plan: Plan,
    /// Fields that moved, in the order they were written.
    pub changes: Vec<Change>,
    /// `None` only where the plan still has no inputs.
    pub outputs: Option<UpdatedOutputs>,
}

impl<'a> PlanEdit<'a> {
    /// Locks the plan until the transaction ends. A plan without inputs is edited from the brand's defaults.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where the plan is gone.
    pub async fn open(conn: &mut Conn, actor: &'a Actor, plan: &'a PlanRef, at: OffsetDateTime) -> StoreResult<Self> {
        Self::open_known(conn, actor, plan, at, None).await
    }

    /// As [`PlanEdit::open`], and reads the inputs only where the plan is no longer as the caller knows it.
    ///
    /// # Errors
    /// As [`PlanEdit::open`].
    pub async fn open_known(
        conn: &mut Conn,
        actor: &'a Actor,
        plan: &'a PlanRef,
        at: OffsetDateTime,
        known: Option<KnownPlan<'a>>,
    ) -> StoreResult<Self> {
        let mut row = LockedPlan::lock(conn, plan.id, known.map(|known| known.revision)).await?;
        let stored = match known.filter(|known| known.revision == row.revision()) {
            Some(known) => known.inputs.map(Cow::Borrowed),
            None => row.changed_inputs.take().map(|Json(inputs)| Cow::Owned(inputs)),
        };
        Ok(Self {
            actor,
            plan,
            at,
            group: ChangeGroupId::fresh(),
            turn: None,
            row,
            stored,
            edited: None,
            changes: Vec::new(),
            rows: Vec::new(),
            confirmed: Vec::new(),
        })
    }

    /// Makes the changes those of a turn, and the turn their group.
    #[must_use]
    pub fn in_turn(self, turn: TurnId) -> Self {
        Self {
            group: ChangeGroupId(turn.0),
            turn: Some(turn),
            ..self
        }
    }

    /// The franchisee has plainly said what the plan holds: other values of the field no longer wait.
    pub fn confirm(&mut self, field: &FieldPath) {
        self.confirmed.push(field.clone());
    }

    /// Runs a part of the edit as a group of its own, so that undoing the rest later does not undo this part.
    pub fn apart<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        let group = std::mem::replace(&mut self.group, ChangeGroupId::fresh());
        let result = part(self);
        self.group = group;
        result
    }

    pub fn plan(&self) -> PlanId {
        self.plan.id
    }

    /// The version before the edit.
    pub fn version(&self) -> i64 {
        self.row.version
    }

    /// The plan's revision before the edit.
    pub fn revision(&self) -> Revision {
        self.row.revision()
    }

    pub fn brand_version(&self) -> &'a BrandVersion {
        &self.plan.brand_version
    }

    /// The inputs before the edit.
    pub fn stored(&self) -> Option<&FinancialInputs> {
        self.stored.as_deref()
    }

    /// The inputs with the edit.
    pub fn inputs(&self) -> Option<&FinancialInputs> {
        self.edited.as_ref().filter(|_| self.has_changes()).or(self.stored())
    }

    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// What a field holds with the edit, also where the stored plan lacks it.
    pub fn value(&self, path: &FieldPath) -> Option<FieldValue> {
        match self.edited.as_ref().or(self.stored()) {
            Some(inputs) => apply::value(inputs, self.brand_version(), path),
            None => {
                self.brand_version().field(path.as_str())?;
                Some(FieldValue::at_default(&self.brand_version().brand, path))
            }
        }
    }

    /// Writes a value that has been checked against its bounds.
    ///
    /// # Errors
    /// [`EditError::UnknownField`]; the edit is as it was then.
    pub fn set(&mut self, path: &FieldPath, value: Number, provenance: Provenance) -> Result<Change, EditError> {
        let (brand_version, at) = (self.brand_version(), self.at);
        let source = provenance.source.clone();
        let change = apply::set(self.draft(), brand_version, path, value, source, at)?;
        Ok(self.record(change, provenance))
    }

    /// Returns a field to the default the plan was made with.
    ///
    /// # Errors
    /// As [`PlanEdit::set`].
    pub fn reset(&mut self, path: &FieldPath) -> Result<Change, EditError> {
        let brand_version = self.brand_version();
        let change = apply::reset(self.draft(), brand_version, path)?;
        Ok(self.record(change, Provenance::user(Source::BrandDefault, Reason::Reset)))
    }

    /// Puts a former value back as a whole, with its source and time.
    ///
    /// # Errors
    /// As [`PlanEdit::set`].
    pub fn restore(&mut self, path: &FieldPath, former: FieldValue) -> Result<Change, EditError> {
        let provenance = Provenance::user(former.source.clone(), Reason::Undo);
        let brand_version = self.brand_version();
        let change = apply::restore(self.draft(), brand_version, path, former)?;
        Ok(self.record(change, provenance))
    }

    fn draft(&mut self) -> &mut FinancialInputs {
        let Self {
            stored, plan, edited, ..
        } = self;
        edited.get_or_insert_with(|| match stored {
            Some(stored) => stored.clone().into_owned(),
            None => FinancialInputs::from_brand(&plan.brand_version.brand),
        })
    }

    fn record(&mut self, change: Change, provenance: Provenance) -> Change {
        if change.old != change.new {
            self.rows.push(NewPlanChange {
                id: change.id.0,
                plan_id: self.plan.id.0,
                field: change.field.to_string(),
                old_value: Some(Json(change.old.clone())),
                new_value: Json(change.new.clone()),
                source: change.new.source.to_text(),
                reason: provenance.reason.as_str(),
                confidence: provenance.confidence.map(Confidence::as_str),
                evidence: provenance.evidence,
                turn_id: provenance.turn.or(self.turn).map(|turn| turn.0),
                group_id: Some(self.group.0),
                decided_by: provenance.decided_by.map(DecidedBy::as_str),
                actor_id: self.actor.actor.0,
                effective_user_id: self.actor.effective.0,
            });
            self.changes.push(change.clone());
        }
        change
    }

    fn changes_by(&self, reason: Reason) -> impl Iterator<Item = &Change> {
        let rows = self.rows.iter().zip(&self.changes);
        rows.filter(move |(row, _)| row.reason == reason.as_str())
            .map(|(_, change)| change)
    }

    /// The results with the edit, and what it moved. `None` only where the plan has no inputs.
    pub fn outputs(&self) -> Option<UpdatedOutputs> {
        let brand = &self.brand_version().brand;
        let after = plan_engine::project(self.inputs()?, brand);
        let before = self.stored().filter(|_| self.has_changes());
        let before = before.map(|inputs| plan_engine::project(inputs, brand).metrics);
        Some(plan_engine::update(before.as_ref(), &after, self.at))
    }

    /// Writes inputs and audit rows and ends the proposals that the edit supersedes, in one round trip. Nothing moved,
    /// nothing written. Returns the plan's version and when it changed last.
    ///
    /// # Errors
    /// The transaction must not be committed then.
    pub async fn write(&self, conn: &Conn) -> StoreResult<(i64, OffsetDateTime)> {
        let plan = self.plan.id;
        let changed = self.rows.iter().map(|row| row.field.clone());
        let fields: Vec<String> = changed.chain(self.confirmed.iter().map(ToString::to_string)).collect();
        let ((), (), (), saved) = futures_util::try_join!(
            async {
                Extraction::supersede(conn, plan, &fields, self.turn, self.actor.actor).await?;
                failpoint!("commit.supersede");
                Ok::<_, StoreError>(())
            },
            async {
                for change in self.changes_by(Reason::Undo) {
                    let Change { field, old, new, .. } = change;
                    Extraction::follow_undo(conn, plan, field.as_str(), old, new).await?;
                }
                Ok(())
            },
            async {
                PlanChange::append(conn, &self.rows).await?;
                failpoint!("commit.audited");
                Ok(())
            },
            async {
                match self.edited.as_ref().filter(|_| self.has_changes()) {
                    Some(inputs) => Plan::save_inputs(conn, plan, self.stored(), inputs).await,
                    None => Ok((self.row.version, self.row.updated_at)),
                }
            },
        )?;
        Ok(saved)
    }

    /// As [`PlanEdit::write`], and ends the edit. The caller's transaction makes it last. Turns, which have a limit of their
    /// own, write without it.
    ///
    /// # Errors
    /// As [`PlanEdit::write`], and [`EditError::TooManyChanges`].
    pub async fn commit(self, conn: &Conn) -> Result<Edited, EditError> {
        if !self.rows.is_empty() {
            let taken = rate_limits::take_changes(conn, self.actor.actor, self.rows.len()).await?;
            taken.map_err(EditError::TooManyChanges)?;
        }
        Ok(self.finish(conn).await?)
    }

    /// As [`PlanEdit::commit`], but counts for nobody.
    pub(super) async fn finish(self, conn: &Conn) -> StoreResult<Edited> {
        let (version, updated_at) = self.write(conn).await?;
        let outputs = self.outputs();
        let inputs = self.edited.filter(|_| !self.changes.is_empty());
        let inputs = inputs.or_else(|| self.stored.map(Cow::into_owned));
        Ok(Edited {
            plan: Plan {
                id: self.plan.id.0,
                user_id: self.row.user_id,
                brand_version_id: self.plan.brand_version.id.0,
                name: self.row.name,
                version,
                financial_inputs: inputs.map(Json),
                updated_at,
                opening_month: self.row.opening_month,
            },
            changes: self.changes,
            outputs,
        })
    }
}
