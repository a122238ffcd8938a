//! An answer that has begun: the body on one side, the reader on the other.

use super::raw::RawLog;
use crate::llm::{ApiKind, LlmError, reader::AnswerReader};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream::BoxStream};
use std::task::Poll;

/// The most text handed on at once, so that a fast provider cannot fill the memory of a slow reader.
const MAX_BATCH_BYTES: usize = 64 * 1024;

/// How many second looks in a row may bring nothing before they become rare.
const PATIENT_LOOKS: u8 = 4;

/// How many reads go without one then.
const IDLE_READS: u8 = 7;

/// Dropping it drops the connection to the provider, or the stream on it.
pub struct Opened {
    body: BoxStream<'static, Result<Bytes, reqwest::Error>>,
    reader: AnswerReader,
    raw: RawLog,
    is_ended: bool,
    failed: Option<LlmError>,
    pace: Pace,
}

/// Whether this provider's frames come in bunches. A second look costs a poll of the whole turn, so after
/// [`PATIENT_LOOKS`] in a row that brought nothing, only every eighth read takes one.
#[derive(Debug, Default)]
struct Pace {
    misses: u8,
    left: u8,
}

impl Pace {
    fn is_worth_a_look(&mut self) -> bool {
        let is_worth_it = self.left == 0;
        self.left = self.left.saturating_sub(1);
        is_worth_it
    }

    fn brought(&mut self, anything: bool) {
        self.misses = if anything { 0 } else { self.misses.saturating_add(1) };
        self.left = if self.misses < PATIENT_LOOKS { 0 } else { IDLE_READS };
    }
}

impl Opened {
    pub fn new(response: reqwest::Response, raw: RawLog, api: ApiKind) -> Self {
        let body = response.bytes_stream().boxed();
        Self {
            body,
            reader: AnswerReader::new(api),
            raw,
            is_ended: false,
            failed: None,
            pace: Pace::default(),
        }
    }

    /// Waits for bytes, then takes all that are there without waiting for more.
    pub async fn read(&mut self) {
        let first = self.body.next().await;
        let mut bytes = self.take(first);
        // One read of the socket can bring many frames of HTTP. They pass one by one from hyper's task, which gets its
        // turn when we yield; when a turn brings nothing, there is nothing.
        let mut has_yielded = false;
        let mut looks = self.pace.is_worth_a_look();
        while !self.is_over() && bytes < MAX_BATCH_BYTES {
            match poll_once(&mut self.body).await {
                Poll::Ready(next) => {
                    (looks, has_yielded) = (true, false);
                    self.pace.brought(true);
                    bytes += self.take(next);
                }
                Poll::Pending if !looks => break,
                Poll::Pending if has_yielded => {
                    self.pace.brought(false);
                    break;
                }
                Poll::Pending => {
                    let_others_run().await;
                    has_yielded = true;
                }
            }
        }
    }

    fn take(&mut self, next: Option<Result<Bytes, reqwest::Error>>) -> usize {
        match next {
            Some(Ok(bytes)) => {
                self.raw.received(&bytes);
                self.failed = self.reader.feed(&bytes).err();
                return bytes.len();
            }
            // The answer is whole; how the connection ends is of no interest.
            Some(Err(_)) if self.reader.is_finished() => self.end(),
            Some(Err(error)) => self.failed = Some(LlmError::Connection(error.without_url())),
            None => self.end(),
        }
        0
    }

    /// Takes the answer for ended.
    pub fn end(&mut self) {
        if !std::mem::replace(&mut self.is_ended, true) {
            self.failed = self.reader.end().err();
        }
    }

    /// Whether reading on is of no use.
    pub fn is_over(&self) -> bool {
        self.is_ended || self.failed.is_some()
    }

    pub fn has_begun(&self) -> bool {
        self.reader.progress() > 0
    }

    /// An answer, if it has begun or is whole without a word; else why there is none.
    pub fn begun_or_failed(mut self) -> Result<Self, LlmError> {
        if self.has_begun() {
            return Ok(self);
        }
        match self.failed.take() {
            Some(error) => Err(error.with_usage(self.reader.usage())),
            None if self.reader.is_whole() => Ok(self),
            None => Err(LlmError::Cut.with_usage(self.reader.usage())),
        }
    }

    pub fn reader(&mut self) -> &mut AnswerReader {
        &mut self.reader
    }

    pub fn take_failure(&mut self) -> Option<LlmError> {
        self.failed.take()
    }
}

/// Goes to the end of the queue of tasks that are ready. The runtime's own way also asks the system for news, which costs a
/// call of the kernel per token.
async fn let_others_run() {
    let mut has_run = false;
    std::future::poll_fn(|cx| {
        if std::mem::replace(&mut has_run, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Polls once, without waiting.
async fn poll_once<S: Stream + Unpin>(stream: &mut S) -> Poll<Option<S::Item>> {
    std::future::poll_fn(|cx| Poll::Ready(stream.poll_next_unpin(cx))).await
}
