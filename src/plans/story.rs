//! The texts that a plan's owner writes for a lender.

use crate::plans::Actor;
use crate::plans::by_hand::{ByHandError, ExpectedVersion};
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::Plan;
use crate::store::plans::stories::StoredStory;
use crate::store::{Conn, Db, StoreResult};
use diesel_async::AsyncConnection;
use pg_link::json::Json;
use plan_model::ids::PlanId;
use plan_model::story::{Story, StoryPart};
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
        Ok(store(conn, actor, plan, &known, &texts).await?)
    })
    .await
}

/// Puts one text in its place, within the caller's transaction.
///
/// # Errors
/// Where the database cannot be written.
pub(crate) async fn write(conn: &Conn, actor: &Actor, plan: PlanId, part: StoryPart, text: String) -> StoreResult<()> {
    let before = StoredStory::find(conn, plan).await?;
    let known = before.map_or_else(Default::default, |story| story.texts.0);
    let texts = known.clone().with(part, text).cleaned();
    store(conn, actor, plan, &known, &texts).await.map(drop)
}

/// Stores the texts and records which of them have changed.
async fn store(conn: &Conn, actor: &Actor, plan: PlanId, known: &Story, texts: &Story) -> StoreResult<(Story, i64)> {
    let stored = StoredStory::replace(conn, plan, texts).await?;
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
}
