//! Devices that people have logged in from: their attempts are not slowed down by somebody else's.

use super::Key;
use crate::store::schema::login_devices;
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::RunQueryDsl;
use plan_model::ids::UserId;

/// How long a device is known.
pub(crate) const DAYS: i32 = 180;

/// Whether the person has logged in from this device.
pub(crate) async fn knows(mut conn: &Conn, device: &Key, user: UserId) -> StoreResult<bool> {
    let known = login_devices::table
        .find(device.as_slice())
        .filter(login_devices::user_id.eq(user.0))
        .filter(login_devices::expires_at.gt(now));
    diesel::select(diesel::dsl::exists(known)).load(&mut conn).await?.one()
}

/// Remembers a device.
pub(crate) async fn remember(mut conn: &Conn, device: &Key, user: UserId) -> StoreResult<()> {
    diesel::insert_into(login_devices::table)
        .values((
            login_devices::id.eq(device.as_slice()),
            login_devices::user_id.eq(user.0),
            login_devices::expires_at.eq(now.into_sql::<Timestamptz>() + DAYS.days()),
        ))
        .execute(&mut conn)
        .await?;
    Ok(())
}

/// Forgets the devices of a person, but one if it is given.
pub(crate) async fn forget_others(mut conn: &Conn, user: UserId, kept: Option<&Key>) -> StoreResult<()> {
    let kept = kept.map_or(&[][..], <[u8; 32]>::as_slice);
    let others = login_devices::table
        .filter(login_devices::user_id.eq(user.0))
        .filter(login_devices::id.ne(kept));
    diesel::delete(others).execute(&mut conn).await?;
    Ok(())
}

/// Deletes devices that are no longer known.
pub(crate) async fn delete_expired(mut conn: &Conn) -> StoreResult<()> {
    diesel::delete(login_devices::table.filter(login_devices::expires_at.lt(now)))
        .execute(&mut conn)
        .await?;
    Ok(())
}
