//! Puts values into a plan and takes them out again. Whoever calls has checked them; nothing here refuses a value.

use crate::model::field::{Field, FieldPath};
use crate::model::inputs::{FieldValue, FinancialInputs, Source};
use crate::model::number::Number;
use time::OffsetDateTime;

/// Writes a value with its source and time and hands back what stood there. `None`, and nothing happens, where the plan
/// has no such field.
pub fn set(
    inputs: &mut FinancialInputs,
    path: &FieldPath,
    value: Number,
    source: Source,
    at: OffsetDateTime,
) -> Option<FieldValue> {
    let field = inputs.0.get_mut(path)?;
    let new = FieldValue {
        current_value: value,
        source,
        last_modified_at: Some(at),
        is_custom: true,
        brand_default: field.brand_default,
        item7_range: field.item7_range,
    };
    Some(std::mem::replace(field, new))
}

/// Returns a field to the default the plan was made with and hands back what stood there.
pub fn reset(inputs: &mut FinancialInputs, path: &FieldPath) -> Option<FieldValue> {
    let field = inputs.0.get_mut(path)?;
    let new = FieldValue {
        current_value: field.brand_default,
        source: Source::BrandDefault,
        last_modified_at: None,
        is_custom: false,
        brand_default: field.brand_default,
        item7_range: field.item7_range,
    };
    Some(std::mem::replace(field, new))
}

/// Puts a whole former value back, with its source and time, and hands back what stood there.
pub fn restore(inputs: &mut FinancialInputs, path: &FieldPath, old: FieldValue) -> Option<FieldValue> {
    inputs.0.get_mut(path).map(|field| std::mem::replace(field, old))
}

/// The core fields nobody has set yet, in the order of `fields`.
#[must_use]
pub fn missing_core(inputs: Option<&FinancialInputs>, fields: &[Field]) -> Vec<FieldPath> {
    let unset = |path: &FieldPath| {
        inputs
            .and_then(|inputs| inputs.0.get(path))
            .is_none_or(|field| field.source == Source::BrandDefault)
    };
    fields
        .iter()
        .filter(|field| field.core && unset(&field.path))
        .map(|field| field.path.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::brand::Brand;

    const RENT: FieldPath = FieldPath::from_static("operatingCosts.rentMonthly");
    const NOON: OffsetDateTime = time::macros::datetime!(2026-01-02 12:00 UTC);

    #[test]
    fn a_value_is_set_with_its_source_and_undone_as_a_whole() {
        let mut inputs = FinancialInputs::from_brand(&Brand::demo());
        let before = inputs.clone();

        let old = set(&mut inputs, &RENT, Number::whole(420_000), Source::AiPopulated, NOON).expect("a field");

        let rent = inputs.get(RENT.as_str()).expect("a field");
        assert_eq!(rent.current_value, Number::whole(420_000));
        assert_eq!(
            (&rent.source, rent.last_modified_at, rent.is_custom),
            (&Source::AiPopulated, Some(NOON), true)
        );
        assert_eq!(
            (rent.brand_default, rent.item7_range),
            (old.brand_default, old.item7_range)
        );

        restore(&mut inputs, &RENT, old);
        assert_eq!(inputs, before);
    }

    #[test]
    fn a_reset_field_is_as_the_brand_made_it() {
        let mut inputs = FinancialInputs::from_brand(&Brand::demo());
        let before = inputs.clone();
        set(&mut inputs, &RENT, Number::whole(1), Source::Admin("Ada".into()), NOON);

        let old = reset(&mut inputs, &RENT).expect("a field");

        assert_eq!(old.current_value, Number::whole(1));
        assert_eq!(inputs, before);
    }

    #[test]
    fn a_field_the_plan_does_not_have_stays_absent() {
        let mut inputs = FinancialInputs::default();
        assert_eq!(set(&mut inputs, &RENT, Number::ZERO, Source::UserEntry, NOON), None);
        assert_eq!(reset(&mut inputs, &RENT), None);
        assert_eq!(inputs, FinancialInputs::default());
    }

    #[test]
    fn core_fields_are_missing_until_somebody_sets_them() {
        let brand = Brand::demo();
        let mut inputs = FinancialInputs::from_brand(&brand);
        let fields = brand.fields();
        let core: Vec<_> = fields
            .iter()
            .filter(|field| field.core)
            .map(|field| field.path.clone())
            .collect();
        assert_eq!(missing_core(Some(&inputs), &fields), core);

        // Also where the value is the default: somebody has said it.
        let default = inputs.value(RENT.as_str());
        set(&mut inputs, &RENT, default, Source::UserEntry, NOON);

        assert_eq!(
            missing_core(Some(&inputs), &fields),
            core.into_iter().filter(|path| *path != RENT).collect::<Vec<_>>()
        );
    }
}
