//! Invitations: who may open an account, by a link that works once.

use crate::store::brands::brand_exists;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::users::{NewUser, User};
use crate::store::schema::{invitations, users};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::dsl::{IntervalDsl, exists, now};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pg_link::prepared::{Continue, prepared};
use pg_link::text::Spelled;
use plan_model::access::UserRole;
use plan_model::ids::{BrandId, UserId};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

/// How long a link works.
const DAYS: i32 = 7;

/// An invitation that nobody has accepted, without its token.
#[derive(Debug, Clone, QueryableByName)]
pub(crate) struct Invitation {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub email: String,
    #[diesel(sql_type = Text)]
    pub role: Spelled<UserRole>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub brand_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    pub brand_name: Option<String>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub invited_by: Option<Uuid>,
    /// The name of the person who invited.
    #[diesel(sql_type = Nullable<Text>)]
    pub inviter: Option<String>,
    #[diesel(sql_type = Timestamptz)]
    pub created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    pub expires_at: OffsetDateTime,
    #[diesel(sql_type = Bool)]
    pub is_expired: bool,
}

/// An invitation to store.
#[derive(Debug)]
pub(crate) struct NewInvitation<'a> {
    pub token_hash: &'a [u8],
    /// Lower case.
    pub email: &'a str,
    pub role: UserRole,
    pub brand: Option<BrandId>,
    /// Nobody for the command line.
    pub by: Option<UserId>,
}

/// What an open invitation gives to the person who accepts it.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = invitations)]
pub(in crate::store) struct Offered {
    pub id: Uuid,
    pub email: String,
    #[diesel(deserialize_as = String)]
    pub role: UserRole,
    pub brand_id: Option<Uuid>,
}

/// What became of an invitation.
#[derive(Debug)]
pub(crate) enum Invited {
    Sent(Box<Invitation>),
    /// An account has this address.
    Exists,
    /// An invitation to this address is open.
    Pending,
    UnknownBrand,
}

impl Invitation {
    /// Stores an invitation in place of an expired one to the same address. The command line replaces any that is open: its
    /// link may be lost, and there may be nobody who could take it back.
    pub(crate) async fn create(conn: &mut Conn, new: &NewInvitation<'_>) -> StoreResult<Invited> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            if let Some(brand) = new.brand
                && !brand_exists(conn, brand).await?
            {
                return Ok(Invited::UnknownBrand);
            }
            let same = users::table.filter(users::email.eq(new.email));
            if diesel::select(exists(same)).load(conn).await?.one()? {
                return Ok(Invited::Exists);
            }
            let replaced = invitations::table
                .filter(invitations::email.eq(new.email))
                .filter(invitations::accepted_at.is_null())
                .filter(invitations::expires_at.le(now).or(new.by.is_none().into_sql::<Bool>()));
            diesel::delete(replaced).execute(conn).await?;
            let id = Uuid::now_v7();
            let added = diesel::insert_into(invitations::table)
                .values((
                    invitations::id.eq(id),
                    invitations::token_hash.eq(new.token_hash),
                    invitations::email.eq(new.email),
                    invitations::role.eq(new.role.as_str()),
                    invitations::brand_id.eq(new.brand.map(|brand| brand.0)),
                    invitations::invited_by.eq(new.by.map(|by| by.0)),
                    invitations::expires_at.eq(now.into_sql::<Timestamptz>() + DAYS.days()),
                ))
                .on_conflict_do_nothing()
                .execute(conn)
                .await?;
            if added == 0 {
                return Ok(Invited::Pending);
            }
            AuditEvent::new(AuditKind::InvitationCreated, new.by, None)
                .detail(json!({"invitationId": id, "role": new.role, "brandId": new.brand}))
                .insert(conn)
                .await?;
            Ok(Invited::Sent(Box::new(entries(conn, Some(id), None).await?.one()?)))
        })
        .await
    }

    /// Invitations that nobody has accepted, newest first; of one brand, if it is given.
    pub(crate) async fn list(conn: &Conn, brand: Option<BrandId>) -> StoreResult<Vec<Self>> {
        entries(conn, None, brand).await
    }

    /// The invitation that a token opens.
    pub(crate) async fn find_open(mut conn: &Conn, token_hash: &[u8]) -> StoreResult<Option<Self>> {
        let id: Option<Uuid> = invitations::table
            .filter(invitations::token_hash.eq(token_hash))
            .filter(still_given())
            .select(invitations::id)
            .first(&mut conn)
            .await
            .optional()?;
        let Some(id) = id else {
            return Ok(None);
        };
        let found = entries(conn, Some(id), None).await?;
        Ok(found.into_iter().find(|invitation| !invitation.is_expired))
    }

    /// Takes an invitation back; of one brand, if it is given. Returns whether there was one that nobody had accepted.
    pub(crate) async fn revoke(conn: &mut Conn, id: Uuid, brand: Option<BrandId>, by: UserId) -> StoreResult<bool> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            let open = invitations::table.find(id).filter(invitations::accepted_at.is_null());
            let mut doomed = diesel::delete(open).into_boxed();
            if let Some(brand) = brand {
                doomed = doomed.filter(invitations::brand_id.eq(brand.0));
            }
            if doomed.execute(conn).await? == 0 {
                return Ok(false);
            }
            AuditEvent::new(AuditKind::InvitationRevoked, Some(by), None)
                .detail(json!({ "invitationId": id }))
                .insert(conn)
                .await?;
            Ok(true)
        })
        .await
    }

    /// Opens the account. `None` for a token that is unknown, used or expired, or whose address has an account by now.
    pub(crate) async fn accept(
        conn: &mut Conn,
        token_hash: &[u8],
        display_name: &str,
        password_hash: Option<&str>,
    ) -> StoreResult<Option<User>> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            // The lock makes a second request wait, which then finds the invitation accepted.
            let open = invitations::table
                .filter(invitations::token_hash.eq(token_hash))
                .filter(invitations::accepted_at.is_null())
                .filter(invitations::expires_at.gt(now))
                .filter(still_given());
            let found = open
                .select(Offered::as_select())
                .for_update()
                .first(conn)
                .await
                .optional()?;
            let Some(Offered {
                id: invitation,
                email,
                role,
                brand_id,
            }) = found
            else {
                return Ok(None);
            };
            let user = NewUser {
                id: UserId::fresh().0,
                email: &email,
                display_name,
                role: role.as_str(),
                brand_id,
                password_hash,
            };
            if !user.insert_if_missing(conn).await? {
                return Ok(None);
            }
            let id = UserId(user.id);
            diesel::update(invitations::table.find(invitation))
                .set((invitations::accepted_at.eq(now), invitations::user_id.eq(id.0)))
                .execute(conn)
                .await?;
            AuditEvent::new(AuditKind::InvitationAccepted, Some(id), Some(id))
                .detail(json!({"invitationId": invitation, "role": role, "brandId": brand_id}))
                .insert(conn)
                .await?;
            User::find(conn, id).await
        })
        .await
    }
}

/// Whether the person who invited, if it was not the command line, may still give what the invitation gives. Their open
/// invitations go with their rights; this is for one that was made in the same moment.
pub(in crate::store) fn still_given() -> SqlLiteral<Bool> {
    diesel::dsl::sql(
        "(invitations.invited_by IS NULL OR EXISTS (SELECT FROM users inviter WHERE inviter.id = invitations.invited_by \
          AND inviter.disabled_at IS NULL AND (inviter.role = 'platform_admin' OR (inviter.role = 'franchisor_admin' \
          AND inviter.brand_id = invitations.brand_id AND invitations.role = 'franchisee'))))",
    )
}

async fn entries(mut conn: &Conn, id: Option<Uuid>, brand: Option<BrandId>) -> StoreResult<Vec<Invitation>> {
    Ok(prepared(include_str!("invitations/list.sql"))
        .bind::<Nullable<SqlUuid>, _>(id)
        .bind::<Nullable<SqlUuid>, _>(brand.map(|brand| brand.0))
        .load(&mut conn)
        .await?)
}
