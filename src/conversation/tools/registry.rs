//! The tools, in the order the model sees them.

use crate::conversation::form::PromptForm;
use crate::conversation::tools::analysis::{
    compare_scenarios, estimate, get_projection, goal_seek, rank_levers, scenarios, what_if,
};
use crate::conversation::tools::arguments::shorten;
use crate::conversation::tools::tool::{Order, Tool};
use crate::conversation::tools::{
    check_status, destructive, dismiss_proposals, draft_story, get_plan_summary, open, set_financial_field,
    undo_last_change,
};
use llm_client::ToolDefinition;

pub(super) static REGISTRY: [&Tool; 18] = [
    &set_financial_field::TOOL,
    &get_plan_summary::TOOL,
    &get_projection::TOOL,
    &what_if::TOOL,
    &rank_levers::TOOL,
    &goal_seek::TOOL,
    &estimate::TOOL,
    &open::PROPOSALS,
    &dismiss_proposals::TOOL,
    &open::CHANGES,
    &scenarios::SAVE,
    &compare_scenarios::TOOL,
    &undo_last_change::TOOL,
    &check_status::TOOL,
    &destructive::RESET_FIELDS,
    &scenarios::ADOPT,
    &draft_story::TOOL,
    &destructive::CLEAR_CONVERSATION,
];

/// When a call of a tool is carried out within its answer.
pub fn order(name: &str) -> Order {
    find(name).map_or(Order::AsCalled, Tool::order)
}

/// The name if it is one of ours; what a model makes up never becomes a label.
pub fn known_name(name: &str) -> &'static str {
    find(name).map_or("unknown", |tool| tool.name)
}

pub(super) fn find(name: &str) -> Option<&'static Tool> {
    REGISTRY.into_iter().find(|tool| tool.name == name)
}

/// The registry as sent to a model in this form.
pub fn definitions(form: PromptForm) -> Vec<ToolDefinition> {
    REGISTRY
        .iter()
        .filter(|tool| form == PromptForm::Full || tool.is_in_compact)
        .map(|tool| {
            let mut schema = (tool.schema)();
            shorten(&mut schema);
            ToolDefinition::new(tool.name, tool.description, schema)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_flat_objects_without_references() {
        for definition in definitions(PromptForm::Full) {
            let text = definition.parameters.to_string();
            assert_eq!(definition.parameters["type"], "object", "{}", definition.name);
            for word in ["$ref", "$defs", "$schema", "null"] {
                assert!(!text.contains(word), "{} has {word}: {text}", definition.name);
            }
        }
    }

    #[test]
    fn only_the_destructive_tools_need_a_yes() {
        let destructive: Vec<_> = REGISTRY
            .iter()
            .filter(|tool| tool.order() == Order::OnceConfirmed)
            .map(|tool| tool.name)
            .collect();
        assert_eq!(
            destructive,
            [
                "reset_fields_to_defaults",
                "adopt_scenario",
                "draft_story",
                "clear_conversation"
            ]
        );
    }
}
