//! What users have used of their limits, over all instances: one row each in an unlogged table.
//!
//! Rates are kept as the time up to which they are paid: each turn or write adds its share of a minute, and none is
//! admitted that would lead more than a minute ahead. After a crash of the database the counts begin at zero.

use super::prepared::{Continue, prepared};
use super::schema::user_limits::{self, dsl};
use super::{Conn, OneRow, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use plan_model::ids::{PlanId, TurnId, UserId};
use std::time::Duration;
use uuid::Uuid;

/// A user with as many running turns or open streams as allowed may ask again after this time.
pub const BUSY_RETRY: Duration = Duration::from_secs(5);

/// The limits of a user's turns; 0 is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct TurnAllowance {
    pub per_minute: i32,
    pub running: i32,
}

/// The open streams of a user with the one that is about to open.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenStreams {
    /// In this process.
    pub here: i32,
    /// The limit over all instances; 0 is none.
    pub most: i32,
}

impl OpenStreams {
    /// Whether this process alone has too many.
    pub fn are_too_many(self) -> bool {
        self.most > 0 && self.here > self.most
    }
}

/// A turn that wants to start.
#[derive(Debug, Clone, Copy)]
pub struct Admission {
    pub user: UserId,
    pub plan: PlanId,
    pub turn: TurnId,
    pub allowance: TurnAllowance,
    /// This process.
    pub instance: Uuid,
    pub streams: OpenStreams,
}

/// The statement that counts a turn, with its eight values; what follows it may use `k` and `admitted`.
macro_rules! admit {
    ($admission:expr, $then:expr) => {
        $crate::store::prepared::prepared(concat!(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/user_limits/admit.sql")),
            $then
        ))
        .bind::<diesel::sql_types::Uuid, _>($admission.user.0)
        .bind::<diesel::sql_types::Uuid, _>($admission.plan.0)
        .bind::<diesel::sql_types::Uuid, _>($admission.turn.0)
        .bind::<diesel::sql_types::Integer, _>($admission.allowance.per_minute)
        .bind::<diesel::sql_types::Integer, _>($admission.allowance.running)
        .bind::<diesel::sql_types::Uuid, _>($admission.instance)
        .bind::<diesel::sql_types::Integer, _>($admission.streams.here)
        .bind::<diesel::sql_types::Integer, _>($admission.streams.most)
    };
}
pub(super) use admit;

#[derive(QueryableByName)]
struct Wait {
    #[diesel(sql_type = BigInt)]
    milliseconds: i64,
}

impl Admission {
    /// Whether anything is to be counted.
    pub fn is_limited(&self) -> bool {
        self.allowance.per_minute > 0 || self.allowance.running > 0 || self.streams.most > 0
    }

    /// Counts a turn that is run again. `false`, and nothing is counted, if it is one too many.
    pub async fn count(&self, mut conn: &Conn) -> StoreResult<bool> {
        #[derive(QueryableByName)]
        struct Admitted {
            #[diesel(sql_type = BigInt)]
            admitted: i64,
        }
        let row: Admitted = admit!(self, "SELECT count(*) AS admitted FROM admitted")
            .load(&mut conn)
            .await?
            .one()?;
        Ok(row.admitted > 0)
    }

    /// When a turn that was refused may be sent again.
    pub async fn wait(&self, conn: &Conn) -> StoreResult<Duration> {
        let of_rate = wait(
            conn,
            "SELECT coalesce(max(ceil(1000 * extract(epoch FROM l.turns_until - now() - interval '1 minute' \
             + coalesce(interval '1 minute' / nullif(k.per_minute, 0), '0')))), 0)::bigint AS milliseconds \
             FROM (SELECT $1::integer AS per_minute, $2::uuid AS person) k JOIN user_limits l ON l.user_id = k.person",
            self.allowance.per_minute,
            self.user,
        );
        Ok(of_rate.await?.unwrap_or(BUSY_RETRY))
    }
}

async fn wait(mut conn: &Conn, sql: &'static str, per_minute: i32, user: UserId) -> StoreResult<Option<Duration>> {
    let row: Wait = prepared(sql)
        .bind::<Integer, _>(per_minute)
        .bind::<SqlUuid, _>(user.0)
        .load(&mut conn)
        .await?
        .one()?;
    let milliseconds = u64::try_from(row.milliseconds).unwrap_or_default();
    Ok((milliseconds > 0).then(|| Duration::from_millis(milliseconds)))
}

/// Counts a stream that opens without a turn. `false` if it is one too many over all instances.
pub async fn enter_stream(mut conn: &Conn, user: UserId, instance: Uuid, streams: OpenStreams) -> StoreResult<bool> {
    let rows = prepared(include_str!("user_limits/enter_stream.sql"))
        .bind::<SqlUuid, _>(user.0)
        .bind::<SqlUuid, _>(instance)
        .bind::<Integer, _>(streams.here)
        .bind::<Integer, _>(streams.most)
        .execute(&mut conn)
        .await?;
    Ok(rows == 1)
}

/// Stores how many streams of these users are open in this process.
pub async fn publish_streams(mut conn: &Conn, instance: Uuid, counts: &[(UserId, i32)]) -> StoreResult<()> {
    let users: Vec<Uuid> = counts.iter().map(|(user, _)| user.0).collect();
    let counts: Vec<i32> = counts.iter().map(|(_, count)| *count).collect();
    prepared(
        "INSERT INTO user_limits AS l (user_id, streams) \
         SELECT u.id, jsonb_build_object($1::uuid, o.streams) \
         FROM unnest($2::uuid[], $3::integer[]) o (person, streams) JOIN users u ON u.id = o.person ORDER BY u.id \
         ON CONFLICT (user_id) DO UPDATE SET streams = l.streams || excluded.streams",
    )
    .bind::<SqlUuid, _>(instance)
    .bind::<Array<SqlUuid>, _>(users)
    .bind::<Array<Integer>, _>(counts)
    .execute(&mut conn)
    .await?;
    Ok(())
}

/// Counts several writes of a user at once. `Err` is the time after which one more is allowed.
pub async fn count_writes(
    mut conn: &Conn,
    user: UserId,
    per_minute: i32,
    count: i32,
) -> StoreResult<Result<(), Duration>> {
    let rows = prepared(
        "INSERT INTO user_limits AS l (user_id, writes_until) \
         SELECT $1::uuid, now() + $2::integer * interval '1 minute' / $3::integer \
         ON CONFLICT (user_id) DO UPDATE SET \
         writes_until = greatest(l.writes_until, now()) + (excluded.writes_until - now()) \
         WHERE greatest(l.writes_until, now()) + (excluded.writes_until - now()) < now() + interval '60.001 seconds'",
    )
    .bind::<SqlUuid, _>(user.0)
    .bind::<Integer, _>(count)
    .bind::<Integer, _>(per_minute)
    .execute(&mut conn)
    .await?;
    if rows == 1 {
        return Ok(Ok(()));
    }
    let wait = wait(
        conn,
        "SELECT ceil(1000 * extract(epoch FROM l.writes_until - now() - interval '1 minute' \
         + interval '1 minute' / k.per_minute))::bigint AS milliseconds \
         FROM (SELECT $1::integer AS per_minute, $2::uuid AS person) k JOIN user_limits l ON l.user_id = k.person",
        per_minute,
        user,
    );
    Ok(Err(wait.await?.unwrap_or(Duration::from_secs(1))))
}

/// Forgets users who have been quiet for a day, and the streams of instances that are gone.
pub async fn delete_quiet(mut conn: &Conn) -> StoreResult<()> {
    let long_ago = now.into_sql::<Timestamptz>() - 1.day();
    let quiet = user_limits::table
        .filter(dsl::turns_until.lt(long_ago))
        .filter(dsl::writes_until.lt(long_ago));
    diesel::delete(quiet).execute(&mut conn).await?;
    diesel::sql_query(
        "UPDATE user_limits l SET streams = (\
             SELECT coalesce(jsonb_object_agg(s.key, s.value), '{}') \
             FROM jsonb_each(l.streams) s JOIN instances i ON i.id = s.key::uuid) \
         WHERE EXISTS (SELECT FROM jsonb_object_keys(l.streams) k WHERE k::uuid NOT IN (SELECT id FROM instances))",
    )
    .execute(&mut conn)
    .await?;
    Ok(())
}
