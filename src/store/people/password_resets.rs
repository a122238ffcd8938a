//! One-time links to choose a new password.
//!
//! A link for a platform administrator that another one has issued opens nothing until a third has approved it: with it the one would
//! act as the other.

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::identities;
use crate::store::people::users::User;
use crate::store::schema::{audit_events, password_resets, users};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::dsl::{And, IntervalDsl, now};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Timestamptz};
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::ids::UserId;
use serde_json::json;
use std::net::IpAddr;
use time::OffsetDateTime;
use uuid::Uuid;

/// How long a link works.
const MINUTES: i32 = 60;

/// For how long a person is told that a link was used for their account.
const NOTICE_DAYS: i32 = 30;

/// What became of a request for a link.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Issued {
    Until {
        expires_at: OffsetDateTime,
        /// Whether it opens nothing before another administrator approves it.
        needs_approval: bool,
    },
    Unknown,
    Disabled,
}

/// What became of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approved {
    Done,
    /// There is no link that waits for one.
    NothingWaits,
    /// Nobody approves what they issued.
    OwnLink,
}

/// A link that works, and the person it is for.
#[derive(Debug)]
pub(crate) struct Reset {
    pub user: User,
    /// Whether it opens nothing yet.
    pub needs_approval: bool,
}

/// That a link was used for a person's account.
#[derive(Debug, Queryable)]
pub(crate) struct Redeemed {
    pub at: OffsetDateTime,
    /// Who had issued the link; nobody for the command line.
    pub issued_by: Option<String>,
}

/// Stores a link's hash; an earlier link of the person no longer works. `by` is nobody for the command line.
pub(crate) async fn issue(conn: &mut Conn, user: UserId, token_hash: &[u8], by: Option<UserId>) -> StoreResult<Issued> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        let row = users::table
            .find(user.0)
            .select((users::disabled_at, is_administrator()))
            .for_no_key_update();
        let found: Option<(Option<OffsetDateTime>, bool)> = row.first(conn).await.optional()?;
        let is_administrator = match found {
            None => return Ok(Issued::Unknown),
            Some((Some(_), _)) => return Ok(Issued::Disabled),
            Some((None, is_administrator)) => is_administrator,
        };
        diesel::delete(password_resets::table.filter(password_resets::user_id.eq(user.0)))
            .execute(conn)
            .await?;
        let expires_at = diesel::insert_into(password_resets::table)
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
        Ok(Issued::Until {
            expires_at,
            needs_approval: by.is_some() && is_administrator,
        })
    })
    .await
}

/// Approves the link that waits for a second administrator.
pub(crate) async fn approve(conn: &mut Conn, user: UserId, by: UserId) -> StoreResult<Approved> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        let waiting = password_resets::table
            .inner_join(users::table.on(password_resets::user_id.eq(users::id)))
            .filter(password_resets::user_id.eq(user.0))
            .filter(needs_approval())
            .filter(password_resets::expires_at.gt(now))
            .select((password_resets::token_hash, password_resets::created_by))
            .for_update();
        let found: Option<(Vec<u8>, Option<Uuid>)> = waiting.first(conn).await.optional()?;
        let hash = match found {
            None => return Ok(Approved::NothingWaits),
            Some((_, issuer)) if issuer == Some(by.0) => return Ok(Approved::OwnLink),
            Some((hash, _)) => hash,
        };
        diesel::update(password_resets::table.find(hash))
            .set(password_resets::approved_by.eq(by.0))
            .execute(conn)
            .await?;
        AuditEvent::new(AuditKind::PasswordResetApproved, Some(by), Some(user))
            .insert(conn)
            .await?;
        Ok(Approved::Done)
    })
    .await
}

/// The person a link is for, while it works.
pub(crate) async fn find(mut conn: &Conn, token_hash: &[u8]) -> StoreResult<Option<Reset>> {
    let found: Option<(User, bool)> = password_resets::table
        .inner_join(users::table.on(password_resets::user_id.eq(users::id)))
        .filter(password_resets::token_hash.eq(token_hash))
        .filter(password_resets::expires_at.gt(now))
        .filter(users::disabled_at.is_null())
        .filter(still_given())
        .select((User::as_select(), needs_approval()))
        .first(&mut conn)
        .await
        .optional()?;
    Ok(found.map(|(user, needs_approval)| Reset { user, needs_approval }))
}

/// Uses a link up and stores the new password, which ends all other ways in but single sign-on that an administrator or the
/// identity provider vouches for. `from` is where the request came from. Returns whether the link still worked.
pub(crate) async fn redeem(
    conn: &mut Conn,
    token_hash: &[u8],
    password_hash: &str,
    from: Option<IpAddr>,
) -> StoreResult<Option<UserId>> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        let row = password_resets::table
            .inner_join(users::table.on(password_resets::user_id.eq(users::id)))
            .filter(password_resets::token_hash.eq(token_hash))
            .filter(password_resets::expires_at.gt(now))
            .filter(still_given())
            .filter(diesel::dsl::not(needs_approval()))
            .select((password_resets::user_id, password_resets::created_by))
            .for_update();
        let found: Option<(Uuid, Option<Uuid>)> = row.first(conn).await.optional()?;
        let Some((id, issuer)) = found.map(|(id, issuer)| (UserId(id), issuer.map(UserId))) else {
            return Ok(None);
        };
        // Nobody can say that it was the person: what is known is who made the link and where it was used.
        let recorded = AuditEvent::new(AuditKind::PasswordChanged, issuer, Some(id))
            .detail(json!({"with": "link", "issuedBy": issuer, "address": from}));
        let stored = User::replace_password(conn, id, password_hash, None, recorded).await?;
        if stored {
            identities::end_linked_by_hand(conn, id).await?;
        }
        Ok(stored.then_some(id))
    })
    .await
}

/// The last time that a link was used for a person's account, if it was lately.
pub(crate) async fn last_redeemed(mut conn: &Conn, user: UserId) -> StoreResult<Option<Redeemed>> {
    Ok(audit_events::table
        .left_join(users::table.on(audit_events::actor_id.eq(users::id.nullable())))
        .filter(audit_events::effective_user_id.eq(user.0))
        .filter(audit_events::kind.eq(AuditKind::PasswordChanged.as_str()))
        .filter(audit_events::detail.retrieve_as_text("with").eq("link"))
        .filter(audit_events::created_at.gt(now.into_sql::<Timestamptz>() - NOTICE_DAYS.days()))
        .order(audit_events::created_at.desc())
        .select((
            audit_events::created_at,
            diesel::dsl::sql::<diesel::sql_types::Nullable<diesel::sql_types::Text>>(
                "coalesce(users.display_name, audit_events.actor_name)",
            ),
        ))
        .first(&mut conn)
        .await
        .optional()?)
}

/// Whether those who issued and approved a link still may. Their links go with their rights; this is for one that was made in the
/// same moment.
fn still_given() -> SqlLiteral<Bool> {
    diesel::dsl::sql(
        "NOT EXISTS (SELECT FROM users giver WHERE giver.id IN (password_resets.created_by, password_resets.approved_by) \
          AND (giver.disabled_at IS NOT NULL OR giver.role <> 'platform_admin'))",
    )
}

/// Whether a link waits for a second administrator.
fn needs_approval() -> And<SqlLiteral<Bool>, SqlLiteral<Bool>> {
    let unapproved =
        diesel::dsl::sql("(password_resets.created_by IS NOT NULL AND password_resets.approved_by IS NULL)");
    is_administrator().and(unapproved)
}

/// Whether the person is a platform administrator, or was one lately: otherwise one would demote the other, use a link, and
/// promote them again.
fn is_administrator() -> SqlLiteral<Bool> {
    diesel::dsl::sql(
        "(users.role = 'platform_admin' OR EXISTS (SELECT FROM audit_events demoted WHERE demoted.effective_user_id = users.id \
          AND demoted.kind = 'user_changed' AND demoted.detail #>> '{role,from}' = 'platform_admin' \
          AND demoted.created_at > now() - interval '30 days'))",
    )
}
