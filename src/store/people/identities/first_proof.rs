//! The first time that the provider vouches for an account's address. Until then the account may be somebody else's: whoever
//! had the invitation's link could open it.

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::users::User;
use crate::store::schema::{
    access_tokens, invitations, login_devices, password_resets, sessions, user_identities, users,
};
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::now;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use plan_model::ids::UserId;
use serde_json::json;
use time::OffsetDateTime;

/// Stores that the address is proved, and nothing else. For who has shown that the account is theirs already.
pub(super) async fn note(mut conn: &Conn, user: UserId) -> StoreResult<()> {
    let unproved = users::table.find(user.0).filter(users::email_verified_at.is_null());
    diesel::update(unproved)
        .set(users::email_verified_at.eq(now))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// Gives the account to the owner of its address: what was set up before the address was proved ends, in the caller's
/// transaction. Returns whether there was anything.
pub(super) async fn take_over(conn: &mut Conn, user: &User) -> StoreResult<bool> {
    let (verified_at, has_password): (Option<OffsetDateTime>, bool) = users::table
        .find(user.id)
        .select((users::email_verified_at, users::password_hash.is_not_null()))
        .for_no_key_update()
        .load(conn)
        .await?
        .one()?;
    if verified_at.is_some() {
        return Ok(false);
    }
    let id = user.id;
    diesel::update(users::table.find(id))
        .set((
            users::email_verified_at.eq(now),
            users::password_hash.eq(None::<String>),
        ))
        .execute(conn)
        .await?;
    let sessions = diesel::delete(sessions::table.filter(sessions::user_id.eq(id)))
        .execute(conn)
        .await?;
    let tokens = diesel::delete(access_tokens::table.filter(access_tokens::user_id.eq(id)))
        .execute(conn)
        .await?;
    let devices = diesel::delete(login_devices::table.filter(login_devices::user_id.eq(id)))
        .execute(conn)
        .await?;
    let identities = diesel::delete(user_identities::table.filter(user_identities::user_id.eq(id)))
        .execute(conn)
        .await?;
    // Also what it handed out: an administrator's account could have opened others.
    let of_account = (password_resets::user_id.eq(id).nullable()).or(password_resets::created_by.eq(id));
    let links = diesel::delete(password_resets::table.filter(of_account))
        .execute(conn)
        .await?;
    let open = invitations::table
        .filter(invitations::invited_by.eq(id))
        .filter(invitations::accepted_at.is_null());
    let invitations = diesel::delete(open).execute(conn).await?;
    let by = Some(UserId(id));
    AuditEvent::new(AuditKind::EmailVerified, by, by)
        .detail(
            json!({"ended": {"password": has_password, "sessions": sessions, "tokens": tokens, "devices": devices,
            "identities": identities, "links": links + invitations}}),
        )
        .insert(conn)
        .await?;
    Ok(has_password || sessions + tokens + devices + identities + links + invitations > 0)
}
