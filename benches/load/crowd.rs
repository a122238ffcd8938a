//! Clients that send one message after another, each on its own connection.

use crate::client::{Connection, Dialect, Heard};
use anyhow::Result;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

/// The shared counters of all clients.
#[derive(Debug, Default)]
pub struct Tally {
    pub turns: AtomicUsize,
    pub stop: AtomicBool,
    errors: Mutex<Vec<String>>,
}

impl Tally {
    pub fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn fail(&self, error: &anyhow::Error) {
        self.errors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(format!("{error:#}"));
    }

    pub fn errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One client.
pub struct Person {
    pub tally: Arc<Tally>,
    pub address: SocketAddr,
    pub dialect: Dialect,
    /// Number of tokens in each answer.
    pub tokens: usize,
    /// The request of a turn.
    pub question: Box<dyn Fn(usize) -> Vec<u8> + Send + Sync>,
}

impl Person {
    /// Sends messages until stopped. `on_token` gets the times a token was sent and received, `on_turn` each complete answer.
    pub async fn ask(self, mut on_token: impl FnMut(u64, u64), mut on_turn: impl FnMut(&Heard)) {
        let mut connection = None;
        for turn in 0.. {
            if self.tally.stops() {
                return;
            }
            match self.turn(&mut connection, turn, &mut on_token).await {
                Ok(heard) => {
                    self.tally.turns.fetch_add(1, Ordering::Relaxed);
                    on_turn(&heard);
                }
                Err(error) => {
                    self.tally.fail(&error);
                    connection = None;
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    async fn turn(
        &self,
        connection: &mut Option<Connection>,
        turn: usize,
        on_token: &mut impl FnMut(u64, u64),
    ) -> Result<Heard> {
        let open = match connection.take() {
            Some(open) => open,
            None => Connection::open(self.address).await?,
        };
        let open = connection.insert(open);
        open.turn(&(self.question)(turn), self.dialect, self.tokens, on_token)
            .await
    }
}
