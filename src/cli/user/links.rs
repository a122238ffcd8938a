//! `user invite` and `user reset-link`: one-time links, printed for the operator to hand over.

use super::{DatabaseArgs, UNREADABLE, brand_of, connect, email_of, find, role, warn_of_single_sign_on_only};
use crate::config::public_url;
use crate::http::links;
use crate::store::people::invitations::{Invitation, Invited, NewInvitation};
use crate::store::people::password_resets::{self, Issued};
use anyhow::{Context, Result, bail};
use clap::Args;
use plan_model::access::UserRole;
use plan_model::ids::UserId;
use plan_model::secret::Secret;

#[derive(Debug, Args)]
struct LinkArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Where people reach the page, scheme and host; without it the link is a bare path
    #[arg(long, env = "PUBLIC_URL", value_parser = public_url)]
    public_url: Option<String>,
    /// Whether the server refuses passwords
    #[arg(long, env = "OIDC_ONLY", default_value_t = false, action = clap::ArgAction::Set, hide = true)]
    oidc_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InviteArgs {
    #[command(flatten)]
    link: LinkArgs,
    #[arg(long)]
    email: String,
    /// franchisee, `franchisor_admin` or `platform_admin`
    #[arg(long, value_parser = role)]
    role: UserRole,
    /// Slug of the brand; needed for a `franchisor_admin`
    #[arg(long)]
    brand: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ResetLinkArgs {
    #[command(flatten)]
    link: LinkArgs,
    email: String,
}

pub(super) async fn invite(args: InviteArgs) -> Result<()> {
    warn_of_single_sign_on_only(args.link.oidc_only);
    let email = email_of(&args.email)?;
    if args.role == UserRole::PlatformAdmin && args.brand.is_some() {
        bail!("a platform_admin has no brand: leave out --brand");
    }
    let mut conn = connect(&args.link.database).await?;
    let brand = brand_of(&conn, args.role, args.brand.as_deref()).await?;
    let token = Secret::new()?;
    let new = NewInvitation {
        token_hash: &token.hash(),
        email: &email,
        role: args.role,
        brand,
        by: None,
    };
    match Invitation::create(&mut conn, &new).await.context(UNREADABLE)? {
        Invited::Sent(_) => {
            let link = links::invitation(args.link.public_url.as_deref(), &token);
            super::print(&format!("{link}\n"))
        }
        Invited::Exists => bail!("{email} has an account already"),
        Invited::Pending | Invited::UnknownBrand => bail!("something else changed meanwhile; try again"),
    }
}

pub(super) async fn reset(args: ResetLinkArgs) -> Result<()> {
    if args.link.oidc_only {
        bail!("OIDC_ONLY is set: passwords are refused here, so a link to a new one opens nothing");
    }
    let mut conn = connect(&args.link.database).await?;
    let user = find(&conn, &args.email).await?;
    let token = Secret::new()?;
    let issued = password_resets::issue(&mut conn, UserId(user.id), &token.hash(), None).await;
    match issued.context(UNREADABLE)? {
        Issued::Until { .. } => {
            let link = links::password_reset(args.link.public_url.as_deref(), &token);
            super::print(&format!("{link}\n"))
        }
        Issued::Unknown => bail!("there is no {}", user.email),
        Issued::Disabled => bail!("{} is disabled; enable the account first", user.email),
    }
}
