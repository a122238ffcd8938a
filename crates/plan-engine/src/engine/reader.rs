//! Reads a plan's values as whole numbers within their hard bounds (`docs/FINANCIAL-MODEL.md` 6.3).

use plan_model::brand::Brand;
use plan_model::field::FieldPath;
use plan_model::inputs::FinancialInputs;
use plan_model::number::{Number, PPM};

/// Highest amount in cents, highest count and highest multiple in millionths.
pub(super) const MONEY: i64 = 10_000_000_000;
pub(super) const COUNT: i64 = 1_200;
pub(super) const MULTIPLE: i64 = 50 * PPM;
pub(super) const LOWEST_GROWTH: i64 = -900_000;

/// A plan beside the brand that fills its gaps.
pub(super) struct Reader<'a> {
    pub inputs: &'a FinancialInputs,
    pub brand: &'a Brand,
}

impl Reader<'_> {
    /// The plan's value, else the brand's default, else zero.
    fn value(&self, path: &'static str) -> Number {
        match self.inputs.get(path) {
            Some(field) => field.current_value,
            None => self
                .brand
                .default_of(&FieldPath::from_static(path))
                .unwrap_or(Number::ZERO),
        }
    }

    /// Cents.
    pub(super) fn money(&self, path: &'static str) -> i64 {
        self.value(path).to_whole().clamp(0, MONEY)
    }

    /// Millionths.
    pub(super) fn rate(&self, path: &'static str) -> i64 {
        self.value(path).to_millionths().clamp(0, PPM)
    }

    /// Months, days or years.
    pub(super) fn count(&self, path: &'static str) -> i64 {
        self.value(path).to_whole().clamp(0, COUNT)
    }

    /// Millionths.
    pub(super) fn multiple(&self, path: &'static str) -> i64 {
        self.value(path).to_millionths().clamp(0, MULTIPLE)
    }

    /// Yearly growth of the five years in millionths; a missing year 3 to 5 inherits the year before.
    pub(super) fn growth(&self) -> [i64; 5] {
        let clamp = |rate: Number| rate.to_millionths().clamp(LOWEST_GROWTH, PPM);
        let own = |path: &str| self.inputs.get(path).map(|field| clamp(field.current_value));
        let first = clamp(self.value("revenue.year1GrowthRate"));
        let second = clamp(self.value("revenue.year2GrowthRate"));
        let third = own("revenue.year3GrowthRate").unwrap_or(second);
        let fourth = own("revenue.year4GrowthRate").unwrap_or(third);
        let fifth = own("revenue.year5GrowthRate").unwrap_or(fourth);
        [first, second, third, fourth, fifth]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::field::{Kind, catalogue};

    #[test]
    fn the_engine_clamps_where_the_catalogue_refuses() {
        for field in catalogue() {
            let hard = field.hard();
            let bounds = match field.kind {
                Kind::Money => (0, MONEY),
                Kind::Percent if field.is_growth() => (LOWEST_GROWTH, PPM),
                Kind::Percent => (0, PPM),
                Kind::Multiple => (0, MULTIPLE),
                Kind::Count | Kind::Months | Kind::Days | Kind::Years => (0, COUNT),
            };
            let unit = |bound: Number| {
                if field.kind.is_decimal() {
                    bound.to_millionths()
                } else {
                    bound.to_whole()
                }
            };
            assert_eq!((unit(hard.low), unit(hard.high)), bounds, "{}", field.path);
        }
    }

    #[test]
    fn a_missing_later_year_grows_like_the_year_before() {
        let brand = Brand::demo();
        let mut inputs = FinancialInputs::from_brand(&brand);
        let is_late = |path: &FieldPath| (3..=5).any(|year| path.as_str() == format!("revenue.year{year}GrowthRate"));
        inputs.0 = inputs
            .0
            .iter()
            .filter(|(path, _)| !is_late(path))
            .map(|(path, value)| (path.clone(), value.clone()))
            .collect();
        let growth = Reader {
            inputs: &inputs,
            brand: &brand,
        }
        .growth();
        assert_eq!(growth, [50_000; 5]);
    }
}
