//! An answer that has begun: the body on one side, the reader on the other.

use super::raw::RawLog;
use crate::{ApiKind, LlmError, reader::AnswerReader};
use bytes::Bytes;
use futures_util::FutureExt;
use reqwest::Response;

/// The most text handed on at once, so that a fast provider cannot fill the memory of a slow reader.
const MAX_BATCH_BYTES: usize = 64 * 1024;

/// Dropping it drops the connection to the provider, or the stream on it.
pub(crate) struct Opened {
    response: Response,
    reader: AnswerReader,
    raw: RawLog,
    is_ended: bool,
    failed: Option<LlmError>,
}

impl Opened {
    pub(crate) fn new(response: Response, raw: RawLog, api: ApiKind) -> Self {
        Self {
            response,
            reader: AnswerReader::new(api),
            raw,
            is_ended: false,
            failed: None,
        }
    }

    /// Waits for bytes, then takes all that are there without waiting for more. Dropping the future loses nothing.
    pub(crate) async fn read(&mut self) {
        let mut piece = Some(self.response.chunk().await);
        let mut bytes = 0;
        while let Some(some) = piece.take() {
            bytes += self.take(some);
            if !self.is_over() && bytes < MAX_BATCH_BYTES {
                piece = self.response.chunk().now_or_never();
            }
        }
    }

    fn take(&mut self, piece: reqwest::Result<Option<Bytes>>) -> usize {
        match piece {
            Ok(Some(bytes)) => {
                self.raw.received(&bytes);
                self.failed = self.reader.feed(&bytes).err();
                return bytes.len();
            }
            // The answer is whole; how the connection ends is of no interest.
            Err(_) if self.reader.is_finished() => self.end(),
            Err(error) => self.failed = Some(LlmError::Connection(error.without_url().into())),
            Ok(None) => self.end(),
        }
        0
    }

    /// Takes the answer for ended.
    pub(crate) fn end(&mut self) {
        if !std::mem::replace(&mut self.is_ended, true) {
            self.failed = self.reader.end().err();
        }
    }

    /// Whether nothing more can come: the body has ended or cannot be read.
    pub(crate) fn is_over(&self) -> bool {
        self.is_ended || self.failed.is_some()
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.reader.progress() > 0
    }

    /// An answer, if it has begun or is whole without a word; else why there is none.
    pub(crate) fn begun_or_failed(mut self) -> Result<Self, LlmError> {
        if self.has_begun() {
            return Ok(self);
        }
        match self.failed.take() {
            Some(error) => Err(error.with_usage(self.reader.usage())),
            None if self.reader.is_whole() => Ok(self),
            None => Err(LlmError::Cut.with_usage(self.reader.usage())),
        }
    }

    pub(crate) fn reader(&mut self) -> &mut AnswerReader {
        &mut self.reader
    }

    pub(crate) fn take_failure(&mut self) -> Option<LlmError> {
        self.failed.take()
    }
}
