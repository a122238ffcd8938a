//! `user identities` and `user unlink`: accounts at identity providers that sign a person in.

use super::list::aligned;
use super::{PersonArgs, UNREADABLE, connect, find};
use crate::store::Conn;
use crate::store::people::identities::{self, Identity, Unlinked, UnlinkedBy};
use anyhow::{Context, Result, bail};
use clap::Args;
use plan_model::clean;
use plan_model::ids::UserId;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

#[derive(Debug, Args)]
pub(crate) struct UnlinkArgs {
    #[command(flatten)]
    person: PersonArgs,
    /// The id that `user identities` shows
    #[arg(required_unless_present = "all")]
    id: Option<Uuid>,
    /// All of the person
    #[arg(long, conflicts_with = "id")]
    all: bool,
}

pub(super) async fn list(args: PersonArgs) -> Result<()> {
    let conn = connect(&args.database).await?;
    let user = find(&conn, &args.email).await?;
    let found = of(&conn, UserId(user.id)).await?;
    let heads = ["ID", "PROVIDER", "ACCOUNT", "LINKED", "BY"].map(str::to_owned);
    let lines: Vec<_> = std::iter::once(heads).chain(found.iter().map(cells)).collect();
    super::print(&aligned(&lines))
}

pub(super) async fn unlink(args: UnlinkArgs) -> Result<()> {
    let mut conn = connect(&args.person.database).await?;
    let user = find(&conn, &args.person.email).await?;
    let ids: Vec<Uuid> = match args.id {
        Some(id) => vec![id],
        None => of(&conn, UserId(user.id))
            .await?
            .iter()
            .map(|identity| identity.id)
            .collect(),
    };
    for id in &ids {
        let unlinked = identities::unlink(&mut conn, UserId(user.id), *id, UnlinkedBy::CommandLine).await;
        if unlinked.context(UNREADABLE)? != Unlinked::Done {
            bail!("{} has no identity {id}", user.email);
        }
    }
    super::print(&format!(
        "{} lost {} of their identities; their sessions by single sign-on have ended.\n",
        user.email,
        ids.len()
    ))
}

async fn of(conn: &Conn, user: UserId) -> Result<Vec<Identity>> {
    identities::list(conn, user).await.context(UNREADABLE)
}

fn cells(identity: &Identity) -> [String; 5] {
    let account = identity
        .email
        .as_ref()
        .or(identity.name.as_ref())
        .unwrap_or(&identity.subject);
    [
        identity.id.to_string(),
        clean::label(&identity.issuer),
        clean::label(account),
        identity.created_at.format(&Rfc3339).unwrap_or_default(),
        identity.linked_by.as_str().to_owned(),
    ]
}
