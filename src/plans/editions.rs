//! Publishing an edition of a brand.

use crate::plans::by_hand::{ByHandError, ExpectedVersion};
use crate::store::Db;
use crate::store::brands::{BrandVersion, editions};
use crate::store::people::audit::{AuditEvent, AuditKind};
use diesel_async::AsyncConnection;
use plan_model::access::Caller;
use plan_model::brand::Brand;
use serde_json::json;

/// Stores the document as the brand's next edition, with who published it; answers its version. Plans keep theirs.
///
/// # Errors
/// [`ByHandError::VersionMismatch`] where the brand is at another version; nothing has changed then.
pub(crate) async fn publish(
    db: &Db,
    caller: &Caller,
    brand: &Brand,
    expected: &ExpectedVersion,
) -> Result<i32, ByHandError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ByHandError, _>(async |conn| {
        expected.check(editions::lock(conn, brand.id).await?.into())?;
        let (id, version) = BrandVersion::publish(conn, brand, caller.actor.id).await?;
        AuditEvent::by(AuditKind::BrandReplaced, caller)
            .detail(json!({"brandId": brand.id, "brandVersionId": id}))
            .insert(conn)
            .await?;
        Ok(version)
    })
    .await
}
