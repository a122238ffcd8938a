//! What administrators change about people: role, brand, whether they may sign in, and their password.

use super::User;
use super::recovery::{Kept, end_links_made_by, end_ways_in};
use crate::store::brands::brand_exists;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::schema::users;
use crate::store::{Conn, StoreError, StoreResult};
use diesel::dsl::now;
use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::access::UserRole;
use plan_model::ids::{BrandId, UserId};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// What is to change; `None` stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserEdit {
    pub role: Option<UserRole>,
    /// `Some(None)` takes the brand away.
    pub brand: Option<Option<BrandId>>,
    pub disabled: Option<bool>,
}

/// What became of an edit.
#[derive(Debug)]
pub enum Edited {
    Done(Box<User>),
    Unknown,
    /// Nobody takes their own rights away.
    Oneself,
    LastPlatformAdmin,
    /// A brand's administrator needs a brand.
    NeedsBrand,
    UnknownBrand,
}

impl User {
    /// Changes what a person may do. A person who is disabled loses sessions, tokens and links at once, also links that
    /// they made; so does an administrator who is none any more. `by` is who asked;
    /// nobody for the command line.
    pub async fn edit(conn: &mut Conn, id: UserId, edit: UserEdit, by: Option<UserId>) -> StoreResult<Edited> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            let admins = Self::lock_admins(conn).await?;
            let row = users::table.find(id.0).select(Self::as_select()).for_update();
            let Some(old) = row.first(conn).await.optional()? else {
                return Ok(Edited::Unknown);
            };
            let new = edit.applied_to(&old);
            if let Some(refusal) = refusal(conn, edit, (&old, &new), &admins, by).await? {
                return Ok(refusal);
            }
            if old.role != new.role || old.brand_id != new.brand_id {
                diesel::update(users::table.find(id.0))
                    .set((users::role.eq(new.role.as_str()), users::brand_id.eq(new.brand_id)))
                    .execute(conn)
                    .await?;
                let changes = AuditEvent::new(AuditKind::UserChanged, by, Some(id));
                changes.detail(differences(&old, &new)).insert(conn).await?;
                if may_invite_less(&old, &new) {
                    end_links_made_by(conn, id).await?;
                }
            }
            match (old.disabled_at.is_some(), edit.disabled) {
                (false, Some(true)) => disable(conn, id, by).await?,
                (true, Some(false)) => enable(conn, id, by).await?,
                _ => {}
            }
            let user = Self::find(conn, id).await?;
            Ok(user.map_or(Edited::Unknown, |user| Edited::Done(Box::new(user))))
        })
        .await
    }

    /// Stores a new password, ends every other way in but what is kept, and records that. Returns whether there was a person who
    /// may sign in. Runs in the caller's transaction, or in one of its own.
    pub async fn replace_password(
        conn: &mut Conn,
        id: UserId,
        hash: &str,
        kept: Option<Kept<'_>>,
        recorded: AuditEvent,
    ) -> StoreResult<bool> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            let user = users::table.find(id.0).filter(users::disabled_at.is_null());
            let found = diesel::update(user)
                .set(users::password_hash.eq(hash))
                .execute(conn)
                .await?;
            if found == 0 {
                return Ok(false);
            }
            let ended = end_ways_in(conn, id, kept).await?;
            ended.told_by(recorded).insert(conn).await?;
            Ok(true)
        })
        .await
    }
}

impl UserEdit {
    fn applied_to(self, user: &User) -> User {
        User {
            role: self.role.unwrap_or(user.role),
            brand_id: self.brand.map_or(user.brand_id, |brand| brand.map(|brand| brand.0)),
            ..user.clone()
        }
    }

    /// Whether the person would be no administrator any more.
    fn takes_rights(self, user: &User) -> bool {
        let is_admin = user.role == UserRole::PlatformAdmin && user.disabled_at.is_none();
        is_admin && (self.disabled == Some(true) || self.role.is_some_and(|role| role != user.role))
    }
}

async fn refusal(
    conn: &Conn,
    edit: UserEdit,
    (old, new): (&User, &User),
    admins: &[Uuid],
    by: Option<UserId>,
) -> StoreResult<Option<Edited>> {
    let is_oneself = by == Some(UserId(old.id));
    Ok(
        if is_oneself && (edit.takes_rights(old) || edit.disabled == Some(true)) {
            Some(Edited::Oneself)
        } else if edit.takes_rights(old) && admins == [old.id] {
            Some(Edited::LastPlatformAdmin)
        } else if new.role == UserRole::FranchisorAdmin && new.brand_id.is_none() {
            Some(Edited::NeedsBrand)
        } else {
            match new.brand_id.filter(|_| new.brand_id != old.brand_id) {
                Some(brand) if !brand_exists(conn, BrandId(brand)).await? => Some(Edited::UnknownBrand),
                _ => None,
            }
        },
    )
}

/// Whether links that the person made may give what the person can no longer give.
fn may_invite_less(old: &User, new: &User) -> bool {
    match old.role {
        UserRole::Franchisee => false,
        UserRole::FranchisorAdmin => new.role != UserRole::PlatformAdmin,
        UserRole::PlatformAdmin => new.role != UserRole::PlatformAdmin,
    }
}

/// Role and brand, where they differ.
fn differences(old: &User, new: &User) -> Value {
    let mut detail = Map::new();
    if old.role != new.role {
        detail.insert("role".into(), json!({"from": old.role, "to": new.role}));
    }
    if old.brand_id != new.brand_id {
        detail.insert("brandId".into(), json!({"from": old.brand_id, "to": new.brand_id}));
    }
    Value::Object(detail)
}

pub(super) async fn disable(conn: &mut Conn, id: UserId, by: Option<UserId>) -> StoreResult<()> {
    diesel::update(users::table.find(id.0))
        .set(users::disabled_at.eq(now))
        .execute(conn)
        .await?;
    let ended = end_ways_in(conn, id, None).await?;
    let event = AuditEvent::new(AuditKind::UserDisabled, by, Some(id));
    ended.told_by(event).insert(conn).await
}

async fn enable(conn: &mut Conn, id: UserId, by: Option<UserId>) -> StoreResult<()> {
    diesel::update(users::table.find(id.0))
        .set(users::disabled_at.eq(None::<time::OffsetDateTime>))
        .execute(conn)
        .await?;
    AuditEvent::new(AuditKind::UserEnabled, by, Some(id)).insert(conn).await
}
