//! `user disable` and `user enable`.

use super::{PersonArgs, UNREADABLE, connect, find};
use crate::store::people::users::{Edited, User, UserEdit};
use anyhow::{Context, Result, bail};
use plan_model::ids::UserId;

pub(super) async fn set_disabled(args: PersonArgs, disabled: bool) -> Result<()> {
    let mut conn = connect(&args.database).await?;
    let user = find(&conn, &args.email).await?;
    let email = &user.email;
    if user.disabled_at.is_some() == disabled {
        return super::print(&format!("{email} is {} already.\n", word(disabled)));
    }
    let edit = UserEdit {
        disabled: Some(disabled),
        ..UserEdit::default()
    };
    match User::edit(&mut conn, UserId(user.id), edit, None)
        .await
        .context(UNREADABLE)?
    {
        Edited::Done(_) => super::print(&format!("{email} is {}.\n", word(disabled))),
        Edited::LastPlatformAdmin => {
            bail!("{email} is the last platform administrator who may sign in; add or enable another one first")
        }
        _ => bail!("there is no {email}"),
    }
}

fn word(disabled: bool) -> &'static str {
    if disabled { "disabled" } else { "enabled" }
}
