//! Values extracted from a conversation, with their status.

use crate::store::schema::{extractions, plan_changes, prompts, users};
use crate::store::{Conn, StoreResult, readable};
use diesel::dsl;
use diesel::prelude::*;
use diesel::sql_types::Jsonb;
use diesel_async::RunQueryDsl;
use futures_util::future::try_join_all;
use pg_link::json::Json;
use pg_link::literal::literal;
use plan_model::access::UserRole;
use plan_model::extracted::{DecidedBy, ExtractedValue, NoteCode, Status};
use plan_model::ids::{ExtractionId, PlanId, TurnId, UserId};
use plan_model::inputs::FieldValue;
use plan_model::message::Author;
use plan_model::number::Number;
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

/// A stored value with its current status.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = extractions)]
pub(crate) struct Extraction {
    pub id: Uuid,
    /// `None` if the turn was deleted for its age, or if there was none.
    pub turn_id: Option<Uuid>,
    #[diesel(deserialize_as = String)]
    pub status: Status,
    pub details: Json<ExtractedValue>,
    pub undone_at: Option<OffsetDateTime>,
}

/// A value that waits for a decision.
#[derive(Debug, Clone)]
pub(crate) struct Proposal {
    /// `None` if the turn was deleted for its age, or if there was none.
    pub turn: Option<TurnId>,
    pub value: ExtractedValue,
    pub at: OffsetDateTime,
    /// Who wrote the message, or the assistant that named the value; `None` if that is no longer known.
    pub author: Option<Author>,
}

#[derive(Debug, Insertable)]
#[diesel(table_name = extractions, treat_none_as_default_value = false)]
pub struct NewExtraction {
    id: Uuid,
    plan_id: Uuid,
    turn_id: Option<Uuid>,
    field: String,
    status: &'static str,
    confidence: &'static str,
    value: Json<Number>,
    details: Json<ExtractedValue>,
    evidence_start: Option<i32>,
    evidence_end: Option<i32>,
    note_code: Option<&'static str>,
    decided_by: Option<&'static str>,
    change_id: Option<Uuid>,
}

impl NewExtraction {
    /// `turn` is `None` for a value that was named outside of a turn.
    pub fn new(plan: PlanId, turn: Option<TurnId>, value: &ExtractedValue, span: Option<(usize, usize)>) -> Self {
        let offset = |at: usize| i32::try_from(at).ok();
        Self {
            id: value.id.0,
            plan_id: plan.0,
            turn_id: turn.map(|turn| turn.0),
            field: value.field.to_string(),
            status: value.status.as_str(),
            confidence: value.confidence.as_str(),
            value: Json(value.value),
            details: Json(value.clone()),
            evidence_start: span.and_then(|(start, _)| offset(start)),
            evidence_end: span.and_then(|(_, end)| offset(end)),
            note_code: value.note_code.map(NoteCode::as_str),
            decided_by: value.decided_by.map(DecidedBy::as_str),
            change_id: value.change_id.map(|id| id.0),
        }
    }

    /// Inserts them row by row in one round trip: a statement of fixed length is prepared once.
    pub async fn insert_all(conn: &Conn, rows: &[Self]) -> StoreResult<()> {
        try_join_all(rows.iter().map(async |row| {
            let mut conn = conn;
            diesel::insert_into(extractions::table)
                .values(row)
                .execute(&mut conn)
                .await
        }))
        .await?;
        Ok(())
    }
}

impl Extraction {
    /// The value with its current status.
    pub(crate) fn current(&self) -> ExtractedValue {
        let Json(mut value) = self.details.clone();
        value.status = self.status;
        value.applied = matches!(value.status, Status::Applied | Status::Accepted);
        value.undone_at = self.undone_at;
        value
    }

    /// Those that the plan has, by id.
    pub(crate) async fn find_all(
        mut conn: &Conn,
        plan: PlanId,
        ids: &[ExtractionId],
    ) -> StoreResult<HashMap<Uuid, Self>> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let rows = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::id.eq_any(ids))
            .select(Self::as_select())
            .load_stream(&mut conn)
            .await?;
        let rows: Vec<Self> = readable("extractions", plan, rows).await?;
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
    }

    /// Those of the values that were resolved or taken back after their turn, by id.
    pub(crate) async fn resolved(
        mut conn: &Conn,
        plan: PlanId,
        ids: &[Uuid],
    ) -> StoreResult<HashMap<Uuid, ExtractedValue>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let query = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::id.eq_any(ids))
            .filter(
                extractions::settled_at
                    .is_not_null()
                    .or(extractions::undone_at.is_not_null()),
            )
            .select(Self::as_select());
        let rows: Vec<Self> = readable("extractions", plan, query.load_stream(&mut conn).await?).await?;
        Ok(rows.iter().map(|row| (row.id, row.current())).collect())
    }

    /// Values that wait for a decision, oldest first, each with who said it and when.
    pub(crate) async fn list_open(mut conn: &Conn, plan: PlanId) -> StoreResult<Vec<Proposal>> {
        type Actor = (Uuid, String, String);
        let actor = (users::id, users::display_name, users::role).nullable();
        let rows = extractions::table
            .left_join(prompts::table.on(prompts::id.nullable().eq(extractions::turn_id)))
            .left_join(users::table.on(users::id.nullable().eq(prompts::actor_id)))
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::status.eq(literal(Status::Proposed.as_str())))
            .order((extractions::created_at, extractions::id))
            .select((Self::as_select(), extractions::created_at, actor))
            .load_stream(&mut conn)
            .await?;
        let rows: Vec<(Self, OffsetDateTime, Option<Actor>)> = readable("extractions", plan, rows).await?;
        let author = |(id, display_name, role): Actor| {
            let role = UserRole::try_from(role).ok()?;
            Some(Author {
                id: UserId(id),
                display_name,
                role,
                is_assistant: false,
            })
        };
        let proposal = |(row, at, actor): (Self, OffsetDateTime, Option<Actor>)| {
            let value = row.current();
            Proposal {
                turn: row.turn_id.map(TurnId),
                author: value.author.clone().or_else(|| actor.and_then(author)),
                value,
                at,
            }
        };
        Ok(rows.into_iter().map(proposal).collect())
    }

    /// Values that wait for a decision, oldest first.
    pub(crate) async fn list_proposed(mut conn: &Conn, plan: PlanId) -> StoreResult<Vec<ExtractedValue>> {
        let query = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::status.eq(literal(Status::Proposed.as_str())))
            .order(extractions::id)
            .select(Self::as_select());
        let rows: Vec<Self> = readable("extractions", plan, query.load_stream(&mut conn).await?).await?;
        Ok(rows.iter().map(Self::current).collect())
    }

    /// Resolves a proposed value once. `false` if it is not or no longer proposed. The words that the value came from are not
    /// written again: they may have been erased since it was read.
    pub(crate) async fn resolve(
        conn: &mut Conn,
        plan: PlanId,
        value: &ExtractedValue,
        by: UserId,
    ) -> StoreResult<bool> {
        let open = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::id.eq(value.id.0))
            .filter(extractions::status.eq(literal(Status::Proposed.as_str())));
        let rows = diesel::update(open)
            .set((
                extractions::status.eq(value.status.as_str()),
                extractions::value.eq(Json(value.value)),
                extractions::details.eq(dsl::sql::<Jsonb>("")
                    .bind::<Jsonb, _>(Json(value.clone()))
                    .sql(" || jsonb_build_object('evidence', details -> 'evidence')")),
                extractions::decided_by.eq(value.decided_by.map(DecidedBy::as_str)),
                extractions::change_id.eq(value.change_id.map(|id| id.0)),
                extractions::settled_at.eq(diesel::dsl::now),
                extractions::settled_by.eq(by.0),
            ))
            .execute(conn)
            .await?;
        Ok(rows == 1)
    }

    /// Follows an undo: the value that wrote `old` is taken back, the one that wrote `new` counts again.
    pub(crate) async fn follow_undo(
        mut conn: &Conn,
        plan: PlanId,
        field: &str,
        old: &FieldValue,
        new: &FieldValue,
    ) -> StoreResult<()> {
        let wrote = |value: &FieldValue| {
            plan_changes::table
                .filter(plan_changes::plan_id.eq(plan.0))
                .filter(plan_changes::field.eq(field.to_owned()))
                .filter(plan_changes::new_value.eq(Json(value.clone())))
                .select(plan_changes::id.nullable())
        };
        let values = extractions::table.filter(extractions::plan_id.eq(plan.0));
        diesel::update(values.filter(extractions::change_id.eq_any(wrote(old))))
            .set(extractions::undone_at.eq(diesel::dsl::now))
            .execute(&mut conn)
            .await?;
        diesel::update(values.filter(extractions::change_id.eq_any(wrote(new))))
            .set(extractions::undone_at.eq(None::<OffsetDateTime>))
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Dismisses the open proposals of a turn.
    pub(crate) async fn dismiss_turn(mut conn: &Conn, plan: PlanId, turn: TurnId, by: UserId) -> StoreResult<()> {
        let open = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::turn_id.eq(turn.0))
            .filter(extractions::status.eq(literal(Status::Proposed.as_str())));
        diesel::update(open).set(dismissal(by)).execute(&mut conn).await?;
        Ok(())
    }

    /// Dismisses the open proposals of fields that were set in another way, but not those of the turn that sets them.
    pub(crate) async fn supersede(
        mut conn: &Conn,
        plan: PlanId,
        fields: &[String],
        turn: Option<TurnId>,
        by: UserId,
    ) -> StoreResult<()> {
        if fields.is_empty() {
            return Ok(());
        }
        let open = extractions::table
            .filter(extractions::plan_id.eq(plan.0))
            .filter(extractions::field.eq_any(fields))
            .filter(extractions::turn_id.is_distinct_from(turn.map_or(Uuid::nil(), |turn| turn.0)))
            .filter(extractions::status.eq(literal(Status::Proposed.as_str())));
        diesel::update(open).set(dismissal(by)).execute(&mut conn).await?;
        Ok(())
    }
}

/// What dismissing a proposal writes.
type Dismissal = (
    dsl::Eq<extractions::status, &'static str>,
    dsl::Eq<extractions::settled_at, dsl::now>,
    dsl::Eq<extractions::settled_by, Uuid>,
);

fn dismissal(by: UserId) -> Dismissal {
    (
        extractions::status.eq(Status::Dismissed.as_str()),
        extractions::settled_at.eq(dsl::now),
        extractions::settled_by.eq(by.0),
    )
}
