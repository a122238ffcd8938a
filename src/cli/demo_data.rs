//! The demo's logins have a password that everybody can read: they do not get into a database that is somebody's, and a server
//! does not start with them.

use crate::password;
use crate::plans::seed::{self, DEMO_PASSWORD};
use crate::store::people::users::User;
use anyhow::{Context, Result, bail};

/// Why a command did nothing. The process ends with code 2, as for wrong arguments.
#[derive(Debug, thiserror::Error)]
#[error(
    "this database is neither empty nor the demo's: the demo's logins have a public password, one of them a platform \
     administrator's. Use another database, or --into-this-database"
)]
pub(super) struct NotOurs;

/// Refuses a database that holds something else than the demo, before anything is written to it.
///
/// # Errors
/// [`NotOurs`], or one line if the database cannot be reached.
pub(super) async fn refuse_a_strange_database(url: &str) -> Result<()> {
    let mut conn = pg_link::establish(url)
        .await
        .context("the database cannot be reached")?;
    match seed::may_be_seeded(&mut conn).await? {
        true => Ok(()),
        false => Err(NotOurs.into()),
    }
}

/// Refuses a database in which the demo's password opens an account. One that cannot be reached is not an error here: the server
/// waits for it.
///
/// # Errors
/// One line that names the accounts.
pub(super) async fn refuse_demo_logins(url: &str) -> Result<()> {
    let Ok(conn) = pg_link::establish(url).await else {
        return Ok(());
    };
    let logins = User::with_passwords(&conn, &seed::demo_ids(), &seed::demo_emails()).await?;
    let open = tokio::task::spawn_blocking(move || open_logins(logins)).await??;
    if open.is_empty() {
        return Ok(());
    }
    bail!(
        "the demo's public password opens {}: `plan-advisor user remove EMAIL --yes` or `user password EMAIL` each, or start with \
         --allow-demo-logins where nobody else reaches the server",
        open.join(", ")
    )
}

/// Addresses of those whose password is the demo's.
fn open_logins(logins: Vec<(String, String)>) -> Result<Vec<String>> {
    // Seeded together they have one hash: checking it five times would take five times as long.
    let mut known = std::collections::HashMap::new();
    let mut open = Vec::new();
    for (email, hash) in logins {
        let is_open = match known.get(&hash) {
            Some(is_open) => *is_open,
            None => password::is_right(DEMO_PASSWORD, &hash)?,
        };
        known.insert(hash, is_open);
        open.extend(is_open.then_some(email));
    }
    Ok(open)
}
