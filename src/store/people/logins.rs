//! Failed logins over all instances.

pub(crate) mod devices;

use crate::store::schema::login_failures;
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Integer, Timestamptz};
use diesel_async::RunQueryDsl;
use pg_link::prepared::{Continue, prepared};

/// SHA-256 of what is counted.
pub(crate) type Key = [u8; 32];

/// In which failures add up.
pub(crate) const WINDOW_SECONDS: i32 = 15 * 60;

/// The counts of one attempt, itself included.
#[derive(Debug, QueryableByName)]
pub(crate) struct Counts {
    /// Of the account from this address or device.
    #[diesel(sql_type = Integer)]
    pub here: i32,
    /// Of the address or network.
    #[diesel(sql_type = Integer)]
    pub network: i32,
    /// Of the account from anywhere.
    #[diesel(sql_type = Integer)]
    pub account: i32,
    /// Of the account from the region: the address, or the /48 of IPv6.
    #[diesel(sql_type = Integer)]
    pub region: i32,
    /// Until the older of the first two windows ends.
    #[diesel(sql_type = BigInt)]
    pub seconds_left: i64,
}

/// What one attempt counts for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keys {
    pub here: Key,
    pub network: Key,
    pub account: Key,
    pub region: Key,
}

/// Counts an attempt as failed before it is checked, so that concurrent attempts cannot exceed a limit.
pub(crate) async fn count(mut conn: &Conn, keys: &Keys) -> StoreResult<Counts> {
    prepared(include_str!("logins/count.sql"))
        .bind::<Binary, _>(keys.here.as_slice())
        .bind::<Binary, _>(keys.network.as_slice())
        .bind::<Binary, _>(keys.account.as_slice())
        .bind::<Binary, _>(keys.region.as_slice())
        .bind::<Integer, _>(WINDOW_SECONDS)
        .load(&mut conn)
        .await?
        .one()
}

/// Failures under one key.
#[derive(Debug, QueryableByName)]
pub(crate) struct Count {
    #[diesel(sql_type = Integer)]
    pub failures: i32,
    /// Until the window ends.
    #[diesel(sql_type = BigInt)]
    pub seconds_left: i64,
}

/// Counts an attempt as failed under one key only.
pub(crate) async fn count_one(mut conn: &Conn, key: &Key) -> StoreResult<Count> {
    prepared(include_str!("logins/count_one.sql"))
        .bind::<Integer, _>(WINDOW_SECONDS)
        .bind::<Binary, _>(key.as_slice())
        .load(&mut conn)
        .await?
        .one()
}

/// Whether something that is good once is used for the first time. It is remembered for as long as failures are; what comes
/// later must have expired by then.
pub(crate) async fn is_first_use(conn: &Conn, key: &Key) -> StoreResult<bool> {
    Ok(count_one(conn, key).await?.failures == 1)
}

/// Takes an attempt back that did not fail.
pub(crate) async fn take_back(mut conn: &Conn, keys: &[Key]) -> StoreResult<()> {
    let counted = login_failures::table
        .filter(login_failures::failures.gt(0))
        .filter(login_failures::key.eq_any(keys.iter().map(<[u8; 32]>::as_slice)));
    diesel::update(counted)
        .set(login_failures::failures.eq(login_failures::failures - 1))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// Forgets the slips of a person who has logged in.
pub(crate) async fn forget(mut conn: &Conn, key: &Key) -> StoreResult<()> {
    diesel::delete(login_failures::table.find(key.as_slice()))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// Deletes what no longer counts.
pub(crate) async fn delete_expired(mut conn: &Conn) -> StoreResult<()> {
    let over = now.into_sql::<Timestamptz>() - WINDOW_SECONDS.seconds();
    diesel::delete(login_failures::table.filter(login_failures::since.lt(over)))
        .execute(&mut conn)
        .await?;
    devices::delete_expired(conn).await
}
