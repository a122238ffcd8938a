//! What turns have used: per day for the budget, and over all attempts of a turn.

use crate::store::schema::prompts::{self, dsl};
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::{now, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AsChangeset, QueryFragment};
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use plan_model::ids::UserId;

/// What a user has used today.
#[derive(QueryableByName)]
pub(super) struct Spending {
    #[diesel(sql_type = BigInt)]
    pub spent: i64,
    #[diesel(sql_type = BigInt)]
    pub seconds_left: i64,
}

impl Spending {
    /// Tokens of the attempts that were started today, including a reservation for each running turn.
    pub async fn today(mut conn: &Conn, user: UserId, reservation: i64) -> StoreResult<Self> {
        diesel::sql_query(include_str!("spending.sql"))
            .bind::<BigInt, _>(reservation)
            .bind::<SqlUuid, _>(user.0)
            .load(&mut conn)
            .await?
            .one()
    }
}

/// Starts the next attempt of a turn with no usage of its own, and keeps what the earlier ones have used.
pub(super) fn next_attempt() -> impl AsChangeset<Target = prompts::table, Changeset: QueryFragment<Pg> + Send + 'static>
{
    (
        dsl::spent_before.eq(dsl::spent_before + dsl::total_tokens),
        dsl::spent_on_earlier_days.eq(sql::<BigInt>(
            "CASE WHEN coalesce(started_at, created_at) < date_trunc('day', now()) \
             THEN spent_before + total_tokens ELSE spent_on_earlier_days END",
        )),
        dsl::started_at.eq(now),
        dsl::prompt_tokens.eq(0),
        dsl::completion_tokens.eq(0),
        dsl::total_tokens.eq(0),
        dsl::usage_estimated.eq(false),
        dsl::cached_prompt_tokens.eq(None::<i64>),
        dsl::cache_write_tokens.eq(None::<i64>),
        dsl::reasoning_tokens.eq(None::<i64>),
    )
}
