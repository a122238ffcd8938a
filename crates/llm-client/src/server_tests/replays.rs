//! What a model sent with its calls goes back with their results, as it came.

use super::{DONE, request, settings};
use crate::mock_server::{MockServer, Step, response, streamed};
use crate::{ApiChoice, ApiKind, ChatMessage, Llm, LlmEvent, LlmRequest, LlmSettings, OpenAiLlm};
use futures_util::StreamExt;
use serde_json::{Value, json};

/// The second request of a turn whose first answer was this stream.
async fn second_request(api: ApiKind, frames: &[String]) -> Value {
    let frames: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    let server = MockServer::start(move |number| {
        vec![Step::Send(match number {
            0 => streamed(&[&frames]),
            _ => response(500, "", ""),
        })]
    })
    .await;
    let llm = client(&server, api);
    let next = next_request(&llm, request()).await;
    drop(llm.stream(next).await);
    server.requests()[1].json()
}

fn client(server: &MockServer, api: ApiKind) -> OpenAiLlm {
    OpenAiLlm::new(LlmSettings {
        api: ApiChoice::Fixed(api),
        ..settings(server.address)
    })
    .expect("valid settings")
}

/// Reads the answer, and adds it with results of its calls.
async fn next_request(llm: &OpenAiLlm, mut request: LlmRequest) -> LlmRequest {
    let mut stream = llm.stream(request.clone()).await.expect("begins");
    let mut said = String::new();
    while let Some(event) = stream.next().await {
        match event.expect("whole") {
            LlmEvent::Text(text) => said.push_str(&text),
            LlmEvent::Completed(completion) => {
                request.messages.extend(completion.replay.map(ChatMessage::Replay));
                let results = completion.tool_calls.iter().map(|call| ChatMessage::Tool {
                    call_id: call.id.clone(),
                    content: "ok".into(),
                });
                let results: Vec<_> = results.collect();
                request.messages.push(ChatMessage::Assistant {
                    content: said.as_str().into(),
                    tool_calls: completion.tool_calls,
                });
                request.messages.extend(results);
            }
        }
    }
    request
}

fn chat(delta: &Value, finish: Option<&str>) -> String {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}).to_string()
}

fn call(index: u8, extra: &Value) -> Value {
    let mut call = json!({"index": index, "id": format!("c{index}"), "type": "function",
        "function": {"name": "note", "arguments": "{\"x\":1}"}});
    for (name, value) in extra.as_object().expect("an object") {
        call[name] = value.clone();
    }
    call
}

#[tokio::test]
async fn what_stood_beside_text_and_calls_goes_back_in_the_chat_format() {
    let signature = json!({"extra_content": {"google": {"thought_signature": "S=="}}});
    let frames = [
        chat(&json!({"role": "assistant", "reasoning_content": "They "}), None),
        chat(&json!({"reasoning_content": "said \u{201c}rent\u{201d}."}), None),
        chat(
            &json!({"reasoning_details": [{"type": "reasoning.encrypted", "data": "E", "index": 0}]}),
            None,
        ),
        chat(&json!({"content": "One moment.", "mystery": {"a": [1, null]}}), None),
        chat(
            &json!({"tool_calls": [call(0, &signature), call(1, &json!({}))]}),
            Some("tool_calls"),
        ),
        "[DONE]".to_owned(),
    ];
    let sent = second_request(ApiKind::Chat, &frames).await;
    let message = &sent["messages"][2];
    assert_eq!(message["content"], "One moment.");
    assert_eq!(message["reasoning_content"], "They said \u{201c}rent\u{201d}.");
    assert_eq!(
        message["reasoning_details"],
        json!([{"type": "reasoning.encrypted", "data": "E", "index": 0}])
    );
    assert_eq!(message["mystery"], json!({"a": [1, null]}));
    let calls = &message["tool_calls"];
    assert_eq!(calls[0]["extra_content"], signature["extra_content"]);
    assert_eq!(
        calls[1],
        json!({"id": "c1", "type": "function", "function": {"name": "note", "arguments": "{\"x\":1}"}})
    );
}

#[tokio::test]
async fn blocks_of_thinking_go_back_in_their_places_signed_or_not() {
    let block = |index: u8, block: Value, deltas: &[Value]| {
        let start = json!({"type": "content_block_start", "index": index, "content_block": block}).to_string();
        let deltas = deltas
            .iter()
            .map(|delta| json!({"type": "content_block_delta", "index": index, "delta": delta}).to_string());
        let stop = json!({"type": "content_block_stop", "index": index}).to_string();
        std::iter::once(start).chain(deltas).chain([stop]).collect::<Vec<_>>()
    };
    let thinking = |text: &str| json!({"type": "thinking_delta", "thinking": text});
    let signed = |text: &str| json!({"type": "signature_delta", "signature": text});
    let tool =
        |id: &str| json!({"type": "tool_use", "id": id, "name": "note", "input": {}, "caller": {"type": "direct"}});
    let input = json!({"type": "input_json_delta", "partial_json": "{\"x\":1}"});
    let empty = json!({"type": "thinking", "thinking": "", "signature": ""});
    let mut frames = vec![json!({"type": "message_start", "message": {"content": []}}).to_string()];
    frames.extend(block(0, empty.clone(), &[thinking("hm"), signed("S1")]));
    frames.extend(block(
        1,
        json!({"type": "text", "text": ""}),
        &[json!({"type": "text_delta", "text": "Well."})],
    ));
    frames.extend(block(2, empty.clone(), &[signed("S2")]));
    frames.extend(block(3, tool("t1"), std::slice::from_ref(&input)));
    frames.extend(block(
        4,
        json!({"type": "thinking", "thinking": ""}),
        &[thinking("unsigned")],
    ));
    frames.extend(block(5, json!({"type": "redacted_thinking", "data": "R"}), &[]));
    frames.extend(block(6, tool("t2"), &[input]));
    frames.push(json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}).to_string());
    frames.push(json!({"type": "message_stop"}).to_string());
    let sent = second_request(ApiKind::Messages, &frames).await;
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "note", "input": {"x": 1}, "caller": {"type": "direct"}});
    assert_eq!(
        sent["messages"][1]["content"],
        json!([
            {"type": "thinking", "thinking": "hm", "signature": "S1"},
            {"type": "text", "text": "Well."},
            {"type": "thinking", "thinking": "", "signature": "S2"},
            call("t1"),
            {"type": "thinking", "thinking": "unsigned"},
            {"type": "redacted_thinking", "data": "R"},
            call("t2"),
        ])
    );
}

#[tokio::test]
async fn items_go_back_in_their_order_in_the_responses_format() {
    let reasoning = |id: &str| json!({"id": id, "type": "reasoning", "summary": [], "encrypted_content": "E"});
    let plain = json!({"id": "rs_3", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]});
    let said = json!({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "phase": "commentary",
        "content": [{"type": "output_text", "text": "One moment.", "annotations": []}]});
    let call = |id: &str| {
        json!({"id": format!("fc_{id}"), "type": "function_call", "status": "completed", "call_id": id,
        "name": "note", "arguments": "{\"x\":1}"})
    };
    let items = [
        reasoning("rs_1"),
        said,
        reasoning("rs_2"),
        call("c1"),
        plain,
        call("c2"),
    ];
    let mut frames: Vec<String> = (0..)
        .zip(&items)
        .map(|(at, item): (usize, _)| {
            json!({"type": "response.output_item.done", "output_index": at, "item": item}).to_string()
        })
        .collect();
    frames
        .push(json!({"type": "response.completed", "response": {"status": "completed", "output": items}}).to_string());
    let sent = second_request(ApiKind::Responses, &frames).await;
    let input = sent["input"].as_array().expect("a list");
    assert_eq!(&input[1..7], &items);
}

#[tokio::test]
async fn a_member_that_the_server_refuses_is_left_out_from_then_on_and_one_that_it_misses_is_not() {
    let first = [
        chat(&json!({"reasoning": "hm", "reasoning_content": "hm"}), None),
        chat(&json!({"tool_calls": [call(0, &json!({}))]}), Some("tool_calls")),
    ];
    let first: String = first
        .iter()
        .map(|frame| format!("data: {frame}\n\n"))
        .collect::<String>()
        + DONE;
    let server = MockServer::answering(move |request| {
        let body = request.json();
        let refuse = |message: &str| response(400, "", &json!({"error": {"message": message}}).to_string());
        let message = &body["messages"][2];
        vec![Step::Send(if message.get("reasoning").is_some() {
            refuse("messages.2.assistant.reasoning: Extra inputs are not permitted")
        } else if message.is_object() && message.get("reasoning_content").is_none() {
            refuse("The `reasoning_content` in the thinking mode must be passed back")
        } else {
            streamed(&[&first])
        })]
    })
    .await;
    let llm = client(&server, ApiKind::Chat);
    let next = next_request(&llm, request()).await;
    drop(llm.stream(next.clone()).await.expect("without the one, with the other"));
    drop(llm.stream(next).await.expect("knows"));
    assert_eq!(server.requests().len(), 4);
    assert!(llm.adaptations()[0].starts_with("reasoning is not sent back"));
}

#[tokio::test]
async fn a_signature_in_every_piece_goes_back_once() {
    let delta = |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta}).to_string();
    let frames = [
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}).to_string(),
        delta(json!({"type": "thinking_delta", "thinking": "a", "signature": "S"})),
        delta(json!({"type": "thinking_delta", "thinking": "b", "signature": "S"})),
        delta(json!({"type": "signature_delta", "signature": "S"})),
        json!({"type": "content_block_stop", "index": 0}).to_string(),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "note", "input": {"x": 1}}}).to_string(),
        json!({"type": "content_block_stop", "index": 1}).to_string(),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}).to_string(),
    ];
    let sent = second_request(ApiKind::Messages, &frames).await;
    assert_eq!(
        sent["messages"][1]["content"][0],
        json!({"type": "thinking", "thinking": "ab", "signature": "S"})
    );
    let signature = json!({"extra_content": {"google": {"thought_signature": "S"}}, "thought_signature": "S"});
    let again = json!({"index": 0, "function": {"arguments": " "}, "extra_content": signature["extra_content"], "thought_signature": "S"});
    let frames = [
        chat(&json!({"tool_calls": [call(0, &signature)]}), None),
        chat(&json!({"tool_calls": [again]}), Some("tool_calls")),
        "[DONE]".to_owned(),
    ];
    let sent = second_request(ApiKind::Chat, &frames).await;
    let sent = &sent["messages"][2]["tool_calls"][0];
    assert_eq!(
        (&sent["extra_content"], &sent["thought_signature"]),
        (&signature["extra_content"], &json!("S"))
    );
}

#[tokio::test]
async fn five_megabytes_of_thoughts_are_no_failure_and_do_not_come_back() {
    let thought = "hm ".repeat(200_000);
    let chat_frames: Vec<String> = (0..9)
        .map(|_| chat(&json!({"reasoning_content": thought, "mystery": "m"}), None))
        .chain([
            chat(&json!({"tool_calls": [call(0, &json!({}))]}), Some("tool_calls")),
            "[DONE]".to_owned(),
        ])
        .collect();
    let sent = second_request(ApiKind::Chat, &chat_frames).await;
    let message = &sent["messages"][2];
    assert_eq!(message["tool_calls"][0]["id"], "c0");
    assert_eq!(
        (message.get("reasoning_content"), &message["mystery"]),
        (None, &json!("m"))
    );

    let delta =
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": thought}});
    let mut frames = vec![
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}})
            .to_string(),
    ];
    frames.extend((0..9).map(|_| delta.to_string()));
    frames.extend([
        json!({"type": "content_block_stop", "index": 0}).to_string(),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "note", "input": {"x": 1}}}).to_string(),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}).to_string(),
    ]);
    let sent = second_request(ApiKind::Messages, &frames).await;
    let blocks = sent["messages"][1]["content"].as_array().expect("blocks");
    assert_eq!((blocks.len(), &blocks[0]["type"]), (1, &json!("tool_use")));
}

#[tokio::test]
async fn five_megabytes_in_one_event_are_no_failure_either() {
    let large = json!({"extra_content": {"blob": "b".repeat(5_000_000)}});
    let chat_frames = [
        chat(&json!({"tool_calls": [call(0, &large)]}), Some("tool_calls")),
        "[DONE]".to_owned(),
    ];
    let sent = second_request(ApiKind::Chat, &chat_frames).await;
    let call = &sent["messages"][2]["tool_calls"][0];
    assert_eq!((&call["id"], &call["extra_content"]), (&json!("c0"), &json!(null)));
}

#[tokio::test]
async fn a_provider_that_changes_its_mind_between_two_rounds_is_followed() {
    let first = [
        chat(&json!({"reasoning_content": "hm"}), None),
        chat(&json!({"tool_calls": [call(0, &json!({}))]}), Some("tool_calls")),
    ];
    let first: String = first
        .iter()
        .map(|frame| format!("data: {frame}\n\n"))
        .collect::<String>()
        + DONE;
    let refuse = |message: &str| response(400, "", &json!({"error": {"message": message}}).to_string());
    let server = MockServer::start(move |number| {
        vec![Step::Send(match number {
            0 | 2 => streamed(&[&first]),
            1 => refuse("Extra inputs are not permitted: messages.2.reasoning_content"),
            3 => refuse("The `reasoning_content` in the thinking mode must be passed back to the API."),
            _ => streamed(&[super::HI, super::STOP, DONE]),
        })]
    })
    .await;
    let llm = client(&server, ApiKind::Chat);
    let second = next_request(&llm, request()).await;
    let third = next_request(&llm, second).await;
    drop(llm.stream(third).await.expect("answers in the third round"));
    let last = server.requests().pop().expect("asked").json();
    assert_eq!(last["messages"][2]["reasoning_content"], "hm");
}

#[tokio::test]
async fn an_error_of_ten_megabytes_is_read_as_far_as_it_says_something() {
    let words = "word ".repeat(2_000_000);
    let body = json!({"error": {"code": "context_length_exceeded", "message": "too long", "zzz_input": words}});
    let server = MockServer::always(response(400, "", &body.to_string())).await;
    let llm = client(&server, ApiKind::Chat);
    let error = llm.stream(request()).await.err().expect("refused");
    assert!(error.is_context_length(), "{error}");
}

/// Magistral's thoughts are parts of the content, and unknown blocks stand between others.
#[tokio::test]
async fn thoughts_among_the_parts_of_the_content_and_unknown_blocks_go_back() {
    let part = |text: &str| json!([{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]);
    let frames = [
        chat(&json!({"content": part("a ")}), None),
        chat(&json!({"content": part("a ")}), None),
        chat(&json!({"content": "Sure:"}), None),
        chat(&json!({"tool_calls": [call(0, &json!({}))]}), Some("tool_calls")),
        "[DONE]".to_owned(),
    ];
    let sent = second_request(ApiKind::Chat, &frames).await;
    let mut content = part("a a ").as_array().expect("parts").clone();
    content.push(json!({"type": "text", "text": "Sure:"}));
    assert_eq!(sent["messages"][2]["content"], Value::Array(content));

    let unknown = json!({"type": "vendor_trace", "trace": "", "n": 1});
    let frames = [
        json!({"type": "content_block_start", "index": 0, "content_block": unknown}).to_string(),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "trace_delta", "trace": "T"}}).to_string(),
        json!({"type": "content_block_stop", "index": 0}).to_string(),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "note", "input": {"x": 1}}}).to_string(),
        json!({"type": "content_block_stop", "index": 1}).to_string(),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}).to_string(),
    ];
    let sent = second_request(ApiKind::Messages, &frames).await;
    assert_eq!(
        sent["messages"][1]["content"][0],
        json!({"type": "vendor_trace", "trace": "T", "n": 1})
    );
}

#[tokio::test]
async fn a_member_that_comes_late_belongs_to_the_call_that_its_index_names() {
    let signature = json!({"extra_content": "S"});
    let frames = [
        chat(&json!({"tool_calls": [call(0, &json!({}))]}), None),
        chat(&json!({"tool_calls": [call(1, &json!({}))]}), None),
        chat(
            &json!({"tool_calls": [{"index": 0, "extra_content": "S"}]}),
            Some("tool_calls"),
        ),
        "[DONE]".to_owned(),
    ];
    let sent = second_request(ApiKind::Chat, &frames).await;
    let calls = &sent["messages"][2]["tool_calls"];
    assert_eq!(
        (&calls[0]["extra_content"], calls[1].get("extra_content")),
        (&signature["extra_content"], None)
    );
}
