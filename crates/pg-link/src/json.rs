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
///
/// # Errors
/// If the format or the encoding is another one.
pub fn text(bytes: &[u8]) -> deserialize::Result<&str> {
    match bytes {
        [VERSION, text @ ..] => Ok(std::str::from_utf8(text)?),
        _ => Err("unknown jsonb version".into()),
    }
}

impl<T: DeserializeOwned + Debug> FromSql<Jsonb, Pg> for Json<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_str(text(value.as_bytes())?)?))
    }
}
