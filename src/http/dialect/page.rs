//! Pages of a conversation, for clients that know messages by the dialects' ids.

use super::{answer_id, turn_of, user_message_id};
use crate::conversation::history::{History, Range};
use crate::http::error::AppError;
use crate::store::plans::conversations::reading::Before;
use plan_model::message::Role;
use serde::{Deserialize, Serialize};
use validator::Validate;

/// Which part of a conversation a dialect's client wants.
#[derive(Debug, Deserialize, Validate, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// The newest so many messages; all when left out.
    #[validate(range(min = 1, max = 200, message = "must be between 1 and 200"))]
    limit: Option<usize>,
    /// Only messages older than the one with this id.
    before: Option<String>,
}

impl PageQuery {
    /// # Errors
    /// 400 if the id is none of ours.
    pub(crate) fn range(&self) -> Result<Range, AppError> {
        let before = self.before.as_deref().map(|id| {
            let role = if id.ends_with("-u") {
                Role::User
            } else {
                Role::Assistant
            };
            let turn = turn_of(id).map(|turn| Before::Of(turn, role));
            turn.ok_or_else(|| AppError::invalid("before", "is not the id of a message"))
        });
        Ok(Range {
            limit: self.limit,
            before: before.transpose()?,
        })
    }
}

/// How long the whole conversation is, and what is before the page.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct PageMeta {
    total: usize,
    /// `before` of the next older page; null at the beginning.
    before: Option<String>,
}

impl PageMeta {
    pub(crate) fn of(history: &History) -> Self {
        let outline = history.outline();
        let oldest = outline.and_then(|outline| outline.next_before);
        Self {
            total: outline.map_or(0, |outline| outline.total),
            before: oldest.map(|oldest| match oldest.role {
                Role::User => user_message_id(oldest.turn),
                Role::Assistant => answer_id(oldest.turn),
            }),
        }
    }
}
