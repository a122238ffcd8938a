//! Everything by which somebody could go on as a person, or with what was handed out in their name, and how it ends.

use super::User;
use crate::store::people::audit::AuditEvent;
use crate::store::people::logins::{Key, devices};
use crate::store::schema::{access_tokens, document_links, invitations, password_resets, sessions};
use crate::store::{Conn, StoreError, StoreResult};
use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::ids::UserId;
use serde_json::{Map, Value};

/// What stays of a person's sessions and devices.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'a> {
    /// As computed by [`crate::store::people::sessions::hash_of`].
    pub session: &'a [u8],
    pub device: Option<&'a Key>,
}

/// What has ended beside sessions and devices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    tokens: usize,
    /// Open invitations, links to a password and links to documents that the person had made.
    links: usize,
}

impl Ended {
    /// The event, with what has ended if anything has.
    pub(in crate::store) fn told_by(self, event: AuditEvent) -> AuditEvent {
        let counts = [("tokens", self.tokens), ("links", self.links)];
        let ended: Map<String, Value> = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(what, count)| (what.to_owned(), count.into()))
            .collect();
        match ended.is_empty() {
            true => event,
            false => event.also("ended", Value::Object(ended)),
        }
    }
}

impl User {
    /// Ends all sessions, devices, tokens and open links of a person and records that.
    pub async fn sign_out_everywhere(conn: &mut Conn, id: UserId, recorded: AuditEvent) -> StoreResult<()> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            let ended = end_ways_in(conn, id, None).await?;
            ended.told_by(recorded).insert(conn).await
        })
        .await
    }
}

/// Ends sessions and devices but what is kept, access tokens, the link to a new password, and the open links that the person made:
/// whoever had stolen a session could have made those.
pub(in crate::store) async fn end_ways_in(conn: &mut Conn, id: UserId, kept: Option<Kept<'_>>) -> StoreResult<Ended> {
    let (session, device) = kept.map_or((&[][..], None), |kept| (kept.session, kept.device));
    let others = sessions::table
        .filter(sessions::user_id.eq(id.0))
        .filter(sessions::id.ne(session));
    diesel::delete(others).execute(conn).await?;
    devices::forget_others(conn, id, device).await?;
    let tokens = diesel::delete(access_tokens::table.filter(access_tokens::user_id.eq(id.0)))
        .execute(conn)
        .await?;
    diesel::delete(password_resets::table.filter(password_resets::user_id.eq(id.0)))
        .execute(conn)
        .await?;
    let links = end_links_made_by(conn, id).await?;
    Ok(Ended { tokens, links })
}

/// Deletes the open invitations that a person made, the links to a password that they issued or approved, and the links to documents
/// that they made or had made in their name. Returns how many.
pub(in crate::store) async fn end_links_made_by(conn: &mut Conn, id: UserId) -> StoreResult<usize> {
    let by = Some(id.0);
    let invitations = invitations::table
        .filter(invitations::invited_by.eq(by))
        .filter(invitations::accepted_at.is_null());
    let invitations = diesel::delete(invitations).execute(conn).await?;
    let resets = password_resets::table.filter(
        password_resets::created_by
            .eq(by)
            .or(password_resets::approved_by.eq(by)),
    );
    let resets = diesel::delete(resets).execute(conn).await?;
    let documents = document_links::table.filter(
        document_links::created_by
            .eq(id.0)
            .or(document_links::actor_id.eq(id.0)),
    );
    Ok(invitations + resets + diesel::delete(documents).execute(conn).await?)
}
