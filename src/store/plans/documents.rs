//! Documents that were made of a plan. They are added and never changed; a trigger holds them to that.

use crate::store::schema::{plan_documents, users};
use crate::store::{Conn, OneRow, StoreResult};
use ::plan_documents::{Kind, Paper};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;
use plan_model::ids::{DocumentId, PlanId, UserId};
use plan_model::language::Language;
use time::OffsetDateTime;
use uuid::Uuid;

pub(crate) mod links;

/// Documents of one plan.
pub(crate) const MOST: i64 = 50;

/// The columns of a [`PlanDocument`].
macro_rules! columns {
    () => {
        (
            plan_documents::id,
            plan_documents::kind,
            plan_documents::paper,
            plan_documents::lang,
            plan_documents::plan_version,
            plan_documents::engine_version,
            plan_documents::sha256,
            sql::<BigInt>("octet_length(plan_documents.content)::bigint"),
            plan_documents::created_at,
            plan_documents::created_by,
            users::display_name.nullable(),
        )
    };
}

/// A document without its content.
#[derive(Debug, Clone, Queryable)]
pub(crate) struct PlanDocument {
    pub id: Uuid,
    #[diesel(deserialize_as = String)]
    pub kind: Kind,
    #[diesel(deserialize_as = String)]
    pub paper: Paper,
    #[diesel(deserialize_as = String)]
    pub lang: Language,
    pub plan_version: i64,
    pub engine_version: String,
    pub sha256: Vec<u8>,
    /// Size of the content.
    pub bytes: i64,
    pub created_at: OffsetDateTime,
    /// Nobody if the person was removed.
    pub created_by: Option<Uuid>,
    /// The name of that person.
    pub creator: Option<String>,
}

/// What is read of a document.
#[derive(Debug, Queryable, QueryableByName)]
#[diesel(table_name = plan_documents)]
pub(crate) struct DocumentFile {
    pub name: String,
    pub kind: String,
    pub sha256: Vec<u8>,
    pub content: Vec<u8>,
}

/// A document to store.
#[derive(Debug)]
pub(crate) struct NewDocument<'a> {
    pub plan: PlanId,
    pub kind: Kind,
    pub paper: Paper,
    pub lang: Language,
    pub name: &'a str,
    pub plan_version: i64,
    pub engine_version: &'static str,
    pub sha256: &'a [u8],
    pub content: &'a [u8],
    /// The idempotency key, and the request that used it.
    pub key: Option<(&'a str, &'a str)>,
    pub by: UserId,
}

impl PlanDocument {
    /// A plan's documents, newest first, because ids grow with time.
    pub(crate) async fn list(mut conn: &Conn, plan: PlanId) -> StoreResult<Vec<Self>> {
        let of_plan = plan_documents::table
            .left_join(users::table.on(plan_documents::created_by.eq(users::id.nullable())))
            .filter(plan_documents::plan_id.eq(plan.0));
        let rows = of_plan.order(plan_documents::id.desc()).select(columns!());
        Ok(rows.load(&mut conn).await?)
    }

    pub(crate) async fn count(mut conn: &Conn, plan: PlanId) -> StoreResult<i64> {
        let of_plan = plan_documents::table.filter(plan_documents::plan_id.eq(plan.0));
        of_plan.count().load(&mut conn).await?.one()
    }

    /// What a person's request with this key made, and what it asked for.
    pub(crate) async fn find_created(
        mut conn: &Conn,
        plan: PlanId,
        by: UserId,
        key: &str,
    ) -> StoreResult<Option<(Self, String)>> {
        let created = plan_documents::table
            .left_join(users::table.on(plan_documents::created_by.eq(users::id.nullable())))
            .filter(plan_documents::plan_id.eq(plan.0))
            .filter(plan_documents::created_by.eq(by.0))
            .filter(plan_documents::creation_key.eq(key));
        let found: Option<(Self, Option<String>)> = created
            .select((columns!(), plan_documents::creation_request))
            .first(&mut conn)
            .await
            .optional()?;
        Ok(found.map(|(document, request)| (document, request.unwrap_or_default())))
    }

    /// Whether the plan has the document.
    pub(crate) async fn exists(mut conn: &Conn, plan: PlanId, id: DocumentId) -> StoreResult<bool> {
        let own = plan_documents::table
            .find(id.0)
            .filter(plan_documents::plan_id.eq(plan.0));
        diesel::select(diesel::dsl::exists(own)).load(&mut conn).await?.one()
    }

    /// The SHA-256 of a document's content.
    pub(crate) async fn hash(mut conn: &Conn, plan: PlanId, id: DocumentId) -> StoreResult<Option<Vec<u8>>> {
        let own = plan_documents::table
            .find(id.0)
            .filter(plan_documents::plan_id.eq(plan.0));
        Ok(own.select(plan_documents::sha256).first(&mut conn).await.optional()?)
    }
}

impl DocumentFile {
    pub(crate) async fn find(mut conn: &Conn, plan: PlanId, id: DocumentId) -> StoreResult<Option<Self>> {
        let own = plan_documents::table
            .find(id.0)
            .filter(plan_documents::plan_id.eq(plan.0));
        let columns = (
            plan_documents::name,
            plan_documents::kind,
            plan_documents::sha256,
            plan_documents::content,
        );
        Ok(own.select(columns).first(&mut conn).await.optional()?)
    }
}

impl NewDocument<'_> {
    pub(crate) async fn insert(&self, mut conn: &Conn) -> StoreResult<PlanDocument> {
        let id = DocumentId::fresh().0;
        diesel::insert_into(plan_documents::table)
            .values((
                (
                    plan_documents::id.eq(id),
                    plan_documents::plan_id.eq(self.plan.0),
                    plan_documents::kind.eq(self.kind.as_str()),
                    plan_documents::paper.eq(self.paper.as_str()),
                    plan_documents::lang.eq(self.lang.as_str()),
                    plan_documents::name.eq(self.name),
                    plan_documents::plan_version.eq(self.plan_version),
                ),
                (
                    plan_documents::engine_version.eq(self.engine_version),
                    plan_documents::sha256.eq(self.sha256),
                    plan_documents::content.eq(self.content),
                    plan_documents::creation_key.eq(self.key.map(|(key, _)| key)),
                    plan_documents::creation_request.eq(self.key.map(|(_, request)| request)),
                    plan_documents::created_by.eq(self.by.0),
                ),
            ))
            .execute(&mut conn)
            .await?;
        let stored = plan_documents::table
            .left_join(users::table.on(plan_documents::created_by.eq(users::id.nullable())))
            .filter(plan_documents::id.eq(id))
            .select(columns!());
        stored.load(&mut conn).await?.one()
    }
}
