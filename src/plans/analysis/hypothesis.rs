//! A working copy of a plan for hypothetical values.

use crate::plans::{EditError, apply};
use crate::store::brands::BrandVersion;
use plan_model::field::FieldPath;
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::scenario::Overrides;
use std::cell::Cell;
use time::OffsetDateTime;

/// A value of a field and what comes of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Found {
    pub value: Number,
    pub result: Option<Number>,
    /// What the business earns before loan payments in the year that a coverage metric speaks of, in cents; 0 for others.
    pub earnings: i64,
    pub lowest_cash: i64,
    /// Whether more is borrowed than in the plan.
    pub borrows_more: bool,
}

const LOAN_AMOUNT: &str = "financing.loanAmount";

/// A plan and the brand version it was made from, to be tried with other values.
#[derive(Debug)]
pub struct Hypothesis<'a> {
    pub inputs: &'a FinancialInputs,
    pub brand_version: &'a BrandVersion,
    /// When the values would be written. Of loan and down payment the newer one counts.
    pub at: OffsetDateTime,
    runs: Cell<u32>,
}

impl<'a> Hypothesis<'a> {
    pub const fn new(inputs: &'a FinancialInputs, brand_version: &'a BrandVersion, at: OffsetDateTime) -> Self {
        Self {
            inputs,
            brand_version,
            at,
            runs: Cell::new(0),
        }
    }

    /// Runs of the engine so far.
    pub fn runs(&self) -> u32 {
        self.runs.get()
    }

    /// What a field holds in the plan.
    ///
    /// # Errors
    /// [`EditError::UnknownField`].
    pub fn value(&self, path: &FieldPath) -> Result<Number, EditError> {
        apply::value(self.inputs, self.brand_version, path)
            .map(|value| value.current_value)
            .ok_or_else(|| EditError::UnknownField(path.clone()))
    }

    /// The value that counts in the plan: of the loan amount what is borrowed, also where the owner's share decides on it.
    ///
    /// # Errors
    /// [`EditError::UnknownField`].
    pub fn value_in_force(&self, path: &FieldPath) -> Result<Number, EditError> {
        if path.as_str() == LOAN_AMOUNT {
            return Ok(Number::whole(self.base().metrics.loan_amount));
        }
        self.value(path)
    }

    /// The plan as it is.
    pub fn base(&self) -> Projection {
        self.project(self.inputs)
    }

    /// The plan with all of the values.
    ///
    /// # Errors
    /// [`EditError::UnknownField`].
    pub fn with_all(&self, overrides: &Overrides) -> Result<Projection, EditError> {
        Ok(self.project(&self.inputs_with(overrides)?))
    }

    /// The plan's inputs with all of the values.
    ///
    /// # Errors
    /// [`EditError::UnknownField`].
    pub fn inputs_with(&self, overrides: &Overrides) -> Result<FinancialInputs, EditError> {
        let mut inputs = self.inputs.clone();
        for (path, value) in &overrides.0 {
            self.set(&mut inputs, path, *value)?;
        }
        Ok(inputs)
    }

    /// The plan with one value.
    ///
    /// # Errors
    /// [`EditError::UnknownField`].
    pub fn with(&self, path: &FieldPath, value: Number) -> Result<Projection, EditError> {
        let mut inputs = self.inputs.clone();
        self.set(&mut inputs, path, value)?;
        Ok(self.project(&inputs))
    }

    fn set(&self, inputs: &mut FinancialInputs, path: &FieldPath, value: Number) -> Result<(), EditError> {
        apply::set(inputs, self.brand_version, path, value, Source::UserEntry, self.at).map(drop)
    }

    fn project(&self, inputs: &FinancialInputs) -> Projection {
        self.runs.set(self.runs.get() + 1);
        plan_engine::project(inputs, &self.brand_version.brand)
    }
}

#[cfg(test)]
pub(in crate::plans) mod testing {
    use super::*;
    use plan_model::brand::Brand;
    use plan_model::ids::BrandVersionId;
    use proptest::prelude::*;
    use rust_decimal::Decimal;

    pub(crate) const NOON: OffsetDateTime = time::macros::datetime!(2026-01-02 12:00 UTC);

    /// The demo brand and a plan at its defaults.
    pub(crate) fn demo() -> (BrandVersion, FinancialInputs) {
        let brand = Brand::demo();
        let inputs = FinancialInputs::from_brand(&brand);
        let brand_version = BrandVersion {
            id: BrandVersionId(uuid::Uuid::nil()),
            fields: brand.fields().into(),
            brand,
        };
        (brand_version, inputs)
    }

    /// Plans within the ranges that people plan in; half of them with a tenth of the sales, so that they earn nothing.
    pub(crate) fn plans() -> impl Strategy<Value = FinancialInputs> {
        let (brand_version, inputs) = demo();
        let shares = proptest::collection::vec(0_i64..=1_000, brand_version.fields.len());
        (shares, any::<bool>()).prop_map(move |(shares, is_weak)| {
            let mut inputs = inputs.clone();
            for (field, share) in brand_version.fields.iter().zip(shares) {
                let stored = inputs.0.get_mut(&field.path).expect("a field");
                let Some(range) = stored.item7().or(field.soft) else {
                    continue;
                };
                let width = range.high.decimal() - range.low.decimal();
                let mut value = range.low.decimal() + width * Decimal::new(share, 3);
                if is_weak && field.path.as_str() == "revenue.monthlyAuv" {
                    value = range.low.decimal() + width * Decimal::new(share, 5);
                }
                stored.current_value = Number::new(value).round(if field.kind.is_decimal() { 6 } else { 0 });
            }
            inputs
        })
    }
}
