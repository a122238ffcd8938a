//! The calls of a whole answer: wrapped ones unpacked, ids unique.

use plan_model::message::ToolCall;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashSet;

/// Some models wrap several calls into one call of a tool that was never offered.
pub(super) fn push_unwrapped(calls: &mut Vec<ToolCall>, call: ToolCall) {
    #[derive(Deserialize)]
    struct Wrapper<'a> {
        #[serde(borrow)]
        tool_uses: Vec<Use<'a>>,
    }
    #[derive(Deserialize)]
    struct Use<'a> {
        recipient_name: &'a str,
        #[serde(borrow)]
        parameters: Option<&'a RawValue>,
    }
    let is_wrapper = matches!(call.name.as_str(), "parallel" | "multi_tool_use.parallel");
    let Some(wrapper) = is_wrapper
        .then(|| serde_json::from_str::<Wrapper>(&call.arguments).ok())
        .flatten()
    else {
        calls.push(call);
        return;
    };
    calls.extend(wrapper.tool_uses.into_iter().map(|used| ToolCall {
        id: call.id.clone(),
        name: used.recipient_name.trim_start_matches("functions.").to_owned(),
        arguments: used.parameters.map_or("{}", RawValue::get).to_owned(),
    }));
}

/// Results are matched to calls by id, so each call gets one of its own.
pub(super) fn make_ids_unique(calls: &mut [ToolCall]) {
    let mut taken: HashSet<String> = HashSet::new();
    for (at, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() || taken.contains(&call.id) {
            call.id = (at..)
                .map(|n| format!("call_{n}"))
                .find(|id| !taken.contains(id))
                .unwrap_or_default();
        }
        taken.insert(call.id.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tool_calls::ToolCalls;
    use crate::answer::tool_calls::Unfinished;

    #[test]
    fn several_calls_wrapped_into_one_become_several_again() {
        let mut calls = ToolCalls::default();
        calls.open_at(0, "call_p", "multi_tool_use.parallel").expect("opens");
        let uses =
            r#"{"tool_uses":[{"recipient_name":"functions.a","parameters":{"x":1}},{"recipient_name":"functions.b"}]}"#;
        calls.close_at(0, Some(uses)).expect("closes");
        let (calls, _) = calls.finish(Unfinished::PassOn).expect("whole");
        let calls: Vec<_> = calls
            .iter()
            .map(|call| (call.name.as_str(), call.arguments.as_str()))
            .collect();
        assert_eq!(calls, [("a", r#"{"x":1}"#), ("b", "{}")]);
    }

    #[test]
    fn ids_are_made_unique_and_never_taken_from_another_call() {
        let call = |id: &str| ToolCall {
            id: id.into(),
            ..ToolCall::default()
        };
        let mut calls = vec![call("a"), call(""), call("a"), call("call_3"), call("")];
        make_ids_unique(&mut calls);
        let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["a", "call_1", "call_2", "call_3", "call_4"]);
    }
}
