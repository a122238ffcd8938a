//! `user remove`.

use super::{DatabaseArgs, connect};
use crate::store::people::users::{Removal, User};
use anyhow::{Context, Result, bail};
use clap::Args;
use plan_model::clean;

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    email: String,
    /// Confirms that their plans and conversations are deleted, which cannot be undone
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(args: RemoveArgs) -> Result<()> {
    let email = clean::typed_email(&args.email);
    if !args.yes {
        bail!("this deletes {email} with their plans and conversations, and cannot be undone; repeat it with --yes");
    }
    let mut conn = connect(&args.database).await?;
    match User::remove(&mut conn, &email, None).await {
        Ok(Removal::Removed) => super::print(&format!("{email} was removed.\n")),
        Ok(Removal::Unknown) => bail!("there is no {email}"),
        Ok(Removal::LastPlatformAdmin) => bail!("{email} is the last platform administrator; add another one first"),
        Ok(Removal::Busy) => bail!("the advisor is answering {email}; try again in a moment"),
        Err(error) => Err(error).context("the person could not be removed"),
    }
}
