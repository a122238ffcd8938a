//! `user add`.

use super::password::read_password;
use super::{DatabaseArgs, UNREADABLE, brand_of, connect, email_of, role, warn_of_single_sign_on_only};
use crate::store::StoreError;
use crate::store::people::users::NewUser;
use anyhow::{Context, Result, bail};
use clap::Args;
use plan_model::access::UserRole;
use plan_model::clean;
use plan_model::ids::UserId;

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
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
    /// Whether the server refuses passwords
    #[arg(long, env = "OIDC_ONLY", default_value_t = false, action = clap::ArgAction::Set, hide = true)]
    oidc_only: bool,
}

pub(super) async fn run(args: AddArgs) -> Result<()> {
    warn_of_single_sign_on_only(args.oidc_only);
    let email = email_of(&args.email)?;
    let name = clean::person_name(&args.name).context("--name must have 1 to 100 characters")?;
    let mut conn = connect(&args.database).await?;
    let brand = brand_of(&conn, args.role, args.brand.as_deref()).await?;
    let hash = read_password(&[&email, &name, args.brand.as_deref().unwrap_or_default()])?;
    let user = NewUser {
        id: UserId::fresh().0,
        email: &email,
        display_name: &name,
        role: args.role.as_str(),
        brand_id: brand.map(|brand| brand.0),
        password_hash: Some(&hash),
    };
    match user.add(&mut conn).await {
        Ok(()) => super::print(&format!("{email} was added.\n")),
        Err(StoreError::Conflict(_)) => bail!("{email} exists already"),
        Err(error) => Err(error).context(UNREADABLE),
    }
}
