//! The only writer of plans, their audit trail and their proposals.
//!
//! Every change of a value goes through [`PlanEdit`]: editing by hand, undo, accepted proposals, resets and the commit of a
//! turn. It locks the plan, applies the change in memory and writes inputs, audit rows and superseded proposals together.

pub mod analysis;
pub(crate) mod apply;
pub(crate) mod by_hand;
pub(crate) mod corrections;
pub(crate) mod documents;
mod edit;
pub(crate) mod editions;
pub(crate) mod lifecycle;
pub(crate) mod proposals;
pub(crate) mod scenarios;
pub mod seed;
pub(crate) mod story;
pub mod undo;

pub use edit::{Edited, KnownPlan, PlanEdit, Provenance};

use crate::store::StoreError;
use crate::store::brands::BrandVersion;
use plan_model::access::Caller;
use plan_model::field::FieldPath;
use plan_model::ids::{ChangeId, PlanId, UserId};
use plan_model::inputs::{FieldValue, Source};
use std::sync::Arc;
use std::time::Duration;

/// Who edits a plan, and in whose name.
#[derive(Debug, Clone)]
pub struct Actor {
    pub actor: UserId,
    /// The same person unless impersonating.
    pub effective: UserId,
    /// The source of what they write by hand.
    pub entry_source: Source,
}

impl From<&Caller> for Actor {
    fn from(caller: &Caller) -> Self {
        Self {
            actor: caller.actor.id,
            effective: caller.effective.id,
            entry_source: caller.entry_source(),
        }
    }
}

/// A plan, with the brand version it was made from.
#[derive(Debug, Clone)]
pub struct PlanRef {
    pub id: PlanId,
    pub brand_version: Arc<BrandVersion>,
}

/// What an edit did to one field. `old` equals `new` where nothing moved; that is not recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Of its row in the audit trail.
    pub id: ChangeId,
    pub field: FieldPath,
    pub old: FieldValue,
    pub new: FieldValue,
}

/// Why an edit was refused. Nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// Neither the plan nor its brand version has the field.
    #[error("{0} is not a field of this plan")]
    UnknownField(FieldPath),
    /// The person has made as many changes as an hour allows; the time after which there may be more.
    #[error("too many changes in an hour")]
    TooManyChanges(Duration),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for EditError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}
