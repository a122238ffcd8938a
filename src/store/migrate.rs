//! The migrations of this program.

use super::StoreResult;
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use pg_link::migrate::Replaced;

/// The SQL files of `migrations/`.
const MIGRATIONS: EmbeddedMigrations = embed_migrations!();

/// The 35 migrations up to November 2026 became eight by topic, as a database of then became one of now.
const REPLACED: Replaced<'_> = Replaced {
    last: "20261128000040",
    release: "of November 25, 2026 (cbb8d9a)",
    upgrade: include_str!("migrate/from_2026_11_25.sql"),
    through: "20261125000080",
};

/// Runs the missing migrations and returns their number. What replaced migrations lack does not count.
///
/// # Errors
/// If the database is unreachable or a migration fails.
pub async fn run(url: &str) -> StoreResult<usize> {
    pg_link::migrate::run(url, &MIGRATIONS, Some(REPLACED)).await
}

/// Number of missing migrations. Read-only. Unknown newer migrations do not count.
///
/// # Errors
/// If the database is unreachable.
pub async fn missing(url: &str) -> StoreResult<usize> {
    pg_link::migrate::missing(url, &MIGRATIONS).await
}

/// Reverts all migrations, newest first. For tests of the `down` files.
///
/// # Errors
/// As [`run`].
pub async fn revert_all(url: &str) -> StoreResult<usize> {
    pg_link::migrate::revert_all(url, &MIGRATIONS).await
}
