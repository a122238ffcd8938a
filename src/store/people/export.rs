//! Everything that is held about a person, as JSON texts, a few rows at a time.
//!
//! [`sections`] says for every column of every table where it is shown, or why not; a test compares that with the database.

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::users::User;
use crate::store::schema::audit_events;
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::ids::UserId;
use std::fmt::Write;
use uuid::Uuid;

pub(crate) mod document;
pub mod sections;

/// Exports that a person may ask for in a minute.
const EXPORTS_PER_MINUTE: i64 = 3;

/// A list of the document: rows of one table.
#[derive(Debug)]
pub struct Section {
    /// Its key in the document.
    pub key: &'static str,
    pub table: &'static str,
    /// Columns that are shown in camel case, separated by spaces.
    pub columns: &'static str,
    /// Further keys, and the SQL that makes them; the table is `t`, the person or plan `$1`.
    pub made: &'static [(&'static str, &'static str)],
    /// Columns of which `made` shows something.
    pub covers: &'static str,
    /// Which rows, in SQL.
    pub rows: &'static str,
    /// Columns with their types, in which the rows are in order and unique.
    pub order: &'static [(&'static str, &'static str)],
}

/// Some rows of a section.
#[derive(Debug)]
pub struct Rows {
    pub rows: Vec<Row>,
    /// Where the next ones begin; `None` behind the last.
    pub next: Option<String>,
}

#[derive(Debug, QueryableByName)]
pub struct Row {
    /// A JSON object.
    #[diesel(sql_type = Text)]
    pub json: String,
    /// The values of the columns of the order, as a JSON array.
    #[diesel(sql_type = Text)]
    pub position: String,
}

impl Section {
    /// Rows read at once: about a quarter of a megabyte.
    const fn page(&self) -> i64 {
        match self.table.as_bytes() {
            b"plans" => 10,
            b"prompts" => 50,
            _ => 200,
        }
    }

    /// Rows of the person or plan `of` behind `after`.
    pub async fn read(&self, mut conn: &Conn, of: Uuid, after: Option<&str>) -> StoreResult<Rows> {
        let found: Vec<Row> = diesel::sql_query(self.sql(after.is_some()))
            .bind::<SqlUuid, _>(of)
            .bind::<BigInt, _>(self.page())
            .bind::<Nullable<Text>, _>(after)
            .load(&mut conn)
            .await?;
        let is_full = i64::try_from(found.len()).is_ok_and(|count| count == self.page());
        let next = found.last().filter(|_| is_full).map(|last| last.position.clone());
        Ok(Rows { rows: found, next })
    }

    fn sql(&self, is_behind: bool) -> String {
        let plain = self.columns.split_whitespace();
        let shown = plain.map(|column| format!("'{}', {}", camel_case(column), shown(column)));
        let made = self.made.iter().map(|(key, sql)| format!("'{key}', {sql}"));
        let pairs: Vec<String> = shown.chain(made).collect();
        let order: Vec<String> = self.order.iter().map(|(column, _)| format!("t.{column}")).collect();
        let order = order.join(", ");
        let mut sql = format!(
            "SELECT json_build_object({})::text AS json, json_build_array({order})::text AS position FROM {} t WHERE ({})",
            pairs.join(", "),
            self.table,
            self.rows,
        );
        let bound = self.order.iter().enumerate();
        let bound: Vec<String> = bound
            .map(|(at, (_, kind))| format!("($3::jsonb ->> {at})::{kind}"))
            .collect();
        // The parameter is there in both cases, so that it has a type.
        let _ = match is_behind {
            true => write!(sql, " AND ({order}) > ({})", bound.join(", ")),
            false => write!(sql, " AND $3::jsonb IS NULL"),
        };
        let _ = write!(sql, " ORDER BY {order} LIMIT $2");
        sql
    }
}

/// The column's value; times in UTC with `Z`, as everywhere else, and not as PostgreSQL writes them in JSON.
fn shown(column: &str) -> String {
    if column.ends_with("_at") || column.ends_with("_until") {
        format!(sections::utc!("t.{}"), column)
    } else {
        format!("t.{column}")
    }
}

/// `display_name` as `displayName`.
fn camel_case(column: &str) -> String {
    let mut words = column.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        name + &head.to_ascii_uppercase() + tail
    })
}

/// Records that the person asks for an export. `false`, with nothing recorded, if they have asked for as many in the last minute
/// as they may.
pub async fn begin(conn: &mut Conn, person: UserId, event: &AuditEvent) -> StoreResult<bool> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        User::lock(conn, person).await?;
        let recent = audit_events::table
            .filter(audit_events::actor_id.eq(person.0))
            .filter(audit_events::kind.eq(AuditKind::DataExported.as_str()))
            .filter(audit_events::created_at.gt(now.into_sql::<Timestamptz>() - 1.minutes()));
        let count: i64 = recent.count().load(conn).await?.one()?;
        if count < EXPORTS_PER_MINUTE {
            event.insert(conn).await?;
        }
        Ok(count < EXPORTS_PER_MINUTE)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_get_the_names_that_the_api_gives_them() {
        assert_eq!(
            ["id", "display_name", "cached_prompt_tokens"].map(camel_case),
            ["id", "displayName", "cachedPromptTokens"]
        );
    }
}
