//! How often an amount falls due.

use schemars::JsonSchema;
use serde::Deserialize;

/// How often an amount falls due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum Period {
    /// Paid or agreed one time.
    Once,
    /// 52 times a year.
    Weekly,
    /// Every two weeks, 26 times a year.
    Biweekly,
    /// 12 times a year.
    Monthly,
    /// 4 times a year.
    Quarterly,
    /// Once a year.
    Annual,
}

impl Period {
    /// How many of them a year has; `None` for once.
    pub const fn per_year(self) -> Option<i64> {
        Some(match self {
            Self::Once => return None,
            Self::Weekly => 52,
            Self::Biweekly => 26,
            Self::Monthly => 12,
            Self::Quarterly => 4,
            Self::Annual => 1,
        })
    }
}
