//! Reading a running turn's log at one's own pace.

use crate::conversation::stream::turn_log::{Chunk, TurnLog};
use bytes::Bytes;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

/// One reader of a log.
#[derive(Debug)]
pub struct LogReader {
    log: Arc<TurnLog>,
    offset: usize,
    ended: bool,
    id: u64,
}

impl LogReader {
    /// Reads from `offset` on, which must be a valid position ([`TurnLog::is_position`]).
    pub fn new(log: Arc<TurnLog>, offset: usize) -> Self {
        let id = log.lock().readers.enter();
        Self {
            log,
            offset,
            ended: false,
            id,
        }
    }

    /// The next frames, all that there are; `None` when the turn's events are over. May be dropped and called again.
    pub async fn next(&mut self) -> Option<Bytes> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let mut state = self.log.lock();
        let Some(Chunk { bytes, offset, ended }) = self.log.read(&state, self.offset) else {
            state.readers.wait(self.id, cx.waker());
            return Poll::Pending;
        };
        (self.offset, self.ended) = (offset, ended);
        Poll::Ready(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }
}

impl Drop for LogReader {
    fn drop(&mut self) {
        self.log.lock().readers.leave(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::stream::turn_log::tests::{contents, started};

    #[tokio::test]
    async fn a_reader_that_waits_gets_each_piece_and_the_end() {
        let (sender, log, _) = started();
        let mut reader = LogReader::new(Arc::clone(&log), 0);
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            while let Some(bytes) = reader.next().await {
                all.extend_from_slice(&bytes);
            }
            all
        });
        for piece in ["Rent ", "is ", "noted."] {
            tokio::task::yield_now().await;
            assert!(sender.push(piece));
        }
        sender.finish(r#"{"type":"done"}"#);
        let all = reading.await.expect("read");
        assert_eq!(contents(&all), "Rent is noted.");
        assert!(all.ends_with(b"data: {\"type\":\"done\"}\n\n"));
    }

    #[tokio::test]
    async fn only_readers_that_are_there_are_woken() {
        let (sender, log, _) = started();
        let mut gone = LogReader::new(Arc::clone(&log), 0);
        let mut stays = LogReader::new(Arc::clone(&log), 0);
        for reader in [&mut gone, &mut stays] {
            assert!(futures_util::poll!(std::pin::pin!(reader.next())).is_pending());
        }
        assert_eq!(log.lock().readers.waiting(), 2);
        drop(gone);
        assert_eq!(log.lock().readers.waiting(), 1);
        sender.push("a");
        assert!(stays.next().await.is_some());
    }
}
