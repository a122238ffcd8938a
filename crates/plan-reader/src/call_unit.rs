//! Units as a call names them.

use schemars::JsonSchema;
use serde::Deserialize;

/// Units a call may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum CallUnit {
    /// Money.
    Dollars,
    /// Points of a percentage.
    Percent,
    /// Months.
    Months,
    /// Years.
    Years,
    /// Weeks.
    Weeks,
    /// Days.
    Days,
    /// Things.
    Count,
    /// A factor.
    Multiple,
}
