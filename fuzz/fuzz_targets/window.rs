//! The history a model is shown: at most so many messages, the newest ones, and never a call without its results.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llm_client::ChatMessage;
use plan_advisor::conversation::snapshot::window::window;
use plan_model::message::ToolCall;

fuzz_target!(|data: &[u8]| {
    let [count, shape, steps @ ..] = data else { return };
    let is_valid = shape % 4 != 0;
    let messages = if is_valid { turns(steps) } else { anything(steps) };
    let count = usize::from(*count) % (messages.len() + 3);
    let window = window(&messages, count);
    assert!(window.len() <= count && messages.ends_with(window));
    match window.first() {
        None | Some(ChatMessage::User(_)) => {}
        Some(ChatMessage::Assistant { tool_calls, .. }) => assert!(!tool_calls.is_empty(), "an answer first"),
        Some(first) => panic!("{first:?} first"),
    }
    if is_valid {
        every_call_has_its_results(window);
        assert!(
            messages.len() > count || window.len() == messages.len(),
            "something that fits is dropped"
        );
    }
});

fn call(id: usize) -> ToolCall {
    ToolCall {
        id: format!("c{id}"),
        name: "t".to_owned(),
        arguments: "{}".to_owned(),
    }
}

fn assistant(calls: usize, first: usize) -> ChatMessage {
    ChatMessage::Assistant {
        content: "a".into(),
        tool_calls: (first..first + calls).map(call).collect(),
    }
}

fn result(id: usize) -> ChatMessage {
    ChatMessage::Tool {
        call_id: format!("c{id}"),
        content: "r".into(),
    }
}

/// Turns as they are made: a question, some groups of calls and results, an answer.
fn turns(steps: &[u8]) -> Vec<ChatMessage> {
    let mut messages = Vec::new();
    for step in steps.iter().take(200) {
        messages.push(ChatMessage::User("u".into()));
        for group in 0..usize::from(step % 4) {
            let (first, calls) = (messages.len(), 1 + usize::from(step >> (2 + group)) % 4);
            messages.push(assistant(calls, first));
            messages.extend((first..first + calls).map(result));
        }
        messages.push(assistant(0, 0));
    }
    // The newest turn may still be running.
    if steps.last().is_some_and(|step| step % 2 == 1) {
        messages.pop();
    }
    messages
}

/// Messages in any order.
fn anything(steps: &[u8]) -> Vec<ChatMessage> {
    let message = |(at, step): (usize, &u8)| match step % 5 {
        0 => ChatMessage::User("u".into()),
        1 => assistant(0, 0),
        2 => assistant(usize::from(step / 5), at),
        3 => result(usize::from(step / 5)),
        _ => ChatMessage::System("s".into()),
    };
    steps.iter().take(400).enumerate().map(message).collect()
}

fn every_call_has_its_results(window: &[ChatMessage]) {
    let mut open: Vec<&str> = Vec::new();
    for message in window {
        match message {
            ChatMessage::Tool { call_id, .. } => {
                assert_eq!(open.first().copied(), Some(call_id.as_str()));
                open.remove(0);
            }
            ChatMessage::Assistant { tool_calls, .. } => {
                assert!(open.is_empty());
                open = tool_calls.iter().map(|call| call.id.as_str()).collect();
            }
            ChatMessage::User(_) | ChatMessage::System(_) | ChatMessage::Stable(_) | ChatMessage::Replay(_) => {
                assert!(open.is_empty())
            }
        }
    }
    assert!(open.is_empty());
}
