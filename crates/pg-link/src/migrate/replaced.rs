//! Migrations of earlier releases that fewer new ones took the place of.

use crate::conn::Conn;
use crate::error::{Error, OneRow, Result};
use diesel::dsl::{select, sql};
use diesel::sql_types::{Array, Bool, Text};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};

/// Where the earlier migrations ended, and what leads from there to what the new ones make.
#[derive(Debug, Clone, Copy)]
pub struct Replaced<'a> {
    /// Version of the last of them, as diesel stores it.
    pub last: &'a str,
    /// The release that has all of them, for the message.
    pub release: &'a str,
    /// Turns the schema and the rows that they left into those of the new migrations up to `through`. Runs in one transaction.
    pub upgrade: &'a str,
    /// Version of the last of the new migrations that the upgrade stands for; later ones run after it.
    pub through: &'a str,
}

/// The database stopped in the middle of migrations that do not exist anymore.
#[derive(Debug, thiserror::Error)]
#[error("the database is older than release {release}: run `migrate` of that release first, then this one's")]
struct TooOld {
    release: String,
}

/// The versions that diesel has noted.
pub(super) async fn noted(conn: &mut Conn) -> Result<Vec<String>> {
    let has_table: bool = select(sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL"))
        .load(conn)
        .await?
        .one()?;
    if !has_table {
        return Ok(Vec::new());
    }
    select(sql::<Array<Text>>(
        "ARRAY(SELECT version::text FROM __diesel_schema_migrations)",
    ))
    .load(conn)
    .await?
    .one()
}

impl Replaced<'_> {
    /// Upgrades a database that the earlier migrations made. Nothing happens to any other.
    ///
    /// # Errors
    /// If some of the earlier migrations are missing, or a statement fails: then nothing has changed.
    pub async fn upgrade(self, conn: &mut Conn, known: &[String]) -> Result<()> {
        let earlier: Vec<String> = noted(conn)
            .await?
            .into_iter()
            // What is newer belongs to a later release and stays.
            .filter(|version| version.as_str() <= self.last && !known.contains(version))
            .collect();
        if earlier.is_empty() {
            return Ok(());
        }
        if !earlier.iter().any(|version| version == self.last) {
            let release = self.release.to_owned();
            return Err(Error::Unavailable(Box::new(TooOld { release })));
        }
        tracing::info!("Upgrading a database of release {}", self.release);
        let list = |versions: &[String], open: &str, close: &str| {
            let quoted: Vec<String> = versions
                .iter()
                .map(|version| format!("{open}'{version}'{close}"))
                .collect();
            quoted.join(", ")
        };
        let done: Vec<String> = known
            .iter()
            .filter(|version| version.as_str() <= self.through)
            .cloned()
            .collect();
        let notes = format!(
            "DELETE FROM __diesel_schema_migrations WHERE version IN ({}); \
             INSERT INTO __diesel_schema_migrations (version) VALUES {}",
            list(&earlier, "", ""),
            list(&done, "(", ")"),
        );
        // No server runs meanwhile, so it may wait for a lock as long as a dump takes.
        let all = format!(
            "BEGIN;\nSET LOCAL lock_timeout = 0;\n{}\n;{notes}; COMMIT",
            self.upgrade
        );
        conn.batch_execute(&all).await.map_err(Error::from)
    }
}
