//! Where the bytes of a stream come from: the native protocol here, others in `dialect`.

use crate::conversation::stream::subscription::Subscription;
use bytes::{Bytes, BytesMut};

/// How long a client waits before it connects again. Travels inside the first data event's block: a block without data is
/// an event to some clients.
const RETRY: &[u8] = b"retry: 2000\n";

/// Where the bytes of a stream come from.
pub(crate) trait Source: Send + 'static {
    /// The next bytes; `None` at the end. May be dropped and called again.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;

    /// Whether the turn runs on another instance, so that ours may go without it.
    fn is_remote(&self) -> bool;
}

/// The native protocol: a turn's frames as they are in its log.
pub(super) struct Native {
    events: Subscription,
    begun: bool,
}

impl Native {
    pub(super) const fn new(events: Subscription) -> Self {
        Self { events, begun: false }
    }
}

impl Source for Native {
    async fn next(&mut self) -> Option<Bytes> {
        let frames = self.events.next().await?;
        Some(match std::mem::replace(&mut self.begun, true) {
            false => with_retry(&frames),
            true => frames,
        })
    }

    fn is_remote(&self) -> bool {
        self.events.is_remote()
    }
}

fn with_retry(frames: &Bytes) -> Bytes {
    let mut joined = BytesMut::with_capacity(RETRY.len() + frames.len());
    joined.extend_from_slice(RETRY);
    joined.extend_from_slice(frames);
    joined.freeze()
}
