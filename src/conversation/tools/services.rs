//! What tools read besides the turn's own copy of the plan.

use crate::store::StoreResult;
use crate::store::plans::plan_changes::PlanChange;
use crate::store::plans::scenarios::Scenario;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::ChangeGroupId;
use std::sync::Arc;

/// The newest group of changes of which something stands, oldest change first.
#[derive(Debug, Clone)]
pub struct LatestChanges {
    pub group: ChangeGroupId,
    pub changes: Vec<PlanChange>,
}

/// The services behind the tools. A measurement runs them without a database.
#[async_trait::async_trait]
pub trait Services: Sync {
    fn model_name(&self) -> Arc<str>;

    async fn is_database_up(&self) -> bool;

    /// What an undo would take back.
    async fn latest_changes(&self) -> StoreResult<Option<LatestChanges>>;

    /// The newest changes, newest first.
    async fn changes(&self, limit: i64) -> StoreResult<Vec<PlanChange>>;

    /// Values that wait for the franchisee, oldest first.
    async fn open_proposals(&self) -> StoreResult<Vec<ExtractedValue>>;

    /// The plan's stored scenarios, oldest first.
    async fn scenarios(&self) -> StoreResult<Vec<Scenario>>;
}
