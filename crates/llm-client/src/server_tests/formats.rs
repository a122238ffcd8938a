//! Tests of the three formats over real sockets, with the refusals of servers.

use super::{DONE, HI, STOP, ask, ask_with, class, request, settings};
use crate::mock_server::{MockServer, Request, Step, response, streamed};
use crate::{ApiChoice, ApiKind, Llm, LlmSettings, OpenAiLlm};

const NO_TOOLS_WITH_REASONING: &str = r#"{"error":{"message":"Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.","type":"invalid_request_error","param":"reasoning_effort","code":null}}"#;
const RESPONSES_TEXT: &str = include_str!("../../fixtures/responses_text.sse");
const MESSAGES_TEXT: &str = include_str!("../../fixtures/messages_text.sse");

fn refuses(param: &str) -> Vec<u8> {
    let body = format!(r#"{{"error":{{"message":"Unsupported parameter","param":"{param}"}}}}"#);
    response(400, "", &body)
}

fn client(server: &MockServer, api: ApiChoice) -> OpenAiLlm {
    OpenAiLlm::new(LlmSettings {
        api,
        ..settings(server.address)
    })
    .expect("valid settings")
}

/// The path of each request.
fn paths(server: &MockServer) -> Vec<String> {
    let path = |request: &Request| request.head.split(' ').nth(1).unwrap_or_default().to_owned();
    server.requests().iter().map(path).collect()
}

/// Answers by the path and the body, as a server with a model of its own would.
async fn server(answer: impl Fn(&Request) -> Vec<u8> + Send + Sync + 'static) -> MockServer {
    MockServer::answering(move |request| vec![Step::Send(answer(request))]).await
}

#[tokio::test]
async fn each_format_has_its_path_and_its_key() {
    let responses = MockServer::always(streamed(&[RESPONSES_TEXT])).await;
    let llm = client(&responses, ApiChoice::Fixed(ApiKind::Responses));
    let (text, result) = ask(&llm).await;
    result.expect("whole");
    assert_eq!(text, "Noted €4,200 a month.");
    assert_eq!(paths(&responses), ["/v1/responses"]);
    assert!(
        responses.requests()[0]
            .head
            .to_lowercase()
            .contains("authorization: bearer sk-")
    );

    let messages = MockServer::always(streamed(&[MESSAGES_TEXT])).await;
    let llm = client(&messages, ApiChoice::Fixed(ApiKind::Messages));
    let (text, result) = ask(&llm).await;
    result.expect("whole");
    assert_eq!(text, "Noted: $4,200.");
    assert_eq!(paths(&messages), ["/v1/messages"]);
    let head = messages.requests()[0].head.to_lowercase();
    assert!(
        head.contains("x-api-key: sk-") && head.contains("anthropic-version: 2023-06-01"),
        "{head}"
    );
}

#[tokio::test]
async fn a_model_that_takes_tools_only_through_responses_costs_one_refusal_in_the_life_of_the_process() {
    let server = server(|request| {
        if request.head.contains("/chat/completions") {
            response(400, "", NO_TOOLS_WITH_REASONING)
        } else {
            streamed(&[RESPONSES_TEXT])
        }
    })
    .await;
    let llm = client(&server, ApiChoice::Auto);
    for _ in 0..3 {
        ask(&llm).await.1.expect("answers");
    }
    let want = [
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/responses",
        "/v1/responses",
    ];
    assert_eq!(paths(&server), want);
    assert!(llm.adaptations()[0].contains("LLM_API=responses"));
}

#[tokio::test]
async fn what_a_refusal_taught_is_kept_when_a_later_step_fails() {
    let server = MockServer::start(|number| {
        vec![Step::Send(match number {
            0 => refuses("max_tokens"),
            1 => refuses("temperature"),
            2 => response(400, "", NO_TOOLS_WITH_REASONING),
            3 => response(400, "", r#"{"error":{"message":"input is malformed"}}"#),
            _ => streamed(&[RESPONSES_TEXT]),
        })]
    })
    .await;
    let llm = client(&server, ApiChoice::Auto);
    assert_eq!(class(&llm).await, "bad_request");
    ask(&llm).await.1.expect("answers at once");
    assert_eq!(server.requests().len(), 5, "nothing is learned twice");
    assert_eq!(paths(&server)[4], "/v1/responses");
    assert!(server.requests()[4].json().get("temperature").is_none());
}

#[tokio::test]
async fn a_model_whose_effort_must_be_none_is_asked_so_where_there_is_no_responses() {
    let server = server(|request| {
        if request.head.contains("/responses") {
            response(404, "", "404 page not found")
        } else if request.json()["reasoning_effort"] == "none" {
            streamed(&[HI, STOP, DONE])
        } else {
            response(400, "", NO_TOOLS_WITH_REASONING)
        }
    })
    .await;
    let llm = client(&server, ApiChoice::Auto);
    ask(&llm).await.1.expect("answers");
    ask(&llm).await.1.expect("knows");
    let want = [
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/chat/completions",
        "/v1/chat/completions",
    ];
    assert_eq!(paths(&server), want);
}

#[tokio::test]
async fn a_model_that_refuses_none_as_well_is_asked_through_responses() {
    let server = server(|request| {
        let refuse = |words: &str| {
            response(
                400,
                "",
                &format!(r#"{{"error":{{"message":"{words}","param":"reasoning_effort"}}}}"#),
            )
        };
        if request.head.contains("/responses") {
            streamed(&[RESPONSES_TEXT])
        } else if request.json().get("reasoning_effort").is_some() {
            refuse("'reasoning_effort' does not support 'none' with this model.")
        } else {
            refuse("Tools are not supported with this reasoning_effort.")
        }
    })
    .await;
    let llm = client(&server, ApiChoice::Auto);
    ask(&llm).await.1.expect("answers");
    ask(&llm).await.1.expect("knows");
    assert_eq!(server.requests().len(), 4, "two refusals, once");
}

#[tokio::test]
async fn what_a_model_does_not_take_in_the_responses_format_is_left_out() {
    let server = MockServer::start(|number| {
        vec![Step::Send(match number {
            0 => response(
                400,
                "",
                r#"{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include","code":null}}"#,
            ),
            1 => refuses("temperature"),
            _ => streamed(&[RESPONSES_TEXT]),
        })]
    })
    .await;
    let llm = client(&server, ApiChoice::Fixed(ApiKind::Responses));
    ask(&llm).await.1.expect("answers");
    ask(&llm).await.1.expect("knows");
    assert_eq!(server.requests().len(), 4);
    let body = server.requests()[3].json();
    assert!(body.get("include").is_none() && body.get("temperature").is_none() && body["store"] == false);
}

#[tokio::test]
async fn a_server_that_answers_in_another_format_is_understood() {
    for (answer, text) in [
        (RESPONSES_TEXT, "Noted €4,200 a month."),
        (MESSAGES_TEXT, "Noted: $4,200."),
    ] {
        let server = MockServer::always(streamed(&[answer])).await;
        let (said, result) = ask(&client(&server, ApiChoice::Auto)).await;
        result.expect("whole");
        assert_eq!(said, text);
    }
}

#[tokio::test]
async fn a_provider_that_changes_its_format_between_two_calls_is_understood() {
    let server = MockServer::start(|number| {
        let answer = match number % 3 {
            0 => streamed(&[HI, STOP, DONE]),
            1 => streamed(&[MESSAGES_TEXT]),
            _ => streamed(&[RESPONSES_TEXT]),
        };
        vec![Step::Send(answer)]
    })
    .await;
    let llm = client(&server, ApiChoice::Auto);
    for _ in 0..2 {
        for want in ["Hi", "Noted: $4,200.", "Noted €4,200 a month."] {
            let (said, result) = ask(&llm).await;
            result.expect("whole");
            assert_eq!(said, want);
        }
    }
    assert_eq!(server.requests().len(), 6, "one request for each call");
}

#[tokio::test]
async fn a_path_that_goes_away_between_two_calls_costs_one_request() {
    let server = MockServer::start(|number| {
        vec![Step::Send(match number {
            0 => response(400, "", NO_TOOLS_WITH_REASONING),
            1 => streamed(&[RESPONSES_TEXT]),
            2 => response(404, "", "404 page not found"),
            _ => streamed(&[HI, STOP, DONE]),
        })]
    })
    .await;
    let llm = client(&server, ApiChoice::Auto);
    for want in ["Noted €4,200 a month.", "Hi", "Hi"] {
        let (said, result) = ask(&llm).await;
        result.expect("whole");
        assert_eq!(said, want);
    }
    let want = [
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/responses",
        "/v1/chat/completions",
        "/v1/chat/completions",
    ];
    assert_eq!(paths(&server), want);
    assert_eq!(server.requests()[4].json()["reasoning_effort"], "none");
}

#[tokio::test]
async fn where_no_model_is_named_and_ours_is_unknown_the_servers_own_is_taken() {
    let server = server(|request| {
        let models = r#"{"object":"list","data":[{"id":"nomic-embed-text"},{"id":"qwen2.5:7b"},{"id":"other"}]}"#;
        if request.head.contains("/models") {
            response(200, "content-type: application/json\r\n", models)
        } else if request.json()["model"] == "qwen2.5:7b" {
            streamed(&[HI, STOP, DONE])
        } else {
            response(
                404,
                "",
                r#"{"error":{"message":"model \"test-model\" not found, try pulling it first"}}"#,
            )
        }
    })
    .await;
    let named = client(&server, ApiChoice::Auto);
    assert_eq!(
        class(&named).await,
        "not_found",
        "what the operator named is not changed"
    );

    let unnamed = OpenAiLlm::new(LlmSettings {
        may_choose_model: true,
        ..settings(server.address)
    })
    .expect("valid settings");
    ask(&unnamed).await.1.expect("answers");
    ask(&unnamed).await.1.expect("knows");
    assert_eq!(&*unnamed.model_name(), "qwen2.5:7b");
    assert!(unnamed.adaptations()[0].contains("LLM_MODEL=qwen2.5:7b"));
    assert_eq!(paths(&server).iter().filter(|path| path.contains("/models")).count(), 1);
}

#[tokio::test]
async fn the_size_of_the_context_is_learned_from_the_refusal() {
    let body = r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9350,"n_ctx":4096}}"#;
    let server = MockServer::always(response(400, "", body)).await;
    let llm = client(&server, ApiChoice::Auto);
    assert_eq!(llm.context_tokens(), None);
    let mut long = request();
    long.messages
        .insert(1, crate::ChatMessage::System("word ".repeat(4_000).into()));
    let error = ask_with(&llm, long).await.1.expect_err("too long");
    assert!(error.is_context_length() && !error.is_retryable_by_user());
    assert_eq!(error.context_tokens(), Some(4096));
    assert_eq!(llm.context_tokens(), Some(4096));
}

#[tokio::test]
async fn reasoning_does_not_count_against_the_size_of_an_answer() {
    let thought = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"reasoning_content\":\"{}\"}}}}]}}\n\n",
        "hm ".repeat(20_000)
    );
    let mut pieces: Vec<&str> = vec![&thought; 100];
    pieces.extend([HI, STOP, DONE]);
    let server = MockServer::always(streamed(&pieces)).await;
    let (text, result) = ask(&client(&server, ApiChoice::Auto)).await;
    result.expect("six megabytes of reasoning and one word");
    assert_eq!(text, "Hi");
    assert_eq!(request().max_output_tokens, 100);
}
