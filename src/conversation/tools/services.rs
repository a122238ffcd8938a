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

/// The services behind the tools. Who has no database, or offers only some of the tools, has nothing of the rest.
#[async_trait::async_trait]
pub trait Services: Sync {
    fn model_name(&self) -> Arc<str>;

    async fn is_database_up(&self) -> bool {
        true
    }

    /// What an undo would take back.
    async fn latest_changes(&self) -> StoreResult<Option<LatestChanges>> {
        Ok(None)
    }

    /// The newest changes, newest first.
    async fn changes(&self, _limit: i64) -> StoreResult<Vec<PlanChange>> {
        Ok(Vec::new())
    }

    /// Values that wait for the franchisee, oldest first.
    async fn open_proposals(&self) -> StoreResult<Vec<ExtractedValue>> {
        Ok(Vec::new())
    }

    /// The plan's stored scenarios, oldest first.
    async fn scenarios(&self) -> StoreResult<Vec<Scenario>> {
        Ok(Vec::new())
    }
}
