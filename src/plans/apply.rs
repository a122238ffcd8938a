//! Puts values into a plan's inputs and takes them out again, in memory. The caller has checked values against their bounds.
//!
//! A field that the stored plan lacks, because an older release wrote it, has the value of the plan's own brand version. It
//! is added when it is written and not before: the engine derives some missing values from others.

use crate::plans::{Change, EditError};
use crate::store::brands::BrandVersion;
use plan_model::field::{Field, FieldPath};
use plan_model::ids::ChangeId;
use plan_model::inputs::{FieldValue, FinancialInputs, Source};
use plan_model::number::Number;
use std::borrow::Cow;
use time::OffsetDateTime;

/// Growth rates that follow the year before while a plan lacks them (`docs/FINANCIAL-MODEL.md` 2), as the engine reads them.
static FOLLOWS: [(&str, FieldPath); 3] = [
    (
        "revenue.year3GrowthRate",
        FieldPath::from_static("revenue.year2GrowthRate"),
    ),
    (
        "revenue.year4GrowthRate",
        FieldPath::from_static("revenue.year3GrowthRate"),
    ),
    (
        "revenue.year5GrowthRate",
        FieldPath::from_static("revenue.year4GrowthRate"),
    ),
];

/// What a field holds, also where the plan lacks it. `None` where neither the plan nor its brand version has the field.
pub(crate) fn value(inputs: &FinancialInputs, brand_version: &BrandVersion, path: &FieldPath) -> Option<FieldValue> {
    let own = inputs.get(path.as_str()).cloned();
    own.or_else(|| {
        Some(lacking(
            inputs,
            brand_version,
            &brand_version.field(path.as_str())?.path,
        ))
    })
}

/// As [`value`] of a field of the brand version, without a copy of what the plan has.
pub(crate) fn borrowed<'a>(
    inputs: &'a FinancialInputs,
    brand_version: &BrandVersion,
    field: &Field,
) -> Cow<'a, FieldValue> {
    match inputs.0.get(&field.path) {
        Some(value) => Cow::Borrowed(value),
        None => Cow::Owned(lacking(inputs, brand_version, &field.path)),
    }
}

/// What a field of the brand version holds that the plan lacks.
fn lacking(inputs: &FinancialInputs, brand_version: &BrandVersion, path: &FieldPath) -> FieldValue {
    let default = FieldValue::at_default(&brand_version.brand, path);
    let before = FOLLOWS.iter().find(|(follower, _)| *follower == path.as_str());
    match before.and_then(|(_, before)| value(inputs, brand_version, before)) {
        Some(before) => FieldValue {
            current_value: before.current_value,
            ..default
        },
        None => default,
    }
}

/// The inputs with every field of the plan's brand version, for reading.
pub(crate) fn filled<'a>(inputs: &'a FinancialInputs, brand_version: &BrandVersion) -> Cow<'a, FinancialInputs> {
    let mut filled = Cow::Borrowed(inputs);
    for field in brand_version.fields.iter() {
        if let Cow::Owned(value) = borrowed(inputs, brand_version, field) {
            filled.to_mut().0.insert(field.path.clone(), value);
        }
    }
    filled
}

/// Writes a value with its source and time.
///
/// # Errors
/// [`EditError::UnknownField`]; the inputs are as they were then.
pub(crate) fn set(
    inputs: &mut FinancialInputs,
    brand_version: &BrandVersion,
    path: &FieldPath,
    value: Number,
    source: Source,
    at: OffsetDateTime,
) -> Result<Change, EditError> {
    replace(inputs, brand_version, path, |old| FieldValue {
        current_value: value,
        source,
        last_modified_at: Some(at),
        is_custom: true,
        brand_default: old.brand_default,
        item7_range: old.item7_range.clone(),
    })
}

/// Returns a field to the default the plan was made with.
///
/// # Errors
/// As [`set`].
pub(crate) fn reset(
    inputs: &mut FinancialInputs,
    brand_version: &BrandVersion,
    path: &FieldPath,
) -> Result<Change, EditError> {
    replace(inputs, brand_version, path, |old| FieldValue {
        current_value: old.brand_default,
        source: Source::BrandDefault,
        last_modified_at: None,
        is_custom: false,
        brand_default: old.brand_default,
        item7_range: old.item7_range.clone(),
    })
}

/// Puts a whole former value back, with its source and time.
///
/// # Errors
/// As [`set`].
pub(crate) fn restore(
    inputs: &mut FinancialInputs,
    brand_version: &BrandVersion,
    path: &FieldPath,
    former: FieldValue,
) -> Result<Change, EditError> {
    replace(inputs, brand_version, path, |_| former)
}

fn replace(
    inputs: &mut FinancialInputs,
    brand_version: &BrandVersion,
    path: &FieldPath,
    new: impl FnOnce(&FieldValue) -> FieldValue,
) -> Result<Change, EditError> {
    let old = value(inputs, brand_version, path).ok_or_else(|| EditError::UnknownField(path.clone()))?;
    let new = new(&old);
    if new != old {
        inputs.0.insert(path.clone(), new.clone());
    }
    Ok(Change {
        id: ChangeId::fresh(),
        field: path.clone(),
        old,
        new,
    })
}

/// The core fields that are still at their default and that no other field decides, in the order of `fields`.
pub(crate) fn missing_core(inputs: Option<&FinancialInputs>, fields: &[Field]) -> Vec<FieldPath> {
    let is_derived = |field: &Field| inputs.is_some_and(|inputs| inputs.derived() == field.path.as_str());
    let unset = |field: &Field| {
        inputs
            .and_then(|inputs| inputs.0.get(&field.path))
            .is_none_or(|value| value.source == Source::BrandDefault)
    };
    fields
        .iter()
        .filter(|field| field.core && unset(field) && !is_derived(field))
        .map(|field| field.path.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_engine::project;
    use plan_model::brand::Brand;
    use plan_model::ids::BrandVersionId;
    use plan_model::inputs::{DOWN_PAYMENT, LOAN_AMOUNT};

    const RENT: FieldPath = FieldPath::from_static("operatingCosts.rentMonthly");
    const NOON: OffsetDateTime = time::macros::datetime!(2026-01-02 12:00 UTC);

    fn demo() -> (BrandVersion, FinancialInputs) {
        let brand = Brand::demo();
        let inputs = FinancialInputs::from_brand(&brand);
        let brand_version = BrandVersion {
            id: BrandVersionId(uuid::Uuid::nil()),
            fields: brand.fields().into(),
            brand,
        };
        (brand_version, inputs)
    }

    fn without(inputs: &FinancialInputs, lacks: impl Fn(&str) -> bool) -> FinancialInputs {
        let kept = inputs.0.iter().filter(|(path, _)| !lacks(path.as_str()));
        FinancialInputs(kept.map(|(path, value)| (path.clone(), value.clone())).collect())
    }

    #[test]
    fn a_value_is_set_with_its_source_and_undone_as_a_whole() {
        let (brand, mut inputs) = demo();
        let before = inputs.clone();

        let Change { old, new, .. } = set(
            &mut inputs,
            &brand,
            &RENT,
            Number::whole(420_000),
            Source::AiPopulated,
            NOON,
        )
        .expect("a field");

        assert_eq!(inputs.get(RENT.as_str()), Some(&new));
        assert_eq!(new.current_value, Number::whole(420_000));
        assert_eq!(
            (&new.source, new.last_modified_at, new.is_custom),
            (&Source::AiPopulated, Some(NOON), true)
        );
        assert_eq!(
            (new.brand_default, &new.item7_range),
            (old.brand_default, &old.item7_range)
        );

        restore(&mut inputs, &brand, &RENT, old).expect("a field");
        assert_eq!(inputs, before);
    }

    #[test]
    fn a_reset_field_is_as_the_brand_made_it() {
        let (brand, mut inputs) = demo();
        let before = inputs.clone();
        let admin = Source::Admin("Ada".into());
        set(&mut inputs, &brand, &RENT, Number::whole(1), admin, NOON).expect("a field");

        let change = reset(&mut inputs, &brand, &RENT).expect("a field");

        assert_eq!(change.old.current_value, Number::whole(1));
        assert_eq!(inputs, before);
    }

    #[test]
    fn a_field_that_the_plan_lacks_is_the_brands_until_it_is_written() {
        let (brand, full) = demo();
        let mut inputs = without(&full, |path| path == RENT.as_str());
        assert_eq!(filled(&inputs, &brand).as_ref(), &full);
        assert!(matches!(filled(&full, &brand), Cow::Borrowed(_)));

        let nothing = reset(&mut inputs, &brand, &RENT).expect("a field");
        assert_eq!((&nothing.old, inputs.get(RENT.as_str())), (&nothing.new, None));

        let value = Number::whole(420_000);
        let change = set(&mut inputs, &brand, &RENT, value, Source::UserEntry, NOON).expect("a field");
        assert_eq!(Some(&change.old), full.get(RENT.as_str()));
        assert_eq!(inputs.value(RENT.as_str()), value);
    }

    #[test]
    fn filling_moves_no_figure() {
        let (brand, mut inputs) = demo();
        let second = FieldPath::from_static("revenue.year2GrowthRate");
        set(
            &mut inputs,
            &brand,
            &second,
            Number::millionths(-20_000),
            Source::UserEntry,
            NOON,
        )
        .expect("a field");
        for lacks in ["revenue", "operatingCosts", "financing", "startupCosts"] {
            let is_lacking = |path: &str| {
                let field = brand.field(path).expect("of the brand");
                field.path.section() == lacks && (lacks != "revenue" || field.is_growth()) && field.path != second
            };
            let lacking = without(&inputs, is_lacking);
            let filled = filled(&lacking, &brand);
            assert_eq!(filled.0.len(), inputs.0.len());
            assert_eq!(
                project(&lacking, &brand.brand),
                project(&filled, &brand.brand),
                "{lacks}"
            );
        }
    }

    #[test]
    fn a_field_that_nobody_knows_is_an_error_and_one_that_only_the_plan_knows_is_not() {
        let (brand, mut inputs) = demo();
        let newer = FieldPath::from_static("a.newField");
        let before = inputs.clone();
        let refused = set(&mut inputs, &brand, &newer, Number::ZERO, Source::UserEntry, NOON);
        assert!(matches!(refused, Err(EditError::UnknownField(path)) if path == newer));
        assert!(reset(&mut inputs, &brand, &newer).is_err());
        assert_eq!(inputs, before);

        let value = inputs.get(RENT.as_str()).expect("a field").clone();
        inputs.0.insert(newer.clone(), value);
        assert!(set(&mut inputs, &brand, &newer, Number::ZERO, Source::UserEntry, NOON).is_ok());
    }

    #[test]
    fn core_fields_are_missing_until_somebody_sets_them() {
        let (brand, mut inputs) = demo();
        let core: Vec<_> = brand
            .fields
            .iter()
            .filter(|field| field.core)
            .map(|field| field.path.clone())
            .collect();
        assert_eq!(missing_core(Some(&inputs), &brand.fields), core);

        // Also if the value is the default: it was stated.
        let default = inputs.value(RENT.as_str());
        set(&mut inputs, &brand, &RENT, default, Source::UserEntry, NOON).expect("a field");

        assert_eq!(
            missing_core(Some(&inputs), &brand.fields),
            core.into_iter().filter(|path| *path != RENT).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_loan_that_follows_from_the_down_payment_is_not_missing() {
        let (brand, mut inputs) = demo();
        let is_missing = |inputs: &FinancialInputs| {
            let missing = missing_core(Some(inputs), &brand.fields);
            missing.iter().any(|path| path.as_str() == LOAN_AMOUNT)
        };
        assert!(is_missing(&inputs));

        let share = FieldPath::from_static(DOWN_PAYMENT);
        set(
            &mut inputs,
            &brand,
            &share,
            Number::millionths(300_000),
            Source::UserEntry,
            NOON,
        )
        .expect("a field");
        assert!(!is_missing(&inputs));

        reset(&mut inputs, &brand, &share).expect("a field");
        assert!(is_missing(&inputs));
    }
}
