//! An answer that has begun: the body on one side, the reader on the other.

use super::{connection::AnswerBody, raw::RawLog};
use crate::{ApiKind, LlmError, reader::AnswerReader};
use bytes::Bytes;
use http::Response;
use hyper::body::Incoming;
use std::{future::poll_fn, task::Poll};

/// The most text handed on at once, so that a fast provider cannot fill the memory of a slow reader.
const MAX_BATCH_BYTES: usize = 64 * 1024;

/// Dropping it drops the connection to the provider, or the stream on it.
pub struct Opened {
    body: AnswerBody,
    reader: AnswerReader,
    raw: RawLog,
    is_ended: bool,
    failed: Option<LlmError>,
}

impl Opened {
    pub fn new(response: Response<Incoming>, raw: RawLog, api: ApiKind) -> Self {
        Self {
            body: AnswerBody::new(response),
            reader: AnswerReader::new(api),
            raw,
            is_ended: false,
            failed: None,
        }
    }

    /// Waits for bytes, then takes all that are there without waiting for more.
    pub async fn read(&mut self) {
        let mut bytes = None;
        poll_fn(|cx| {
            while !self.is_over() && bytes.is_none_or(|bytes| bytes < MAX_BATCH_BYTES) {
                match self.body.poll_piece(cx) {
                    Poll::Ready(piece) => bytes = Some(bytes.unwrap_or(0) + self.take(piece)),
                    Poll::Pending if bytes.is_none() => return Poll::Pending,
                    Poll::Pending => break,
                }
            }
            Poll::Ready(())
        })
        .await;
        if self.is_ended {
            // The tasks that make the connection ready for the next request: a turn may ask again at once, and would open
            // another one.
            let_others_run().await;
        }
    }

    fn take(&mut self, piece: Option<hyper::Result<Bytes>>) -> usize {
        match piece {
            Some(Ok(bytes)) => {
                self.raw.received(&bytes);
                self.failed = self.reader.feed(&bytes).err();
                return bytes.len();
            }
            // The answer is whole; how the connection ends is of no interest.
            Some(Err(_)) if self.reader.is_finished() => self.end(),
            Some(Err(error)) => self.failed = Some(LlmError::Connection(error.into())),
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

/// Goes to the end of the queue of tasks that are ready.
async fn let_others_run() {
    let mut has_run = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut has_run, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
