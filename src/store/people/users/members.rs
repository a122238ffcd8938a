//! The people of a brand.

use crate::store::schema::{invitations, users};
use crate::store::{Conn, StoreResult};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use plan_model::access::UserRole;
use plan_model::ids::BrandId;
use time::OffsetDateTime;
use uuid::Uuid;

/// A person of a brand.
#[derive(Debug, Queryable)]
pub(crate) struct Member {
    pub id: Uuid,
    pub display_name: String,
    #[diesel(deserialize_as = String)]
    pub role: UserRole,
    pub joined_at: OffsetDateTime,
    /// The address that the brand had invited, where it had.
    pub invited_as: Option<String>,
    pub is_disabled: bool,
}

impl Member {
    /// The people of a brand, newest first; at most 500.
    pub(crate) async fn list(mut conn: &Conn, brand: BrandId) -> StoreResult<Vec<Self>> {
        let invited = invitations::user_id
            .eq(users::id.nullable())
            .and(invitations::brand_id.eq(brand.0))
            .and(invitations::accepted_at.is_not_null());
        Ok(users::table
            .left_join(invitations::table.on(invited))
            .filter(users::brand_id.eq(brand.0))
            .order((users::created_at.desc(), users::id.desc()))
            .limit(500)
            .select((
                users::id,
                users::display_name,
                users::role,
                users::created_at,
                invitations::email.nullable(),
                users::disabled_at.is_not_null(),
            ))
            .load(&mut conn)
            .await?)
    }
}
