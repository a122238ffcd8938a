//! Whole streams in the three wire formats, in the form in which the providers document and send them
//! (`crates/llm-client/fixtures`). Each is read whole, line by line and byte by byte, in its own format and asked for in another,
//! and cut at every byte: before its terminal event every cut is an error.

use super::play_as;
use crate::{ApiKind, Completion, FinishReason, LlmError, answer::replay::ReplayItem};
use plan_model::usage::Usage;

const RENT: &str = r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"high"}"#;

/// Prompt, completion, cached, written, reasoning.
type Counts = (i64, i64, Option<i64>, Option<i64>, Option<i64>);

/// A recording and what must come of it.
struct Recording {
    api: ApiKind,
    name: &'static str,
    stream: &'static str,
    /// The content of the terminal event.
    ends_with: &'static str,
    text: &'static str,
    calls: Vec<(&'static str, &'static str)>,
    finish: FinishReason,
    usage: Option<Counts>,
    kept: Vec<&'static str>,
    ignored: u32,
    fails: Option<&'static str>,
}

macro_rules! recording {
    ($api:ident, $name:literal, $($field:ident: $value:expr),* $(,)?) => {
        Recording {
            $($field: $value,)*
            ..recording(ApiKind::$api, $name, include_str!(concat!("../../fixtures/", $name)))
        }
    };
}

fn recording(api: ApiKind, name: &'static str, stream: &'static str) -> Recording {
    Recording {
        api,
        name,
        stream,
        ends_with: match api {
            ApiKind::Chat => "\"finish_reason\":\"stop\"",
            ApiKind::Responses => "\"type\":\"response.completed\"",
            ApiKind::Messages => "\"type\":\"message_delta\"",
        },
        text: "",
        calls: Vec::new(),
        finish: FinishReason::Stop,
        usage: None,
        kept: Vec::new(),
        ignored: 0,
        fails: None,
    }
}

fn of_responses() -> Vec<Recording> {
    vec![
        recording!(Responses, "responses_text.sse", text: "Noted €4,200 a month.",
            usage: Some((2961, 12, Some(2816), Some(0), Some(0)))),
        recording!(Responses, "responses_tool_calls.sse",
            calls: vec![("set_financial_field", RENT), ("get_plan_summary", "{}")], finish: FinishReason::ToolCalls,
            usage: Some((2961, 41, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_reasoning.sse",
            calls: vec![("set_financial_field", RENT)], finish: FinishReason::ToolCalls,
            usage: Some((2961, 141, Some(2816), Some(0), Some(64))),
            kept: vec![r#"{"id":"rs_01","type":"reasoning","summary":[{"type":"summary_text","text":"**Reading the rent**"}],"encrypted_content":"gAAAAABq_first-and-last=="}"#]),
        recording!(Responses, "responses_items_out_of_order.sse",
        calls: vec![("set_financial_field", RENT)], finish: FinishReason::ToolCalls, usage: Some((10, 40, None, None, None)),
        kept: vec![
            r#"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA"}"#,
            r#"{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"rents"}}"#,
        ]),
        recording!(Responses, "responses_parallel_wrapper.sse",
            calls: vec![("get_plan_summary", r#"{"section":"revenue"}"#), ("get_projection", "{}")],
            finish: FinishReason::ToolCalls, usage: Some((34, 28, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_incomplete.sse", text: "Rent is one of", finish: FinishReason::Length,
            ends_with: "\"type\":\"response.incomplete\"", usage: Some((2961, 1024, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_content_filter.sse", text: "I can", finish: FinishReason::ContentFilter,
            ends_with: "\"type\":\"response.incomplete\"", usage: Some((2961, 3, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_refusal.sse", text: "I cannot help with that.",
            usage: Some((90, 9, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_rotating_ids.sse", text: "Rent is noted.",
            usage: Some((19, 105, Some(0), Some(0), Some(44)))),
        recording!(Responses, "responses_delta_after_done.sse",
            calls: vec![("set_financial_field", RENT)], finish: FinishReason::ToolCalls,
            usage: Some((34, 28, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_only_completed.sse", text: "Whole at once.",
            calls: vec![("get_plan_summary", "{}")], finish: FinishReason::ToolCalls,
            usage: Some((34, 4, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_nothing_said.sse", usage: Some((34, 0, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_keepalives.sse", text: "Hi", usage: Some((3, 1, Some(0), Some(0), Some(0)))),
        recording!(Responses, "responses_failed.sse", fails: Some("rate_limited")),
        recording!(Responses, "responses_error_null_code.sse", fails: Some("server_error")),
        recording!(Responses, "responses_document.json", text: "Noted.", calls: vec![("set_financial_field", RENT)],
            finish: FinishReason::ToolCalls, usage: Some((34, 4, Some(8), Some(0), Some(0)))),
    ]
}

fn of_messages() -> Vec<Recording> {
    vec![
        recording!(Messages, "messages_text.sse", text: "Noted: $4,200.", usage: Some((2828, 12, Some(2816), Some(0), None))),
        recording!(Messages, "messages_tool_without_arguments.sse", text: "I'll read your plan.",
            calls: vec![("get_plan_summary", "{}")], finish: FinishReason::ToolCalls,
            usage: Some((565, 48, Some(0), Some(0), None))),
        recording!(Messages, "messages_two_tools.sse", text: "One moment.",
            calls: vec![("set_financial_field", RENT), ("get_projection", "{}")], finish: FinishReason::ToolCalls,
            usage: Some((2856, 80, Some(0), Some(2816), None))),
        recording!(Messages, "messages_thinking.sse",
        calls: vec![("set_financial_field", RENT)], finish: FinishReason::ToolCalls,
        usage: Some((2856, 140, Some(2816), Some(0), Some(64))),
        kept: vec![
            r#"{"type":"thinking","thinking":"They said 4,200 \"a month\".","signature":"ErUBCkYIBRgCIkD="}"#,
            r#"{"type":"redacted_thinking","data":"EuoBCoYBGAIiQL7"}"#,
        ]),
        recording!(Messages, "messages_interleaved_blocks.sse", text: "Rents rise.",
        calls: vec![("set_financial_field", RENT)], finish: FinishReason::ToolCalls, usage: Some((10, 40, None, None, None)),
        kept: vec![
            r#"{"type":"thinking","thinking":"What do rents cost?","signature":"c2ln"}"#,
            r#"{"id":"srv_1","name":"web_search","type":"server_tool_use","input":{"query":"rents"}}"#,
            r#"{"content":[{"type":"web_search_result","url":"https://example.org/"}],"tool_use_id":"srv_1","type":"web_search_tool_result"}"#,
            r#"{"type":"text","text":"Rents rise.","citations":[{"type":"web_search_result_location","url":"https://example.org/","cited_text":"Rents rise."}]}"#,
        ]),
        recording!(Messages, "messages_refusal.sse", finish: FinishReason::ContentFilter,
            usage: Some((18, 5, Some(0), Some(0), None))),
        recording!(Messages, "messages_started_twice.sse", text: "ok", usage: Some((10, 2, None, None, None))),
        recording!(Messages, "messages_usage_in_delta.sse", text: "pong", usage: Some((61, 2, None, None, None))),
        recording!(Messages, "messages_prepopulated.sse", calls: vec![("get_plan_summary", r#"{"section":"revenue"}"#)],
            ends_with: "\"type\":\"message_start\"", finish: FinishReason::ToolCalls,
            kept: vec![r#"{"content":{"type":"code_execution_result","stdout":"x","content":[]},"tool_use_id":"srvtoolu_1","type":"code_execution_tool_result"}"#]),
        recording!(Messages, "messages_other_model_answered.sse", text: "The rent is noted.",
            usage: Some((412, 264, Some(0), Some(0), None))),
        recording!(Messages, "messages_max_tokens.sse", text: "Rent is", finish: FinishReason::Length,
            usage: Some((18, 1024, Some(0), Some(0), None))),
        recording!(Messages, "messages_quoted_input.sse",
            calls: vec![("set_financial_field", r#"{"path": "profile.name", "quote": "they said: \"what next?\""}"#)],
            finish: FinishReason::ToolCalls, usage: Some((912, 118, Some(0), Some(0), None))),
        recording!(Messages, "messages_overloaded.sse", text: "Rent", fails: Some("server_error")),
        recording!(Messages, "messages_context_exceeded.sse", fails: Some("context_length")),
        recording!(Messages, "messages_pause.sse", text: "One moment", finish: FinishReason::Length,
            usage: Some((18, 3, Some(0), Some(0), None))),
        recording!(Messages, "messages_document.json", text: "Noted.", calls: vec![("get_projection", "{}")],
            finish: FinishReason::ToolCalls, usage: Some((90, 20, Some(64), Some(16), None))),
    ]
}

fn of_chat() -> Vec<Recording> {
    vec![
        recording!(Chat, "chat_cached.sse", text: "Noted.", usage: Some((2961, 66, Some(2816), None, Some(64)))),
        recording!(Chat, "chat_error_after_finish.sse", text: "Noted.", fails: Some("server_error")),
    ]
}

impl Recording {
    fn check(&self) {
        let whole = [self.stream.as_bytes()];
        let lines: Vec<&[u8]> = self.stream.as_bytes().split_inclusive(|b| *b == b'\n').collect();
        let bytes: Vec<&[u8]> = self.stream.as_bytes().chunks(1).collect();
        for api in [ApiKind::Chat, ApiKind::Responses, ApiKind::Messages] {
            self.check_pieces(api, "whole", &whole);
        }
        self.check_pieces(self.api, "line by line", &lines);
        self.check_pieces(self.api, "byte by byte", &bytes);
        self.check_cuts();
    }

    fn check_pieces(&self, api: ApiKind, how: &str, pieces: &[&[u8]]) {
        let at = format!("{} {how} asked as {api:?}", self.name);
        let (text, result) = play_as(api, pieces);
        assert_eq!(text, self.text, "{at}");
        match (result, self.fails) {
            (Ok(completion), None) => self.check_completion(&at, &completion),
            (Err(error), Some(class)) => assert_eq!(error.class(), class, "{at}: {error:?}"),
            (result, fails) => panic!("{at}: {result:?}, not {fails:?}"),
        }
    }

    fn check_completion(&self, at: &str, completion: &Completion) {
        let calls = completion.tool_calls.iter();
        let calls: Vec<_> = calls
            .map(|call| (call.name.as_str(), call.arguments.as_str()))
            .collect();
        assert_eq!(calls, self.calls, "{at}");
        assert_eq!(completion.finish, self.finish, "{at}");
        assert_eq!(completion.replay.is_some(), !calls.is_empty(), "{at}");
        let kept = completion.replay.iter().flat_map(|replay| &replay.items);
        let kept: Vec<&str> = kept
            .filter_map(|item| match item {
                ReplayItem::Raw(raw) if !raw.contains("\"message\"") => Some(raw.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(kept, self.kept, "{at}");
        assert_eq!(completion.ignored_frames, self.ignored, "{at}");
        let usage = self
            .usage
            .map(|(prompt, completion, cached, written, reasoning)| Usage {
                prompt_tokens: prompt,
                completion_tokens: completion,
                total_tokens: prompt + completion,
                cached_prompt_tokens: cached,
                cache_write_tokens: written,
                reasoning_tokens: reasoning,
                estimated: false,
            });
        assert_eq!(completion.usage, usage, "{at}");
    }

    fn check_cuts(&self) {
        let is_document = self.stream.starts_with('{');
        let end = self.stream.find(self.ends_with).filter(|_| !is_document);
        let end = end.unwrap_or(self.stream.trim_end().len() - 1);
        for cut in (0..end).filter(|_| self.fails.is_none()) {
            let (_, result): (_, Result<_, LlmError>) = play_as(self.api, &[&self.stream.as_bytes()[..cut]]);
            assert!(result.is_err(), "{} cut at {cut} is taken for whole", self.name);
        }
    }
}

#[test]
fn streams_of_the_responses_format() {
    of_responses().iter().for_each(Recording::check);
}

#[test]
fn streams_of_the_messages_format() {
    of_messages().iter().for_each(Recording::check);
}

#[test]
fn streams_of_the_chat_format() {
    of_chat().iter().for_each(Recording::check);
}

#[test]
fn every_recording_is_read_by_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let known: Vec<&str> = of_responses()
        .iter()
        .chain(&of_messages())
        .chain(&of_chat())
        .map(|recording| recording.name)
        .chain(["openai_text.sse", "openai_tool_calls.sse"])
        .collect();
    for entry in std::fs::read_dir(folder).expect("the recordings") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        assert!(known.contains(&name.as_str()), "{name} is read by no test");
    }
}
