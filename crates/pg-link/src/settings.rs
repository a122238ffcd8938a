//! Settings of the role and of the server that our sessions and durability depend on.
//!
//! Behind a pooler in transaction mode a session's `SET` is lost, or found by somebody else. There the settings are the
//! role's: PostgreSQL gives them to every session of the role in the database, also to those that a pooler opens.

use crate::conn::Conn;
use crate::connect;
use crate::error::{Error, OneRow, Result};
use crate::session::SESSION;
use diesel::sql_types::{Array, Bool, Text};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};

/// The key of the lock that keeps two processes from altering the role at the same time, which one of them would not survive
/// ("tuple concurrently updated"). Arbitrary, but the same for all.
const ROLE_LOCK_KEY: i64 = 7_220_519_013;

/// If one of these is off, an acknowledged commit may be lost in a crash
/// (<https://www.postgresql.org/docs/current/runtime-config-wal.html>).
const DURABLE: [&str; 3] = ["fsync", "full_page_writes", "synchronous_commit"];

/// Other encodings refuse text or store it unchecked.
const ENCODING: &str = "UTF8";

/// A problem with the server's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsound {
    /// A setting that must be `on`, and its value.
    NotDurable {
        /// The setting.
        name: &'static str,
        /// What it is.
        value: String,
    },
    /// The encoding, if it is not UTF-8.
    Encoding(String),
}

impl std::fmt::Display for Unsound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotDurable { name, value } => {
                write!(f, "{name} is {value}, but must be on: committed data could be lost")
            }
            Self::Encoding(value) => write!(
                f,
                "server_encoding is {value}, but must be {ENCODING}: texts could not be stored"
            ),
        }
    }
}

/// Whether our settings of a session are set for the role in this database.
///
/// # Errors
/// If the database fails.
pub async fn are_set_for_role(conn: &mut Conn) -> Result<bool> {
    let wanted = SESSION.map(|(name, value)| format!("'{name}={value}'")).join(", ");
    diesel::select(diesel::dsl::sql::<Bool>(&format!(
        "EXISTS (SELECT FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase \
         JOIN pg_roles r ON r.oid = s.setrole \
         WHERE d.datname = current_database() AND r.rolname = session_user \
         AND s.setconfig @> ARRAY[{wanted}])"
    )))
    .load(conn)
    .await?
    .one()
}

/// Sets our settings of a session for the role that `url` connects as, in this database, and returns whether it was missing. A role may
/// do that for itself. Sessions that are open already, also a pooler's, keep what they have.
///
/// # Errors
/// If the database is unreachable.
pub async fn set_for_role(url: &str) -> Result<bool> {
    let mut conn = connect::establish(url)
        .await
        .map_err(|error| Error::Unavailable(Box::new(error)))?;
    if are_set_for_role(&mut conn).await? {
        return Ok(false);
    }
    let statements = SESSION.map(|(name, value)| {
        format!(
            "EXECUTE format('ALTER ROLE SESSION_USER IN DATABASE %I SET {name} = %L', current_database(), '{value}');"
        )
    });
    let all = format!(
        "DO $$ BEGIN PERFORM pg_advisory_xact_lock({ROLE_LOCK_KEY}); {} END $$",
        statements.join(" ")
    );
    conn.batch_execute(&all).await?;
    Ok(true)
}

/// Checks the settings as our sessions see them.
///
/// # Errors
/// If the database is unreachable.
pub async fn unsound(url: &str) -> Result<Vec<Unsound>> {
    let mut conn = connect::establish(url)
        .await
        .map_err(|error| Error::Unavailable(Box::new(error)))?;
    let values: Vec<String> = diesel::select(diesel::dsl::sql::<Array<Text>>(
        "ARRAY[current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'), \
         current_setting('server_encoding')]",
    ))
    .load(&mut conn)
    .await?
    .one()?;
    Ok(judge(&values))
}

/// The values of [`DURABLE`] in order, then the encoding.
fn judge(values: &[String]) -> Vec<Unsound> {
    let durable = DURABLE.iter().zip(values).filter_map(|(name, value)| {
        // `remote_apply` waits for the local disk and a replica.
        let is_enough = value == "on" || *name == "synchronous_commit" && value == "remote_apply";
        (!is_enough).then(|| Unsound::NotDurable {
            name,
            value: value.clone(),
        })
    });
    let encoding = values.get(DURABLE.len()).filter(|value| *value != ENCODING);
    durable.chain(encoding.cloned().map(Unsound::Encoding)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(values: [&str; 4]) -> Vec<String> {
        judge(&values.map(str::to_owned))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn what_could_lose_a_commit_or_a_text_is_named() {
        assert!(reported(["on", "on", "on", "UTF8"]).is_empty());
        assert!(reported(["on", "on", "remote_apply", "UTF8"]).is_empty());
        assert_eq!(
            reported(["off", "on", "local", "SQL_ASCII"]),
            [
                "fsync is off, but must be on: committed data could be lost",
                "synchronous_commit is local, but must be on: committed data could be lost",
                "server_encoding is SQL_ASCII, but must be UTF8: texts could not be stored"
            ]
        );
    }
}
