//! Who waits for more of a log.

use std::task::Waker;

/// The readers of a log that wait for more. Under the lock of the log, so that nothing comes between a look and the wait;
/// and a reader stays entered while it reads on, because entering and leaving would cost more than the token.
#[derive(Debug, Default)]
pub struct Readers {
    last: u64,
    waiting: Vec<(u64, Waker)>,
}

impl Readers {
    pub fn enter(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub fn wait(&mut self, reader: u64, waker: &Waker) {
        match self.waiting.iter_mut().find(|(known, _)| *known == reader) {
            Some((_, known)) => known.clone_from(waker),
            None => self.waiting.push((reader, waker.clone())),
        }
    }

    pub fn leave(&mut self, reader: u64) {
        self.waiting.retain(|(known, _)| *known != reader);
    }

    /// There is something new.
    pub fn wake(&self) {
        for (_, waker) in &self.waiting {
            waker.wake_by_ref();
        }
    }

    /// Readers that have waited and are still there.
    #[cfg(test)]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
