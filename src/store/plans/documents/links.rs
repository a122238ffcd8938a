//! Links by which somebody without an account reads a document. Only hashes of their tokens are here.

use super::DocumentFile;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::plans::Plan;
use crate::store::schema::{document_links, plan_documents, users};
use crate::store::{Conn, OneRow, StoreError, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{Bytea, Timestamptz};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::{DocumentId, DocumentLinkId, PlanId, UserId};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

/// Links of one document, also expired ones.
pub(crate) const MOST: i64 = 20;

/// The columns of a [`DocumentLink`].
macro_rules! columns {
    () => {
        (
            document_links::id,
            document_links::created_at,
            document_links::expires_at,
            document_links::opened,
            document_links::last_opened_at,
            document_links::created_by,
            users::display_name,
            document_links::expires_at.le(now),
        )
    };
}

/// A link without its token.
#[derive(Debug, Clone, Queryable)]
pub(crate) struct DocumentLink {
    pub id: Uuid,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
    /// How often the document was read by it.
    pub opened: i64,
    pub last_opened_at: Option<OffsetDateTime>,
    pub created_by: Uuid,
    /// The name of that person.
    pub creator: String,
    pub is_expired: bool,
}

/// A link to store.
#[derive(Debug)]
pub(crate) struct NewDocumentLink<'a> {
    pub plan: PlanId,
    pub document: DocumentId,
    pub token_hash: &'a [u8],
    pub days: i32,
    pub actor: UserId,
    pub by: UserId,
}

/// What became of a link that was to be stored.
#[derive(Debug)]
pub(crate) enum Added {
    Stored(DocumentLink),
    /// The plan has no such document.
    Unknown,
    /// The document has as many as allowed.
    TooMany,
}

impl DocumentLink {
    /// The links of a document, newest first.
    pub(crate) async fn list(mut conn: &Conn, document: DocumentId) -> StoreResult<Vec<Self>> {
        let of_document = document_links::table
            .inner_join(users::table.on(document_links::created_by.eq(users::id)))
            .filter(document_links::document_id.eq(document.0));
        let rows = of_document.order(document_links::id.desc()).select(columns!());
        Ok(rows.load(&mut conn).await?)
    }

    /// Deletes a link of a document and records that. Returns whether there was one.
    pub(crate) async fn revoke(
        conn: &mut Conn,
        document: DocumentId,
        id: DocumentLinkId,
        recorded: &AuditEvent,
    ) -> StoreResult<bool> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            let own = document_links::table
                .find(id.0)
                .filter(document_links::document_id.eq(document.0));
            if diesel::delete(own).execute(conn).await? == 0 {
                return Ok(false);
            }
            recorded.insert(conn).await?;
            Ok(true)
        })
        .await
    }
}

impl NewDocumentLink<'_> {
    /// Adds the link and records that.
    pub(crate) async fn insert(&self, conn: &mut Conn) -> StoreResult<Added> {
        conn.transaction::<_, StoreError, _>(async |conn| {
            // One at a time in a plan, so that the limit cannot be passed.
            Plan::lock(conn, self.plan).await?;
            let own = plan_documents::table
                .find(self.document.0)
                .filter(plan_documents::plan_id.eq(self.plan.0));
            if !diesel::select(diesel::dsl::exists(own)).load(conn).await?.one()? {
                return Ok(Added::Unknown);
            }
            let of_document = document_links::table.filter(document_links::document_id.eq(self.document.0));
            let count: i64 = of_document.count().load(conn).await?.one()?;
            if count >= MOST {
                return Ok(Added::TooMany);
            }
            let id = DocumentLinkId::fresh();
            diesel::insert_into(document_links::table)
                .values((
                    document_links::id.eq(id.0),
                    document_links::document_id.eq(self.document.0),
                    document_links::token_hash.eq(self.token_hash),
                    document_links::created_by.eq(self.by.0),
                    document_links::actor_id.eq(self.actor.0),
                    document_links::expires_at.eq(now.into_sql::<Timestamptz>() + self.days.days()),
                ))
                .execute(conn)
                .await?;
            AuditEvent::new(AuditKind::DocumentLinkCreated, Some(self.actor), Some(self.by))
                .plan(self.plan)
                .detail(json!({"documentId": self.document, "linkId": id, "days": self.days}))
                .insert(conn)
                .await?;
            let stored = document_links::table
                .inner_join(users::table.on(document_links::created_by.eq(users::id)))
                .filter(document_links::id.eq(id.0))
                .select(columns!());
            Ok(Added::Stored(stored.load(conn).await?.one()?))
        })
        .await
    }
}

/// Counts that a link was used and reads its document. `None` for a token that is unknown, expired or revoked, and where those who made
/// the link may not read the document themselves any more.
pub(crate) async fn open(mut conn: &Conn, token_hash: &[u8]) -> StoreResult<Option<DocumentFile>> {
    let found: Vec<DocumentFile> = prepared(include_str!("open.sql"))
        .bind::<Bytea, _>(token_hash)
        .load(&mut conn)
        .await?;
    Ok(found.into_iter().next())
}
