//! Whether a user's limits admit one turn more.

use crate::store::schema::prompts::{self, dsl};
use crate::store::turns::prompts::is_running;
use crate::store::turns::rate_limits::{self, RateKind};
use crate::store::{Conn, OneRow, StoreResult, spent_tokens};
use diesel::dsl::now;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_async::RunQueryDsl;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::UserId;
use std::time::Duration;

/// A user with as many running turns or open streams as allowed may ask again after this time.
pub(crate) const BUSY_RETRY: Duration = Duration::from_secs(5);

/// The limits of a user's turns; 0 is none.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TurnLimits {
    pub per_minute: i32,
    /// Turns that may run at once.
    pub running: i64,
    /// Tokens that may be spent in a day, UTC.
    pub daily_tokens: i64,
    /// Tokens held back for a running turn until its usage is known.
    pub reservation: i64,
}

/// Why a turn is not admitted, and when it may be asked for again.
#[derive(Debug)]
pub(super) enum Refusal {
    Limited(Duration),
    OverBudget(Duration),
}

/// Lets one transaction at a time claim turns of this user, over all instances, until it ends: what the next one counts,
/// includes what this one has claimed.
pub(in crate::store) async fn serialize_claims(mut conn: &Conn, user: UserId) -> StoreResult<()> {
    prepared("SELECT pg_advisory_xact_lock(hashtextextended($1, 7220519012))")
        .bind::<Text, _>(user.to_string())
        .execute(&mut conn)
        .await?;
    Ok(())
}

impl TurnLimits {
    /// Counts one turn more of the user. The caller has serialized the user's claims.
    pub(super) async fn admit(&self, conn: &Conn, user: UserId) -> StoreResult<Result<(), Refusal>> {
        let running = match self.daily_tokens > 0 || self.running > 0 {
            true => running(conn, user).await?,
            false => 0,
        };
        if self.daily_tokens > 0 {
            let today = spent_tokens::today(conn, user).await?;
            if today.tokens + running * self.reservation >= self.daily_tokens {
                let left = Duration::from_secs(today.seconds_left.max(1).unsigned_abs());
                return Ok(Err(Refusal::OverBudget(left)));
            }
        }
        if self.running > 0 && running >= self.running {
            return Ok(Err(Refusal::Limited(BUSY_RETRY)));
        }
        if self.per_minute == 0 {
            return Ok(Ok(()));
        }
        let taken = rate_limits::take(conn, user, RateKind::Turns, self.per_minute).await?;
        Ok(taken.map_err(Refusal::Limited))
    }
}

/// The user's running turns. One whose process has died counts until its lease is over.
async fn running(mut conn: &Conn, user: UserId) -> StoreResult<i64> {
    prompts::table
        .filter(dsl::user_id.eq(user.0))
        .filter(is_running())
        .filter(dsl::lease_until.gt(now))
        .count()
        .load(&mut conn)
        .await?
        .one()
}
