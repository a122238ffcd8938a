//! The inputs of a plan as PostgreSQL prints them.

use crate::store::printed::{Printed, read};
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::pg::{Pg, PgValue};
use diesel::sql_types::Jsonb;
use plan_model::field::{Bounds, FieldPath};
use plan_model::field_map::FieldMap;
use plan_model::inputs::{FieldValue, FinancialInputs, Source};

/// The inputs in a `jsonb` column.
#[derive(Debug, Clone, PartialEq, FromSqlRow)]
pub struct StoredInputs(pub FinancialInputs);

impl FromSql<Jsonb, Pg> for StoredInputs {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        read(&value, Printed::inputs).map(Self)
    }
}

impl Printed<'_> {
    fn inputs(mut self) -> Option<FinancialInputs> {
        let mut pairs = Vec::with_capacity(FieldMap::USUAL);
        let mut start = "{";
        while pairs.is_empty() || !self.consume("}") {
            self.expect(start)?;
            let path = FieldPath::read_at(pairs.len(), self.string()?);
            pairs.push((path, self.value()?));
            start = ", ";
        }
        self.0.is_empty().then(|| FinancialInputs(FieldMap::from(pairs)))
    }

    fn value(&mut self) -> Option<FieldValue> {
        self.expect(": {\"source\": ")?;
        let source = Source::parse(self.string()?);
        self.expect(", \"isCustom\": ")?;
        let is_custom = self.consume("true") || self.expect("false").map(|()| false)?;
        self.expect(", \"item7Range\": ")?;
        let item7_range = if self.consume("null") {
            None
        } else {
            Some(Box::new(self.bounds()?))
        };
        self.expect(", \"brandDefault\": ")?;
        let brand_default = self.number()?;
        self.expect(", \"currentValue\": ")?;
        let current_value = self.number()?;
        self.expect(", \"lastModifiedAt\": ")?;
        let last_modified_at = if self.consume("null") {
            None
        } else {
            Some(self.timestamp()?)
        };
        self.expect("}")?;
        Some(FieldValue {
            current_value,
            source,
            brand_default,
            item7_range,
            last_modified_at,
            is_custom,
        })
    }

    fn bounds(&mut self) -> Option<Bounds> {
        self.expect("{\"low\": ")?;
        let low = self.number()?;
        self.expect(", \"high\": ")?;
        let high = self.number()?;
        self.expect("}")?;
        Some(Bounds { low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::printed::print;
    use plan_model::brand::Brand;
    use proptest::prelude::*;
    use time::OffsetDateTime;
    use time::format_description::well_known::Rfc3339;

    fn demo() -> FinancialInputs {
        let mut inputs = FinancialInputs::from_brand(&Brand::demo());
        let rent = inputs.0.get_mut("operatingCosts.rentMonthly").expect("a field");
        rent.source = Source::Admin("Ann O'Neil".into());
        rent.last_modified_at = OffsetDateTime::parse("2026-01-02T03:04:05.678Z", &Rfc3339).ok();
        rent.is_custom = true;
        inputs
    }

    #[test]
    fn a_plan_is_read_as_it_is_printed() {
        let text = print(&serde_json::to_value(demo()).expect("JSON"));
        assert_eq!(Printed(&text).inputs(), Some(demo()));
        assert_eq!(serde_json::from_str::<FinancialInputs>(&text).expect("inputs"), demo());
    }

    #[test]
    fn other_text_is_left_to_the_parser() {
        for text in ["{}", "null", "{\"a.b\": 4}", "{\"a.b\": null}", "", "{", "[]"] {
            assert_eq!(Printed(text).inputs(), None, "{text}");
        }
        let text = print(&serde_json::to_value(demo()).expect("JSON"));
        for other in [
            text.replace("Ann O'Neil", "Ann \\\"O\\\""),
            text.replace("\"isCustom\"", "\"isNew\": 1, \"isCustom\""),
        ] {
            assert_eq!(Printed(&other).inputs(), None);
            assert!(serde_json::from_str::<FinancialInputs>(&other).is_ok());
        }
    }

    proptest! {
        #[test]
        fn valid_json_is_never_read_otherwise_than_by_the_parser(at in 0usize..14_000, with in "[\"\\\\{},: 0-9a-z.-]{0,3}", cut in 0usize..3) {
            let mut text = print(&serde_json::to_value(demo()).expect("JSON"));
            let at = at.min(text.len() - cut);
            text.replace_range(at..at + cut, &with);
            if let (Some(inputs), Ok(parsed)) = (Printed(&text).inputs(), serde_json::from_str::<FinancialInputs>(&text)) {
                prop_assert_eq!(inputs, parsed);
            }
        }
    }
}
