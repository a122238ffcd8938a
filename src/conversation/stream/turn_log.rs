//! Running turns: one append-only log each, read by any number of readers at their own pace.

use crate::conversation::stream::frame;
use crate::conversation::stream::frame::Cursor;
use crate::store::turns::prompts::TurnLease;
use bytes::Bytes;
use plan_model::error::{ErrorCode, LLM_UNAVAILABLE_MESSAGE, NOT_NEWEST_MESSAGE};
use plan_model::event::{TurnEvent, TurnFailure};
use plan_model::ids::{PlanId, TurnId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The maximum length of an answer; the llm layer caps a provider's output well below.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// Between the texts of two rounds. Readers get it as a token of its own.
const BREAK: &str = "\n\n";

/// The events of one attempt of a turn.
#[derive(Debug)]
pub struct TurnLog {
    pub plan: PlanId,
    pub lease: TurnLease,
    /// Cancelled when the user stops the turn.
    pub stop: CancellationToken,
    /// Cancelled when another instance has taken the turn over.
    pub lost: CancellationToken,
    /// What all cursors of this attempt begin with.
    head: String,
    state: watch::Sender<LogState>,
}

/// What the log holds. Events are made when they are read: most logs have one reader, and text alone needs a fifth of the
/// memory of ready-made events.
#[derive(Debug, Default)]
pub(super) struct LogState {
    text: String,
    /// Where in the text the breaks begin.
    breaks: Vec<usize>,
    terminal: Option<Bytes>,
}

/// What a reader gets in one go.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub bytes: Bytes,
    pub offset: usize,
    /// Nothing will follow.
    pub ended: bool,
}

impl TurnLog {
    fn new(plan: PlanId, lease: TurnLease) -> Self {
        Self {
            plan,
            lease,
            stop: CancellationToken::new(),
            lost: CancellationToken::new(),
            head: frame::head(lease.turn, lease.attempt),
            state: watch::Sender::default(),
        }
    }

    /// Resolves when the turn is stopped or was taken over.
    pub async fn given_up(&self) {
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = self.lost.cancelled() => {}
        }
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<LogState> {
        self.state.subscribe()
    }

    fn cursor(&self, offset: usize) -> Cursor {
        Cursor {
            turn: self.lease.turn,
            attempt: self.lease.attempt,
            offset,
        }
    }

    /// Text so far.
    pub fn text(&self) -> String {
        self.state.borrow().text.clone()
    }

    /// Length of the text so far, in bytes.
    pub fn len(&self) -> usize {
        self.state.borrow().text.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `offset` is a valid position of a reader.
    pub fn is_position(&self, offset: usize) -> bool {
        let state = self.state.borrow();
        state.text.is_char_boundary(offset) || (state.terminal.is_some() && offset == state.text.len() + 1)
    }

    /// Everything behind `offset`: one event of text, cut only at breaks, and the end; `None` if there is nothing yet.
    pub(super) fn read(&self, state: &LogState, offset: usize) -> Option<Chunk> {
        let length = state.text.len();
        let new = state.text.get(offset..).unwrap_or_default();
        let terminal = state.terminal.as_ref().filter(|_| offset <= length);
        let ended = state.terminal.is_some();
        if new.is_empty() && !ended {
            return None;
        }
        let bytes = match (new, terminal) {
            ("", terminal) => terminal.cloned().unwrap_or_default(),
            (_, terminal) => {
                let mut frames = String::new();
                let mut from = offset;
                let cuts = state.breaks.iter().flat_map(|at| [*at, at + BREAK.len()]);
                for to in cuts.chain([length]).filter(|to| *to > offset) {
                    if let Some(piece) = state.text.get(from..to).filter(|piece| !piece.is_empty()) {
                        frame::push_token(&mut frames, &self.head, to, piece);
                        from = to;
                    }
                }
                let mut frames = frames.into_bytes();
                frames.extend_from_slice(terminal.map_or(&b""[..], |frame| frame));
                Bytes::from(frames)
            }
        };
        let offset = if ended { length + 1 } else { length };
        Some(Chunk { bytes, offset, ended })
    }
}

/// The writing end of a log. Dropping it without an ending, as a panic does, ends the log with an error.
#[derive(Debug)]
pub(crate) struct TurnSender {
    log: Arc<TurnLog>,
    live: LiveTurns,
}

impl TurnSender {
    pub(crate) fn new(log: Arc<TurnLog>, live: LiveTurns) -> Self {
        Self { log, live }
    }

    pub(crate) fn log(&self) -> &Arc<TurnLog> {
        &self.log
    }

    /// Adds a piece of the answer. `false` where the answer has grown past all measure.
    pub(crate) fn push(&self, text: &str) -> bool {
        self.add(text, false)
    }

    /// Begins a new paragraph behind what was said before. `false` as for [`Self::push`].
    pub(crate) fn begin_paragraph(&self) -> bool {
        self.add(BREAK, true)
    }

    fn add(&self, text: &str, is_break: bool) -> bool {
        text.is_empty()
            || self.log.state.send_if_modified(|state| {
                if state.terminal.is_some() || state.text.len() + text.len() > MAX_TEXT_BYTES {
                    return false;
                }
                if is_break {
                    state.breaks.push(state.text.len());
                }
                state.text.push_str(text);
                true
            })
    }

    /// Ends the log. Only the first call has an effect.
    pub(crate) fn finish(self, json: &str) {
        self.end(json);
    }

    fn end(&self, json: &str) {
        self.log.state.send_if_modified(|state| {
            if state.terminal.is_some() {
                return false;
            }
            let cursor = self.log.cursor(state.text.len() + 1);
            state.terminal = Some(frame::terminal(cursor, json));
            // Before anyone sees the end: current readers keep a reference to the log, later ones read the stored turn.
            self.live.close(&self.log);
            true
        });
    }
}

impl Drop for TurnSender {
    fn drop(&mut self) {
        self.end(frame::json(&TurnEvent::Error(failure(ErrorCode::InternalError))).get());
    }
}

/// The terminal error of a code, with the contract's sentence.
pub(crate) fn failure(code: ErrorCode) -> TurnFailure {
    let (message, retryable) = match code {
        ErrorCode::LlmUnavailable => (LLM_UNAVAILABLE_MESSAGE, true),
        ErrorCode::Conflict => (NOT_NEWEST_MESSAGE, false),
        ErrorCode::Stopped => ("The answer was stopped.", false),
        ErrorCode::Forbidden => ("You may no longer write in this plan, so nothing was stored.", false),
        ErrorCode::ServerRestarting => ("The server is restarting. Please send your message again.", true),
        ErrorCode::Unavailable => (
            "The database was away for too long. Nothing was stored; please send your message again.",
            true,
        ),
        _ => ("Something went wrong on our side. Please try again.", true),
    };
    TurnFailure {
        message: message.to_owned(),
        code,
        retryable,
    }
}

/// The logs of this process by turn.
#[derive(Debug, Clone, Default)]
pub struct LiveTurns(Arc<Mutex<HashMap<TurnId, Arc<TurnLog>>>>);

impl LiveTurns {
    fn lock(&self) -> MutexGuard<'_, HashMap<TurnId, Arc<TurnLog>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the log of a claimed turn.
    pub fn open(&self, plan: PlanId, lease: TurnLease) -> Arc<TurnLog> {
        let log = Arc::new(TurnLog::new(plan, lease));
        self.lock().insert(lease.turn, Arc::clone(&log));
        log
    }

    fn close(&self, log: &Arc<TurnLog>) {
        let mut logs = self.lock();
        if logs.get(&log.lease.turn).is_some_and(|known| Arc::ptr_eq(known, log)) {
            logs.remove(&log.lease.turn);
        }
    }

    pub fn find(&self, turn: TurnId) -> Option<Arc<TurnLog>> {
        self.lock().get(&turn).cloned()
    }

    pub fn of_plan(&self, plan: PlanId) -> Option<Arc<TurnLog>> {
        self.lock().values().find(|log| log.plan == plan).cloned()
    }

    pub fn all(&self) -> Vec<Arc<TurnLog>> {
        self.lock().values().cloned().collect()
    }

    pub fn len(&self) -> usize {
        self.lock().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn started() -> (TurnSender, Arc<TurnLog>, LiveTurns) {
        let live = LiveTurns::default();
        let log = live.open(
            PlanId::fresh(),
            TurnLease {
                turn: TurnId::fresh(),
                attempt: 1,
                fence: 1,
            },
        );
        (TurnSender::new(Arc::clone(&log), live.clone()), log, live)
    }

    fn read(log: &TurnLog, offset: usize) -> Option<Chunk> {
        log.read(&log.state.borrow(), offset)
    }

    pub(crate) fn contents(bytes: &[u8]) -> String {
        let text = std::str::from_utf8(bytes).expect("utf-8");
        text.lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .map(|json| serde_json::from_str::<serde_json::Value>(json).expect("json"))
            .filter_map(|event| event["content"].as_str().map(str::to_owned))
            .collect()
    }

    #[test]
    fn reading_from_any_place_gives_the_rest_of_the_text() {
        let (sender, log, _) = started();
        for piece in ["Noted ", "– 4,200 ", "dollars"] {
            assert!(sender.push(piece));
        }
        let text = log.text();
        for offset in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let chunk = read(&log, offset).expect("something");
            assert_eq!(contents(&chunk.bytes), text[offset..], "from {offset}");
            assert_eq!((chunk.offset, chunk.ended), (text.len(), false));
        }
        assert_eq!(read(&log, text.len()), None);
        sender.finish(r#"{"type":"done"}"#);
        let end = read(&log, text.len()).expect("the end");
        assert!(end.ended && std::str::from_utf8(&end.bytes).expect("utf-8").contains("done"));
        assert_eq!(read(&log, text.len() + 1).map(|chunk| chunk.bytes.len()), Some(0));
    }

    #[test]
    fn a_break_is_a_token_of_its_own_and_nothing_is_lost_around_it() {
        let (sender, log, _) = started();
        assert!(sender.push("One.") && sender.begin_paragraph() && sender.push("Two.\n\nThree."));
        let text = log.text();
        for offset in 0..text.len() {
            let chunk = read(&log, offset).expect("something");
            assert_eq!(contents(&chunk.bytes), text[offset..], "from {offset}");
        }
        let frames = read(&log, 0).expect("something").bytes;
        let frames = std::str::from_utf8(&frames).expect("utf-8");
        let tokens: Vec<&str> = frames.lines().filter(|line| line.starts_with("data: ")).collect();
        let token = |text: &str| format!(r#"data: {{"type":"token","content":{}}}"#, serde_json::json!(text));
        assert_eq!(tokens, ["One.", "\n\n", "Two.\n\nThree."].map(token));
        let ids: Vec<&str> = frames.lines().filter(|line| line.starts_with("id: ")).collect();
        assert!(
            ids[0].ends_with(".4") && ids[1].ends_with(".6") && ids[2].ends_with(".18"),
            "{ids:?}"
        );
    }

    #[test]
    fn a_dropped_sender_ends_the_log_with_an_error() {
        let (sender, log, live) = started();
        sender.push("I've no");
        drop(sender);
        let chunk = read(&log, 7).expect("the end");
        assert!(
            chunk.ended
                && std::str::from_utf8(&chunk.bytes)
                    .expect("utf-8")
                    .contains("INTERNAL_ERROR")
        );
        assert!(live.is_empty());
    }
}
