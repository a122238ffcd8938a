//! Typed JSONB columns: structs are serialized directly, without `serde_json::Value`.

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::Jsonb;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::io::Write;

/// A value in a `jsonb` column.
#[derive(Debug, Clone, PartialEq, FromSqlRow, AsExpression)]
#[diesel(sql_type = Jsonb)]
pub struct Json<T: Debug>(pub T);

/// Version byte of PostgreSQL's binary `jsonb` (`jsonb_recv` in `src/backend/utils/adt/jsonb.c`).
const VERSION: u8 = 1;

impl<T: Serialize + Debug> ToSql<Jsonb, Pg> for Json<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&[VERSION])?;
        serde_json::to_writer(out, &self.0)?;
        Ok(IsNull::No)
    }
}

/// The text in PostgreSQL's binary format. Checked as UTF-8 as a whole, which is cheaper than string by string.
fn text(bytes: &[u8]) -> deserialize::Result<&str> {
    match bytes {
        [VERSION, text @ ..] => Ok(std::str::from_utf8(text)?),
        _ => Err("unknown jsonb version".into()),
    }
}

impl<T: DeserializeOwned + Debug> FromSql<Jsonb, Pg> for Json<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let read = serde_json::from_str(text(value.as_bytes())?);
        Ok(Self(read.map_err(|error| without_content(&error))?))
    }
}

/// What is wrong, without the words that serde quotes: it ends in a log.
pub fn without_content(error: &serde_json::Error) -> String {
    let (kind, line, column) = (error.classify(), error.line(), error.column());
    format!("JSON that cannot be read ({kind:?}, line {line}, column {column})")
}

/// A value in a `jsonb` column that somebody may have damaged: what cannot be read is a value, so that one row does not fail
/// the statement that reads many.
#[derive(Debug, Clone, FromSqlRow)]
pub struct Tried<T: Debug>(pub Result<T, String>);

impl<T: DeserializeOwned + Debug> FromSql<Jsonb, Pg> for Tried<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let read = serde_json::from_str(text(value.as_bytes())?);
        Ok(Self(read.map_err(|error| without_content(&error))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_quotes_nothing_of_what_it_could_not_read() {
        let error = serde_json::from_str::<u8>(r#""my rent is 4200""#).expect_err("no number");
        assert!(error.to_string().contains("my rent"), "{error}");
        assert_eq!(
            without_content(&error),
            "JSON that cannot be read (Data, line 1, column 17)"
        );
    }
}
