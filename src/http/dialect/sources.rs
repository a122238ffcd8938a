//! A turn's log as a source of bytes in another protocol.

use crate::app::AppState;
use crate::conversation::stream::subscription::Subscription;
use crate::http::dialect::event::{events_of, holds_end};
use crate::http::dialect::plan_state::PlanState;
use crate::http::dialect::{ag_ui, ai_sdk};
use crate::http::sse::Source;
use bytes::Bytes;
use plan_model::ids::{BrandVersionId, PlanId};

/// A turn in the AI SDK's protocol.
pub struct AiSdk {
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

/// A turn as an AG-UI run.
pub struct AgUi {
    pub app: AppState,
    pub plan: PlanId,
    pub brand_version: BrandVersionId,
    pub events: Subscription,
    pub state: ag_ui::State,
    /// What is sent before the plan's state.
    pub opening: Option<Bytes>,
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
        if let Some(opening) = self.opening.take() {
            return Some(opening);
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
