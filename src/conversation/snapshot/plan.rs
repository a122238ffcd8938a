//! A plan as model and reader are shown it: made once per version of the plan, because most turns change nothing.

use crate::conversation::form::PromptForm;
use crate::conversation::snapshot::brand::{plain, quoted};
use crate::plans::apply;
use crate::store::brands::BrandVersion;
use crate::store::plans::Revision;
use llm_client::StableText;
use plan_model::field::FieldPath;
use plan_model::ids::BrandVersionId;
use plan_model::inputs::{FinancialInputs, Source};
use plan_model::outputs::{Projection, UpdatedOutputs};
use plan_model::tool_result::ValueState;
use std::fmt::Write;
use std::sync::Arc;
use time::OffsetDateTime;

/// The results of one version of a plan under one brand version of its brand.
#[derive(Debug)]
pub(crate) struct PlanFigures {
    revision: Revision,
    brand_version: BrandVersionId,
    /// What is needed and still at its default.
    pub missing: Vec<FieldPath>,
    /// `None` while the plan has no figures.
    outputs: Option<UpdatedOutputs>,
}

impl PlanFigures {
    /// Of `inputs`, which are those of the revision.
    pub(crate) fn new(revision: Revision, brand_version: &BrandVersion, inputs: Option<&FinancialInputs>) -> Self {
        let projection = inputs.map(|inputs| plan_engine::project(inputs, &brand_version.brand));
        Self::of(revision, brand_version, inputs, projection.as_ref())
    }

    fn of(
        revision: Revision,
        brand_version: &BrandVersion,
        inputs: Option<&FinancialInputs>,
        projection: Option<&Projection>,
    ) -> Self {
        Self {
            revision,
            brand_version: brand_version.id,
            missing: apply::missing_core(inputs, &brand_version.fields),
            outputs: projection.map(|projection| plan_engine::update(None, projection, OffsetDateTime::UNIX_EPOCH)),
        }
    }

    pub(crate) fn is_of(&self, revision: Revision, brand_version: &BrandVersion) -> bool {
        self.revision == revision && self.brand_version == brand_version.id
    }

    /// The results of a plan that has not moved.
    pub(crate) fn outputs(&self, computed_at: OffsetDateTime) -> Option<UpdatedOutputs> {
        let outputs = self.outputs.clone()?;
        Some(UpdatedOutputs { computed_at, ..outputs })
    }
}

/// What one version of a plan looks like to the model, in one form of the prompt.
#[derive(Debug)]
pub(crate) struct PlanView {
    pub figures: Arc<PlanFigures>,
    pub form: PromptForm,
    /// The second part of the system prompt.
    pub text: Arc<StableText>,
    /// Fields that were changed by hand, and when.
    by_hand: Vec<(OffsetDateTime, FieldPath)>,
}

impl PlanView {
    /// Shows `inputs`, which are those of the revision.
    pub(crate) fn new(
        revision: Revision,
        brand_version: &BrandVersion,
        inputs: Option<&FinancialInputs>,
        form: PromptForm,
    ) -> Self {
        let projection = inputs.map(|inputs| plan_engine::project(inputs, &brand_version.brand));
        let figures = PlanFigures::of(revision, brand_version, inputs, projection.as_ref());
        let state = PlanState {
            inputs,
            brand_version,
            missing: &figures.missing,
            projection: projection.as_ref(),
        };
        let text = match form {
            PromptForm::Full => state.full(),
            PromptForm::Compact => state.compact(),
        };
        Self {
            figures: Arc::new(figures),
            form,
            text: Arc::new(StableText::new(text)),
            by_hand: inputs.map(by_hand).unwrap_or_default(),
        }
    }

    /// The third part of the system prompt: who is asking, and what was done since they last were here.
    pub(crate) fn conversation(
        &self,
        person: &str,
        plan_name: &str,
        last_message_at: Option<OffsetDateTime>,
    ) -> String {
        let mut changed: Vec<_> = self
            .by_hand
            .iter()
            .filter(|(at, _)| last_message_at.is_some_and(|last| *at > last))
            .map(|(_, path)| path.as_str())
            .collect();
        changed.sort_unstable();
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

/// The current plan: its values, what is still missing, the results.
struct PlanState<'a> {
    inputs: Option<&'a FinancialInputs>,
    brand_version: &'a BrandVersion,
    missing: &'a [FieldPath],
    projection: Option<&'a Projection>,
}

const NO_FIGURES: &str = "BEGIN DATA plan\nThe plan has no figures yet; the first value starts it from the brand's placeholders.\nEND DATA plan\n";

impl PlanState<'_> {
    /// Values that are not the placeholder of the brand's table, the names of what is missing, all results.
    fn full(&self) -> String {
        let Some(inputs) = self.inputs else {
            return NO_FIGURES.to_owned();
        };
        let mut text = String::with_capacity(4 << 10);
        text.push_str(
            "BEGIN DATA plan\nvalues by who set them; a name alone, and every other field, is at its placeholder:\n",
        );
        for (heading, values) in self.by_state(inputs) {
            if !values.is_empty() {
                let _ = writeln!(text, "{heading}: {}", values.join("; "));
            }
        }
        let missing: Vec<_> = self.missing.iter().map(FieldPath::name).collect();
        let _ = writeln!(text, "still at default and needed: {}", or_none(&missing));
        if let Some(projection) = self.projection {
            let _ = writeln!(text, "{}", plan_engine::describe::metrics_brief(projection));
        }
        text.push_str("END DATA plan\n");
        text
    }

    /// What is missing and the most telling results; values are read by tool.
    fn compact(&self) -> String {
        if self.inputs.is_none() {
            return NO_FIGURES.to_owned();
        }
        let fields = &self.brand_version.fields;
        let missing: Vec<String> = fields
            .iter()
            .filter(|field| self.missing.contains(&field.path))
            .map(|field| plain(&field.label))
            .collect();
        let missing = if missing.is_empty() {
            "none".to_owned()
        } else {
            missing.join("; ")
        };
        let mut text = format!("BEGIN DATA plan\nstill at default and needed: {missing}\n");
        if let Some(projection) = self.projection {
            let headlines = plan_engine::describe::headlines(projection);
            let _ = writeln!(text, "results of the franchisee's own assumptions:\n{headlines}");
        }
        text.push_str("END DATA plan\n");
        text
    }

    fn by_state(&self, inputs: &FinancialInputs) -> [(&'static str, Vec<String>); 5] {
        let states = [
            ValueState::Yours,
            ValueState::Advisor,
            ValueState::Admin,
            ValueState::Other,
            ValueState::Default,
        ];
        let mut values = states.map(|state| match state {
            ValueState::Default => ("default, other than the placeholder above", Vec::new()),
            state => (state.as_str(), Vec::new()),
        });
        for field in self.brand_version.fields.iter() {
            let value = apply::borrowed(inputs, self.brand_version, field);
            let state = plan_engine::describe::state(&value);
            let is_placeholder = field.default == Some(value.current_value);
            if state == ValueState::Default && is_placeholder {
                continue;
            }
            if let Some(nth) = states.iter().position(|one| *one == state) {
                let name = field.path.name();
                let shown = field.kind.show(value.current_value);
                values[nth].1.push(if is_placeholder {
                    name.to_owned()
                } else {
                    format!("{name} {shown}")
                });
            }
        }
        values
    }
}

fn or_none(paths: &[&str]) -> String {
    if paths.is_empty() {
        "none".into()
    } else {
        paths.join(", ")
    }
}
