//! The migrations of this program.

use super::StoreResult;
use diesel_migrations::{EmbeddedMigrations, embed_migrations};

/// The SQL files of `migrations/`.
const MIGRATIONS: EmbeddedMigrations = embed_migrations!();

/// Runs the missing migrations and returns their number.
///
/// # Errors
/// If the database is unreachable or a migration fails.
pub async fn run(url: &str) -> StoreResult<usize> {
    pg_link::migrate::run(url, &MIGRATIONS, None).await
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
