//! Pending destructive actions, which wait for the user's confirmation. At most one per plan; resolved by deleting the row.

use crate::store::schema::pending_actions::{self, dsl};
use crate::store::turns::prompts::TurnLease;
use crate::store::{Conn, OneRow, StoreResult};
use diesel::dsl::now;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel::upsert::excluded;
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use pg_link::prepared::{Continue, prepared};
use plan_model::event::PendingConfirmation;
use plan_model::ids::{PendingActionId, PlanId, TurnId, UserId};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = pending_actions)]
pub struct PendingAction {
    pub id: Uuid,
    pub user_id: Uuid,
    pub tool_name: String,
    pub arguments: Json<Value>,
    pub argument_hash: Vec<u8>,
    pub prompt: String,
    pub expires_at: OffsetDateTime,
}

#[derive(QueryableByName)]
struct Held {
    #[diesel(sql_type = BigInt)]
    held: i64,
}

/// A new pending action. Its five minutes are counted by the database's clock.
#[derive(Debug, Clone)]
pub struct NewPendingAction {
    pub id: PendingActionId,
    pub plan: PlanId,
    pub user: UserId,
    pub turn: TurnId,
    pub tool_name: &'static str,
    pub arguments: Value,
    pub argument_hash: Vec<u8>,
    pub prompt: String,
}

impl PendingAction {
    pub fn confirmation(&self) -> PendingConfirmation {
        PendingConfirmation {
            id: PendingActionId(self.id),
            tool_name: self.tool_name.clone(),
            prompt: self.prompt.clone(),
            arguments: self.arguments.0.clone(),
            expires_at: self.expires_at,
        }
    }

    /// The action that this user can still confirm or deny.
    pub async fn find_live(mut conn: &Conn, plan: PlanId, user: UserId) -> StoreResult<Option<Self>> {
        let query = pending_actions::table
            .filter(dsl::plan_id.eq(plan.0))
            .filter(dsl::user_id.eq(user.0))
            .filter(dsl::expires_at.gt(now));
        Ok(query.select(Self::as_select()).first(&mut conn).await.optional()?)
    }

    /// Deletes the action. Only the caller that gets `true` may carry it out.
    pub async fn take(conn: &mut Conn, plan: PlanId, user: UserId, id: PendingActionId) -> StoreResult<bool> {
        let query = pending_actions::table
            .filter(dsl::plan_id.eq(plan.0))
            .filter(dsl::user_id.eq(user.0))
            .filter(dsl::id.eq(id.0))
            .filter(dsl::expires_at.gt(now));
        Ok(diesel::delete(query).execute(conn).await? == 1)
    }

    /// Deletes the action in a turn, whose user has sent another message instead of a yes or no. `false`, and nothing is
    /// deleted, if the turn's lease was lost: what waits now may be another turn's question.
    pub async fn drop_in_turn(&self, mut conn: &Conn, lease: TurnLease) -> StoreResult<bool> {
        let held: Held = prepared(include_str!("pending_actions/drop_in_turn.sql"))
            .bind::<SqlUuid, _>(lease.turn.0)
            .bind::<BigInt, _>(lease.fence)
            .bind::<SqlUuid, _>(self.id)
            .load(&mut conn)
            .await?
            .one()?;
        Ok(held.held > 0)
    }

    /// Deletes the plan's pending action, if any, in a transaction of the caller that ends a turn.
    pub async fn drop_all(mut conn: &Conn, plan: PlanId) -> StoreResult<()> {
        diesel::delete(pending_actions::table.filter(dsl::plan_id.eq(plan.0)))
            .execute(&mut conn)
            .await?;
        Ok(())
    }
}

impl NewPendingAction {
    /// Stores the action, replacing an earlier one; returns when it expires.
    pub async fn put(&self, conn: &mut Conn) -> StoreResult<OffsetDateTime> {
        use diesel::dsl::IntervalDsl;
        diesel::insert_into(pending_actions::table)
            .values((
                dsl::plan_id.eq(self.plan.0),
                dsl::id.eq(self.id.0),
                dsl::user_id.eq(self.user.0),
                dsl::turn_id.eq(self.turn.0),
                dsl::tool_name.eq(self.tool_name),
                dsl::arguments.eq(Json(self.arguments.clone())),
                dsl::argument_hash.eq(&self.argument_hash),
                dsl::prompt.eq(&self.prompt),
                dsl::expires_at.eq(now.into_sql::<diesel::sql_types::Timestamptz>() + 5.minutes()),
            ))
            .on_conflict(dsl::plan_id)
            .do_update()
            .set((
                dsl::id.eq(excluded(dsl::id)),
                dsl::user_id.eq(excluded(dsl::user_id)),
                dsl::turn_id.eq(excluded(dsl::turn_id)),
                dsl::tool_name.eq(excluded(dsl::tool_name)),
                dsl::arguments.eq(excluded(dsl::arguments)),
                dsl::argument_hash.eq(excluded(dsl::argument_hash)),
                dsl::prompt.eq(excluded(dsl::prompt)),
                dsl::expires_at.eq(excluded(dsl::expires_at)),
            ))
            .returning(dsl::expires_at)
            .load(conn)
            .await?
            .one()
    }
}
