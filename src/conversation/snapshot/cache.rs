//! Recently active conversations and their plans, so that a turn need not read them again.
//!
//! Never the truth: every turn asks the database whether they are as they were, in the same statement that reads them
//! where they are not. Bounded, the least recently used goes first.

use crate::conversation::form::PromptForm;
use crate::conversation::snapshot::plan::{PlanFigures, PlanView};
use crate::lru::Lru;
use crate::store::brands::BrandVersion;
use crate::store::plans::conversations::{Appended, Window};
use crate::store::plans::{Plan, Revision};
use pg_link::json::Json;
use plan_model::ids::PlanId;
use plan_model::inputs::FinancialInputs;
use plan_model::message::Message;
use std::sync::Arc;

/// Conversations kept at most; a window of 20 messages is about 15 KiB, a plan with its view about 14.
const CAPACITY: usize = 256;

/// Windows, inputs and views by plan.
#[derive(Clone)]
pub(crate) struct StateCache {
    windows: Lru<PlanId, Arc<Window>>,
    bases: Lru<PlanId, BasePlan>,
    views: Lru<PlanId, Arc<PlanView>>,
}

/// The plan as the turn found it.
#[derive(Debug, Clone)]
pub(crate) struct BasePlan {
    pub revision: Revision,
    pub inputs: Option<Arc<FinancialInputs>>,
}

/// What is known of a plan before it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct CachedState {
    pub window: Option<Arc<Window>>,
    pub base: Option<BasePlan>,
}

impl Default for StateCache {
    fn default() -> Self {
        Self {
            windows: Lru::new(CAPACITY),
            bases: Lru::new(CAPACITY),
            views: Lru::new(CAPACITY),
        }
    }
}

impl StateCache {
    /// Adds what a turn has added, provided that the conversation was as it is known here. Keeps the newest `count`.
    pub(crate) fn append(&self, plan: PlanId, appended: Appended, messages: Vec<Message>, count: usize) {
        let Some(known) = self
            .windows
            .get(&plan)
            .filter(|known| known.updated_at == appended.before)
        else {
            return;
        };
        let surplus = (known.messages.len() + messages.len()).saturating_sub(count.max(2));
        let messages = known.messages.iter().cloned().chain(messages).skip(surplus).collect();
        let updated_at = Some(appended.after);
        self.windows.insert(plan, Arc::new(Window { updated_at, messages }));
    }

    /// Drops the messages of a plan, which are no longer as they were.
    pub(crate) fn forget(&self, plan: PlanId) {
        self.windows.remove(&plan);
    }

    /// What is known of a plan and its conversation.
    pub(crate) fn known(&self, plan: PlanId) -> CachedState {
        CachedState {
            window: self.windows.get(&plan),
            base: self.bases.get(&plan),
        }
    }

    /// What the model is shown of a revision of a plan; `inputs` are that revision's.
    pub(crate) fn view(
        &self,
        plan: PlanId,
        revision: Revision,
        inputs: Option<&FinancialInputs>,
        brand_version: &BrandVersion,
        form: PromptForm,
    ) -> Arc<PlanView> {
        let fits = |view: &Arc<PlanView>| view.form == form && view.figures.is_of(revision, brand_version);
        if let Some(view) = self.views.get(&plan).filter(fits) {
            return view;
        }
        let view = Arc::new(PlanView::new(revision, brand_version, inputs, form));
        self.views.insert(plan, Arc::clone(&view));
        view
    }

    /// The results of a revision of a plan, without the text for the model where they are not known.
    pub(crate) fn figures(
        &self,
        plan: PlanId,
        revision: Revision,
        inputs: Option<&FinancialInputs>,
        brand_version: &BrandVersion,
    ) -> Arc<PlanFigures> {
        let known = self.views.get(&plan).map(|view| Arc::clone(&view.figures));
        known
            .filter(|figures| figures.is_of(revision, brand_version))
            .unwrap_or_else(|| Arc::new(PlanFigures::new(revision, brand_version, inputs)))
    }

    /// The newest messages as they were read; what was known before where they had not changed.
    pub(crate) fn window(&self, plan: PlanId, read: Option<Window>, known: Option<Arc<Window>>) -> Arc<Window> {
        match (read, known) {
            (None, Some(known)) => known,
            (read, _) => {
                let window = Arc::new(read.unwrap_or_default());
                self.windows.insert(plan, Arc::clone(&window));
                window
            }
        }
    }

    /// The plan as it was read; what was known before where it has not changed.
    pub(crate) fn base(&self, read: Plan, known: Option<BasePlan>) -> BasePlan {
        let revision = read.revision();
        if let Some(known) = known.filter(|known| known.revision == revision) {
            return known;
        }
        let base = BasePlan {
            revision,
            inputs: read.financial_inputs.map(|Json(inputs)| Arc::new(inputs)),
        };
        self.bases.insert(PlanId(read.id), base.clone());
        base
    }
}
