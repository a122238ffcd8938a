//! A turn's log as a source of bytes in another protocol.

use crate::app::AppState;
use crate::conversation::stream::subscription::Subscription;
use crate::http::dialect::event::{events_of, holds_end};
use crate::http::dialect::plan_state::PlanState;
use crate::http::dialect::{ag_ui, ai_sdk};
use crate::http::history::Elements;
use crate::http::sse::Source;
use bytes::Bytes;
use plan_model::ids::{BrandVersionId, PlanId};
use std::collections::VecDeque;

/// A turn in the AI SDK's protocol.
pub(crate) struct AiSdk {
    pub events: Subscription,
    pub state: ai_sdk::State,
    pub begun: bool,
}

impl Source for AiSdk {
    async fn next(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.begun, true) {
            return Some(ai_sdk::begin(&self.state));
        }
        let frames = self.events.next().await?;
        let pieces: Vec<Bytes> = events_of(&frames)
            .iter()
            .map(|event| ai_sdk::step(&mut self.state, event))
            .collect();
        Some(joined(pieces))
    }

    fn is_remote(&self) -> bool {
        self.events.is_remote()
    }
}

/// What an AG-UI run sends before its turn, piece by piece.
#[derive(Default)]
pub(crate) struct Opening {
    pieces: VecDeque<Piece>,
    /// The database failed within an event: nothing may follow.
    is_cut: bool,
}

enum Piece {
    Bytes(Bytes),
    Messages(Box<Elements<ag_ui::Message>>),
}

impl Opening {
    pub(crate) fn push(&mut self, bytes: Bytes) {
        self.pieces.push_back(Piece::Bytes(bytes));
    }

    pub(crate) fn push_messages(&mut self, messages: Elements<ag_ui::Message>) {
        let [before, after] = ag_ui::MESSAGES;
        self.push(Bytes::from_static(before));
        self.pieces.push_back(Piece::Messages(Box::new(messages)));
        self.push(Bytes::from_static(after));
    }

    /// `None` at the end. A call that is given up changes nothing.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let next = match self.pieces.front_mut()? {
                Piece::Bytes(bytes) => Ok(Some(std::mem::take(bytes))),
                Piece::Messages(messages) => match messages.next().await {
                    Ok(Some(bytes)) => return Some(bytes),
                    end => end,
                },
            };
            self.pieces.pop_front();
            match next {
                Ok(Some(bytes)) => return Some(bytes),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(error = %error.chain(), "The history of an AG-UI run was cut short");
                    self.pieces.clear();
                    self.is_cut = true;
                }
            }
        }
    }
}

/// An AG-UI run without a turn.
impl Source for Opening {
    async fn next(&mut self) -> Option<Bytes> {
        Self::next(self).await
    }

    fn is_remote(&self) -> bool {
        false
    }
}

/// A turn as an AG-UI run.
pub(crate) struct AgUi {
    pub app: AppState,
    pub plan: PlanId,
    pub brand_version: BrandVersionId,
    pub events: Subscription,
    pub state: ag_ui::State,
    /// What is sent before the plan's state.
    pub opening: Opening,
    pub has_snapshot: bool,
    /// Frames that were taken and are not sent: reading the plan in between may be interrupted.
    pub taken: Option<Bytes>,
}

impl AgUi {
    async fn plan_state(&self) -> Option<PlanState> {
        let loaded = PlanState::load(&self.app, self.plan, self.brand_version).await;
        loaded
            .inspect_err(|error| tracing::warn!(error = %error, "An AG-UI run goes without the plan's state"))
            .ok()
    }
}

impl Source for AgUi {
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(opening) = self.opening.next().await {
            return Some(opening);
        }
        if self.opening.is_cut {
            return None;
        }
        if !self.has_snapshot {
            let plan = self.plan_state().await;
            self.has_snapshot = true;
            if let Some(plan) = plan {
                return Some(ag_ui::snapshot(&mut self.state, plan));
            }
        }
        if self.taken.is_none() {
            self.taken = Some(self.events.next().await?);
        }
        if self.taken.as_deref().is_some_and(holds_end) {
            let latest = self.plan_state().await;
            self.state.learn(latest);
        }
        let frames = self.taken.take()?;
        let pieces: Vec<Bytes> = events_of(&frames)
            .iter()
            .map(|event| ag_ui::step(&mut self.state, event))
            .collect();
        Some(joined(pieces))
    }

    fn is_remote(&self) -> bool {
        self.events.is_remote()
    }
}

fn joined(mut pieces: Vec<Bytes>) -> Bytes {
    match pieces.len() {
        1 => pieces.remove(0),
        _ => pieces.concat().into(),
    }
}
