//! People for the command line.

use crate::store::schema::{brands, users};
use crate::store::{Conn, StoreResult};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use plan_model::access::UserRole;

/// A person in a list.
#[derive(Debug, Queryable)]
pub(crate) struct Listed {
    pub email: String,
    pub display_name: String,
    #[diesel(deserialize_as = String)]
    pub role: UserRole,
    /// Its slug.
    pub brand: Option<String>,
    pub is_disabled: bool,
}

/// People by e-mail address; of one role, if it is given.
pub(crate) async fn list(mut conn: &Conn, role: Option<UserRole>) -> StoreResult<Vec<Listed>> {
    let roles: Vec<&str> = match role {
        Some(role) => vec![role.as_str()],
        None => UserRole::ALL.iter().map(|role| role.as_str()).collect(),
    };
    Ok(users::table
        .left_join(brands::table.on(users::brand_id.eq(brands::id.nullable())))
        .filter(users::role.eq_any(roles))
        .order(users::email)
        .select((
            users::email,
            users::display_name,
            users::role,
            brands::slug.nullable(),
            users::disabled_at.is_not_null(),
        ))
        .load(&mut conn)
        .await?)
}
