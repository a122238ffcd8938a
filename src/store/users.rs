//! People who can log in.

use super::schema::users;
use super::{Conn, StoreResult};
use crate::model::access::{Person, UserRole};
use crate::model::ids::{BrandId, PlanId, UserId};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

/// A row of `users`, without the password.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = users)]
pub struct User {
    pub id: Uuid,
    pub email: String,
    pub display_name: String,
    pub role: String,
    pub brand_id: Option<Uuid>,
    pub active_plan_id: Option<Uuid>,
}

/// A person to be added, or brought up to date by their e-mail.
#[derive(Debug, Insertable, AsChangeset)]
#[diesel(table_name = users)]
pub struct NewUser<'a> {
    pub id: Uuid,
    pub email: &'a str,
    pub display_name: &'a str,
    pub role: &'a str,
    pub brand_id: Option<Uuid>,
    pub password_hash: &'a str,
}

/// Failed logins in a row that an account may see; from then on one try in [`LOCKED_MINUTES`] is looked at.
const MAX_FAILED_LOGINS: i32 = 100;
const LOCKED_MINUTES: i32 = 15;

impl User {
    /// Without anything the outside may not see.
    #[must_use]
    pub fn person(&self) -> Person {
        Person {
            id: UserId(self.id),
            email: self.email.clone(),
            display_name: self.display_name.clone(),
            // The column's CHECK allows no other text; the least right is the safe reading.
            role: UserRole::parse(&self.role).unwrap_or(UserRole::Franchisee),
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

    /// Several at once, for showing names.
    pub async fn list(mut conn: &Conn, ids: &[Uuid]) -> StoreResult<Vec<Self>> {
        Ok(users::table
            .filter(users::id.eq_any(ids))
            .select(Self::as_select())
            .load(&mut conn)
            .await?)
    }

    /// The user with this e-mail and the stored password hash.
    pub async fn find_for_login(mut conn: &Conn, email: &str) -> StoreResult<Option<(Self, String)>> {
        let query = users::table.filter(users::email.eq(email.to_lowercase()));
        Ok(query
            .select((Self::as_select(), users::password_hash))
            .first(&mut conn)
            .await
            .optional()?)
    }

    /// Counts a try to log in as a failure, until [`Self::forgive_login`] says otherwise: many at once cannot slip through.
    /// False where the account is unknown or has failed too often; then nothing is counted, so that the wait passes.
    pub async fn begin_login(mut conn: &Conn, email: &str) -> StoreResult<bool> {
        let waited = users::failed_login_at
            .assume_not_null()
            .lt(now.into_sql::<Timestamptz>() - LOCKED_MINUTES.minutes());
        let open = users::failed_logins.lt(MAX_FAILED_LOGINS).or(waited);
        let counted = diesel::update(users::table.filter(users::email.eq(email.to_lowercase())).filter(open))
            .set((
                users::failed_logins.eq(users::failed_logins + 1),
                users::failed_login_at.eq(now.into_sql::<Timestamptz>().nullable()),
            ))
            .execute(&mut conn)
            .await?;
        Ok(counted == 1)
    }

    /// It was the owner: what failed before were slips.
    pub async fn forgive_login(mut conn: &Conn, id: UserId) -> StoreResult<()> {
        diesel::update(users::table.find(id.0))
            .set(users::failed_logins.eq(0))
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Takes one counted try back: it said nothing about the password.
    pub async fn forget_login(mut conn: &Conn, id: UserId) -> StoreResult<()> {
        diesel::update(users::table.find(id.0).filter(users::failed_logins.gt(0)))
            .set(users::failed_logins.eq(users::failed_logins - 1))
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// People whose e-mail contains `part`, at most fifty.
    pub async fn search(mut conn: &Conn, part: &str) -> StoreResult<Vec<Self>> {
        let escaped = part
            .to_lowercase()
            .replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_");
        let query = users::table
            .filter(users::email.like(format!("%{escaped}%")))
            .order(users::email)
            .limit(50);
        Ok(query.select(Self::as_select()).load(&mut conn).await?)
    }

    pub async fn set_active_plan(mut conn: &Conn, id: UserId, plan: PlanId) -> StoreResult<()> {
        diesel::update(users::table.find(id.0))
            .set(users::active_plan_id.eq(plan.0))
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Remembers where somebody was last; writes only when that has changed.
    pub async fn enter_plan(mut conn: &Conn, id: UserId, plan: PlanId) -> StoreResult<()> {
        let elsewhere = users::table
            .find(id.0)
            .filter(users::active_plan_id.is_distinct_from(plan.0));
        diesel::update(elsewhere)
            .set(users::active_plan_id.eq(plan.0))
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
    /// Adds the person. [`super::StoreError::Conflict`] where the e-mail is taken.
    pub async fn insert(&self, mut conn: &Conn) -> StoreResult<()> {
        diesel::insert_into(users::table)
            .values(self)
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Adds the person unless the e-mail is known; returns whether it was added.
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
