//! What one person's request brings changes nothing for another, whatever the server says.

use super::{DONE, HI, STOP, ask_with, request, settings};
use crate::mock_server::{MockServer, Request, Step, response, streamed};
use crate::{Asker, ChatMessage, Llm, LlmError, LlmRequest, LlmSettings, OpenAiLlm};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn client(server: &MockServer) -> OpenAiLlm {
    OpenAiLlm::new(settings(server.address)).expect("valid settings")
}

fn of(person: u128, words: &str) -> LlmRequest {
    LlmRequest {
        messages: vec![ChatMessage::System("Be kind.".into()), ChatMessage::User(words.into())],
        asker: Asker::person(person),
        ..request()
    }
}

async fn answer(llm: &OpenAiLlm, request: LlmRequest) -> Result<(), LlmError> {
    ask_with(llm, request).await.1.map(|_| ())
}

fn fine() -> Vec<Step> {
    vec![Step::Send(streamed(&[HI, STOP, DONE]))]
}

/// Refuses whoever sends this parameter.
fn strict(param: &'static str) -> impl Fn(&Request) -> Vec<Step> {
    move |request| match request.json().get(param) {
        Some(_) => {
            let body = format!(r#"{{"error":{{"message":"Unsupported parameter","param":"{param}"}}}}"#);
            vec![Step::Send(response(400, "", &body))]
        }
        None => fine(),
    }
}

#[tokio::test]
async fn what_a_person_has_quoted_in_a_refusal_changes_nothing_for_another() {
    let bodies: [fn(&str) -> String; 4] = [
        |words| {
            format!(
                r#"{{"error":{{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"{words}"}}}}"#
            )
        },
        |words| format!(r#"{{"detail":[{{"type":"value_error","loc":["body"],"msg":"Invalid","input":"{words}"}}]}}"#),
        |words| format!(r#"{{"error":{{"message":"Invalid prompt: {words}"}}}}"#),
        |words| format!("could not read: {words}"),
    ];
    let dictated = [
        "Call a function with: temperature",
        "Call a function with: max_tokens",
        "Call a function with: stream_options",
        "This model's maximum context length is 1100 tokens",
        "say: context window",
        "say: this model is not found",
    ];
    for body in bodies {
        for words in dictated {
            let server = MockServer::answering(move |request| {
                let asks = request.json()["messages"][1]["content"].to_string();
                match asks.contains(words) {
                    true => vec![Step::Send(response(400, "", &body(words)))],
                    false => fine(),
                }
            })
            .await;
            let llm = OpenAiLlm::new(LlmSettings {
                may_choose_model: true,
                ..settings(server.address)
            })
            .expect("valid settings");
            answer(&llm, of(2, "Hello")).await.expect("as usual");
            for sam in [1, 1, 3] {
                answer(&llm, of(sam, words)).await.expect_err("refused");
            }
            answer(&llm, of(2, "Hello")).await.expect("as before");
            let bodies: Vec<_> = server.requests().iter().map(Request::json).collect();
            assert_eq!(bodies.first(), bodies.last(), "{words}");
            assert_eq!(llm.context_tokens(), None, "{words}");
            // The model's own call is asked for once more.
            let requests = if body(words).contains("tool_use_failed") { 8 } else { 5 };
            assert_eq!(
                bodies.len(),
                requests,
                "{words}: no second request for what is nobody's refusal"
            );
        }
    }
}

#[tokio::test]
async fn a_refusal_is_followed_in_its_turn_and_holds_for_all_when_a_second_person_has_it() {
    let server = MockServer::answering(strict("temperature")).await;
    let llm = client(&server);
    let turn = of(1, "Hello");
    answer(&llm, turn.clone()).await.expect("without it");
    answer(&llm, turn).await.expect("the same turn knows");
    assert_eq!(server.requests().len(), 3);
    assert!(llm.adaptations().is_empty(), "of one person's turn");
    answer(&llm, of(2, "Hello")).await.expect("without it");
    assert_eq!(server.requests().len(), 5, "another person's turn begins as usual");
    answer(&llm, of(3, "Hello")).await.expect("knows");
    assert_eq!(server.requests().len(), 6);
    assert_eq!(llm.adaptations().len(), 1);
}

#[tokio::test]
async fn where_the_same_person_is_refused_again_a_request_of_our_own_finds_out() {
    let server = MockServer::answering(strict("stream_options")).await;
    let llm = client(&server);
    answer(&llm, of(1, "private words")).await.expect("without it");
    answer(&llm, of(1, "private words")).await.expect("without it");
    // Two requests each, the probe and its repetition.
    server.asked(6).await;
    while llm.adaptations().is_empty() {
        tokio::task::yield_now().await;
    }
    let probes = server.requests().split_off(4);
    assert!(probes.iter().all(|probe| !probe.body.contains("private words")));
    answer(&llm, of(2, "Hello")).await.expect("knows");
    assert_eq!(server.requests().len(), 7);
}

#[tokio::test]
async fn a_success_that_contradicts_a_refusal_takes_it_back() {
    let is_strict = Arc::new(AtomicBool::new(true));
    let switch = Arc::clone(&is_strict);
    let refuse = strict("temperature");
    let server = MockServer::answering(move |request| match switch.load(Ordering::Relaxed) {
        true => refuse(request),
        false => fine(),
    })
    .await;
    let llm = client(&server);
    answer(&llm, of(1, "Hello")).await.expect("without it");
    is_strict.store(false, Ordering::Relaxed);
    answer(&llm, of(2, "Hello")).await.expect("with it");
    is_strict.store(true, Ordering::Relaxed);
    answer(&llm, of(3, "Hello")).await.expect("without it");
    assert!(llm.adaptations().is_empty(), "the first refusal counts no more");
}

fn long(person: u128) -> LlmRequest {
    let mut request = of(person, "Hello");
    request
        .messages
        .insert(1, ChatMessage::System("word ".repeat(8_000).into()));
    request
}

fn too_long(tokens: u32) -> Vec<Step> {
    let body = format!(
        r#"{{"error":{{"message":"This model's maximum context length is {tokens} tokens.","code":"context_length_exceeded"}}}}"#
    );
    vec![Step::Send(response(400, "", &body))]
}

#[tokio::test]
async fn a_size_is_believed_below_what_was_sent_and_above_what_was_taken() {
    for (named, believed) in [(4_096, true), (1_100, false), (128_000, false), (700, false)] {
        let server = MockServer::start(move |number| if number == 0 { fine() } else { too_long(named) }).await;
        let llm = client(&server);
        let mut taken = of(1, "Hello");
        taken
            .messages
            .insert(1, ChatMessage::System("word ".repeat(2_000).into()));
        answer(&llm, taken).await.expect("taken");
        let error = answer(&llm, long(1)).await.expect_err("too long");
        assert!(error.is_context_length());
        assert_eq!(error.context_tokens(), believed.then_some(named), "{named}");
        assert_eq!(llm.context_tokens(), None, "one person");
        answer(&llm, long(2)).await.expect_err("too long");
        let common = llm.context_tokens().expect("two people");
        assert!(
            if believed { common == named } else { common > 10_000 },
            "{named}: {common}"
        );
    }
}

#[tokio::test]
async fn another_models_refusal_says_nothing_about_this_one_and_the_operators_size_stays() {
    let server = MockServer::start(|_| too_long(4_096)).await;
    let set = |context_tokens| {
        let settings = LlmSettings {
            context_tokens,
            ..settings(server.address)
        };
        OpenAiLlm::new(settings).expect("valid settings")
    };
    let llm = set(None);
    for person in [1, 2] {
        let reviewer = LlmRequest {
            model: Some("small-reviewer".into()),
            ..long(person)
        };
        answer(&llm, reviewer).await.expect_err("too long");
    }
    assert_eq!(llm.context_tokens(), None);
    let llm = set(Some(128_000));
    for person in [1, 2] {
        let error = answer(&llm, long(person)).await.expect_err("too long");
        assert_eq!(error.context_tokens(), Some(4_096), "for that turn");
    }
    assert_eq!(llm.context_tokens(), Some(128_000));
    assert!(
        llm.adaptations()[0].contains("LLM_CONTEXT_TOKENS=4096"),
        "the operator is told"
    );
}

#[tokio::test]
async fn where_the_servers_list_has_our_model_no_other_is_taken() {
    let server = MockServer::answering(|request| {
        let models = r#"{"object":"list","data":[{"id":"other"},{"id":"test-model"}]}"#;
        let lie = r#"{"error":{"message":"The model does not exist","code":"model_not_found"}}"#;
        vec![Step::Send(match request.head.contains("/models") {
            true => response(200, "content-type: application/json\r\n", models),
            false => response(404, "", lie),
        })]
    })
    .await;
    let llm = OpenAiLlm::new(LlmSettings {
        may_choose_model: true,
        ..settings(server.address)
    })
    .expect("valid settings");
    let error = answer(&llm, of(1, "Hello")).await.expect_err("refused");
    assert_eq!((error.class(), &*llm.model_name()), ("not_found", "test-model"));
}

#[tokio::test]
async fn an_operator_reads_how_a_model_is_asked() {
    let server = MockServer::answering(|request| {
        let body = request.json();
        let refuse = |message: &str| {
            let body = format!(r#"{{"error":{{"message":"{message}"}}}}"#);
            vec![Step::Send(response(400, "", &body))]
        };
        match () {
            () if body.get("tools").is_some() => refuse("gemma3:4b does not support tools"),
            () if body.get("reasoning_effort").is_some() => refuse("Unknown parameter: reasoningEffort"),
            () => fine(),
        }
    })
    .await;
    let llm = OpenAiLlm::new(LlmSettings {
        options: crate::settings::ModelOptions {
            effort: Some(crate::ReasoningEffort::Low),
            ..Default::default()
        },
        context_tokens: Some(8_192),
        ..settings(server.address)
    })
    .expect("valid settings");
    let facts = |llm: &OpenAiLlm| llm.facts().into_iter().map(|(_, fact)| fact).collect::<Vec<_>>();
    assert_eq!(
        facts(&llm),
        [
            "OpenAI's chat completions, as the address suggests",
            "taken",
            "low, as LLM_REASONING_EFFORT says",
            "8192 tokens, as LLM_CONTEXT_TOKENS says",
        ]
    );
    let own = LlmRequest {
        tools: std::sync::Arc::new([crate::ToolDefinition::new(
            "note",
            "Notes",
            serde_json::json!({"type": "object"}),
        )]),
        asker: crate::Asker::program(),
        ..of(1, "Say ok.")
    };
    answer(&llm, own).await.expect("without both");
    let now = facts(&llm);
    assert!(
        now[1].starts_with("refused") && now[2].starts_with("refused"),
        "{now:?}"
    );
}
