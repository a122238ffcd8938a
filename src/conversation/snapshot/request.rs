//! What was asked, and by whom.

use plan_model::access::{Author, Caller};
use plan_model::ids::{BrandVersionId, PlanId, TurnId};
use plan_model::language::Language;
use time::OffsetDateTime;

/// A message that wants an answer.
#[derive(Debug, Clone)]
pub struct TurnRequest {
    pub caller: Caller,
    /// The key of the caller's session during an impersonation, which must still be there when the turn is stored.
    pub session: Option<Vec<u8>>,
    pub plan: PlanId,
    pub brand_version: BrandVersionId,
    pub message: String,
    /// Of the person's page.
    pub language: Language,
    pub asked_at: OffsetDateTime,
    pub key: Option<String>,
    /// The newest stored turn, whose place this one takes: an edited message, or an answer asked for again.
    pub replaces: Option<TurnId>,
    /// This request opens a stream that is one too many. A turn that exists already can be streamed in any case.
    pub has_too_many_streams: bool,
    /// The person's assistant, where it has passed the message on. Nobody knows whether the person said it, so nothing that the
    /// turn comes to is written: its values wait.
    pub assistant: Option<Author>,
}
