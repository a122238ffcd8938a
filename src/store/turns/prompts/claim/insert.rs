//! The row of a claimed turn.

use super::{LEASE_SECONDS, NewPrompt, TurnLease};
use crate::store::{Conn, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::prepared::{Continue, prepared};

#[derive(QueryableByName)]
struct Claimed {
    #[diesel(sql_type = BigInt)]
    fence: i64,
}

impl NewPrompt {
    /// Starts the first attempt; `None` if the plan or the key is taken.
    pub(super) async fn insert(&self, mut conn: &Conn) -> StoreResult<Option<TurnLease>> {
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
        Ok(claimed.map(|claimed| TurnLease {
            turn: self.id,
            attempt: 1,
            fence: claimed.fence,
        }))
    }
}
