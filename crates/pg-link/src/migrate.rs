//! Migrations, run by one process at a time, beside users who work.

use crate::conn::Conn;
use crate::connect;
use crate::error::{Error, OneRow, Result};
use crate::sqlstate::Transient;
use diesel::dsl::{select, sql};
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::sql_types::{Array, Bool, Text};
use diesel_async::{AsyncMigrationHarness, RunQueryDsl, SimpleAsyncConnection};
use diesel_migrations::MigrationHarness;
use std::time::Duration;
use tokio::time::{Instant, sleep};

mod replaced;

pub use replaced::Replaced;

/// The key of the advisory lock. Arbitrary, but the same for all instances.
const LOCK_KEY: i64 = 7_220_519_011;

/// Between two looks whether another process has finished.
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// How long users may have to wait behind a migration that waits for a table: every later lock queues behind its own
/// (<https://www.postgresql.org/docs/current/explicit-locking.html>). A delay that nobody takes for a failure.
const TABLE_LOCK_LIMIT: Duration = Duration::from_millis(500);

/// Between two attempts: users have the table four fifths of the time.
const TABLE_LOCK_PAUSE: Duration = Duration::from_secs(2);

/// A dump of a large database takes its time.
const TABLE_LOCK_PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Runs the missing migrations and returns their number, after what leads from [`Replaced`] ones to them. Instances that start together wait for each other, because
/// diesel's own check-then-run takes no lock (diesel#4862). Needs the multi-thread runtime.
///
/// A migration outside a transaction (`run_in_transaction = false`: `CREATE INDEX CONCURRENTLY`, `VALIDATE CONSTRAINT`)
/// blocks neither reads nor writes while it waits, so it waits for as long as it takes.
///
/// # Errors
/// If the database is unreachable or a migration fails.
pub async fn run(
    url: &str,
    migrations: &(impl MigrationSource<Pg> + Sync),
    replaced: Option<Replaced<'_>>,
) -> Result<usize> {
    let mut conn = connect::establish(url)
        .await
        .map_err(|error| Error::Unavailable(Box::new(error)))?;
    conn.batch_execute("SET statement_timeout = 0").await?;
    lock(&mut conn).await?;
    if let Some(replaced) = replaced {
        replaced.upgrade(&mut conn, &versions(migrations)?).await?;
    }
    let mut deadline = Instant::now() + TABLE_LOCK_PATIENCE;
    let mut done = 0;
    loop {
        let (next, mut idle) = peek(conn, migrations)?;
        let Some(in_transaction) = next else {
            return Ok(done);
        };
        if in_transaction {
            // A statement that waits for a table's lock blocks every later statement on it, so it waits for a moment only.
            let limit = format!("SET lock_timeout = {}", TABLE_LOCK_LIMIT.as_millis());
            idle.batch_execute(&limit).await?;
        } else {
            idle.batch_execute("SET lock_timeout = 0").await?;
            drop_unfinished_indexes(&mut idle).await?;
        }
        let mut harness = AsyncMigrationHarness::new(idle);
        let result = harness.run_next_migration(Source(migrations)).map(drop);
        conn = harness.into_inner();
        match result {
            Ok(()) => (done, deadline) = (done + 1, Instant::now() + TABLE_LOCK_PATIENCE),
            // Unless a table's lock was not free in time: then nothing has changed.
            Err(failure) if conn.watch.last_error() != Some(Transient::Contended) || Instant::now() > deadline => {
                return Err(Error::Unavailable(failure));
            }
            Err(_) => {
                tracing::warn!(
                    "A migration waits for a table that another session uses (a dump, a long query); trying again"
                );
                sleep(TABLE_LOCK_PAUSE).await;
            }
        }
    }
}

/// The same migrations again: diesel's harness takes them by value.
struct Source<'a, S>(&'a S);

impl<S: MigrationSource<Pg>> MigrationSource<Pg> for Source<'_, S> {
    fn migrations(&self) -> diesel::migration::Result<Vec<Box<dyn Migration<Pg>>>> {
        self.0.migrations()
    }
}

/// Takes the lock, which ends with the connection. Asked for repeatedly: `CREATE INDEX CONCURRENTLY` waits for the end of
/// every statement, also of one that would wait for this lock.
async fn lock(conn: &mut Conn) -> Result<()> {
    while !select(sql::<Bool>(&format!("pg_try_advisory_lock({LOCK_KEY})")))
        .load::<bool>(conn)
        .await?
        .one()?
    {
        sleep(LOCK_PAUSE).await;
    }
    Ok(())
}

/// Whether the next missing migration runs in a transaction; `None` if there is none.
fn peek(conn: Conn, migrations: &(impl MigrationSource<Pg> + Sync)) -> Result<(Option<bool>, Conn)> {
    let mut harness = AsyncMigrationHarness::new(conn);
    let missing = harness
        .pending_migrations(Source(migrations))
        .map_err(Error::Unavailable)?;
    let next = missing
        .as_slice()
        .first()
        .map(|next| next.metadata().run_in_transaction());
    drop(missing);
    Ok((next, harness.into_inner()))
}

/// An index that was built beside the users and did not get finished is of no use, and its name is taken.
async fn drop_unfinished_indexes(conn: &mut Conn) -> Result<()> {
    let unfinished: Vec<String> = select(sql::<Array<Text>>(
        "ARRAY(SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class c ON c.oid = indexrelid \
         WHERE NOT indisvalid AND c.relnamespace = current_schema()::regnamespace)",
    ))
    .load(conn)
    .await?
    .one()?;
    for index in unfinished {
        conn.batch_execute(&format!("DROP INDEX CONCURRENTLY {index}")).await?;
    }
    Ok(())
}

/// Number of missing migrations. Read-only. Unknown newer migrations do not count.
///
/// # Errors
/// If the database is unreachable.
pub async fn missing(url: &str, migrations: &(impl MigrationSource<Pg> + Sync)) -> Result<usize> {
    let mut conn = connect::establish(url)
        .await
        .map_err(|error| Error::Unavailable(Box::new(error)))?;
    let done = replaced::noted(&mut conn).await?;
    let known = versions(migrations)?;
    Ok(known.iter().filter(|version| !done.contains(version)).count())
}

fn versions(migrations: &impl MigrationSource<Pg>) -> Result<Vec<String>> {
    let known = migrations.migrations().map_err(Error::Unavailable)?;
    Ok(known
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect())
}

/// Reverts all migrations, newest first. For tests of the `down` files.
///
/// # Errors
/// As [`run`].
pub async fn revert_all(url: &str, migrations: &(impl MigrationSource<Pg> + Sync)) -> Result<usize> {
    let conn = connect::establish(url)
        .await
        .map_err(|error| Error::Unavailable(Box::new(error)))?;
    let mut harness = AsyncMigrationHarness::new(conn);
    let done = harness
        .revert_all_migrations(Source(migrations))
        .map_err(Error::Unavailable)?;
    Ok(done.len())
}
