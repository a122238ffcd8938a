//! `user …`: people by command, for the first administrator and for whoever has lost the way in. Works while the server runs.

use super::{DatabaseArgs, print};
use crate::store::Conn;
use crate::store::brands::find_brand_by_slug;
use crate::store::people::users::User;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use plan_model::access::UserRole;
use plan_model::clean;
use plan_model::ids::BrandId;

mod access;
mod add;
mod identities;
mod links;
mod list;
mod password;
mod remove;

#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Add a person; the password is read from standard input
    Add(add::AddArgs),
    /// Make a link that opens an account; hand it to the person yourself
    Invite(links::InviteArgs),
    /// List people
    List(list::ListArgs),
    /// Set a person's password, read from standard input; ends their sessions
    Password(password::PasswordArgs),
    /// Make a link that lets a person choose a new password
    ResetLink(links::ResetLinkArgs),
    /// List the accounts at identity providers that sign a person in
    Identities(PersonArgs),
    /// Remove such an account from a person; ends their sessions by single sign-on
    Unlink(identities::UnlinkArgs),
    /// Keep a person from signing in; ends their sessions and access tokens at once
    Disable(PersonArgs),
    /// Let a disabled person sign in again
    Enable(PersonArgs),
    /// Remove a person and their plans; what they did in other people's plans stays, with their name
    Remove(remove::RemoveArgs),
}

#[derive(Debug, Args)]
pub(super) struct PersonArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    email: String,
}

pub(super) async fn run(command: UserCommand) -> Result<()> {
    match command {
        UserCommand::Add(args) => add::run(args).await,
        UserCommand::Invite(args) => links::invite(args).await,
        UserCommand::List(args) => list::run(args).await,
        UserCommand::Password(args) => password::run(args).await,
        UserCommand::ResetLink(args) => links::reset(args).await,
        UserCommand::Identities(args) => identities::list(args).await,
        UserCommand::Unlink(args) => identities::unlink(args).await,
        UserCommand::Disable(args) => access::set_disabled(args, true).await,
        UserCommand::Enable(args) => access::set_disabled(args, false).await,
        UserCommand::Remove(args) => remove::run(args).await,
    }
}

fn role(text: &str) -> Result<UserRole, String> {
    UserRole::parse(text).ok_or_else(|| "must be franchisee, franchisor_admin or platform_admin".into())
}

async fn connect(args: &DatabaseArgs) -> Result<Conn> {
    pg_link::establish(args.url()?)
        .await
        .context("the database cannot be reached")
}

/// The person with an e-mail address.
async fn find(conn: &Conn, email: &str) -> Result<User> {
    let email = clean::typed_email(email);
    let user = User::find_by_email(conn, &email).await.context(UNREADABLE)?;
    user.with_context(|| format!("there is no {email}"))
}

/// What is said of a database that answers with an error.
const UNREADABLE: &str = "the database could not be used; is it migrated?";

/// Says where passwords are refused: what was asked for works only if that changes.
fn warn_of_single_sign_on_only(is_only: bool) {
    if is_only {
        eprintln!("OIDC_ONLY is set: passwords are refused here, so people sign in at the identity provider.");
    }
}

fn email_of(text: &str) -> Result<String> {
    clean::email(text).context("--email must be an e-mail address")
}

/// The brand that a role needs or may have.
async fn brand_of(conn: &Conn, role: UserRole, slug: Option<&str>) -> Result<Option<BrandId>> {
    let Some(slug) = slug else {
        if role == UserRole::FranchisorAdmin {
            bail!("a franchisor_admin needs --brand");
        }
        return Ok(None);
    };
    let found = find_brand_by_slug(conn, slug).await.context(UNREADABLE)?;
    Ok(Some(found.with_context(|| format!("there is no brand {slug:?}"))?))
}
