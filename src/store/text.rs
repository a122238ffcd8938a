//! Text columns that hold an enum. A spelling the program does not know is an error of the query, never another value.

use super::plan_changes::Reason;
use super::prompts::PromptState;
use crate::model::access::UserRole;
use crate::model::extracted::Status;
use diesel::deserialize::{self, FromSql, Queryable};
use diesel::pg::{Pg, PgValue};
use diesel::sql_types::Text;

macro_rules! text_columns {
    ($($name:ty),+) => {$(
        impl FromSql<Text, Pg> for $name {
            fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
                let text: String = FromSql::<Text, Pg>::from_sql(value)?;
                Self::parse(&text).ok_or_else(|| format!("{text:?} is no {}", stringify!($name)).into())
            }
        }

        impl Queryable<Text, Pg> for $name {
            type Row = Self;

            fn build(row: Self) -> deserialize::Result<Self> {
                Ok(row)
            }
        }
    )+};
}

text_columns!(PromptState, Reason, Status, UserRole);
