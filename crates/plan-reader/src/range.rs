//! Warnings where a value leaves its reference range.
//!
//! Nothing here rejects a value: the franchisee is the author of the plan, we only point.

use plan_model::extracted::RangeCode;
use plan_model::field::{Bounds, Field};
use plan_model::number::Number;

/// The first warning that applies: the brand's disclosed range where there is one, else the typical range. Bounds are inclusive.
pub fn warning(field: &Field, item7: Option<Bounds>, value: Number) -> Option<(RangeCode, String)> {
    if let Some(range) = item7 {
        return match value {
            v if v > range.high => Some((RangeCode::AboveItem7, "Value is above Item 7 high range".to_owned())),
            v if v < range.low => Some((RangeCode::BelowItem7, "Value is below Item 7 low range".to_owned())),
            _ => None,
        };
    }
    let soft = field.soft?;
    let text = |side: &str| format!("Value is {side} the typical range for {}", field.label);
    match value {
        v if v > soft.high => Some((RangeCode::AboveTypical, text("above"))),
        v if v < soft.low => Some((RangeCode::BelowTypical, text("below"))),
        _ => None,
    }
}
