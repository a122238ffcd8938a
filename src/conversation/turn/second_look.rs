//! The second look: a model is asked afresh whether the person plainly states the values that the grammar could not decide.

mod fitness;
mod model_reviewer;

use crate::conversation::tools::NeedsReview;
pub(crate) use fitness::Fitness;
pub(crate) use model_reviewer::ModelReviewer;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_model::usage::Usage;
use plan_reader::Texts;
use plan_reader::review::{Claim, Verdict};

/// A value that a call named, and the claim that the reviewer is asked about.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub field: FieldPath,
    pub value: Number,
    pub claim: Claim,
}

/// What a second look brought.
#[derive(Debug, Default)]
pub(crate) struct Reviewed {
    /// One for each claim; `None` where there was no answer in time.
    pub verdicts: Option<Vec<Verdict>>,
    pub usage: Usage,
}

/// Whoever takes the second look: a model, or the record of one.
#[async_trait::async_trait]
pub(crate) trait Reviewer: Sync {
    /// Which values it wants to see.
    fn which(&self) -> NeedsReview;

    async fn review(&self, values: &[Claimed], texts: &Texts<'_>) -> Reviewed;
}
