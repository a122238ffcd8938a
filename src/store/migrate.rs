//! Embedded migrations, run by one process at a time.

use super::{StoreError, StoreResult, pool};
use diesel::dsl::{select, sql};
use diesel::migration::MigrationSource;
use diesel::pg::Pg;
use diesel::sql_types::{Array, Bool, Text};
use diesel_async::{AsyncMigrationHarness, RunQueryDsl, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

/// The SQL files of `migrations/`.
pub const MIGRATIONS: EmbeddedMigrations = embed_migrations!();

/// Any constant will do; all instances must use the same.
const LOCK_KEY: i64 = 7_220_519_011;

/// Brings the database up to date and returns how many migrations ran. Instances that start together take turns: diesel's
/// own check-then-run takes no lock, and three of four would fail. Needs the multi-thread runtime.
///
/// # Errors
/// Where the database is not reachable or a migration fails.
pub async fn run(url: &str) -> StoreResult<usize> {
    let unavailable = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Unavailable(error);
    let mut conn = pool::establish(url)
        .await
        .map_err(|error| unavailable(Box::new(error)))?;
    // The lock goes with the connection; another instance may hold it for as long as its migrations take.
    conn.batch_execute("SET lock_timeout = 0; SET statement_timeout = 0")
        .await?;
    conn.batch_execute(&format!("SELECT pg_advisory_lock({LOCK_KEY})"))
        .await?;
    let mut harness = AsyncMigrationHarness::new(conn);
    let done = harness.run_pending_migrations(MIGRATIONS).map_err(unavailable)?;
    Ok(done.len())
}

/// How many migrations the database lacks. Changes nothing, so it needs no right to. Newer ones than ours do not count.
///
/// # Errors
/// Where the database is not reachable.
pub async fn missing(url: &str) -> StoreResult<usize> {
    let mut conn = pool::establish(url)
        .await
        .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    let known = MigrationSource::<Pg>::migrations(&MIGRATIONS).map_err(StoreError::Unavailable)?;
    let has_table: bool = select(sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL"))
        .get_result(&mut conn)
        .await?;
    let done: Vec<String> = match has_table {
        true => {
            select(sql::<Array<Text>>(
                "ARRAY(SELECT version::text FROM __diesel_schema_migrations)",
            ))
            .get_result(&mut conn)
            .await?
        }
        false => Vec::new(),
    };
    let is_missing = |version: String| !done.contains(&version);
    Ok(known
        .iter()
        .filter(|migration| is_missing(migration.name().version().to_string()))
        .count())
}

/// Takes everything back, newest first. For tests of the `down` files.
///
/// # Errors
/// As [`run`].
pub async fn revert_all(url: &str) -> StoreResult<usize> {
    let conn = pool::establish(url)
        .await
        .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    let mut harness = AsyncMigrationHarness::new(conn);
    let done = harness
        .revert_all_migrations(MIGRATIONS)
        .map_err(StoreError::Unavailable)?;
    Ok(done.len())
}
