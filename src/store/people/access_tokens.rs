//! Personal access tokens. Their secrets are not here, only hashes.

use crate::store::people::audit::AuditEvent;
use crate::store::people::users::User;
use crate::store::schema::access_tokens::{self, dsl};
use crate::store::schema::{plans, users};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::IntoSql;
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::access::{TokenGrant, TokenScope};
use plan_model::ids::{PlanId, TokenId, UserId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// How many a person may have that have not expired.
pub(crate) const MOST: i64 = 20;

/// Days for which an expired one is still listed.
const KEPT_DAYS: i32 = 30;

/// A token as its owner sees it.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = access_tokens)]
pub struct AccessToken {
    pub id: Uuid,
    pub name: String,
    scopes: Vec<String>,
    pub plan_id: Option<Uuid>,
    pub created_at: OffsetDateTime,
    /// UTC.
    pub last_used_on: Option<Date>,
    pub expires_at: OffsetDateTime,
}

/// A token to insert.
#[derive(Debug, Insertable)]
#[diesel(table_name = access_tokens)]
pub struct NewAccessToken<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub name: &'a str,
    /// Of the secret part.
    pub hash: &'a [u8],
    pub scopes: Vec<&'static str>,
    pub plan_id: Option<Uuid>,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// A token with its owner, as both are now.
#[derive(Debug, Queryable)]
pub(crate) struct LiveToken {
    id: Uuid,
    name: String,
    pub hash: Vec<u8>,
    scopes: Vec<String>,
    plan_id: Option<Uuid>,
    pub expires_at: OffsetDateTime,
    pub last_used_on: Option<Date>,
    /// The database's time of the query.
    pub asked_at: OffsetDateTime,
    pub user: User,
}

/// A valid token with the data that decides access.
#[derive(Debug, Queryable)]
pub(crate) struct AliveToken {
    pub id: Uuid,
    /// The owner's.
    pub role: String,
    pub expires_at: OffsetDateTime,
    /// The database's time of the query.
    pub asked_at: OffsetDateTime,
}

/// The table has no others.
fn scopes_of(stored: &[String]) -> Vec<TokenScope> {
    stored.iter().filter_map(|scope| TokenScope::parse(scope)).collect()
}

impl AccessToken {
    pub fn scopes(&self) -> Vec<TokenScope> {
        scopes_of(&self.scopes)
    }

    /// All of a person, newest first.
    pub async fn list(mut conn: &Conn, owner: UserId) -> StoreResult<Vec<Self>> {
        Ok(access_tokens::table
            .filter(dsl::user_id.eq(owner.0))
            .order((dsl::created_at.desc(), dsl::id.desc()))
            .select(Self::as_select())
            .load(&mut conn)
            .await?)
    }

    /// Deletes a person's token and records that. Returns whether there was one.
    pub async fn delete(conn: &mut Conn, owner: UserId, id: TokenId, recorded: &AuditEvent) -> StoreResult<bool> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            let own = access_tokens::table.find(id.0).filter(dsl::user_id.eq(owner.0));
            if diesel::delete(own).execute(conn).await? == 0 {
                return Ok(false);
            }
            recorded.insert(conn).await?;
            Ok(true)
        })
        .await
    }
}

impl NewAccessToken<'_> {
    /// Adds the token and records that. `None`, and nothing is written, if the person has as many as allowed.
    pub async fn insert(&self, conn: &mut Conn, recorded: &AuditEvent) -> StoreResult<Option<AccessToken>> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            // One at a time per person, so that the limit cannot be passed.
            User::lock(conn, UserId(self.user_id)).await?;
            if let Some(plan) = self.plan_id {
                let plan = plans::table.find(plan).select(plans::id);
                plan.for_key_share().first::<Uuid>(conn).await?;
            }
            let live = access_tokens::table
                .filter(dsl::user_id.eq(self.user_id))
                .filter(dsl::expires_at.gt(self.created_at));
            if live.count().load::<i64>(conn).await?.one()? >= MOST {
                return Ok(None);
            }
            let added = diesel::insert_into(access_tokens::table).values(self);
            let token = added.returning(AccessToken::as_returning()).load(conn).await?.one()?;
            recorded.insert(conn).await?;
            Ok(Some(token))
        })
        .await
    }
}

impl LiveToken {
    /// One round trip, because every request by token starts with it. `None` for an unknown or expired token or a disabled
    /// person.
    pub(crate) async fn find(mut conn: &Conn, id: TokenId) -> StoreResult<Option<Self>> {
        Ok(access_tokens::table
            .inner_join(users::table.on(dsl::user_id.eq(users::id)))
            .filter(dsl::id.eq(id.0))
            .filter(dsl::expires_at.gt(now))
            .filter(users::disabled_at.is_null())
            .select((
                dsl::id,
                dsl::name,
                dsl::hash,
                dsl::scopes,
                dsl::plan_id,
                dsl::expires_at,
                dsl::last_used_on,
                now.into_sql::<Timestamptz>(),
                User::as_select(),
            ))
            .first(&mut conn)
            .await
            .optional()?)
    }

    pub(crate) fn grant(&self) -> TokenGrant {
        TokenGrant {
            id: TokenId(self.id),
            name: self.name.clone(),
            scopes: scopes_of(&self.scopes),
            plan: self.plan_id.map(PlanId),
        }
    }
}

/// Stores the day of the last use; writes only if it changed.
pub(crate) async fn note_use(mut conn: &Conn, id: TokenId, day: Date) -> StoreResult<()> {
    let of_earlier = access_tokens::table
        .find(id.0)
        .filter(dsl::last_used_on.is_distinct_from(day));
    diesel::update(of_earlier)
        .set(dsl::last_used_on.eq(day))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// The given tokens that are still valid; no round trip for none.
pub(crate) async fn list_alive(mut conn: &Conn, ids: &[TokenId]) -> StoreResult<Vec<AliveToken>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(access_tokens::table
        .inner_join(users::table.on(dsl::user_id.eq(users::id)))
        .filter(dsl::id.eq_any(ids.iter().map(|id| id.0)))
        .filter(dsl::expires_at.gt(now))
        .filter(users::disabled_at.is_null())
        .select((dsl::id, users::role, dsl::expires_at, now.into_sql::<Timestamptz>()))
        .load(&mut conn)
        .await?)
}

/// Deletes those that expired a month ago; until then people see why a program has stopped.
pub(crate) async fn delete_expired(mut conn: &Conn) -> StoreResult<()> {
    let long_expired =
        access_tokens::table.filter(dsl::expires_at.lt(now.into_sql::<Timestamptz>() - KEPT_DAYS.days()));
    diesel::delete(long_expired).execute(&mut conn).await?;
    Ok(())
}
