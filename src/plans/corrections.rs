//! What a brand has corrected since a plan was made: defaults that the plan stands at and that are others by now.
//!
//! Nothing here changes a value. Taking a correction is an edit like any other.

use crate::plans::{PlanRef, apply};
use crate::store::brands::BrandVersion;
use crate::store::brands::editions::{self, Edition};
use crate::store::plans::Plan;
use crate::store::{Db, StoreResult};
use plan_model::field::{Field, FieldPath};
use plan_model::ids::BrandVersionId;
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::number::Number;
use std::borrow::Cow;
use std::sync::Arc;
use time::OffsetDateTime;

/// A default that the plan stands at and that the brand has corrected since.
#[derive(Debug, Clone)]
pub(crate) struct Correction {
    /// As the newest edition calls and describes it.
    pub field: Field,
    /// What the plan holds.
    pub before: Number,
    /// The default of the newest edition.
    pub after: Number,
    /// The edition since which it is so, and when that was published.
    pub version: i32,
    pub at: OffsetDateTime,
}

/// The corrections that a plan's owner has neither taken nor left aside, and the newest version of the brand; `None` where the
/// plan was made with it.
pub(crate) async fn list(db: &Db, plan: &PlanRef) -> StoreResult<(Vec<Correction>, Option<i32>)> {
    let (row, newer, left) = {
        let conn = db.conn().await?;
        let newer = Edition::newer_than(&conn, plan.brand_version.id).await?;
        let row = Plan::load(&conn, plan.id).await?;
        (row, newer, editions::list_left(&conn, plan.id).await?)
    };
    let Some(newest) = newer.first() else {
        return Ok((Vec::new(), None));
    };
    let current = db.brand_version(BrandVersionId(newest.id)).await?;
    let mut found = differences(row.inputs(), &plan.brand_version, &current, newest);
    date(db, &mut found, &newer).await?;
    found.retain(|one| {
        left.get(one.field.path.as_str())
            .is_none_or(|version| *version < one.version)
    });
    Ok((found, Some(newest.version)))
}

/// The newest version of the brand; `None` where the plan was made with it.
pub(crate) async fn newest_version(db: &Db, plan: &PlanRef) -> StoreResult<Option<i32>> {
    let newer = Edition::newer_than(&*db.conn().await?, plan.brand_version.id).await?;
    Ok(newer.first().map(|newest| newest.version))
}

/// Fields at the brand's default that have another one in the newest edition. The field that another one decides counts nothing.
fn differences(
    inputs: Option<&FinancialInputs>,
    own: &BrandVersion,
    current: &BrandVersion,
    newest: &Edition,
) -> Vec<Correction> {
    let start = || Cow::Owned(FinancialInputs::from_brand(&own.brand));
    let inputs = inputs.map_or_else(start, Cow::Borrowed);
    let derived = inputs.derived();
    let correction = |field: &Field| {
        own.field(field.path.as_str())?;
        let value = apply::value(&inputs, own, &field.path)?;
        let after = current.brand.default_of(&field.path)?;
        let stands = value.source == Source::BrandDefault && field.path.as_str() != derived;
        (stands && value.current_value != after).then(|| Correction {
            field: field.clone(),
            before: value.current_value,
            after,
            version: newest.version,
            at: newest.published_at,
        })
    };
    current.fields.iter().filter_map(correction).collect()
}

/// Finds since which of the editions (newest first) each default is as it is now. Older ones are read only while they may matter.
async fn date(db: &Db, found: &mut [Correction], newer: &[Edition]) -> StoreResult<()> {
    let mut open: Vec<&mut Correction> = found.iter_mut().collect();
    for edition in newer.iter().skip(1) {
        if open.is_empty() {
            break;
        }
        let older: Arc<BrandVersion> = db.brand_version(BrandVersionId(edition.id)).await?;
        open.retain_mut(|one| {
            let is_same = older.brand.default_of(&one.field.path) == Some(one.after);
            if is_same {
                one.version = edition.version;
                one.at = edition.published_at;
            }
            is_same
        });
    }
    Ok(())
}

/// Leaves corrections of fields aside: what was corrected up to the edition is not told again.
pub(crate) async fn leave(db: &Db, plan: &PlanRef, fields: &[FieldPath], version: i32) -> StoreResult<()> {
    editions::leave(&*db.conn().await?, plan.id, fields, version).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::brand::Brand;
    use plan_model::inputs::DOWN_PAYMENT;

    const RENT: FieldPath = FieldPath::from_static("operatingCosts.rentMonthly");

    fn version(brand: Brand) -> BrandVersion {
        BrandVersion {
            id: BrandVersionId(uuid::Uuid::nil()),
            fields: brand.fields().into(),
            brand,
        }
    }

    fn found(inputs: Option<&FinancialInputs>, current: Brand) -> Vec<(String, Number, Number)> {
        let newest = Edition {
            id: uuid::Uuid::nil(),
            version: 2,
            published_at: OffsetDateTime::UNIX_EPOCH,
            publisher: None,
        };
        differences(inputs, &version(Brand::demo()), &version(current), &newest)
            .into_iter()
            .map(|one| (one.field.path.to_string(), one.before, one.after))
            .collect()
    }

    #[test]
    fn only_a_default_that_the_plan_stands_at_and_has_is_corrected() {
        let mut current = Brand::demo();
        current.parameters.get_mut(&RENT).expect("a parameter").value = Number::whole(480_000);
        current.startup_cost_template[0].label = "Another name".into();
        let mut row = current.startup_cost_template[0].clone();
        row.slug = "mural".into();
        current.startup_cost_template.push(row);
        current.startup_cost_template.remove(1);
        let rent = (RENT.to_string(), Number::whole(450_000), Number::whole(480_000));
        assert_eq!(found(None, current.clone()), std::slice::from_ref(&rent));

        let mut inputs = FinancialInputs::from_brand(&Brand::demo());
        assert_eq!(found(Some(&inputs), current.clone()), [rent]);
        inputs.0.get_mut(&RENT).expect("a value").source = Source::UserEntry;
        assert_eq!(found(Some(&inputs), current), []);
    }

    #[test]
    fn what_another_field_decides_is_not_corrected() {
        let mut current = Brand::demo();
        let share = FieldPath::from_static(DOWN_PAYMENT);
        current.parameters.get_mut(&share).expect("a parameter").value = Number::millionths(400_000);
        assert_eq!(found(None, current), []);
    }
}
