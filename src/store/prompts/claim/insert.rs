//! The row of a claimed turn.

use super::{LEASE_SECONDS, NewPrompt};
use crate::store::prepared::{Continue, prepared};
use crate::store::{Conn, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;

#[derive(QueryableByName)]
struct Claimed {
    #[diesel(sql_type = BigInt)]
    fence: i64,
}

impl NewPrompt {
    /// Inserts the row and returns its fence, unless the plan or the key is taken.
    pub(super) async fn insert(&self, mut conn: &Conn) -> StoreResult<Option<i64>> {
        failpoint!("claim.before");
        let claimed: Option<Claimed> = prepared(include_str!("insert.sql"))
            .bind::<SqlUuid, _>(self.id.0)
            .bind::<SqlUuid, _>(self.plan.0)
            .bind::<SqlUuid, _>(self.user.0)
            .bind::<SqlUuid, _>(self.actor.0)
            .bind::<Text, _>(&self.model)
            .bind::<Text, _>(&self.input)
            .bind::<Nullable<Text>, _>(self.key.as_ref())
            .bind::<Binary, _>(&self.fingerprint)
            .bind::<Nullable<SqlUuid>, _>(self.replaces.map(|turn| turn.0))
            .bind::<SqlUuid, _>(self.instance)
            .bind::<BigInt, _>(LEASE_SECONDS)
            .load(&mut conn)
            .await?
            .pop();
        Ok(claimed.map(|claimed| claimed.fence))
    }
}
