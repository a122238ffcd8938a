//! The answer to a wrong call: the tool that fits its arguments, and one call as it should be.

use crate::conversation::prompt::form::PromptForm;
use crate::conversation::tools::definitions;
use serde_json::Value;

/// One right call of each tool that takes arguments. The franchisee's words decide, so a copied value is never written.
const EXAMPLES: [(&str, &str); 9] = [
    (
        "set_financial_field",
        r#"{"path":"rentMonthly","value":4200,"unit":"dollars","confidence":"high","quote":"rent is $4,200"}"#,
    ),
    ("get_plan_summary", r#"{"section":"operatingCosts"}"#),
    ("what_if", r#"{"changes":[{"path":"rentMonthly","value":5000}]}"#),
    ("reset_fields_to_defaults", r#"{"fields":["rentMonthly"]}"#),
    ("rank_levers", r#"{"metric":"dscrYear1"}"#),
    (
        "goal_seek",
        r#"{"metric":"dscrYear1","target":1.25,"path":"rentMonthly"}"#,
    ),
    (
        "save_scenario",
        r#"{"name":"lean","changes":[{"path":"rentMonthly","value":5000}]}"#,
    ),
    ("compare_scenarios", r#"{"names":["lean"]}"#),
    ("adopt_scenario", r#"{"name":"lean"}"#),
];

/// There is no tool of this name.
pub fn unknown_tool(name: &str, arguments: &str, form: PromptForm) -> String {
    let known: Vec<_> = definitions(form).into_iter().map(|tool| tool.name).collect();
    let what = if name.trim().is_empty() {
        "The call names no tool."
    } else {
        "There is no such tool."
    };
    let meant = meant(arguments).map_or_else(String::new, |tool| {
        format!(" These are arguments of {tool}: call that.")
    });
    format!(
        "{what} The tools are: {}.{meant}{}",
        known.join(", "),
        right_call(meant_or_first(arguments))
    )
}

/// The arguments do not fit the tool.
pub fn wrong_arguments(name: &str, arguments: &str, error: &str) -> String {
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
    let example = EXAMPLES.iter().find(|(name, _)| *name == tool);
    let arguments = example.map_or("{}", |(_, arguments)| arguments);
    format!(" A right call: {tool} with {arguments}")
}

fn meant_or_first(arguments: &str) -> &'static str {
    meant(arguments).unwrap_or(EXAMPLES[0].0)
}

/// The tool whose arguments these are.
fn meant(arguments: &str) -> Option<&'static str> {
    let Ok(Value::Object(given)) = serde_json::from_str::<Value>(arguments) else {
        return None;
    };
    let has = |key: &str| given.contains_key(key);
    match () {
        () if has("value") && (has("path") || has("field")) => Some("set_financial_field"),
        () if has("target") => Some("goal_seek"),
        () if has("changes") && has("name") => Some("save_scenario"),
        () if has("changes") => Some("what_if"),
        () if has("metric") => Some("rank_levers"),
        () if has("names") => Some("compare_scenarios"),
        () if has("name") => Some("adopt_scenario"),
        () if has("fields") => Some("reset_fields_to_defaults"),
        () if has("section") => Some("get_plan_summary"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::tools::REGISTRY;

    #[test]
    fn a_wrong_call_is_told_the_right_tool_and_shown_one_right_call() {
        let set = r#"{"path":"rentMonthly","value":4200,"confidence":"high"}"#;
        insta::assert_snapshot!(wrong_arguments("get_plan_summary", set, "The arguments do not fit the tool."), @r#"The arguments do not fit the tool. These are arguments of set_financial_field: call that instead. A right call: set_financial_field with {"path":"rentMonthly","value":4200,"unit":"dollars","confidence":"high","quote":"rent is $4,200"}"#);
        insta::assert_snapshot!(wrong_arguments("get_projection", "{}", "No."), @"No. A right call: get_projection with {}");
        insta::assert_snapshot!(unknown_tool("", r#"{"section":"x"}"#, PromptForm::Compact), @r#"The call names no tool. The tools are: set_financial_field, get_plan_summary, undo_last_change. These are arguments of get_plan_summary: call that. A right call: get_plan_summary with {"section":"operatingCosts"}"#);
    }

    #[test]
    fn every_example_is_a_call_of_its_tool() {
        for (name, arguments) in EXAMPLES {
            assert!(REGISTRY.iter().any(|tool| tool.name == name), "{name}");
            assert_eq!(meant(arguments), Some(name));
        }
    }
}
