//! Taking changes back: one of them, or what still stands of a group (a turn, an entry, an accepted proposal, a reset).
//!
//! A change stands while the field holds exactly the value that the change wrote, with its source and time. An undo is a
//! change like any other and can be undone in turn.

use crate::plans::{Actor, Change, EditError, Edited, PlanEdit, PlanRef, apply};
use crate::store::brands::BrandVersion;
use crate::store::plans::plan_changes::PlanChange;
use crate::store::{Conn, Db, StoreError, StoreResult};
use diesel_async::AsyncConnection;
use pg_link::json::Json;
use plan_model::field::FieldPath;
use plan_model::ids::{ChangeGroupId, ChangeId, PlanId, TurnId};
use plan_model::inputs::{FieldValue, FinancialInputs};
use time::OffsetDateTime;

/// Names a group of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupRef {
    Group(ChangeGroupId),
    /// What the turn wrote.
    Turn(TurnId),
    /// The group that the change belongs to.
    Change(ChangeId),
}

/// What became of a group's fields.
#[derive(Debug, Default)]
pub struct TakenBack {
    /// Fields that hold again what they held before the group.
    pub returned: Vec<Change>,
    /// Fields that have moved since and stay as they are.
    pub moved: Vec<FieldPath>,
}

/// Why nothing was taken back.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    #[error("the plan has no such change")]
    NotFound,
    #[error("every field has changed since")]
    NothingStands,
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StoreError> for UndoError {
    fn from(error: StoreError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<diesel::result::Error> for UndoError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Edit(error.into())
    }
}

/// Takes one change back, provided that it is the newest of its field and still stands.
///
/// # Errors
/// See [`UndoError`]; nothing has changed then.
pub async fn undo_change(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    id: ChangeId,
    at: OffsetDateTime,
) -> Result<Edited, UndoError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, UndoError, _>(async |conn| {
        let mut edit = PlanEdit::open(conn, actor, plan, at).await?;
        let change = PlanChange::find(conn, plan.id, id).await?.ok_or(UndoError::NotFound)?;
        let latest = PlanChange::latest_of(conn, plan.id, &change.field).await?;
        if latest.is_none_or(|latest| latest.id != change.id) {
            return Err(UndoError::NothingStands);
        }
        take_back(&mut edit, vec![change])?;
        Ok(edit.commit(conn).await?)
    })
    .await
}

/// Takes back what still stands of a group.
///
/// # Errors
/// See [`UndoError`]; nothing has changed then.
pub async fn undo_group(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    group: GroupRef,
    at: OffsetDateTime,
) -> Result<(Edited, TakenBack), UndoError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, UndoError, _>(async |conn| {
        let mut edit = PlanEdit::open(conn, actor, plan, at).await?;
        let taken_back = take_back(&mut edit, changes_of(conn, plan.id, group).await?)?;
        Ok((edit.commit(conn).await?, taken_back))
    })
    .await
}

/// The newest group of which something still stands, leaving out what only took something back and what came from the turn
/// `except`.
///
/// # Errors
/// Where the database cannot be read.
pub async fn latest_group(conn: &Conn, plan: PlanId, except: Option<TurnId>) -> StoreResult<Option<ChangeGroupId>> {
    PlanChange::latest_standing_group(conn, plan, except).await
}

/// The changes of a group, oldest first; empty where there is no such group.
///
/// # Errors
/// Where the database cannot be read.
pub async fn changes_of(conn: &Conn, plan: PlanId, group: GroupRef) -> StoreResult<Vec<PlanChange>> {
    let group = match group {
        GroupRef::Group(group) => Some(group),
        GroupRef::Turn(turn) => Some(ChangeGroupId(turn.0)),
        GroupRef::Change(change) => PlanChange::group_of(conn, plan, change).await?,
    };
    match group {
        Some(group) => PlanChange::list_group(conn, plan, group).await,
        None => Ok(Vec::new()),
    }
}

/// A plan's inputs as they would be without changes (oldest first), where those still stand.
pub fn without(inputs: &FinancialInputs, brand_version: &BrandVersion, changes: Vec<PlanChange>) -> FinancialInputs {
    let mut left = inputs.clone();
    let (standing, _) = standing(changes, |path| apply::value(inputs, brand_version, path));
    for Standing { field, before, .. } in standing {
        // A field that no longer exists stays as it is.
        let _ = match before {
            Some(before) => apply::restore(&mut left, brand_version, &field, before),
            None => apply::reset(&mut left, brand_version, &field),
        };
    }
    left
}

/// Restores, within an edit, the fields in which the changes (oldest first) still stand.
///
/// # Errors
/// [`UndoError::NotFound`] without changes, [`UndoError::NothingStands`] where every field has moved since.
pub fn take_back(edit: &mut PlanEdit<'_>, changes: Vec<PlanChange>) -> Result<TakenBack, UndoError> {
    if changes.is_empty() {
        return Err(UndoError::NotFound);
    }
    let (standing, moved) = standing(changes, |path| edit.value(path));
    let mut returned = Vec::with_capacity(standing.len());
    for Standing { field, before, .. } in standing {
        returned.push(match before {
            Some(before) => edit.restore(&field, before)?,
            None => edit.reset(&field)?,
        });
    }
    match returned.is_empty() {
        true => Err(UndoError::NothingStands),
        false => Ok(TakenBack { returned, moved }),
    }
}

/// What a group did to one field, from its first change to its last, where the field still holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub field: FieldPath,
    /// `None` is the brand's default.
    pub before: Option<FieldValue>,
    pub now: FieldValue,
}

/// The fields in which changes (oldest first) still stand, by what the plan holds, and the fields that have moved since.
pub fn standing(
    changes: Vec<PlanChange>,
    held: impl Fn(&FieldPath) -> Option<FieldValue>,
) -> (Vec<Standing>, Vec<FieldPath>) {
    let mut fields: Vec<Standing> = Vec::new();
    for change in changes {
        let Json(now) = change.new_value;
        match fields.iter_mut().find(|known| known.field.as_str() == change.field) {
            Some(known) => known.now = now,
            None => fields.push(Standing {
                field: FieldPath::new(change.field),
                before: change.old_value.map(|Json(old)| old),
                now,
            }),
        }
    }
    let (standing, moved): (Vec<_>, Vec<_>) = fields
        .into_iter()
        .partition(|known| held(&known.field).as_ref() == Some(&known.now));
    (standing, moved.into_iter().map(|known| known.field).collect())
}
