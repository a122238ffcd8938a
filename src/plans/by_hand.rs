//! Values typed in by hand: all of them, or none.
use crate::plans::{Actor, EditError, Edited, PlanEdit, PlanRef, Provenance};
use crate::store::brands::BrandVersion;
use crate::store::plans::plan_changes::Reason;
use crate::store::{Db, StoreError};
use diesel_async::AsyncConnection;
use plan_model::extracted::RangeCode;
use plan_model::field::FieldPath;
use plan_model::inputs::{FieldValue, FinancialInputs, Source};
use plan_model::number::Number;
use std::collections::BTreeMap;
use time::OffsetDateTime;

/// Values by field, checked against their bounds; `None` resets a field to the brand's default.
pub(crate) type Values = BTreeMap<FieldPath, Option<Number>>;

/// Which version of the plan the values are meant for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpectedVersion {
    Any,
    OneOf(Vec<i64>),
}

impl ExpectedVersion {
    /// # Errors
    /// [`ByHandError::VersionMismatch`] where the plan is at another version.
    pub(crate) fn check(&self, version: i64) -> Result<(), ByHandError> {
        match self {
            Self::Any => Ok(()),
            Self::OneOf(versions) if versions.contains(&version) => Ok(()),
            Self::OneOf(_) => Err(ByHandError::VersionMismatch(version)),
        }
    }
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    #[error("the plan is at version {0}")]
    VersionMismatch(i64),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StoreError> for ByHandError {
    fn from(error: StoreError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<diesel::result::Error> for ByHandError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Edit(error.into())
    }
}

/// A value outside its reference range. It was written all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RangeWarning {
    pub field: FieldPath,
    pub code: RangeCode,
    pub text: String,
}

/// Writes the values. One that is there already changes nothing.
///
/// # Errors
/// See [`ByHandError`]; nothing has changed then.
pub(crate) async fn write(
    db: &Db,
    actor: &Actor,
    plan: &PlanRef,
    values: &Values,
    expected: &ExpectedVersion,
    at: OffsetDateTime,
) -> Result<Edited, ByHandError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ByHandError, _>(async |conn| {
        let mut edit = PlanEdit::open(conn, actor, plan, at).await?;
        expected.check(edit.version())?;
        for (path, value) in values {
            match value {
                None => drop(edit.reset(path)?),
                Some(value) if holds(&edit, path, *value) => {}
                Some(value) => {
                    let provenance = Provenance::user(actor.entry_source.clone(), Reason::Entry);
                    edit.set(path, *value, provenance)?;
                }
            }
        }
        Ok(edit.commit(conn).await?)
    })
    .await
}

/// Whether a person has set the field to the value. A default that a person confirms becomes their value.
fn holds(edit: &PlanEdit<'_>, path: &FieldPath, value: Number) -> bool {
    edit.value(path)
        .is_some_and(|old| old.current_value == value && old.source != Source::BrandDefault)
}

/// Values outside the range that the plan was made with.
pub(crate) fn range_warnings(
    values: &Values,
    inputs: Option<&FinancialInputs>,
    brand_version: &BrandVersion,
) -> Vec<RangeWarning> {
    let warning = |(path, value): (&FieldPath, &Option<Number>)| {
        let stored = inputs.and_then(|inputs| inputs.get(path.as_str()));
        let range = stored.and_then(FieldValue::item7);
        let (code, text) = plan_reader::warning(brand_version.field(path.as_str())?, range, (*value)?)?;
        Some(RangeWarning {
            field: path.clone(),
            code,
            text,
        })
    };
    values.iter().filter_map(warning).collect()
}
