//! The answer to a wrong call: the tool that fits its arguments, and one call as it should be.

use crate::conversation::form::PromptForm;
use crate::conversation::tools::registry::{REGISTRY, definitions, find};
use crate::conversation::tools::tool::Tool;
use serde_json::Value;

/// There is no tool of this name.
pub(super) fn unknown_tool(name: &str, arguments: &str, form: PromptForm) -> String {
    let known: Vec<_> = definitions(form).into_iter().map(|tool| tool.name).collect();
    let what = if name.trim().is_empty() {
        "The call names no tool."
    } else {
        "There is no such tool."
    };
    let meant = meant(arguments);
    let hint = meant.map_or_else(String::new, |tool| {
        format!(" These are arguments of {tool}: call that.")
    });
    // The list of the full form is long, and a call of another tool says nothing beside it.
    let right = match (meant, form) {
        (None, PromptForm::Full) => String::new(),
        (meant, _) => right_call(meant.unwrap_or(REGISTRY[0].name)),
    };
    format!("{what} The tools are: {}.{hint}{right}", known.join(", "))
}

/// The arguments do not fit the tool.
pub(super) fn wrong_arguments(name: &str, arguments: &str, error: &str) -> String {
    match meant(arguments) {
        Some(tool) if tool != name => {
            format!(
                "{error} These are arguments of {tool}: call that instead.{}",
                right_call(tool)
            )
        }
        _ => format!("{error}{}", right_call(name)),
    }
}

fn right_call(tool: &str) -> String {
    let arguments = find(tool).map_or("{}", |tool| tool.example);
    format!(" A right call: {tool} with {arguments}")
}

/// The tool whose arguments these are: the one by most of them, the first of those.
fn meant(arguments: &str) -> Option<&'static str> {
    let Ok(Value::Object(given)) = serde_json::from_str::<Value>(arguments) else {
        return None;
    };
    let shown = |tool: &Tool| {
        let lists = tool.known_by.iter();
        let given = lists.filter(|list| list.iter().all(|name| given.contains_key(*name)));
        given.map(|list| list.len()).max()
    };
    let meant = REGISTRY.into_iter().rev().max_by_key(|tool| shown(tool))?;
    shown(meant).map(|_| meant.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_call_is_told_the_right_tool_and_shown_one_right_call() {
        let set = r#"{"path":"rentMonthly","value":4200,"confidence":"high"}"#;
        insta::assert_snapshot!(wrong_arguments("get_plan_summary", set, "The arguments do not fit the tool."), @r#"The arguments do not fit the tool. These are arguments of set_financial_field: call that instead. A right call: set_financial_field with {"path":"rentMonthly","value":4200,"unit":"dollars","confidence":"high","quote":"rent is $4,200"}"#);
        insta::assert_snapshot!(wrong_arguments("get_projection", "{}", "No."), @r#"No. A right call: get_projection with {"line":"cash","month":6}"#);
        insta::assert_snapshot!(unknown_tool("", r#"{"section":"x"}"#, PromptForm::Compact), @r#"The call names no tool. The tools are: set_financial_field, get_plan_summary, undo_last_change. These are arguments of get_plan_summary: call that. A right call: get_plan_summary with {"section":"operatingCosts"}"#);
    }

    #[test]
    fn every_example_is_a_call_of_its_tool() {
        for tool in REGISTRY {
            let meant = meant(tool.example);
            assert_eq!(meant.is_some(), !tool.known_by.is_empty(), "{}", tool.name);
            assert_eq!(meant.unwrap_or(tool.name), tool.name);
        }
    }
}
