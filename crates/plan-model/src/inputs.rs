//! The inputs of a plan: one value per field, with its source.

use super::brand::Brand;
use super::field::FieldPath;
pub use super::field_value::{FieldValue, Source};
use super::number::Number;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The two fields that say how much is borrowed.
pub const LOAN_AMOUNT: &str = "financing.loanAmount";
/// See [`LOAN_AMOUNT`].
pub const DOWN_PAYMENT: &str = "financing.downPaymentPct";

/// What a loan is made of: its amount first, then its term and rate.
pub const LOAN: [&str; 3] = [
    "financing.loanAmount",
    "financing.loanTermMonths",
    "financing.interestRate",
];

/// Own cash beyond what opening takes.
pub const EXTRA_CASH: &str = "financing.additionalEquity";

/// What the owner draws a month.
pub const DRAW: &str = "profitabilityAndDistributions.ownerDrawMonthly";
/// The month from which the owner draws.
pub const DRAW_START: &str = "profitabilityAndDistributions.ownerDrawStartMonth";

/// The two ways in which owners pay themselves: draw and salary.
pub const OWN_PAY: [&str; 2] = [DRAW, "operatingCosts.ownerSalaryAnnual"];

/// Established sales of a month: what costs in percent are shares of.
pub const SALES: &str = "revenue.monthlyAuv";

/// All values of a plan by path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FinancialInputs(#[serde(deserialize_with = "known_values")] pub BTreeMap<FieldPath, FieldValue>);

/// A newer release may have written a value in another shape. The plan then counts as one without the field, and the stored
/// value stays until the field is written.
fn known_values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<FieldPath, FieldValue>, D::Error> {
    let all = BTreeMap::<FieldPath, &RawValue>::deserialize(deserializer)?;
    let known = all
        .into_iter()
        .filter_map(|(path, json)| Some((path, serde_json::from_str(json.get()).ok()?)));
    Ok(known.collect())
}

impl FinancialInputs {
    /// A plan as the brand proposes it: every field at its default.
    pub fn from_brand(brand: &Brand) -> Self {
        Self(
            brand
                .fields()
                .iter()
                .map(|field| (field.path.clone(), FieldValue::at_default(brand, &field.path)))
                .collect(),
        )
    }

    /// The values that are not as they were.
    #[must_use]
    pub fn since(&self, before: Option<&Self>) -> Self {
        let moved =
            |path: &FieldPath, value: &FieldValue| before.and_then(|before| before.get(path.as_str())) != Some(value);
        let values = self.0.iter().filter(|(path, value)| moved(path, value));
        Self(values.map(|(path, value)| (path.clone(), value.clone())).collect())
    }

    /// The stored value of a path.
    pub fn get(&self, path: &str) -> Option<&FieldValue> {
        self.0.get(path)
    }

    /// Of loan amount and down payment the one that does not decide, and so counts nothing: the other one was modified later, or
    /// neither was and the loan amount decides (`docs/FINANCIAL-MODEL.md` 3.2).
    pub fn derived(&self) -> &'static str {
        let modified = |path| self.get(path).and_then(|field| field.last_modified_at);
        if modified(DOWN_PAYMENT) > modified(LOAN_AMOUNT) {
            LOAN_AMOUNT
        } else {
            DOWN_PAYMENT
        }
    }

    /// The current value, zero for a field this plan does not have.
    pub fn value(&self, path: &str) -> Number {
        self.get(path).map_or(Number::ZERO, |field| field.current_value)
    }
}

impl FieldValue {
    /// A field as the brand proposes it; zero where the brand says nothing.
    pub fn at_default(brand: &Brand, path: &FieldPath) -> Self {
        let default = brand.default_of(path).unwrap_or(Number::ZERO);
        Self {
            current_value: default,
            source: Source::BrandDefault,
            brand_default: default,
            item7_range: brand.item7_range(path).map(Box::new),
            last_modified_at: None,
            is_custom: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use time::{Duration, OffsetDateTime};

    const RENT: &str = "operatingCosts.rentMonthly";

    fn read(json: &Value) -> FinancialInputs {
        serde_json::from_str(&json.to_string()).expect("inputs")
    }

    #[test]
    fn what_was_written_is_read_whatever_else_is_in_a_value() {
        let written = FinancialInputs::from_brand(&Brand::demo());
        let mut json = serde_json::to_value(&written).expect("JSON");
        assert_eq!(read(&json), written);
        json[RENT]["ofTheFuture"] = json!({"a": [1]});
        assert_eq!(read(&json), written);
    }

    #[test]
    fn a_value_that_cannot_be_read_is_one_that_the_plan_lacks() {
        let mut expected = FinancialInputs::from_brand(&Brand::demo());
        let written = serde_json::to_value(&expected).expect("JSON");
        expected.0.remove(RENT);
        for other in [json!(4), json!(null), json!([]), json!({})] {
            let mut json = written.clone();
            json[RENT] = other;
            assert_eq!(read(&json), expected);
        }
        assert_eq!(read(&json!({})), FinancialInputs::default());
        for json in ["null", "[]", "4", "{"] {
            assert!(serde_json::from_str::<FinancialInputs>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn of_loan_and_down_payment_the_one_modified_later_decides() {
        let derived = |loan: Option<i64>, down: Option<i64>| {
            let mut inputs = FinancialInputs::from_brand(&Brand::demo());
            for (path, at) in [(LOAN_AMOUNT, loan), (DOWN_PAYMENT, down)] {
                let field = inputs.0.get_mut(path).expect("a field of the plan");
                field.last_modified_at = at.map(|at| OffsetDateTime::UNIX_EPOCH + Duration::seconds(at));
            }
            inputs.derived()
        };
        for (loan, down) in [(None, None), (Some(1), None), (Some(1), Some(1)), (Some(2), Some(1))] {
            assert_eq!(derived(loan, down), DOWN_PAYMENT, "{loan:?} {down:?}");
        }
        assert_eq!([derived(None, Some(1)), derived(Some(1), Some(2))], [LOAN_AMOUNT; 2]);
        assert_eq!(FinancialInputs::default().derived(), DOWN_PAYMENT);
    }

    #[test]
    fn a_value_with_its_path_is_small() {
        assert!(size_of::<(FieldPath, FieldValue)>() <= 112);
    }
}
