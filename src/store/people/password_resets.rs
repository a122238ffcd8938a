//! One-time links to choose a new password.

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::users::User;
use crate::store::schema::{password_resets, users};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::ids::UserId;
use time::OffsetDateTime;
use uuid::Uuid;

/// How long a link works.
const MINUTES: i32 = 60;

/// What became of a request for a link.
#[derive(Debug, Clone, Copy)]
pub enum Issued {
    Until(OffsetDateTime),
    Unknown,
    Disabled,
}

/// Stores a link's hash; an earlier link of the person no longer works. `by` is nobody for the command line.
pub async fn issue(conn: &mut Conn, user: UserId, token_hash: &[u8], by: Option<UserId>) -> StoreResult<Issued> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        let row = users::table.find(user.0).select(users::disabled_at).for_no_key_update();
        let disabled_at: Option<Option<OffsetDateTime>> = row.first(conn).await.optional()?;
        match disabled_at {
            None => return Ok(Issued::Unknown),
            Some(Some(_)) => return Ok(Issued::Disabled),
            Some(None) => {}
        }
        diesel::delete(password_resets::table.filter(password_resets::user_id.eq(user.0)))
            .execute(conn)
            .await?;
        let until = diesel::insert_into(password_resets::table)
            .values((
                password_resets::token_hash.eq(token_hash),
                password_resets::user_id.eq(user.0),
                password_resets::created_by.eq(by.map(|by| by.0)),
                password_resets::expires_at.eq(now.into_sql::<Timestamptz>() + MINUTES.minutes()),
            ))
            .returning(password_resets::expires_at)
            .load(conn)
            .await?
            .one()?;
        AuditEvent::new(AuditKind::PasswordResetIssued, by, Some(user))
            .insert(conn)
            .await?;
        Ok(Issued::Until(until))
    })
    .await
}

/// The person a link is for, while it works.
pub async fn find(mut conn: &Conn, token_hash: &[u8]) -> StoreResult<Option<User>> {
    Ok(password_resets::table
        .inner_join(users::table.on(password_resets::user_id.eq(users::id)))
        .filter(password_resets::token_hash.eq(token_hash))
        .filter(password_resets::expires_at.gt(now))
        .filter(users::disabled_at.is_null())
        .select(User::as_select())
        .first(&mut conn)
        .await
        .optional()?)
}

/// Uses a link up and stores the new password, which ends all sessions. Returns whether the link still worked.
pub async fn redeem(conn: &mut Conn, token_hash: &[u8], password_hash: &str) -> StoreResult<bool> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        let row = password_resets::table
            .find(token_hash)
            .filter(password_resets::expires_at.gt(now));
        let users: Vec<Uuid> = diesel::delete(row)
            .returning(password_resets::user_id)
            .load(conn)
            .await?;
        match users.as_slice() {
            [user, ..] => {
                let id = UserId(*user);
                User::replace_password(conn, id, password_hash, None, Some(id)).await
            }
            [] => Ok(false),
        }
    })
    .await
}
