//! Text columns that hold an enum. A spelling the program does not know is an error of the query, never another value.
//!
//! Rows that diesel's tables select read such a column with `deserialize_as = String`; this is for rows of written SQL.

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::pg::{Pg, PgValue};
use diesel::sql_types::Text;

/// An enum in a row that is read by name.
#[derive(Debug, Clone, Copy, FromSqlRow)]
pub struct Spelled<T>(pub T);

impl<T: TryFrom<String, Error = String>> FromSql<Text, Pg> for Spelled<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let text: String = FromSql::<Text, Pg>::from_sql(value)?;
        Ok(Self(T::try_from(text)?))
    }
}
