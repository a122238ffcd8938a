//! Rows that cannot be read are left out of lists: one damaged row must not cost its plan all the others.

use super::StoreResult;
use diesel::QueryResult;
use diesel::result::Error as DieselError;
use futures_util::{Stream, TryStreamExt};
use plan_model::ids::PlanId;
use tracing::warn;

/// All rows of an answer that can be read. The answer is read to its end.
pub(super) async fn readable<T>(
    table: &'static str,
    plan: PlanId,
    rows: impl Stream<Item = QueryResult<T>>,
) -> StoreResult<Vec<T>> {
    let known = rows.map_ok(Some).or_else(async |error| match error {
        DieselError::DeserializationError(error) => {
            metrics::counter!("plan_advisor_unreadable_rows_total", "table" => table).increment(1);
            let error = error.to_string();
            warn!(plan.id = %plan, table, error, "A row of {table} of plan {plan} cannot be read: {error}");
            Ok(None)
        }
        other => Err(other),
    });
    let found: Vec<Option<T>> = known.try_collect().await?;
    Ok(found.into_iter().flatten().collect())
}
