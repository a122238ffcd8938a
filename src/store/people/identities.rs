//! Accounts at identity providers, and whom they sign in here.

mod first_proof;
mod linked;
mod signed_out;

pub use linked::{Identity, LinkedBy, Unlinked, UnlinkedBy, end_linked_by_hand, list, unlink};
pub use signed_out::{SignedOut, end_sessions};

use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::invitations::{Offered, still_given};
use crate::store::people::sessions::SignInMethod;
use crate::store::people::users::recovery::end_links_made_by;
use crate::store::people::users::{NewUser, User};
use crate::store::schema::{invitations, user_identities, users};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::dsl::now;
use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use plan_model::access::UserRole;
use plan_model::clean;
use plan_model::ids::UserId;
use serde_json::json;
use uuid::Uuid;

/// A person whom the provider has recognized.
#[derive(Debug, Clone, Copy)]
pub struct Recognized<'a> {
    pub issuer: &'a str,
    pub subject: &'a str,
    /// As [`clean::email`] has it.
    pub email: Option<&'a str>,
    /// Whether the provider vouches for the address.
    pub email_verified: bool,
    /// As [`clean::person_name`] has it.
    pub name: Option<&'a str>,
    /// Whether the provider says that they are a platform administrator; `None` if it is not asked.
    pub is_admin: Option<bool>,
    /// Whether they become a franchisee where nobody invited them.
    pub may_sign_up: bool,
}

/// Who a recognized person is here.
#[derive(Debug)]
pub enum Arrival {
    Welcome {
        user: User,
        /// Whether the address was proved only now, so that what others may have set up before has ended.
        took_over: bool,
    },
    /// Nobody, or somebody who may not sign in: the two are not told apart.
    NotInvited,
    EmailUnverified,
}

/// Whom an account at an identity provider signs in, if it is linked.
pub async fn find_owner(mut conn: &Conn, issuer: &str, subject: &str) -> StoreResult<Option<User>> {
    Ok(user_identities::table
        .inner_join(users::table.on(user_identities::user_id.eq(users::id)))
        .filter(user_identities::issuer.eq(issuer))
        .filter(user_identities::subject.eq(subject))
        .select(User::as_select())
        .first(&mut conn)
        .await
        .optional()?)
}

/// What became of a request to link an identity.
#[derive(Debug, PartialEq, Eq)]
pub enum Linking {
    Linked,
    /// It signs somebody else in.
    Taken,
}

impl Recognized<'_> {
    /// Finds or makes the account, links the identity on the first time, and gives or takes the administrator's role.
    pub async fn arrive(&self, conn: &mut Conn) -> StoreResult<Arrival> {
        let arrival = conn
            .transaction::<_, StoreError, _>(async |conn| {
                let (user, took_over) = match self.find(conn).await? {
                    Some(user) => {
                        self.seen_again(conn, &user).await?;
                        (user, false)
                    }
                    None if self.email.is_none() || !self.email_verified => return Ok(Arrival::EmailUnverified),
                    None => match self.first_time(conn).await? {
                        Some(arrived) => arrived,
                        None => return Ok(Arrival::NotInvited),
                    },
                };
                Ok(match user.disabled_at {
                    Some(_) => Arrival::NotInvited,
                    None => Arrival::Welcome { user, took_over },
                })
            })
            .await?;
        match (arrival, self.is_admin) {
            (Arrival::Welcome { user, took_over }, Some(is_admin))
                if (user.role == UserRole::PlatformAdmin) != is_admin =>
            {
                let user = give_role(conn, user, is_admin).await?;
                Ok(Arrival::Welcome { user, took_over })
            }
            (arrival, _) => Ok(arrival),
        }
    }

    /// Links the identity to a person who has signed in another way and has shown again who they are.
    pub async fn link(&self, conn: &mut Conn, to: UserId) -> StoreResult<Linking> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            let is_new = self.insert(conn, to.0, LinkedBy::Hand).await?;
            match self.find(conn).await? {
                Some(owner) if owner.id == to.0 => {
                    if !is_new {
                        self.seen_again(conn, &owner).await?;
                    } else if self.proves(&owner) {
                        first_proof::note(conn, to).await?;
                    }
                    Ok(Linking::Linked)
                }
                _ => Ok(Linking::Taken),
            }
        })
        .await
    }

    /// Whether the provider vouches for the account's own address.
    fn proves(&self, user: &User) -> bool {
        self.email_verified && self.email == Some(user.email.as_str())
    }

    /// Keeps what the provider now says of a person who is known.
    async fn seen_again(&self, conn: &mut Conn, user: &User) -> StoreResult<()> {
        let stored = user_identities::table.find((self.issuer, self.subject)).filter(
            (user_identities::name.is_distinct_from(self.name)).or(user_identities::email.is_distinct_from(self.email)),
        );
        diesel::update(stored)
            .set((
                user_identities::name.eq(self.name),
                user_identities::email.eq(self.email),
            ))
            .execute(conn)
            .await?;
        match self.proves(user) {
            true => first_proof::note(conn, UserId(user.id)).await,
            false => Ok(()),
        }
    }

    async fn find(&self, conn: &Conn) -> StoreResult<Option<User>> {
        find_owner(conn, self.issuer, self.subject).await
    }

    /// Whether the identity was new.
    async fn insert(&self, conn: &mut Conn, user: Uuid, linked_by: LinkedBy) -> StoreResult<bool> {
        let added = diesel::insert_into(user_identities::table)
            .values((
                user_identities::id.eq(Uuid::now_v7()),
                user_identities::issuer.eq(self.issuer),
                user_identities::subject.eq(self.subject),
                user_identities::user_id.eq(user),
                user_identities::linked_by.eq(linked_by.as_str()),
                user_identities::name.eq(self.name),
                user_identities::email.eq(self.email),
            ))
            .on_conflict_do_nothing()
            .execute(conn)
            .await?;
        if added == 1 {
            let id = Some(UserId(user));
            AuditEvent::new(AuditKind::IdentityLinked, id, id)
                .detail(json!({"issuer": self.issuer, "linkedBy": linked_by}))
                .insert(conn)
                .await?;
        }
        Ok(added == 1)
    }

    /// The account of somebody who comes with an identity that is not linked yet, by their verified address: only one that
    /// was opened by an invitation, an invited one, or a new one. An account that was made in another way is never taken
    /// over: its owner signs in and links the identity. With whether anything ended because the address is proved only now.
    async fn first_time(&self, conn: &mut Conn) -> StoreResult<Option<(User, bool)>> {
        let email = self.email.unwrap_or_default();
        let of_email = users::table.filter(users::email.eq(email));
        let found = of_email.select(User::as_select()).for_no_key_update().first(conn).await;
        let user = match found.optional()? {
            Some(user) if was_invited(conn, &user).await? => user,
            Some(_) => return Ok(None),
            None => match self.open_account(conn, email).await? {
                Some(user) => user,
                None => return Ok(None),
            },
        };
        let mut took_over = false;
        if user.disabled_at.is_none() {
            took_over = first_proof::take_over(conn, &user).await?;
            self.insert(conn, user.id, LinkedBy::Email).await?;
        }
        Ok(Some((user, took_over)))
    }

    /// A new account, as the invitation says, or a franchisee's where people may sign up.
    async fn open_account(&self, conn: &mut Conn, email: &str) -> StoreResult<Option<User>> {
        let invitation: Option<Offered> = invitations::table
            .filter(invitations::email.eq(email))
            .filter(invitations::accepted_at.is_null())
            .filter(invitations::expires_at.gt(now))
            .filter(still_given())
            .select(Offered::as_select())
            .for_update()
            .first(conn)
            .await
            .optional()?;
        let (role, brand_id) = match &invitation {
            Some(offered) => (offered.role, offered.brand_id),
            None if self.may_sign_up => (UserRole::Franchisee, None),
            None => return Ok(None),
        };
        let id = Uuid::now_v7();
        let before_at = email.split('@').next().and_then(clean::person_name);
        let user = NewUser {
            id,
            email,
            display_name: self.name.or(before_at.as_deref()).unwrap_or(email),
            role: role.as_str(),
            brand_id,
            password_hash: None,
        };
        user.insert(conn).await?;
        first_proof::note(conn, UserId(id)).await?;
        if let Some(Offered { id: invitation, .. }) = invitation {
            diesel::update(invitations::table.find(invitation))
                .set((invitations::accepted_at.eq(now), invitations::user_id.eq(id)))
                .execute(conn)
                .await?;
            AuditEvent::new(AuditKind::InvitationAccepted, Some(UserId(id)), Some(UserId(id)))
                .detail(json!({"invitationId": invitation, "method": SignInMethod::Oidc}))
                .insert(conn)
                .await?;
        }
        User::find(conn, UserId(id)).await
    }
}

async fn was_invited(conn: &mut Conn, user: &User) -> StoreResult<bool> {
    let accepted = invitations::table
        .filter(invitations::user_id.eq(user.id))
        .filter(invitations::email.eq(&user.email))
        .filter(invitations::accepted_at.is_not_null());
    diesel::select(diesel::dsl::exists(accepted)).load(conn).await?.one()
}

/// The person with the role that the provider's word gives. The last administrator who may sign in stays one.
async fn give_role(conn: &mut Conn, mut user: User, is_admin: bool) -> StoreResult<User> {
    // A transaction of its own, because the administrators are locked before anything else.
    conn.transaction::<_, StoreError, _>(async |conn| {
        let admins = User::lock_admins(conn).await?;
        let role = match (is_admin, admins.contains(&user.id)) {
            (true, false) => UserRole::PlatformAdmin,
            (false, true) if admins.len() > 1 => UserRole::Franchisee,
            (false, true) => {
                tracing::warn!(user.id = %user.id, "The identity provider takes the last platform administrator's role; they keep it");
                return Ok(user);
            }
            // Somebody else was faster.
            _ => return Ok(user),
        };
        diesel::update(users::table.find(user.id))
            .set(users::role.eq(role.as_str()))
            .execute(conn)
            .await?;
        if !is_admin {
            end_links_made_by(conn, UserId(user.id)).await?;
        }
        let id = Some(UserId(user.id));
        AuditEvent::new(AuditKind::UserChanged, id, id)
            .detail(json!({"role": role.as_str(), "by": SignInMethod::Oidc}))
            .insert(conn)
            .await?;
        user.role = role;
        Ok(user)
    })
    .await
}
