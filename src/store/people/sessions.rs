//! The session store for tower-sessions.
//!
//! `create` only inserts and `save` only updates, so that a concurrent request cannot re-create a session that logout has
//! deleted. The table holds the SHA-256 of the cookie's id, so that a leaked dump contains no usable ids.

pub(crate) mod own;

use crate::store::people::users::User;
use crate::store::plans::PlanOwner;
use crate::store::schema::sessions::{self, dsl};
use crate::store::schema::{plans, users};
use crate::store::{Conn, Db, StoreError, StoreResult};
use async_trait::async_trait;
use diesel::data_types::PgInterval;
use diesel::dsl::now;
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use plan_model::access::Impersonation;
use plan_model::ids::{PlanId, UserId};
use plan_model::text_enum::text_enum;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};
use tower_sessions::{ExpiredDeletion, SessionStore};
use uuid::Uuid;

/// Session key: the id of the logged-in user.
pub const USER_KEY: &str = "user_id";
/// Session key: the time of the login (RFC 3339), from which the absolute lifetime counts.
pub const LOGGED_IN_KEY: &str = "logged_in_at";
/// Session key: how the person signed in, a [`SignInMethod`].
pub const METHOD_KEY: &str = "method";
/// Session key: the `User-Agent` of the sign-in, so that people recognize their devices.
pub const USER_AGENT_KEY: &str = "user_agent";
/// Session key: the identity provider's id of the session, if it gave one.
pub const OIDC_SID_KEY: &str = "oidc_sid";
/// Session key: a [`StoredImpersonation`], if any.
pub const IMPERSONATION_KEY: &str = "impersonation";

text_enum! {
    /// How a session began.
    #[derive(utoipa::ToSchema)]
    pub enum SignInMethod {
        Password = "password",
        Oidc = "oidc",
        Invitation = "invitation",
    }
}

/// An impersonation: the target user, mode, reason and expiry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredImpersonation {
    pub user_id: UserId,
    pub terms: Impersonation,
}

type Data = HashMap<String, Value>;

/// A session with its user, as both are now.
#[derive(Debug)]
pub struct LiveSession {
    data: Data,
    /// When it expires without use.
    pub expires_at: OffsetDateTime,
    /// The database's time of the query.
    pub asked_at: OffsetDateTime,
    pub user: User,
}

impl LiveSession {
    /// One statement for session, user and plan, because every request starts with it. `None` for an expired session or a
    /// deleted or disabled user.
    pub async fn find(
        mut conn: &Conn,
        id: &Id,
        plan: Option<PlanId>,
    ) -> StoreResult<Option<(Self, Option<PlanOwner>)>> {
        type Row = (Json<Data>, OffsetDateTime, OffsetDateTime, User, Option<PlanOwner>);
        let row: Option<Row> = sessions::table
            .inner_join(users::table.on(dsl::user_id.eq(users::id.nullable())))
            .left_join(plans::table.on(plans::id.nullable().eq(plan.map(|plan| plan.0))))
            .filter(dsl::id.eq(hashed(id)))
            .filter(dsl::expires_at.gt(now))
            .filter(users::disabled_at.is_null())
            .select((
                dsl::data,
                dsl::expires_at,
                now.into_sql::<Timestamptz>(),
                User::as_select(),
                Option::<PlanOwner>::as_select(),
            ))
            .first(&mut conn)
            .await
            .optional()?;
        Ok(row.map(|(Json(data), expires_at, asked_at, user, plan)| {
            let live = Self {
                data,
                expires_at,
                asked_at,
                user,
            };
            (live, plan)
        }))
    }

    pub fn logged_in_at(&self) -> Option<OffsetDateTime> {
        self.data
            .get(LOGGED_IN_KEY)
            .and_then(Value::as_str)
            .and_then(|text| OffsetDateTime::parse(text, &Rfc3339).ok())
    }

    pub fn impersonation(&self) -> Option<StoredImpersonation> {
        self.data
            .get(IMPERSONATION_KEY)
            .cloned()
            .and_then(|value| serde_json::from_value(value).ok())
    }
}

#[derive(Clone)]
pub struct PgSessions(pub Db);

impl std::fmt::Debug for PgSessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PgSessions")
    }
}

/// A valid session with the data that decides access.
#[derive(Debug, Queryable)]
pub struct AliveSession {
    /// As computed by [`hash_of`].
    pub id: Vec<u8>,
    pub role: String,
    pub impersonating: bool,
    /// The database's time of the query.
    pub asked_at: OffsetDateTime,
}

/// The given sessions that are still valid, in one round trip.
pub async fn list_alive(mut conn: &Conn, ids: &[Vec<u8>]) -> StoreResult<Vec<AliveSession>> {
    Ok(sessions::table
        .inner_join(users::table.on(dsl::user_id.eq(users::id.nullable())))
        .filter(dsl::id.eq_any(ids))
        .filter(dsl::expires_at.gt(now))
        .filter(users::disabled_at.is_null())
        .select((
            dsl::id,
            users::role,
            dsl::data.has_key(IMPERSONATION_KEY),
            now.into_sql::<Timestamptz>(),
        ))
        .load(&mut conn)
        .await?)
}

/// The key of a cookie's id in the table.
pub fn hash_of(id: &Id) -> Vec<u8> {
    hashed(id)
}

fn hashed(id: &Id) -> Vec<u8> {
    digest(&SHA256, &id.0.to_be_bytes()).as_ref().to_vec()
}

/// Time until expiry. tower-sessions computed it with the process's clock; the table stores it by the database's clock.
fn left(record: &Record) -> PgInterval {
    let left = record.expiry_date - OffsetDateTime::now_utc();
    PgInterval::from_microseconds(i64::try_from(left.whole_microseconds()).unwrap_or(i64::MAX / 2))
}

fn text_of<'a>(record: &'a Record, key: &str) -> Option<&'a str> {
    record.data.get(key).and_then(Value::as_str)
}

fn user_of(record: &Record) -> Option<Uuid> {
    text_of(record, USER_KEY).and_then(|text| text.parse().ok())
}

fn backend(error: StoreError) -> Error {
    Error::Backend(error.to_string())
}

#[async_trait]
impl SessionStore for PgSessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let conn = self.0.conn().await.map_err(backend)?;
        loop {
            let mut borrowed: &Conn = &conn;
            let added = diesel::insert_into(sessions::table)
                .values((
                    dsl::id.eq(hashed(&record.id)),
                    dsl::user_id.eq(user_of(record)),
                    dsl::data.eq(Json(record.data.clone())),
                    dsl::oidc_sid.eq(text_of(record, OIDC_SID_KEY)),
                    dsl::expires_at.eq(now.into_sql::<Timestamptz>() + left(record)),
                ))
                .on_conflict_do_nothing()
                .execute(&mut borrowed)
                .await
                .map_err(|error| backend(error.into()))?;
            if added == 1 {
                return Ok(());
            }
            record.id = Id::default();
        }
    }

    async fn save(&self, record: &Record) -> Result<()> {
        let conn = self.0.conn().await.map_err(backend)?;
        let mut borrowed: &Conn = &conn;
        diesel::update(sessions::table.find(hashed(&record.id)))
            .set((
                dsl::user_id.eq(user_of(record)),
                dsl::data.eq(Json(record.data.clone())),
                dsl::oidc_sid.eq(text_of(record, OIDC_SID_KEY)),
                dsl::expires_at.eq(now.into_sql::<Timestamptz>() + left(record)),
            ))
            .execute(&mut borrowed)
            .await
            .map_err(|error| backend(error.into()))?;
        Ok(())
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let conn = self.0.conn().await.map_err(backend)?;
        let mut borrowed: &Conn = &conn;
        let row: Option<(Json<Data>, OffsetDateTime, OffsetDateTime)> = sessions::table
            .find(hashed(id))
            .filter(dsl::expires_at.gt(now))
            .select((dsl::data, dsl::expires_at, now.into_sql::<Timestamptz>()))
            .first(&mut borrowed)
            .await
            .optional()
            .map_err(|error| backend(error.into()))?;
        Ok(row.map(|(Json(data), expires_at, asked_at)| Record {
            id: *id,
            data,
            expiry_date: OffsetDateTime::now_utc() + (expires_at - asked_at),
        }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        let conn = self.0.conn().await.map_err(backend)?;
        let mut borrowed: &Conn = &conn;
        diesel::delete(sessions::table.find(hashed(id)))
            .execute(&mut borrowed)
            .await
            .map_err(|error| backend(error.into()))?;
        Ok(())
    }
}

#[async_trait]
impl ExpiredDeletion for PgSessions {
    async fn delete_expired(&self) -> Result<()> {
        let conn = self.0.conn().await.map_err(backend)?;
        let mut borrowed: &Conn = &conn;
        let expired = sessions::table.filter(dsl::expires_at.le(now));
        diesel::delete(expired)
            .execute(&mut borrowed)
            .await
            .map_err(|error| backend(error.into()))?;
        Ok(())
    }
}
