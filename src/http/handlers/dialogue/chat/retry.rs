//! Which turn a message of `useChat` is: a new one, one that is known, or one in place of another.
//!
//! The idempotency key is made of the message's id, so that a request that is sent twice is one turn. A message that is
//! edited or answered again keeps its id; its key also names the turn it comes after.

use super::Trigger;
use crate::app::AppState;
use crate::http::dialect::turn_of;
use crate::http::error::AppError;
use crate::http::extract::PlanAccess;
use crate::store::plans::conversations::Conversation;
use crate::store::turns::prompts::{Prompt, PromptState};
use plan_model::error::NOT_NEWEST_MESSAGE;
use plan_model::ids::TurnId;

/// How a message is claimed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Retry {
    pub key: Option<String>,
    /// The stored turn that goes when the new one is stored.
    pub replaces: Option<TurnId>,
}

/// What the client asks for with a message id.
struct Request<'a> {
    key: &'a str,
    text: &'a str,
    /// The turn that the client wants answered again, where it says so.
    regenerated: Option<TurnId>,
    is_edit: bool,
}

/// Looks up what is known of the message.
pub(super) async fn find(
    app: &AppState,
    access: &PlanAccess,
    id: String,
    text: &str,
    trigger: Trigger,
    target: Option<String>,
) -> Result<Retry, AppError> {
    if id.is_empty() {
        return Ok(Retry::default());
    }
    let key = format!("ai:{id}");
    let regenerates = trigger == Trigger::RegenerateMessage;
    // `sendMessage({ text, messageId })` edits: the message keeps its id.
    let edits = !regenerates && target.as_deref() == Some(&*id);
    if !regenerates && !edits {
        return Ok(Retry {
            key: Some(key),
            replaces: None,
        });
    }
    let known = {
        let conn = app.db.conn().await?;
        let named = match turn_of(&id) {
            Some(turn) => Prompt::find(&conn, turn).await?,
            None => None,
        };
        let named = named.filter(|prompt| prompt.plan_id == access.id().0);
        let keyed = Prompt::find_newest_of_key(&conn, access.caller.effective.id, access.id(), &key).await?;
        keyed.or(named)
    };
    let stored = Conversation::newest_turn(&*app.db.conn().await?, access.id()).await?;
    let request = Request {
        key: &key,
        text,
        regenerated: target.as_deref().filter(|_| regenerates).and_then(turn_of),
        is_edit: edits,
    };
    decide(&request, known.as_ref(), stored).ok_or_else(|| AppError::conflict(NOT_NEWEST_MESSAGE))
}

/// `None` where the message's turn is stored but no longer the newest.
fn decide(request: &Request<'_>, known: Option<&Prompt>, stored: Option<TurnId>) -> Option<Retry> {
    let Request {
        key,
        text,
        regenerated,
        is_edit,
    } = request;
    let Some(prompt) = known else {
        // Nothing of it has ever arrived.
        return Some(Retry {
            key: Some((*key).to_owned()),
            replaces: None,
        });
    };
    let turn = prompt.turn();
    let again = Retry {
        key: prompt.idempotency_key.clone(),
        replaces: prompt.replaces.map(TurnId),
    };
    // The turn that an attempt was to replace is still there where that attempt has failed.
    let still_stored = again.replaces.filter(|replaced| stored == Some(*replaced));
    let behind = |turn: TurnId| Some(format!("{key}:{turn}"));
    // The same request once more, after its turn took the place of the one it names.
    let is_done = regenerated.is_some_and(|old| old != turn) || *is_edit && prompt.replaces.is_some();
    if is_done && prompt.input == **text {
        return Some(again);
    }
    match prompt.state {
        PromptState::Running | PromptState::Failed | PromptState::Interrupted
            if prompt.input == **text && again.key.is_some() =>
        {
            Some(again)
        }
        PromptState::Running | PromptState::Failed | PromptState::Interrupted => Some(Retry {
            key: behind(turn),
            replaces: still_stored,
        }),
        PromptState::Completed | PromptState::Stopped if stored == Some(turn) => Some(Retry {
            key: behind(turn),
            replaces: Some(turn),
        }),
        // Stopped before its first word: it is in no history.
        PromptState::Stopped if prompt.output.as_deref().unwrap_or_default().is_empty() => Some(Retry {
            key: behind(turn),
            replaces: still_stored,
        }),
        PromptState::Completed | PromptState::Stopped => None,
    }
}
