//! `user add` and `user remove`.

use super::DatabaseArgs;
use crate::model::access::UserRole;
use crate::model::ids::UserId;
use crate::password::{CHARACTERS, hash};
use crate::store::schema::brands;
use crate::store::users::{NewUser, Removal, User};
use crate::store::{StoreError, pool};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use std::io::BufRead;
use uuid::Uuid;

#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a person; the password is read from standard input
    Add(AddArgs),
    /// Remove a person and their plans; what they did in other people's plans stays, with their name
    Remove(RemoveArgs),
}

#[derive(Debug, Args)]
pub struct AddArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[arg(long)]
    email: String,
    /// How the advisor addresses them
    #[arg(long)]
    name: String,
    /// franchisee, `franchisor_admin` or `platform_admin`
    #[arg(long, value_parser = role)]
    role: UserRole,
    /// Slug of the brand; needed for a `franchisor_admin`
    #[arg(long)]
    brand: Option<String>,
    /// Says that the password comes on standard input, one line of 10 to 128 characters
    #[arg(long, required = true)]
    password_stdin: bool,
}

#[derive(Debug, Args)]
pub struct RemoveArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    email: String,
    /// Confirms that their plans and conversations are deleted, which cannot be undone
    #[arg(long)]
    yes: bool,
}

fn role(text: &str) -> Result<UserRole, String> {
    UserRole::parse(text).ok_or_else(|| "must be franchisee, franchisor_admin or platform_admin".into())
}

pub async fn run(command: UserCommand) -> Result<()> {
    match command {
        UserCommand::Add(args) => add(args).await,
        UserCommand::Remove(args) => remove(args).await,
    }
}

async fn remove(args: RemoveArgs) -> Result<()> {
    let email = args.email.trim().to_lowercase();
    if !args.yes {
        bail!("this deletes {email} with their plans and conversations, and cannot be undone; repeat it with --yes");
    }
    let Ok(mut conn) = pool::establish(args.database.url()?).await else {
        bail!("the database cannot be reached")
    };
    match User::remove(&mut conn, &email, None).await {
        Ok(Removal::Removed) => super::print(&format!("{email} was removed.\n")),
        Ok(Removal::Unknown) => bail!("there is no {email}"),
        Ok(Removal::LastPlatformAdmin) => bail!("{email} is the last platform administrator; add another one first"),
        Ok(Removal::Busy) => bail!("the advisor is answering {email}; try again in a moment"),
        Err(error) => Err(error).context("the person could not be removed"),
    }
}

async fn add(args: AddArgs) -> Result<()> {
    let AddArgs {
        database,
        email,
        name,
        role,
        brand,
        password_stdin: _,
    } = args;
    let email = email.trim().to_lowercase();
    let name = crate::model::clean::label(&name);
    if !email.contains('@') || email.len() > 254 || name.is_empty() {
        bail!("--email must be an e-mail address and --name must not be empty");
    }
    let mut password = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut password)
        .context("no password on standard input")?;
    let password = password.trim_end_matches(['\n', '\r']).to_owned();
    if !CHARACTERS.contains(&password.chars().count()) {
        bail!(
            "the password must have {} to {} characters",
            CHARACTERS.start(),
            CHARACTERS.end()
        );
    }
    let hash = hash(&password)?;
    let Ok(mut conn) = pool::establish(database.url()?).await else {
        bail!("the database cannot be reached")
    };
    let brand_id: Option<Uuid> = match &brand {
        None if role == UserRole::FranchisorAdmin => bail!("a franchisor_admin needs --brand"),
        None => None,
        Some(slug) => {
            let found = brands::table
                .filter(brands::slug.eq(slug))
                .select(brands::id)
                .first(&mut conn)
                .await
                .optional()?;
            Some(found.with_context(|| format!("there is no brand {slug:?}"))?)
        }
    };
    let user = NewUser {
        id: UserId::fresh().0,
        email: &email,
        display_name: &name,
        role: role.as_str(),
        brand_id,
        password_hash: Some(&hash),
    };
    match user.insert(&conn).await {
        Ok(()) => super::print(&format!("{email} was added.\n")),
        Err(StoreError::Conflict(_)) => bail!("{email} exists already"),
        Err(error) => Err(error).context("the person could not be added"),
    }
}
