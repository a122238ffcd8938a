//! A plan as model and reader are shown it: made once per version of the plan, because most turns change nothing.

use super::Engine;
use super::prompt::{self, Prefix, quoted};
use crate::llm::StableText;
use crate::model::field::FieldPath;
use crate::model::ids::{BrandVersionId, PlanId};
use crate::model::inputs::{FinancialInputs, Source};
use crate::model::outputs::{Metrics, Projection, UpdatedOutputs};
use crate::plan;
use crate::store::brands::Edition;
use std::fmt::Write;
use std::sync::Arc;
use time::OffsetDateTime;

/// What one version of a plan looks like under one edition of its brand.
#[derive(Debug)]
pub struct PlanView {
    version: i64,
    edition: BrandVersionId,
    /// The second part of the system prompt.
    pub text: Arc<StableText>,
    /// Fields that somebody wrote by hand, and when.
    by_hand: Vec<(OffsetDateTime, FieldPath)>,
    /// What is needed and still at its default.
    pub missing: Vec<FieldPath>,
    /// `None` while the plan has no figures.
    outputs: Option<UpdatedOutputs>,
}

impl PlanView {
    fn new(version: i64, edition: &Edition, prefix: &Prefix, inputs: Option<&FinancialInputs>) -> Self {
        let projection = inputs.map(|inputs| plan::project(inputs, &edition.brand));
        let missing = plan::apply::missing_core(inputs, &edition.fields);
        let state = PlanState {
            inputs,
            edition,
            prefix,
            missing: &missing,
            projection: projection.as_ref(),
        };
        Self {
            version,
            edition: edition.id,
            text: Arc::new(StableText::new(state.render())),
            by_hand: inputs.map(by_hand).unwrap_or_default(),
            outputs: projection.map(|projection| plan::update(None, &projection, OffsetDateTime::UNIX_EPOCH)),
            missing,
        }
    }

    /// The figures, where there are any.
    #[must_use]
    pub fn metrics(&self) -> Option<&Metrics> {
        self.outputs.as_ref().map(|outputs| &outputs.metrics)
    }

    /// The results of a plan that has not moved.
    #[must_use]
    pub fn outputs(&self, computed_at: OffsetDateTime) -> Option<UpdatedOutputs> {
        let outputs = self.outputs.clone()?;
        Some(UpdatedOutputs { computed_at, ..outputs })
    }

    /// The third part of the system prompt: who is asking, and what was done since they last were here.
    #[must_use]
    pub fn conversation(&self, person: &str, plan_name: &str, last_message_at: Option<OffsetDateTime>) -> String {
        let changed: Vec<_> = self
            .by_hand
            .iter()
            .filter(|(at, _)| last_message_at.is_some_and(|last| *at > last))
            .map(|(_, path)| path.as_str())
            .collect();
        format!(
            "BEGIN DATA conversation\nfranchisee: {}\nplan: {}\nchanged outside this chat since the last message: {}\n\
             END DATA conversation\n",
            quoted(person),
            quoted(plan_name),
            or_none(&changed)
        )
    }
}

fn by_hand(inputs: &FinancialInputs) -> Vec<(OffsetDateTime, FieldPath)> {
    let values = inputs.0.iter();
    let by_hand = values.filter(|(_, value)| matches!(value.source, Source::UserEntry | Source::Admin(_)));
    by_hand
        .filter_map(|(path, value)| Some((value.last_modified_at?, path.clone())))
        .collect()
}

impl Engine {
    /// How a version of a plan looks; `inputs` are that version's.
    #[must_use]
    pub fn view(
        &self,
        plan: PlanId,
        version: i64,
        inputs: Option<&FinancialInputs>,
        edition: &Edition,
    ) -> Arc<PlanView> {
        let known = self.recent.view(plan);
        if let Some(view) = known.filter(|view| view.version == version && view.edition == edition.id) {
            return view;
        }
        let view = Arc::new(PlanView::new(version, edition, &self.prefixes.of(edition), inputs));
        self.recent.remember(plan, Arc::clone(&view));
        view
    }
}

/// The plan as it stands: its values, what is still missing, the results.
struct PlanState<'a> {
    inputs: Option<&'a FinancialInputs>,
    edition: &'a Edition,
    prefix: &'a Prefix,
    missing: &'a [FieldPath],
    projection: Option<&'a Projection>,
}

impl PlanState<'_> {
    fn render(&self) -> String {
        let mut text = String::with_capacity(8 << 10);
        let Some(inputs) = self.inputs else {
            text.push_str("BEGIN DATA plan\nThe plan has no figures yet; the first value starts it from the brand's placeholders.\nEND DATA plan\n");
            return text;
        };
        text.push_str("BEGIN DATA plan\nvalues (path | label | value | state):\n");
        for (field, label) in self.edition.fields.iter().zip(&self.prefix.labels) {
            let Some(value) = inputs.get(field.path.as_str()) else {
                continue;
            };
            let (shown, state) = (field.kind.show(value.current_value), prompt::state(value));
            let _ = writeln!(text, "{} | {label} | {shown} | {state}", field.path);
        }
        let missing: Vec<_> = self.missing.iter().map(FieldPath::as_str).collect();
        let _ = writeln!(text, "still at default and needed: {}", or_none(&missing));
        if let Some(projection) = self.projection {
            let _ = writeln!(
                text,
                "results of the franchisee's own assumptions:\n{}",
                plan::describe::metrics_brief(projection)
            );
        }
        text.push_str("END DATA plan\n");
        text
    }
}

fn or_none(paths: &[&str]) -> String {
    if paths.is_empty() {
        "none".into()
    } else {
        paths.join(", ")
    }
}
