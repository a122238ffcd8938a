//! What is measured side by side: the model itself, a relay that parses nothing, Node, and plan-advisor.

use crate::client::{Dialect, NODE_APPLIED, OURS, OURS_APPLIED, UPSTREAM};
use crate::node;
use crate::process;
use crate::relay;
use crate::server::{self, Server};
use crate::stage::{Stage, post};
use anyhow::Result;
use std::net::SocketAddr;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// The model without a server: what the bench itself costs.
    Direct,
    Relay,
    Node,
    Ours,
}

impl Who {
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Relay => "relay",
            Self::Node => "Node",
            Self::Ours => "plan-advisor",
        }
    }

    /// Whether it is a bare hop: it answers as the model does and has no database.
    pub fn is_hop(self) -> bool {
        matches!(self, Self::Direct | Self::Relay)
    }

    pub fn dialect(self, calls_tool: bool) -> Dialect {
        match (self, calls_tool) {
            (Self::Direct | Self::Relay, _) => UPSTREAM,
            (Self::Node, true) => NODE_APPLIED,
            (Self::Ours, true) => OURS_APPLIED,
            (_, false) => OURS,
        }
    }

    /// A message without values, or one that the model answers with a tool call.
    pub fn question(self, stage: &Stage, plan: usize, rent: Option<usize>) -> Vec<u8> {
        match (self, rent) {
            (Self::Direct | Self::Relay, _) => hop(stage.request_length),
            (Self::Node, _) => node::question(stage, plan, rent),
            (Self::Ours, Some(rent)) => stage.statement(plan, rent),
            (Self::Ours, None) => stage.question(plan),
        }
    }
}

/// A request to the model, as long as those of plan-advisor.
fn hop(length: usize) -> Vec<u8> {
    let body =
        |text: &str| format!(r#"{{"model":"gpt-4o","stream":true,"messages":[{{"role":"user","content":"{text}"}}]}}"#);
    let bare = post("/v1/chat/completions", "", &body("")).len();
    post(
        "/v1/chat/completions",
        "",
        &body(&"word ".repeat(length.saturating_sub(bare) / 5)),
    )
}

/// One of them, running.
pub struct Target {
    pub who: Who,
    pub address: SocketAddr,
    /// None for the model itself.
    pub server: Option<Server>,
}

impl Target {
    pub async fn start(stage: &Stage, who: Who) -> Result<Self> {
        Self::start_under(stage, who, &[]).await
    }

    /// Starts it under a tool.
    pub async fn start_under(stage: &Stage, who: Who, tool: &[&str]) -> Result<Self> {
        let (address, model) = (server::free()?, stage.upstream.address);
        let (ours, this) = (&stage.options.server, std::env::current_exe()?);
        let (from, to) = (address.to_string(), model.to_string());
        let words = match who {
            Who::Direct => {
                return Ok(Self {
                    who,
                    address: model,
                    server: None,
                });
            }
            Who::Relay => vec![this.to_string_lossy().into_owned(), relay::MODE.to_owned(), from, to],
            Who::Node => node::words()?,
            Who::Ours => vec![
                ours.to_string_lossy().into_owned(),
                "serve".to_owned(),
                "--migrate".to_owned(),
            ],
        };
        let words: Vec<&str> = tool.iter().copied().chain(words.iter().map(String::as_str)).collect();
        let mut command = server::command(&words, stage.cores)?;
        match who {
            Who::Ours => server::settings(&mut command, &stage.database, model, address),
            Who::Node => node::settings(&mut command, &stage.node_database, model, address),
            Who::Direct | Who::Relay => {}
        }
        Ok(Self {
            who,
            address,
            server: Some(Server::start(command, address).await?),
        })
    }

    pub fn cpu(&self) -> Duration {
        self.server.as_ref().map(Server::cpu).unwrap_or_default()
    }

    /// Time spent waiting for a CPU so far.
    pub fn waited(&self) -> Duration {
        let waited = self.server.as_ref().and_then(|server| process::waited(server.pid));
        waited.unwrap_or_default()
    }

    pub async fn stop(self) -> Result<()> {
        match self.server {
            Some(server) => server.stop().await,
            None => Ok(()),
        }
    }
}
