//! Links that open a document without an account. Only hashes of their tokens are here.

use super::DocumentFile;
use crate::store::schema::{document_links, users};
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::{IntervalDsl, now};
use diesel::prelude::*;
use diesel::sql_types::{Bytea, Timestamptz};
use diesel_async::RunQueryDsl;
use pg_link::prepared::{Continue, prepared};
use plan_model::ids::{DocumentId, DocumentLinkId, UserId};
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
    pub document: DocumentId,
    pub token_hash: &'a [u8],
    pub days: i32,
    pub actor: UserId,
    pub by: UserId,
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

    pub(crate) async fn count(mut conn: &Conn, document: DocumentId) -> StoreResult<i64> {
        let of_document = document_links::table.filter(document_links::document_id.eq(document.0));
        of_document.count().load(&mut conn).await?.one()
    }

    /// Deletes a link of a document. Returns whether there was one.
    pub(crate) async fn delete(mut conn: &Conn, document: DocumentId, id: DocumentLinkId) -> StoreResult<bool> {
        let own = document_links::table
            .find(id.0)
            .filter(document_links::document_id.eq(document.0));
        Ok(diesel::delete(own).execute(&mut conn).await? == 1)
    }
}

impl NewDocumentLink<'_> {
    pub(crate) async fn insert(&self, mut conn: &Conn) -> StoreResult<DocumentLink> {
        let id = DocumentLinkId::fresh().0;
        diesel::insert_into(document_links::table)
            .values((
                document_links::id.eq(id),
                document_links::document_id.eq(self.document.0),
                document_links::token_hash.eq(self.token_hash),
                document_links::created_by.eq(self.by.0),
                document_links::actor_id.eq(self.actor.0),
                document_links::expires_at.eq(now.into_sql::<Timestamptz>() + self.days.days()),
            ))
            .execute(&mut conn)
            .await?;
        let stored = document_links::table
            .inner_join(users::table.on(document_links::created_by.eq(users::id)))
            .filter(document_links::id.eq(id))
            .select(columns!());
        stored.load(&mut conn).await?.one()
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
