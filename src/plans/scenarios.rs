//! Scenarios of a plan: saved, changed, and adopted as ordinary changes of the plan. Nothing else here writes the plan.

use crate::plans::analysis::{self, Column, Hypothesis};
use crate::plans::by_hand::{ByHandError, ExpectedVersion};
use crate::plans::{Actor, EditError, Edited, PlanEdit, PlanRef, Provenance};
use crate::store::plans::Plan;
use crate::store::plans::plan_changes::Reason;
use crate::store::plans::scenarios::{NewScenario, Scenario, UNIQUE_NAME};
use crate::store::{Conn, Db, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use futures_util::try_join;
use plan_model::field::FieldPath;
use plan_model::ids::{PlanId, ScenarioId, TurnId};
use plan_model::inputs::Source;
use plan_model::number::Number;
use plan_model::scenario::{MAX_SCENARIOS, Overrides};
use time::OffsetDateTime;

/// Of these the one that was written last decides on the loan, so writing the value that is there may change something.
const LOAN: [&str; 2] = ["financing.loanAmount", "financing.downPaymentPct"];

/// Why a scenario was not saved, found or adopted. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    #[error("the plan has no such scenario")]
    NotFound,
    #[error("a scenario of the plan has this name")]
    NameTaken,
    #[error("the plan has {MAX_SCENARIOS} scenarios")]
    TooMany,
    #[error("the plan has no inputs")]
    NoInputs,
    #[error("the plan is at version {0}")]
    VersionMismatch(i64),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StoreError> for ScenarioError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(constraint) if constraint == UNIQUE_NAME => Self::NameTaken,
            error => Self::Edit(error.into()),
        }
    }
}

impl From<diesel::result::Error> for ScenarioError {
    fn from(error: diesel::result::Error) -> Self {
        StoreError::from(error).into()
    }
}

impl From<ByHandError> for ScenarioError {
    fn from(error: ByHandError) -> Self {
        match error {
            ByHandError::VersionMismatch(version) => Self::VersionMismatch(version),
            ByHandError::Edit(error) => Self::Edit(error),
        }
    }
}

/// Saves a scenario. Name and values have been checked.
///
/// # Errors
/// See [`ScenarioError`].
pub(crate) async fn create(
    db: &Db,
    actor: &Actor,
    plan: PlanId,
    name: &str,
    overrides: &Overrides,
) -> Result<Scenario, ScenarioError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ScenarioError, _>(async |conn| {
        // Locked, so that two requests do not both become the tenth.
        Plan::lock(conn, plan).await?;
        if Plan::load(conn, plan).await?.inputs().is_none() {
            return Err(ScenarioError::NoInputs);
        }
        if Scenario::list(conn, plan).await?.len() >= MAX_SCENARIOS {
            return Err(ScenarioError::TooMany);
        }
        let scenario = new(actor, plan, name, overrides).insert(conn).await?;
        scenario.ok_or(ScenarioError::NameTaken)
    })
    .await
}

/// Saves a turn's scenario of a plan that the caller has locked; `None`, and nothing is saved, where the name is taken or the plan
/// has no place for another one.
///
/// # Errors
/// Where the database fails.
pub(crate) async fn keep(
    conn: &Conn,
    actor: &Actor,
    plan: PlanId,
    turn: TurnId,
    name: &str,
    overrides: &Overrides,
) -> StoreResult<Option<Scenario>> {
    if Scenario::list(conn, plan).await?.len() >= MAX_SCENARIOS {
        return Ok(None);
    }
    let scenario = NewScenario {
        turn: Some(turn),
        ..new(actor, plan, name, overrides)
    };
    scenario.insert(conn).await
}

fn new<'a>(actor: &Actor, plan: PlanId, name: &'a str, overrides: &'a Overrides) -> NewScenario<'a> {
    NewScenario {
        plan,
        name,
        overrides,
        by: actor.effective,
        turn: None,
    }
}

/// Replaces name, values or both.
///
/// # Errors
/// See [`ScenarioError`].
pub(crate) async fn replace(
    db: &Db,
    plan: PlanId,
    id: ScenarioId,
    name: Option<&str>,
    overrides: Option<&Overrides>,
) -> Result<Scenario, ScenarioError> {
    let conn = db.conn().await?;
    let updated = Scenario::update(&conn, plan, id, name, overrides).await?;
    updated.ok_or(ScenarioError::NotFound)
}

/// Deletes a scenario; the plan stays as it is.
///
/// # Errors
/// See [`ScenarioError`].
pub(crate) async fn delete(db: &Db, plan: PlanId, id: ScenarioId) -> Result<(), ScenarioError> {
    match Scenario::delete(&*db.conn().await?, plan, id).await? {
        true => Ok(()),
        false => Err(ScenarioError::NotFound),
    }
}

/// Writes a scenario's values into the plan, as one group of changes. The scenario stays.
///
/// # Errors
/// See [`ScenarioError`].
pub(crate) async fn adopt(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    id: ScenarioId,
    expected: &ExpectedVersion,
    at: OffsetDateTime,
) -> Result<(Edited, Scenario), ScenarioError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ScenarioError, _>(async |conn| {
        let mut edit = PlanEdit::open(conn, actor, plan, at).await?;
        let scenario = Scenario::find(conn, plan.id, id).await?;
        let scenario = scenario.ok_or(ScenarioError::NotFound)?;
        expected.check(edit.version())?;
        if edit.stored().is_none() {
            return Err(ScenarioError::NoInputs);
        }
        write(&mut edit, &scenario.overrides.0, &actor.entry_source)?;
        Ok((edit.commit(conn).await?, scenario))
    })
    .await
}

/// Writes a scenario's values within an edit, those that a person has set already aside.
///
/// # Errors
/// As [`PlanEdit::set`].
pub(crate) fn write(edit: &mut PlanEdit<'_>, overrides: &Overrides, source: &Source) -> Result<(), EditError> {
    for (path, value) in &overrides.0 {
        if holds(edit, path, *value) {
            continue;
        }
        edit.set(path, *value, Provenance::user(source.clone(), Reason::Scenario))?;
    }
    Ok(())
}

fn holds(edit: &PlanEdit<'_>, path: &FieldPath, value: Number) -> bool {
    let decides_the_loan = LOAN.contains(&path.as_str());
    edit.value(path)
        .is_some_and(|old| old.current_value == value && old.source != Source::BrandDefault && !decides_the_loan)
}

/// A plan beside some of its scenarios.
#[derive(Debug)]
pub(crate) struct Compared {
    pub plan: Plan,
    pub base: Column,
    pub columns: Vec<(Scenario, Column)>,
}

/// Computes the plan and the scenarios in the order of `ids`.
///
/// # Errors
/// See [`ScenarioError`].
pub(crate) async fn compare(
    db: &Db,
    plan: &PlanRef,
    ids: &[ScenarioId],
    at: OffsetDateTime,
) -> Result<Compared, ScenarioError> {
    let conn = db.conn().await?;
    let (row, mut stored) = try_join!(Plan::load(&conn, plan.id), Scenario::list(&conn, plan.id))?;
    let mut chosen = Vec::with_capacity(ids.len());
    for id in ids {
        let place = stored.iter().position(|scenario| scenario.id == id.0);
        chosen.push(stored.remove(place.ok_or(ScenarioError::NotFound)?));
    }
    let inputs = row.inputs().ok_or(ScenarioError::NoInputs)?;
    let hypothesis = Hypothesis::new(inputs, &plan.brand_version, at);
    let overrides = chosen.iter().map(|scenario| &scenario.overrides.0);
    let (base, columns) = analysis::compare(&hypothesis, overrides)?;
    Ok(Compared {
        plan: row,
        base,
        columns: chosen.into_iter().zip(columns).collect(),
    })
}
