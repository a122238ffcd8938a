//! The texts that a plan's owner writes for a lender.

use crate::plans::Actor;
use crate::plans::by_hand::{ByHandError, ExpectedVersion};
use crate::store::Db;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::Plan;
use crate::store::plans::stories::StoredStory;
use diesel_async::AsyncConnection;
use pg_link::json::Json;
use plan_model::ids::PlanId;
use plan_model::story::Story;
use serde_json::json;

/// Puts the texts in the place of those that were there, and answers with their version. Texts that are there already change nothing.
///
/// # Errors
/// [`ByHandError::VersionMismatch`] where the texts are at another version; nothing has changed then.
pub(crate) async fn replace(
    db: &Db,
    actor: &Actor,
    plan: PlanId,
    texts: Story,
    expected: &ExpectedVersion,
) -> Result<(Story, i64), ByHandError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ByHandError, _>(async |conn| {
        Plan::lock(conn, plan).await?;
        let before = StoredStory::find(conn, plan).await?;
        let (known, version) = before.map_or_else(Default::default, |story| (story.texts.0, story.version));
        expected.check(version)?;
        if known == texts {
            return Ok((texts, version));
        }
        let stored = StoredStory::replace(conn, plan, &texts).await?;
        let changed: Vec<&str> = known
            .texts()
            .into_iter()
            .zip(texts.texts())
            .filter_map(|((name, before), (_, after))| (before != after).then_some(name))
            .collect();
        let event = AuditEvent::new(AuditKind::StoryChanged, Some(actor.actor), Some(actor.effective));
        event.plan(plan).detail(json!({"texts": changed})).insert(conn).await?;
        let Json(texts) = stored.texts;
        Ok((texts, stored.version))
    })
    .await
}
