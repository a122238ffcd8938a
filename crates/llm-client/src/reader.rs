//! From the body's bytes to the answer: finds out whether they are events or one JSON document, and holds the byte cap.
//! Pure.

use super::{
    ApiKind, Completion, LlmError,
    answer::Answer,
    api::Frames,
    sse::{Event, EventTooLarge, SseReader},
};
use plan_model::usage::Usage;

/// Bytes one answer may have, comments and JSON around the text included, reasoning left out.
pub(crate) const MAX_ANSWER_BYTES: usize = 7 * 1024 * 1024;

/// Bytes of a whole stream, reasoning included. Reasoning is not kept, so this bounds only how long one is read.
const MAX_STREAM_BYTES: usize = 64 * 1024 * 1024;

#[derive(Debug)]
enum Mode {
    /// Only white space so far.
    Unknown,
    Events(SseReader),
    /// A whole JSON answer or an error, kept until it ends.
    Document(Vec<u8>),
}

/// Reads one answer.
#[derive(Debug)]
pub(crate) struct AnswerReader {
    mode: Mode,
    frames: Frames,
    answer: Answer,
    bytes: usize,
    /// The part of them that was reasoning.
    reasoning_bytes: usize,
}

impl Default for AnswerReader {
    fn default() -> Self {
        Self::new(ApiKind::Chat)
    }
}

impl AnswerReader {
    /// Reads the answer to a request in this format.
    pub(crate) fn new(api: ApiKind) -> Self {
        Self {
            mode: Mode::Unknown,
            frames: Frames::new(api),
            answer: Answer::default(),
            bytes: 0,
            reasoning_bytes: 0,
        }
    }

    /// Takes the next bytes. After an error nothing more may be fed.
    pub(crate) fn feed(&mut self, mut bytes: &[u8]) -> Result<(), LlmError> {
        self.bytes += bytes.len();
        if self.bytes > MAX_STREAM_BYTES {
            return Err(LlmError::TooLarge("answer"));
        }
        if matches!(self.mode, Mode::Unknown) {
            // Blanks before the first line say nothing, whether they come with it or before it.
            bytes = bytes.trim_ascii_start();
            match bytes.first() {
                None => return Ok(()),
                Some(b'{' | b'[') => self.mode = Mode::Document(Vec::new()),
                Some(b'<') => return Err(LlmError::NotAStream("HTML")),
                Some(_) => self.mode = Mode::Events(SseReader::default()),
            }
        }
        match &mut self.mode {
            Mode::Unknown => {}
            Mode::Document(body) => body.extend_from_slice(bytes),
            Mode::Events(reader) => {
                let mut fold = Fold::new(&mut self.frames, &mut self.answer, &mut self.reasoning_bytes);
                fold.events(|on_event| reader.feed(bytes, on_event))?;
            }
        }
        if self.bytes.saturating_sub(self.reasoning_bytes) > MAX_ANSWER_BYTES {
            return Err(LlmError::TooLarge("answer"));
        }
        Ok(())
    }

    /// The body has ended: reads what was waiting for more.
    pub(crate) fn end(&mut self) -> Result<(), LlmError> {
        match std::mem::replace(&mut self.mode, Mode::Unknown) {
            Mode::Unknown => Ok(()),
            Mode::Document(body) => self.frames.document(&mut self.answer, &body),
            Mode::Events(mut reader) => {
                let mut fold = Fold::new(&mut self.frames, &mut self.answer, &mut self.reasoning_bytes);
                let ended = fold.events(|on_event| reader.finish(on_event));
                self.answer.ignore_lines(reader.strange_lines());
                // What the end of the body cut in two is no broken frame.
                ended.map_err(|error| {
                    if matches!(error, LlmError::Malformed(_)) {
                        LlmError::Cut
                    } else {
                        error
                    }
                })
            }
        }
    }

    /// Gives the rest of the text and the completion, or says why the answer is not whole. Call [`Self::end`] before,
    /// where the body has ended.
    pub(crate) fn finish(mut self) -> Result<(String, Completion), LlmError> {
        self.frames.end(&mut self.answer);
        self.answer.finish()
    }

    /// The text that has come since the last call.
    pub(crate) fn take_text(&mut self) -> String {
        self.answer.take_text()
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.answer.is_finished()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.answer.is_done()
    }

    /// Whether the answer may end here.
    pub(crate) fn is_whole(&self) -> bool {
        self.answer.is_whole()
    }

    /// Grows with each piece of the answer.
    pub(crate) fn progress(&self) -> u64 {
        self.answer.progress()
    }

    /// Whether a long silence is nothing unusual now.
    pub(crate) fn may_be_silent(&self) -> bool {
        self.answer.may_be_silent()
    }

    pub(crate) fn usage(&self) -> Option<Usage> {
        self.answer.usage()
    }
}

/// Folds events into an answer, and counts how much of them was reasoning.
struct Fold<'a> {
    frames: &'a mut Frames,
    answer: &'a mut Answer,
    reasoning_bytes: &'a mut usize,
}

impl<'a> Fold<'a> {
    fn new(frames: &'a mut Frames, answer: &'a mut Answer, reasoning_bytes: &'a mut usize) -> Self {
        Self {
            frames,
            answer,
            reasoning_bytes,
        }
    }

    /// Runs the event reader and folds each event; the first error stays.
    fn events(
        &mut self,
        read: impl FnOnce(&mut dyn FnMut(&Event)) -> Result<(), EventTooLarge>,
    ) -> Result<(), LlmError> {
        let mut folded = Ok(());
        let read = read(&mut |event| {
            if folded.is_ok() {
                folded = self.event(event);
            }
        });
        folded?;
        read.map_err(|_| LlmError::TooLarge("event"))
    }

    fn event(&mut self, event: &Event) -> Result<(), LlmError> {
        let (progress, reasoning) = (self.answer.progress(), self.answer.reasoning());
        self.frames.event(self.answer, event)?;
        let reasoned = self.answer.reasoning() - reasoning;
        if reasoned > 0 && reasoned == self.answer.progress() - progress {
            *self.reasoning_bytes += event.data.len();
        }
        Ok(())
    }
}
