//! From the body's bytes to the answer: finds out whether they are events or one JSON document, and holds the byte cap.
//! Pure.

use super::{
    Completion, LlmError,
    answer::Answer,
    sse::{Event, EventTooLarge, SseReader},
};
use crate::model::message::Usage;

/// Bytes one answer may have, comments and JSON around the text included.
pub(super) const MAX_ANSWER_BYTES: usize = 4 * 1024 * 1024;

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
pub(super) struct AnswerReader {
    mode: Mode,
    answer: Answer,
    bytes: usize,
}

impl Default for AnswerReader {
    fn default() -> Self {
        Self {
            mode: Mode::Unknown,
            answer: Answer::default(),
            bytes: 0,
        }
    }
}

impl AnswerReader {
    /// Takes the next bytes. After an error nothing more may be fed.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Result<(), LlmError> {
        self.bytes += bytes.len();
        if self.bytes > MAX_ANSWER_BYTES {
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
            Mode::Unknown => Ok(()),
            Mode::Document(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
            Mode::Events(reader) => events(&mut self.answer, |on_event| reader.feed(bytes, on_event)),
        }
    }

    /// The body has ended: reads what was waiting for more.
    pub fn end(&mut self) -> Result<(), LlmError> {
        match std::mem::replace(&mut self.mode, Mode::Unknown) {
            Mode::Unknown => Ok(()),
            Mode::Document(body) => self.answer.document(&body),
            Mode::Events(mut reader) => {
                let ended = events(&mut self.answer, |on_event| reader.finish(on_event));
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
    pub fn finish(self) -> Result<(String, Completion), LlmError> {
        self.answer.finish()
    }

    /// The text that has come since the last call.
    pub fn take_text(&mut self) -> String {
        self.answer.take_text()
    }

    pub fn is_finished(&self) -> bool {
        self.answer.is_finished()
    }

    pub fn is_done(&self) -> bool {
        self.answer.is_done()
    }

    /// Whether the answer may end here.
    pub fn is_whole(&self) -> bool {
        self.answer.is_whole()
    }

    /// Grows with each piece of the answer.
    pub fn progress(&self) -> u64 {
        self.answer.progress()
    }

    pub fn usage(&self) -> Option<Usage> {
        self.answer.usage()
    }
}

/// Runs the event reader and folds each event; the first error stays.
fn events(
    answer: &mut Answer,
    read: impl FnOnce(&mut dyn FnMut(&Event)) -> Result<(), EventTooLarge>,
) -> Result<(), LlmError> {
    let mut folded = Ok(());
    let read = read(&mut |event| {
        if folded.is_ok() {
            folded = answer.event(event);
        }
    });
    folded?;
    read.map_err(|_| LlmError::TooLarge("event"))
}
