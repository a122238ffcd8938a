//! The sessions of one person, as that person sees them.

use super::{Data, LOGGED_IN_KEY, METHOD_KEY, SignInMethod, USER_AGENT_KEY};
use crate::store::schema::sessions::{self, dsl};
use crate::store::{Conn, StoreResult};
use diesel::dsl::now;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use plan_model::ids::UserId;
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A session as its owner sees it.
#[derive(Debug)]
pub(crate) struct OwnSession {
    /// As computed by [`super::hash_of`].
    pub id: Vec<u8>,
    pub started_at: OffsetDateTime,
    /// When it expires without use.
    pub expires_at: OffsetDateTime,
    pub method: SignInMethod,
    pub user_agent: Option<String>,
}

/// The sessions of a user that have not expired without use, newest first.
pub(crate) async fn list(mut conn: &Conn, user: UserId) -> StoreResult<Vec<OwnSession>> {
    let rows: Vec<(Vec<u8>, Json<Data>, OffsetDateTime)> = sessions::table
        .filter(dsl::user_id.eq(user.0))
        .filter(dsl::expires_at.gt(now))
        .select((dsl::id, dsl::data, dsl::expires_at))
        .load(&mut conn)
        .await?;
    let mut found: Vec<OwnSession> = rows
        .into_iter()
        .filter_map(|(id, Json(data), expires_at)| OwnSession::read(id, &data, expires_at))
        .collect();
    found.sort_by_key(|session| std::cmp::Reverse(session.started_at));
    Ok(found)
}

impl OwnSession {
    fn read(id: Vec<u8>, data: &Data, expires_at: OffsetDateTime) -> Option<Self> {
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        Some(Self {
            id,
            started_at: OffsetDateTime::parse(text(LOGGED_IN_KEY)?, &Rfc3339).ok()?,
            expires_at,
            // Sessions of earlier releases began with a password.
            method: text(METHOD_KEY)
                .and_then(SignInMethod::parse)
                .unwrap_or(SignInMethod::Password),
            user_agent: text(USER_AGENT_KEY).map(str::to_owned),
        })
    }
}

/// Deletes one session of a user. Returns whether it was there.
pub(crate) async fn delete(mut conn: &Conn, user: UserId, id: &[u8]) -> StoreResult<bool> {
    let session = sessions::table.find(id).filter(dsl::user_id.eq(user.0));
    Ok(diesel::delete(session).execute(&mut conn).await? == 1)
}
