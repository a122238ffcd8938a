//! Reading a running turn's log at one's own pace.

use crate::conversation::stream::turn_log::{Chunk, LogState, TurnLog};
use bytes::Bytes;
use std::sync::Arc;
use tokio::sync::watch;

/// One reader of a log.
#[derive(Debug)]
pub(crate) struct LogReader {
    log: Arc<TurnLog>,
    state: watch::Receiver<LogState>,
    offset: usize,
    ended: bool,
}

impl LogReader {
    /// Reads from `offset` on, which must be a valid position ([`TurnLog::is_position`]).
    pub(crate) fn new(log: Arc<TurnLog>, offset: usize) -> Self {
        let state = log.subscribe();
        Self {
            log,
            state,
            offset,
            ended: false,
        }
    }

    /// The next frames, all that there are; `None` when the turn's events are over. May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        while !self.ended {
            let chunk = self.log.read(&self.state.borrow_and_update(), self.offset);
            if let Some(Chunk { bytes, offset, ended }) = chunk {
                (self.offset, self.ended) = (offset, ended);
                return Some(bytes).filter(|bytes| !bytes.is_empty());
            }
            self.state.changed().await.ok()?;
        }
        None
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
}
