//! Users.

mod administration;
pub(crate) mod listing;
pub(crate) mod members;
pub(in crate::store) mod recovery;

use administration::disable;
pub use administration::{Edited, UserEdit};
pub use recovery::Kept;

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::schema::{plans, prompts, user_identities, users};
use crate::store::turns::prompts::claim::serialize_claims;
use crate::store::turns::prompts::{TurnLease, is_running};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl, SimpleAsyncConnection};
use pg_link::prepared::{Continue, prepared};
use plan_model::access::{Person, UserRole};
use plan_model::clean;
use plan_model::ids::{BrandId, PlanId, UserId};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

/// A row of `users`, without the password.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = users)]
pub struct User {
    pub id: Uuid,
    pub email: String,
    pub display_name: String,
    #[diesel(deserialize_as = String)]
    pub role: UserRole,
    pub brand_id: Option<Uuid>,
    pub active_plan_id: Option<Uuid>,
    /// Since when they may not sign in.
    pub disabled_at: Option<OffsetDateTime>,
}

/// A user to insert, or to update by e-mail.
#[derive(Debug, Insertable, AsChangeset)]
#[diesel(table_name = users)]
pub struct NewUser<'a> {
    pub id: Uuid,
    pub email: &'a str,
    pub display_name: &'a str,
    pub role: &'a str,
    pub brand_id: Option<Uuid>,
    /// `None` for those who sign in by single sign-on only.
    pub password_hash: Option<&'a str>,
}

/// Rows of one batch of a removal: at 31 µs a row 60 ms, in which locks are held.
const REMOVED_AT_ONCE: i32 = 2_000;

/// A user who may be removed, locked.
struct Removable {
    user: User,
    /// How many they own.
    plans: usize,
}

/// What became of a request to remove a user.
#[derive(Debug, PartialEq, Eq)]
pub enum Removal {
    Removed,
    Unknown,
    LastPlatformAdmin,
    /// The model is answering in one of the user's plans, in the user's name, or a message that they sent for somebody.
    Busy,
}

impl User {
    /// The platform administrators who may sign in. Until the transaction ends, no other one asks: two requests must not each
    /// leave the other's administrator. Their rows stay free: a lock of them would keep administrators from signing in.
    pub(in crate::store) async fn lock_admins(conn: &mut Conn) -> StoreResult<Vec<Uuid>> {
        conn.batch_execute("SELECT pg_advisory_xact_lock(7220519013)").await?;
        let admins = users::table
            .filter(users::role.eq(UserRole::PlatformAdmin.as_str()))
            .filter(users::disabled_at.is_null());
        Ok(admins.select(users::id).load(conn).await?)
    }

    /// [`User::remove_by_id`] of the user with this e-mail.
    pub async fn remove(conn: &mut Conn, email: &str, by: Option<UserId>) -> StoreResult<Removal> {
        let of_email = users::table.filter(users::email.eq(clean::typed_email(email)));
        let id: Option<Uuid> = of_email.select(users::id).first(conn).await.optional()?;
        match id {
            Some(id) => Self::remove_by_id(conn, UserId(id), by).await,
            None => Ok(Removal::Unknown),
        }
    }

    /// Removes a user with their plans. What they did in other people's plans stays, with their name. `by` is who asked for
    /// it; nobody for the command line and for those who remove themselves.
    ///
    /// Rows that refer to the user go first, in batches, each committed: no lock is held for longer than a moment, however
    /// much there is. Where it breaks off, the user is still there, and asking again goes on. An administrator is disabled
    /// before, so that nobody else becomes the last one meanwhile.
    pub async fn remove_by_id(conn: &mut Conn, id: UserId, by: Option<UserId>) -> StoreResult<Removal> {
        let admitted = conn.transaction::<_, StoreError, _>(async |conn| {
            let refusal = match Self::lock_removable(conn, id).await? {
                Ok(removable)
                    if removable.user.role == UserRole::PlatformAdmin && removable.user.disabled_at.is_none() =>
                {
                    disable(conn, id, by).await?;
                    None
                }
                Ok(_) => None,
                Err(refusal) => Some(refusal),
            };
            Ok(refusal)
        });
        if let Some(refusal) = admitted.await? {
            return Ok(refusal);
        }
        while Self::remove_some_of(conn, id).await? {}
        conn.transaction::<_, StoreError, _>(async |conn| {
            // What came in the meantime is little.
            let removable = match Self::lock_removable(conn, id).await? {
                Ok(removable) => removable,
                Err(refusal) => return Ok(refusal),
            };
            let (role, plans) = (removable.user.role.as_str(), removable.plans);
            diesel::delete(users::table.find(id.0)).execute(conn).await?;
            AuditEvent::new(AuditKind::UserRemoved, by, None)
                .detail(json!({"userId": id.0, "role": role, "plans": plans}))
                .insert(conn)
                .await?;
            Ok(Removal::Removed)
        })
        .await
    }

    /// Locks a user and their plans, or says why they cannot be removed.
    async fn lock_removable(conn: &mut Conn, id: UserId) -> StoreResult<Result<Removable, Removal>> {
        // A claim holds rows that are deleted here and then waits for those that are locked here: not at once.
        serialize_claims(conn, id).await?;
        let known: Option<String> = users::table
            .find(id.0)
            .select(users::role)
            .first(conn)
            .await
            .optional()?;
        let admins = match known.as_deref() == Some(UserRole::PlatformAdmin.as_str()) {
            true => Some(Self::lock_admins(conn).await?),
            false => None,
        };
        let of_id = users::table.find(id.0).select(Self::as_select());
        let Some(user) = of_id.for_update().first(conn).await.optional()? else {
            return Ok(Err(Removal::Unknown));
        };
        match (user.role == UserRole::PlatformAdmin, admins) {
            (true, Some(admins)) if admins == [user.id] => return Ok(Err(Removal::LastPlatformAdmin)),
            // They became one this moment.
            (true, None) => return Err(StoreError::Conflict("users".to_owned())),
            _ => {}
        }
        // Nothing refers to a plan that is locked like this, so that no turn starts in it.
        let own: Vec<Uuid> = plans::table
            .filter(plans::user_id.eq(user.id))
            .order(plans::id)
            .select(plans::id)
            .for_update()
            .load(conn)
            .await?;
        let running = prompts::table.filter(is_running()).filter(
            prompts::user_id
                .eq(user.id)
                .or(prompts::actor_id.eq(user.id))
                .or(prompts::plan_id.eq_any(&own).nullable()),
        );
        if diesel::select(diesel::dsl::exists(running)).load(conn).await?.one()? {
            return Ok(Err(Removal::Busy));
        }
        Ok(Ok(Removable { user, plans: own.len() }))
    }

    /// Deletes or detaches a batch of what refers to a user. `false` when nothing is left.
    async fn remove_some_of(mut conn: &Conn, id: UserId) -> StoreResult<bool> {
        let done: i32 = diesel::select(
            diesel::dsl::sql::<Integer>("remove_some_of(")
                .bind::<SqlUuid, _>(id.0)
                .sql(", ")
                .bind::<Integer, _>(REMOVED_AT_ONCE)
                .sql(")"),
        )
        .load(&mut conn)
        .await?
        .one()?;
        Ok(done > 0)
    }

    /// The public part of the row.
    pub fn person(&self) -> Person {
        Person {
            id: UserId(self.id),
            email: self.email.clone(),
            display_name: self.display_name.clone(),
            role: self.role,
            brand_id: self.brand_id.map(BrandId),
        }
    }

    pub async fn find(mut conn: &Conn, id: UserId) -> StoreResult<Option<Self>> {
        Ok(users::table
            .find(id.0)
            .select(Self::as_select())
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// Keeps others from doing the same until the transaction ends: a user's limits are checked by one request at a time.
    pub async fn lock(conn: &mut Conn, id: UserId) -> StoreResult<()> {
        users::table
            .find(id.0)
            .select(users::id)
            .for_no_key_update()
            .first::<Uuid>(conn)
            .await?;
        Ok(())
    }

    /// Several users, to show their names.
    pub async fn list(mut conn: &Conn, ids: &[Uuid]) -> StoreResult<Vec<Self>> {
        Ok(users::table
            .filter(users::id.eq_any(ids))
            .select(Self::as_select())
            .load(&mut conn)
            .await?)
    }

    /// The user with this e-mail who may sign in, and the stored password hash if they have a password.
    pub async fn find_for_login(mut conn: &Conn, email: &str) -> StoreResult<Option<(Self, Option<String>)>> {
        let query = users::table
            .filter(users::email.eq(clean::typed_email(email)))
            .filter(users::disabled_at.is_null());
        Ok(query
            .select((Self::as_select(), users::password_hash))
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// The user with this e-mail, whether or not they may sign in.
    pub async fn find_by_email(mut conn: &Conn, email: &str) -> StoreResult<Option<Self>> {
        Ok(users::table
            .filter(users::email.eq(clean::typed_email(email)))
            .select(Self::as_select())
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// Accounts at identity providers that sign this person in: issuer, and since when.
    pub async fn identities(mut conn: &Conn, id: UserId) -> StoreResult<Vec<(String, OffsetDateTime)>> {
        Ok(user_identities::table
            .filter(user_identities::user_id.eq(id.0))
            .order(user_identities::created_at)
            .select((user_identities::issuer, user_identities::created_at))
            .load(&mut conn)
            .await?)
    }

    /// Address and password hash of those of these people who have a password and may sign in.
    pub async fn with_passwords(mut conn: &Conn, ids: &[Uuid], emails: &[&str]) -> StoreResult<Vec<(String, String)>> {
        Ok(users::table
            .filter(users::id.eq_any(ids).or(users::email.eq_any(emails)))
            .filter(users::disabled_at.is_null())
            .filter(users::password_hash.is_not_null())
            .order(users::email)
            .select((users::email, users::password_hash.assume_not_null()))
            .load(&mut conn)
            .await?)
    }

    /// When the account was opened, and whether it has a password.
    pub async fn account(mut conn: &Conn, id: UserId) -> StoreResult<Option<(OffsetDateTime, bool)>> {
        let columns = (users::created_at, users::password_hash.is_not_null());
        let row = users::table.find(id.0).select(columns);
        Ok(row.first(&mut conn).await.optional()?)
    }

    /// People whose email contains `part`, in its order, from behind the email `after` on; with whether they have a password.
    pub async fn search(mut conn: &Conn, part: &str, after: &str, limit: i64) -> StoreResult<Vec<(Self, bool)>> {
        let escaped = part
            .to_lowercase()
            .replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_");
        let query = users::table
            .filter(users::email.like(format!("%{escaped}%")))
            .filter(users::email.gt(after))
            .order(users::email)
            .limit(limit);
        let columns = (Self::as_select(), users::password_hash.is_not_null());
        Ok(query.select(columns).load(&mut conn).await?)
    }

    pub async fn set_active_plan(mut conn: &Conn, id: UserId, plan: PlanId) -> StoreResult<()> {
        diesel::update(users::table.find(id.0))
            .set(users::active_plan_id.eq(plan.0))
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Makes the plan of a running turn its user's active plan, if it is theirs; writes only if it changed.
    pub async fn enter_plan(mut conn: &Conn, lease: TurnLease) -> StoreResult<()> {
        prepared(include_str!("users/enter_plan.sql"))
            .bind::<SqlUuid, _>(lease.turn.0)
            .bind::<BigInt, _>(lease.fence)
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    pub async fn set_password_hash(mut conn: &Conn, id: UserId, hash: &str) -> StoreResult<()> {
        diesel::update(users::table.find(id.0))
            .set(users::password_hash.eq(hash))
            .execute(&mut conn)
            .await?;
        Ok(())
    }
}

impl NewUser<'_> {
    /// Inserts the user. [`crate::store::StoreError::Conflict`] if the e-mail is taken.
    pub async fn insert(&self, mut conn: &Conn) -> StoreResult<()> {
        diesel::insert_into(users::table)
            .values(self)
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Inserts the user for the command line, like [`Self::insert`].
    pub async fn add(&self, conn: &mut Conn) -> StoreResult<()> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            self.insert(conn).await?;
            AuditEvent::new(AuditKind::UserAdded, None, Some(UserId(self.id)))
                .detail(json!({"role": self.role, "brandId": self.brand_id}))
                .insert(conn)
                .await
        })
        .await
    }

    /// Inserts the user unless the e-mail exists; returns whether it was inserted.
    pub async fn insert_if_missing(&self, mut conn: &Conn) -> StoreResult<bool> {
        let added = diesel::insert_into(users::table)
            .values(self)
            .on_conflict(users::email)
            .do_nothing()
            .execute(&mut conn)
            .await?;
        Ok(added == 1)
    }
}
