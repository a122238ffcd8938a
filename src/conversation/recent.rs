//! Conversations that were spoken in lately, so that a turn need not read them again.
//!
//! Never the truth: every turn asks the database whether the conversation is as it was, in the same statement that reads
//! it where it is not. Bounded, the least recently used goes first.

use crate::model::ids::PlanId;
use crate::model::message::Message;
use crate::store::conversations::{Appended, Window};
use std::sync::Arc;

/// Conversations kept at most; a window of 20 messages is about 20 KiB.
const CAPACITY: u64 = 1_000;

/// Windows by plan.
#[derive(Clone)]
pub struct RecentConversations(moka::sync::Cache<PlanId, Arc<Window>>);

impl Default for RecentConversations {
    fn default() -> Self {
        Self(moka::sync::Cache::new(CAPACITY))
    }
}

/// A window with the messages of a turn, provided that the row was still the one the window was read from.
#[must_use]
pub fn grown(window: &Window, appended: Appended, messages: Vec<Message>) -> Option<Window> {
    (window.updated_at == appended.before).then(|| {
        let messages = window.messages.iter().cloned().chain(messages).collect();
        Window {
            updated_at: Some(appended.after),
            messages,
        }
    })
}

impl RecentConversations {
    /// Keeps the newest messages of a window.
    pub fn put(&self, plan: PlanId, mut window: Window, count: usize) {
        let surplus = window.messages.len().saturating_sub(count.max(2));
        window.messages.drain(..surplus);
        self.0.insert(plan, Arc::new(window));
    }

    /// What is known of a plan's conversation.
    #[must_use]
    pub fn known(&self, plan: PlanId) -> Option<Arc<Window>> {
        self.0.get(&plan)
    }

    /// The newest messages as they were read; what was known before where they had not changed.
    #[must_use]
    pub fn read(&self, plan: PlanId, read: Option<Window>, known: Option<Arc<Window>>) -> Arc<Window> {
        match (read, known) {
            (None, Some(known)) => known,
            (read, _) => {
                let window = Arc::new(read.unwrap_or_default());
                self.0.insert(plan, Arc::clone(&window));
                window
            }
        }
    }
}
