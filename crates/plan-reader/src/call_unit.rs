//! Units as a call names them.

use schemars::JsonSchema;
use serde::Deserialize;

/// Units a call may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum CallUnit {
    Dollars,
    Percent,
    Months,
    Years,
    Weeks,
    Days,
    Count,
    Multiple,
}
