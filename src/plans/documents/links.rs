//! Links that open a document without an account: made and taken back, with a line in the audit.

use crate::plans::Actor;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::Plan;
use crate::store::plans::documents::PlanDocument;
use crate::store::plans::documents::links::{DocumentLink, MOST, NewDocumentLink};
use crate::store::{Db, StoreError};
use diesel_async::AsyncConnection;
use plan_model::ids::{DocumentId, DocumentLinkId, PlanId};
use plan_model::secret::SecretHash;
use serde_json::json;

/// Why there is no new link, or none to take back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShareError {
    #[error("the plan has no such document")]
    UnknownDocument,
    #[error("the document has no such link")]
    UnknownLink,
    #[error("the document has {MOST} links")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for ShareError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// A document of a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentRef {
    pub plan: PlanId,
    pub document: DocumentId,
}

/// Makes a link that works for so many days, to a token whose hash is given.
///
/// # Errors
/// See [`ShareError`].
pub(crate) async fn create(
    db: &Db,
    actor: &Actor,
    of: DocumentRef,
    token_hash: &SecretHash,
    days: i32,
) -> Result<DocumentLink, ShareError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ShareError, _>(async |conn| {
        // One at a time in a plan, so that the limit cannot be passed.
        Plan::lock(conn, of.plan).await?;
        if !PlanDocument::exists(conn, of.plan, of.document).await? {
            return Err(ShareError::UnknownDocument);
        }
        if DocumentLink::count(conn, of.document).await? >= MOST {
            return Err(ShareError::TooMany);
        }
        let new = NewDocumentLink {
            document: of.document,
            token_hash,
            days,
            actor: actor.actor,
            by: actor.effective,
        };
        let link = new.insert(conn).await?;
        let detail = json!({"documentId": of.document, "linkId": link.id, "days": days});
        event(AuditKind::DocumentLinkCreated, actor, of)
            .detail(detail)
            .insert(conn)
            .await?;
        Ok(link)
    })
    .await
}

/// Takes a link back.
///
/// # Errors
/// See [`ShareError`].
pub(crate) async fn revoke(db: &Db, actor: &Actor, of: DocumentRef, link: DocumentLinkId) -> Result<(), ShareError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, ShareError, _>(async |conn| {
        if !PlanDocument::exists(conn, of.plan, of.document).await? {
            return Err(ShareError::UnknownDocument);
        }
        if !DocumentLink::delete(conn, of.document, link).await? {
            return Err(ShareError::UnknownLink);
        }
        let detail = json!({"documentId": of.document, "linkId": link});
        event(AuditKind::DocumentLinkRevoked, actor, of)
            .detail(detail)
            .insert(conn)
            .await?;
        Ok(())
    })
    .await
}

fn event(kind: AuditKind, actor: &Actor, of: DocumentRef) -> AuditEvent {
    AuditEvent::new(kind, Some(actor.actor), Some(actor.effective)).plan(of.plan)
}
