//! Listening to a turn: one that runs here, one that runs on another instance, or one that has ended.

use crate::conversation::stream::frame;
use crate::conversation::stream::frame::Cursor;
use crate::conversation::stream::log_reader::LogReader;
use crate::conversation::stream::remote::{RemoteTurns, Seen};
use crate::conversation::stream::stored;
use crate::conversation::stream::turn_log::{LiveTurns, TurnLog, failure};
use crate::store::turns::prompts::{Prompt, PromptState};
use crate::store::{Db, StoreResult};
use bytes::Bytes;
use plan_model::error::ErrorCode;
use plan_model::event::TurnEvent;
use plan_model::ids::{PlanId, TurnId};
use std::sync::Arc;
use tokio::sync::watch;

/// The offset of the error that ends a turn whose text was lost.
const LOST_END: usize = i64::MAX as usize;

/// Where turns can be listened to: in this process, and on other instances through the database.
#[derive(Clone, Copy)]
pub struct Turns<'a> {
    pub db: &'a Db,
    pub live: &'a LiveTurns,
    pub remote: &'a RemoteTurns,
}

/// A reader of one turn's events.
#[derive(Debug)]
pub struct Subscription(Source);

#[derive(Debug)]
enum Source {
    Live(LogReader),
    Stored(Option<Bytes>),
    Remote {
        seen: watch::Receiver<Seen>,
        turn: TurnId,
        attempt: i32,
        offset: usize,
        ended: bool,
    },
}

impl Subscription {
    /// Attaches to the plan's running turn, or to the turn a cursor names. `None` where there is nothing to attach
    /// to: nothing runs, or the cursor is unknown, of another plan or of an older attempt.
    ///
    /// # Errors
    /// Where the database cannot be asked.
    pub async fn attach(turns: Turns<'_>, plan: PlanId, cursor: Option<&str>) -> StoreResult<Option<(TurnId, Self)>> {
        let Some(cursor) = cursor.filter(|text| !text.is_empty()) else {
            if let Some(log) = turns.live.of_plan(plan) {
                return Ok(Some((log.lease.turn, Self::live(log, 0))));
            }
            let running = Prompt::find_running(&*turns.db.conn().await?, plan).await?;
            return Ok(running.map(|prompt| (prompt.turn(), Self::running(turns, &prompt, 0))));
        };
        let Some(cursor) = Cursor::parse(cursor) else {
            return Ok(None);
        };
        if let Some(log) = turns.live.find(cursor.turn).filter(|log| log.plan == plan) {
            let fits = log.lease.attempt == cursor.attempt && log.is_position(cursor.offset);
            return Ok(fits.then(|| (cursor.turn, Self::live(log, cursor.offset))));
        }
        let found = Prompt::find(&*turns.db.conn().await?, cursor.turn).await?;
        let Some(prompt) = found.filter(|prompt| prompt.plan_id == plan.0 && prompt.attempt == cursor.attempt) else {
            return Ok(None);
        };
        if prompt.state == PromptState::Running {
            return Ok(Some((cursor.turn, Self::running(turns, &prompt, cursor.offset))));
        }
        let text = prompt.output.as_deref().unwrap_or_default();
        if cursor.offset <= text.len() && !text.is_char_boundary(cursor.offset) {
            return Ok(None);
        }
        Ok(replay(&prompt, cursor.offset).map(|bytes| (cursor.turn, Self(Source::Stored(Some(bytes))))))
    }

    /// Reads a turn of this process from `offset` on.
    pub fn live(log: Arc<TurnLog>, offset: usize) -> Self {
        Self(Source::Live(LogReader::new(log, offset)))
    }

    /// Replays a turn that has ended from `offset` on.
    pub fn stored(prompt: &Prompt, offset: usize) -> Self {
        Self(Source::Stored(replay(prompt, offset)))
    }

    /// Reads a running turn wherever it runs.
    pub fn running(turns: Turns<'_>, prompt: &Prompt, offset: usize) -> Self {
        match turns
            .live
            .find(prompt.turn())
            .filter(|log| log.lease.attempt == prompt.attempt)
        {
            Some(log) => Self::live(log, offset),
            None => Self(Source::Remote {
                seen: turns.remote.follow(turns.db, prompt.turn(), prompt.attempt),
                turn: prompt.turn(),
                attempt: prompt.attempt,
                offset,
                ended: false,
            }),
        }
    }

    /// Whether the turn runs on another instance, so that ours may go without it.
    pub fn is_remote(&self) -> bool {
        matches!(self.0, Source::Remote { .. })
    }

    /// The next frames, all that there are; `None` when the turn's events are over. May be dropped and called again.
    pub async fn next(&mut self) -> Option<Bytes> {
        match &mut self.0 {
            Source::Live(reader) => reader.next().await,
            Source::Stored(bytes) => bytes.take(),
            Source::Remote {
                seen,
                turn,
                attempt,
                offset,
                ended,
            } => loop {
                if *ended {
                    return None;
                }
                let step = remote_step(&seen.borrow_and_update(), (*turn, *attempt), *offset);
                match step {
                    RemoteStep::NewText(bytes, place) => {
                        *offset = place;
                        return Some(bytes);
                    }
                    RemoteStep::Ended(bytes) => {
                        *ended = true;
                        return bytes;
                    }
                    RemoteStep::Same if seen.changed().await.is_err() => return None,
                    RemoteStep::Same => {}
                }
            },
        }
    }
}

/// What is new of a turn that runs elsewhere.
enum RemoteStep {
    /// With the offset behind it.
    NewText(Bytes, usize),
    Ended(Option<Bytes>),
    Same,
}

/// The events behind `offset` of a turn that runs elsewhere.
fn remote_step(seen: &Seen, (turn, attempt): (TurnId, i32), offset: usize) -> RemoteStep {
    match seen {
        Seen::Ended(None) => RemoteStep::Ended(None),
        Seen::Ended(Some(prompt)) => {
            // An unknown cursor is past the end: it still gets the terminal event.
            let length = prompt.output.as_deref().map_or(offset, str::len);
            RemoteStep::Ended(replay(prompt, offset.min(length)))
        }
        Seen::Running(text) => match text.get(offset..) {
            Some(new) if !new.is_empty() => {
                let cursor = Cursor {
                    turn,
                    attempt,
                    offset: text.len(),
                };
                RemoteStep::NewText(frame::token(cursor, new), text.len())
            }
            _ => RemoteStep::Same,
        },
    }
}

/// The remaining events of a turn that has ended; `None` for a reader that has had its end.
fn replay(prompt: &Prompt, offset: usize) -> Option<Bytes> {
    let cursor = |offset| Cursor {
        turn: prompt.turn(),
        attempt: prompt.attempt,
        offset,
    };
    let text = prompt.output.as_deref();
    // The text of a killed process is lost with its length, so its end has a place of its own.
    let end = text.map_or(LOST_END, |text| text.len() + 1);
    if offset >= end {
        return None;
    }
    let mut out = Vec::new();
    if let Some((text, rest)) = text
        .and_then(|text| Some((text, text.get(offset..)?)))
        .filter(|(_, rest)| !rest.is_empty())
    {
        out.extend_from_slice(&frame::token(cursor(text.len()), rest));
    }
    let json = match &prompt.ending {
        Some(json) if prompt.state != PromptState::Running => stored::event(&json.0, text),
        _ => frame::json(&TurnEvent::Error(failure(ErrorCode::ServerRestarting))),
    };
    out.extend_from_slice(&frame::terminal(cursor(end), json.get()));
    Some(Bytes::from(out))
}
