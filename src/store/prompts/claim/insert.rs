//! The row of a claimed turn.

use super::{LEASE_SECONDS, NewPrompt};
use crate::store::prepared::{Continue, prepared};
use crate::store::user_limits::admit;
use crate::store::{Conn, OneRow, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool, Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;

#[derive(QueryableByName)]
pub(super) struct Inserted {
    #[diesel(sql_type = Bool)]
    pub is_admitted: bool,
    #[diesel(sql_type = Nullable<BigInt>)]
    pub fence: Option<i64>,
}

#[derive(QueryableByName)]
struct Claimed {
    #[diesel(sql_type = BigInt)]
    fence: i64,
}

/// Binds who writes and what; both statements have these parameters in a row.
macro_rules! bind_message {
    ($statement:expr, $prompt:expr) => {
        $statement
            .bind::<SqlUuid, _>($prompt.actor.0)
            .bind::<Text, _>(&$prompt.model)
            .bind::<Text, _>(&$prompt.input)
            .bind::<Nullable<Text>, _>($prompt.key.as_ref())
            .bind::<Binary, _>(&$prompt.fingerprint)
            .bind::<Nullable<SqlUuid>, _>($prompt.replaces.map(|turn| turn.0))
    };
}

impl NewPrompt {
    /// Counts the turn and inserts the row, unless a limit is reached or the plan or the key is taken.
    pub(super) async fn insert(&self, conn: &Conn) -> StoreResult<Inserted> {
        failpoint!("claim.before");
        let inserted = match self.admission.is_limited() {
            true => self.insert_admitted(conn).await?,
            false => Inserted {
                is_admitted: true,
                fence: self.insert_unlimited(conn).await?,
            },
        };
        failpoint!("claim.inserted");
        Ok(inserted)
    }

    /// Without limits nothing is counted, which is a third of the work of the claim.
    async fn insert_unlimited(&self, mut conn: &Conn) -> StoreResult<Option<i64>> {
        let statement = prepared(include_str!("insert.sql"))
            .bind::<SqlUuid, _>(self.id.0)
            .bind::<SqlUuid, _>(self.plan.0)
            .bind::<SqlUuid, _>(self.user.0);
        let claimed: Option<Claimed> = bind_message!(statement, self)
            .bind::<SqlUuid, _>(self.admission.instance)
            .bind::<BigInt, _>(LEASE_SECONDS)
            .load(&mut conn)
            .await?
            .pop();
        Ok(claimed.map(|claimed| claimed.fence))
    }

    async fn insert_admitted(&self, mut conn: &Conn) -> StoreResult<Inserted> {
        let statement = admit!(
            self.admission,
            ", claimed AS (\
                INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, idempotency_key, fingerprint, \
                    replaces, owner, lease_until) \
                SELECT k.turn, k.plan, k.person, $9::uuid, $10, 'running', $11, $12, $13, $14::uuid, k.instance, \
                    now() + make_interval(secs => $15::bigint) \
                FROM k, admitted \
                ON CONFLICT DO NOTHING RETURNING fence\
            ) \
            SELECT EXISTS (SELECT FROM admitted) AS is_admitted, (SELECT fence FROM claimed) AS fence"
        );
        bind_message!(statement, self)
            .bind::<BigInt, _>(LEASE_SECONDS)
            .load(&mut conn)
            .await?
            .one()
    }
}
