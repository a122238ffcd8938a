//! Sessions that end because the identity provider says so.

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::logins::{Key, is_first_use};
use crate::store::people::sessions::SignInMethod;
use crate::store::schema::{sessions, user_identities};
use crate::store::{Conn, StoreError, StoreResult};
use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::ids::UserId;
use serde_json::json;
use uuid::Uuid;

/// Whose sessions a provider's logout token ends.
#[derive(Debug, Clone, Copy)]
pub struct SignedOut<'a> {
    pub issuer: &'a str,
    pub subject: Option<&'a str>,
    pub sid: Option<&'a str>,
    /// Of the token, which is good once.
    pub once: &'a Key,
}

/// Ends sessions as a provider asks: those it knows as `sid`, else all that began with single sign-on, of the person it
/// knows as `subject`. Returns how many; `None` for a token that was used before.
pub async fn end_sessions(conn: &mut Conn, whom: SignedOut<'_>) -> StoreResult<Option<usize>> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        if !is_first_use(conn, whom.once).await? {
            return Ok(None);
        }
        let owner: Option<Uuid> = match whom.subject {
            Some(subject) => user_identities::table
                .find((whom.issuer, subject))
                .select(user_identities::user_id)
                .first(conn)
                .await
                .optional()?,
            None => None,
        };
        if whom.subject.is_some() && owner.is_none() {
            return Ok(Some(0));
        }
        let method = sessions::data.retrieve_as_text("method");
        let mut ended = diesel::delete(sessions::table)
            .filter(method.eq(SignInMethod::Oidc.as_str()))
            .into_boxed();
        if let Some(owner) = owner {
            ended = ended.filter(sessions::user_id.eq(owner));
        }
        if let Some(sid) = whom.sid {
            ended = ended.filter(sessions::oidc_sid.eq(sid));
        }
        let count = ended.execute(conn).await?;
        if count > 0 {
            AuditEvent::new(AuditKind::Logout, None, owner.map(UserId))
                .detail(json!({"by": "identity provider", "sessions": count}))
                .insert(conn)
                .await?;
        }
        Ok(Some(count))
    })
    .await
}
