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
    /// The instances of the server, asked in turn.
    pub addresses: Vec<SocketAddr>,
    pub dialect: Dialect,
    /// Number of tokens in each answer.
    pub tokens: usize,
    /// The request of a turn.
    pub question: Box<dyn Fn(usize) -> Vec<u8> + Send + Sync>,
    /// The open connection to each instance.
    pub connections: Vec<Option<Connection>>,
}

impl Person {
    /// Sends messages until stopped. `on_turn` gets each complete answer.
    pub async fn ask(mut self, mut on_turn: impl FnMut(&Heard)) {
        for turn in 0.. {
            if self.tally.stops() {
                return;
            }
            match self.turn(turn, |_, _| {}).await {
                Ok(heard) => on_turn(&heard),
                Err(()) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// One turn, on the connection of the one before. `on_token` gets the times a token was sent and received.
    pub async fn turn(&mut self, turn: usize, on_token: impl FnMut(u64, u64)) -> Result<Heard, ()> {
        let instance = turn % self.addresses.len();
        self.connections.resize_with(self.addresses.len(), || None);
        let connection = self.connections[instance].take();
        match self.exchange(connection, instance, turn, on_token).await {
            Ok((connection, heard)) => {
                self.connections[instance] = Some(connection);
                self.tally.turns.fetch_add(1, Ordering::Relaxed);
                Ok(heard)
            }
            Err(error) => {
                self.tally.fail(&error);
                Err(())
            }
        }
    }

    async fn exchange(
        &self,
        connection: Option<Connection>,
        instance: usize,
        turn: usize,
        on_token: impl FnMut(u64, u64),
    ) -> Result<(Connection, Heard)> {
        let mut open = match connection {
            Some(open) => open,
            None => Connection::open(self.addresses[instance]).await?,
        };
        let question = (self.question)(turn);
        let heard = open.turn(&question, self.dialect, self.tokens, on_token).await?;
        Ok((open, heard))
    }
}
