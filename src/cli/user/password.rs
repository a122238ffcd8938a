//! `user password`, and how a command reads a new password.

use super::{DatabaseArgs, UNREADABLE, connect, find, warn_of_single_sign_on_only};
use crate::password::strength::{EASY_TO_GUESS, is_easy_to_guess};
use crate::password::{check_new, hash};
use crate::store::brands::find_brand_name;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::users::User;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use plan_model::ids::{BrandId, UserId};
use std::io::BufRead;

#[derive(Debug, Args)]
pub(crate) struct PasswordArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    email: String,
    /// Says that the password comes on standard input, one line of 10 to 128 characters
    #[arg(long, required = true)]
    password_stdin: bool,
    /// Whether the server refuses passwords
    #[arg(long, env = "OIDC_ONLY", default_value_t = false, action = clap::ArgAction::Set, hide = true)]
    oidc_only: bool,
}

pub(super) async fn run(args: PasswordArgs) -> Result<()> {
    let mut conn = connect(&args.database).await?;
    let user = find(&conn, &args.email).await?;
    let email = &user.email;
    let brand = match user.brand_id {
        Some(brand) => find_brand_name(&conn, BrandId(brand)).await.context(UNREADABLE)?,
        None => None,
    };
    let hash = read_password(&[email, &user.display_name, brand.as_deref().unwrap_or_default()])?;
    let recorded = AuditEvent::new(AuditKind::PasswordChanged, None, Some(UserId(user.id)));
    let replaced = User::replace_password(&mut conn, UserId(user.id), &hash, None, recorded).await;
    if !replaced.context(UNREADABLE)? {
        bail!("{email} is disabled; enable the account first");
    }
    warn_of_single_sign_on_only(args.oidc_only);
    super::print(&format!(
        "{email} has a new password; their sessions and access tokens have ended.\n"
    ))
}

/// The hash of the line on standard input. `about` is what others know of the person.
pub(super) fn read_password(about: &[&str]) -> Result<String> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("no password on standard input")?;
    let password = line.trim_end_matches(['\n', '\r']);
    check_new(password).map_err(|problem| anyhow!("the password {problem}"))?;
    if is_easy_to_guess(password, about) {
        bail!("the password {EASY_TO_GUESS}");
    }
    Ok(hash(password)?)
}
