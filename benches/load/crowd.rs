//! People who ask one question after another, each on a connection of their own.

use crate::client::{Connection, Dialect, Heard, OURS, UPSTREAM};
use crate::stage::{Stage, post};
use anyhow::Result;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

/// Whom they ask.
#[derive(Debug, Clone, Copy)]
pub enum Asked {
    Server(SocketAddr),
    /// The model's server itself, to know what the bench adds.
    Upstream(SocketAddr),
}

impl Asked {
    fn address(self) -> SocketAddr {
        match self {
            Self::Server(address) | Self::Upstream(address) => address,
        }
    }

    fn dialect(self) -> Dialect {
        match self {
            Self::Server(_) => OURS,
            Self::Upstream(_) => UPSTREAM,
        }
    }

    fn question(self, stage: &Stage, plan: usize) -> Vec<u8> {
        match self {
            Self::Server(_) => stage.question(plan),
            Self::Upstream(_) => post("/v1/chat/completions", "", "{}"),
        }
    }
}

/// What all of them count together.
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

/// One of them.
pub struct Person {
    pub stage: Arc<Stage>,
    pub tally: Arc<Tally>,
    pub asked: Asked,
    pub tokens: usize,
    /// The plan of each turn.
    pub plan: Box<dyn Fn(usize) -> usize + Send + Sync>,
}

impl Person {
    /// Asks until told to stop. `on_token` gets when a token was sent and when it came, `on_turn` each whole answer.
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
            None => Connection::open(self.asked.address()).await?,
        };
        let question = self.asked.question(&self.stage, (self.plan)(turn));
        let open = connection.insert(open);
        open.turn(&question, self.asked.dialect(), self.tokens, on_token).await
    }
}
