//! The identities of a person: which there are, and how they end.

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::sessions::SignInMethod;
use crate::store::people::users::User;
use crate::store::schema::user_identities::{self, dsl};
use crate::store::schema::{sessions, users};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::ids::UserId;
use plan_model::text_enum::text_enum;
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

text_enum! {
    /// How an identity was linked.
    #[derive(utoipa::ToSchema)]
    pub enum LinkedBy {
        /// At the first sign-on, by the verified e-mail address.
        Email = "email",
        /// By the person, who had signed in.
        Hand = "hand",
    }
}

/// An account at an identity provider that signs a person in.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = user_identities)]
pub struct Identity {
    pub id: Uuid,
    pub issuer: String,
    pub subject: String,
    /// The person's name at the provider, as of the last sign-on.
    pub name: Option<String>,
    /// The person's address at the provider, verified or not, as of the last sign-on.
    pub email: Option<String>,
    #[diesel(deserialize_as = String)]
    pub linked_by: LinkedBy,
    pub created_at: OffsetDateTime,
}

/// Who removes an identity.
#[derive(Debug, Clone, Copy)]
pub enum UnlinkedBy<'a> {
    Oneself {
        /// It goes on; as computed by [`crate::store::people::sessions::hash_of`].
        session: &'a [u8],
        /// Whether a password is a way to sign in here.
        password_counts: bool,
    },
    Admin(UserId),
    CommandLine,
}

/// What became of a request to remove an identity.
#[derive(Debug, PartialEq, Eq)]
pub enum Unlinked {
    Done,
    Unknown,
    /// The person could not sign in any more.
    LastWayIn,
}

/// The identities of a person, oldest first.
pub async fn list(mut conn: &Conn, user: UserId) -> StoreResult<Vec<Identity>> {
    Ok(user_identities::table
        .filter(dsl::user_id.eq(user.0))
        .order((dsl::created_at, dsl::id))
        .select(Identity::as_select())
        .load(&mut conn)
        .await?)
}

/// Removes one of a person's identities, and ends the sessions that began with single sign-on.
pub async fn unlink(conn: &mut Conn, user: UserId, id: Uuid, by: UnlinkedBy<'_>) -> StoreResult<Unlinked> {
    conn.transaction::<_, StoreError, _>(async |conn| {
        User::lock(conn, user).await?;
        let identities = list(conn, user).await?;
        if !identities.iter().any(|identity| identity.id == id) {
            return Ok(Unlinked::Unknown);
        }
        let (session, actor) = match by {
            UnlinkedBy::Oneself {
                session,
                password_counts,
            } => {
                if identities.len() == 1 && !(password_counts && has_password(conn, user).await?) {
                    return Ok(Unlinked::LastWayIn);
                }
                (session, Some(user))
            }
            UnlinkedBy::Admin(admin) => (&[][..], Some(admin)),
            UnlinkedBy::CommandLine => (&[][..], None),
        };
        diesel::delete(user_identities::table.filter(dsl::id.eq(id)))
            .execute(conn)
            .await?;
        let others = sessions::table
            .filter(sessions::user_id.eq(user.0))
            .filter(
                sessions::data
                    .retrieve_as_text("method")
                    .eq(SignInMethod::Oidc.as_str()),
            )
            .filter(sessions::id.ne(session));
        diesel::delete(others).execute(conn).await?;
        AuditEvent::new(AuditKind::IdentityUnlinked, actor, Some(user))
            .detail(json!({ "identityId": id }))
            .insert(conn)
            .await?;
        Ok(Unlinked::Done)
    })
    .await
}

/// Removes what a person linked by hand, which somebody else may have done in their name. Returns how many. Sessions and
/// tokens are the caller's to end; what remains is in [`list`].
pub async fn end_linked_by_hand(mut conn: &Conn, user: UserId) -> StoreResult<usize> {
    let doomed = user_identities::table
        .filter(dsl::user_id.eq(user.0))
        .filter(dsl::linked_by.eq(LinkedBy::Hand.as_str()));
    let count = diesel::delete(doomed).execute(&mut conn).await?;
    if count > 0 {
        AuditEvent::new(AuditKind::IdentityUnlinked, None, Some(user))
            .detail(json!({"linkedBy": LinkedBy::Hand, "count": count}))
            .insert(conn)
            .await?;
    }
    Ok(count)
}

async fn has_password(conn: &mut Conn, user: UserId) -> StoreResult<bool> {
    let row = users::table.find(user.0).select(users::password_hash.is_not_null());
    row.load(conn).await?.one()
}
