//! Tokens that each user has spent, per day (UTC). They stay spent when the turn or its plan is deleted. The end of an attempt
//! adds what it has used to the day on which it was started.

use super::{Conn, OneRow, StoreResult};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::{TurnId, UserId};
use uuid::Uuid;

/// What a user has spent today.
#[derive(QueryableByName)]
pub(crate) struct Today {
    #[diesel(sql_type = BigInt)]
    pub tokens: i64,
    #[diesel(sql_type = BigInt)]
    pub seconds_left: i64,
}

/// Without the turns that still run.
pub(crate) async fn today(mut conn: &Conn, user: UserId) -> StoreResult<Today> {
    prepared(include_str!("spent_tokens/today.sql"))
        .bind::<SqlUuid, _>(user.0)
        .load(&mut conn)
        .await?
        .one()
}

/// Adds what a turn's attempt has used, in the transaction that ends it. [`super::turns::stored_turn`] does so itself.
pub(crate) async fn add(mut conn: &Conn, turn: TurnId) -> StoreResult<()> {
    prepared(include_str!("spent_tokens/add.sql"))
        .bind::<SqlUuid, _>(turn.0)
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// Adds what is known of attempts that were interrupted without an end, in the transaction that interrupts them: the message
/// and the text that was published, estimated.
pub(crate) async fn add_lost(mut conn: &Conn, turns: &[Uuid]) -> StoreResult<()> {
    if !turns.is_empty() {
        prepared(concat!(
            "WITH ended AS (SELECT * FROM prompts WHERE id = ANY ($1::uuid[])), ",
            include_str!("spent_tokens/of_ended.sql"),
            "SELECT"
        ))
        .bind::<Array<SqlUuid>, _>(turns)
        .execute(&mut conn)
        .await?;
    }
    Ok(())
}

/// Deletes the days that are over. One more is kept, for turns that have run over midnight.
pub(crate) async fn delete_old(mut conn: &Conn) -> StoreResult<()> {
    prepared("DELETE FROM spent_tokens WHERE day < (now() AT TIME ZONE 'UTC')::date - 1")
        .execute(&mut conn)
        .await?;
    Ok(())
}
