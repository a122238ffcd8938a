//! Says each second that this instance is alive, whatever else waits for the database. It is also the write by whose age
//! readiness is answered.

use crate::conversation::Engine;
use crate::conversation::maintenance::clockwork::{Link, Step, every_tick, in_time};
use crate::store::StoreResult;
use crate::store::turns::instances;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

const PULSE_EVERY: Duration = Duration::from_secs(1);
/// Without a heartbeat for so long others may have been cut off, too.
const GAP: Duration = Duration::from_secs(5);
/// After such a gap every instance gets this time to renew its leases before any turn is taken over.
const SETTLING: Duration = Duration::from_secs(10);

struct Heartbeat<'a> {
    engine: &'a Engine,
    link: Link<'a>,
    settling: Settling,
}

/// Beats until `end` is cancelled, then says that this instance is gone.
pub(super) async fn beat(engine: &Engine, end: &CancellationToken) {
    let mut heartbeat = Heartbeat {
        engine,
        link: Link::new(&engine.db),
        settling: Settling::new(Instant::now(), engine.is_settling.load(Ordering::Relaxed)),
    };
    every_tick("The heartbeat", end, &mut heartbeat).await;
    if let Some(conn) = heartbeat.link.close() {
        let _ = timeout(Duration::from_millis(400), instances::leave(&conn, engine.instance)).await;
    }
}

impl Step for Heartbeat<'_> {
    async fn step(&mut self) -> StoreResult<()> {
        self.note_settling();
        if !self.settling.is_due(Instant::now()) {
            return Ok(());
        }
        let others = self.pulse().await;
        self.settling.tried(Instant::now(), others.is_ok());
        self.note_settling();
        self.engine.has_siblings.store(others? > 0, Ordering::Relaxed);
        // Last: it lets the first reaping begin.
        self.engine.db.note_write();
        Ok(())
    }
}

impl Heartbeat<'_> {
    fn note_settling(&mut self) {
        let is_on = self.settling.is_on(Instant::now());
        self.engine.is_settling.store(is_on, Ordering::Relaxed);
    }

    async fn pulse(&mut self) -> StoreResult<i64> {
        let conn = self.link.take().await?;
        let others = in_time(instances::pulse(&conn, self.engine.instance)).await?;
        self.link.keep(conn);
        Ok(others)
    }
}

/// Whether this instance was cut off from the database a moment ago, so that it takes over no turns: their owners may have
/// been cut off as well, and renew their leases now.
struct Settling {
    /// When a heartbeat last succeeded, or when the process started.
    pulsed: Instant,
    /// Without one so far.
    is_new: bool,
    is_cut_off: bool,
    until: Instant,
}

impl Settling {
    fn new(now: Instant, is_cut_off: bool) -> Self {
        Self {
            pulsed: now,
            is_new: true,
            is_cut_off,
            until: now,
        }
    }

    fn is_due(&self, now: Instant) -> bool {
        self.is_new || self.is_cut_off || now - self.pulsed >= PULSE_EVERY
    }

    fn is_on(&mut self, now: Instant) -> bool {
        self.is_cut_off |= now - self.pulsed >= GAP;
        self.is_cut_off || now < self.until
    }

    /// A heartbeat was tried.
    fn tried(&mut self, now: Instant, succeeded: bool) {
        if !succeeded {
            // A process that starts during an outage knows no heartbeat before it.
            self.is_cut_off |= self.is_new;
            return;
        }
        if self.is_on(now) && self.is_cut_off {
            self.until = now + SETTLING;
        }
        (self.pulsed, self.is_new, self.is_cut_off) = (now, false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_gap_between_heartbeats_is_followed_by_a_time_of_settling() {
        let start = Instant::now();
        let mut settling = Settling::new(start, false);
        settling.tried(start, true);
        assert!(!settling.is_on(start + seconds(4)));
        assert!(settling.is_on(start + seconds(5)), "others may be cut off, too");
        for second in 60..70 {
            settling.tried(start + seconds(second), true);
            assert!(settling.is_on(start + seconds(second)));
        }
        settling.tried(start + seconds(70), true);
        assert!(!settling.is_on(start + seconds(70)));
    }

    #[test]
    fn a_process_that_starts_during_an_outage_settles_after_its_first_heartbeat() {
        let start = Instant::now();
        for (tried, was_away) in [(true, false), (false, true)] {
            let mut settling = Settling::new(start, was_away);
            if tried {
                settling.tried(start, false);
            }
            assert!(settling.is_on(start));
            for second in 1..11 {
                settling.tried(start + seconds(second), true);
                assert!(settling.is_on(start + seconds(second)));
            }
            settling.tried(start + seconds(11), true);
            assert!(!settling.is_on(start + seconds(11)));
        }
    }

    #[test]
    fn a_process_whose_first_heartbeat_succeeds_need_not_wait() {
        let start = Instant::now();
        let mut settling = Settling::new(start, false);
        assert!(!settling.is_on(start));
        settling.tried(start + seconds(1), true);
        assert!(!settling.is_on(start + seconds(1)));
    }
}
