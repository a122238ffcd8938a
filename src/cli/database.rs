//! What a command finds out about its database before it uses it, and how it is migrated.

use crate::config::DatabaseConfig;
use crate::store::migrate;
use anyhow::{Context, Result, bail};
use pg_link::pooler::{self, Pooling, Statements};
use pg_link::settings;
use secrecy::{ExposeSecret, SecretString};

/// What is wrong with a pooler that loses prepared statements.
pub(super) const LOSES_STATEMENTS: &str = "the connection pooler runs in transaction mode and loses prepared statements: \
    use PgBouncer 1.21 or newer with max_prepared_statements = 500, or its pool_mode = session";

/// What is missing where the settings of sessions have to be the role's.
pub(super) const LACKS_SETTINGS: &str = "the connection pooler runs in transaction mode, where our settings have to be the \
    role's, but they are not: run `plan-advisor migrate` with DATABASE_DIRECT_URL set";

/// `DATABASE_URL`.
pub(super) fn url(config: &DatabaseConfig) -> Result<&str> {
    given(config.url.as_ref()).context(
        "DATABASE_URL is not set; for example postgres://user:password@localhost/plan_advisor, or use `plan-advisor demo`",
    )
}

/// `DATABASE_DIRECT_URL`, if it is set.
pub(super) fn direct_url(config: &DatabaseConfig) -> Option<&str> {
    given(config.direct_url.as_ref())
}

fn given(url: Option<&SecretString>) -> Option<&str> {
    url.map(ExposeSecret::expose_secret)
        .filter(|url| !url.trim().is_empty())
}

/// Runs the missing migrations past a pooler, and gives our settings to the role that comes through it.
pub(super) async fn bring_up_to_date(url: &str, direct: Option<&str>) -> Result<usize> {
    let (name, straight) = match direct {
        Some(direct) => ("DATABASE_DIRECT_URL", direct),
        None => ("DATABASE_URL", url),
    };
    if let Ok(Pooling::Transaction(_)) = pooler::probe(straight).await {
        bail!(
            "{name} leads to a connection pooler in transaction mode, where the lock of the migrations protects nothing: \
             set DATABASE_DIRECT_URL to PostgreSQL itself"
        );
    }
    let done = migrate::run(straight)
        .await
        .context("the database could not be brought up to date")?;
    if direct.is_some()
        && settings::set_for_role(url)
            .await
            .context("the role could not be given our settings")?
    {
        tracing::info!(
            "The role of DATABASE_URL has our settings now. Connections that a pooler opened before do not: RECONNECT in \
             PgBouncer's console replaces them"
        );
    }
    Ok(done)
}

/// Refuses a pooler that cannot work. A database that cannot be reached is not an error here.
pub(super) async fn refuse_unfit_pooler(url: &str) -> Result<()> {
    let Ok(Pooling::Transaction(statements)) = pooler::probe(url).await else {
        return Ok(());
    };
    if statements == Statements::Lost {
        bail!(LOSES_STATEMENTS);
    }
    match has_settings(url).await {
        Ok(false) => bail!(LACKS_SETTINGS),
        _ => Ok(()),
    }
}

/// Whether the role has our settings.
pub(super) async fn has_settings(url: &str) -> Result<bool> {
    let mut conn = pg_link::establish(url).await?;
    Ok(settings::are_set_for_role(&mut conn).await?)
}
