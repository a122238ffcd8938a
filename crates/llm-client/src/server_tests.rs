//! The client against servers that misbehave, over real sockets.

mod answers;
mod breaks;
mod formats;
mod learning;
mod refusals;
mod replays;
mod secrets;

use super::{
    Asker, ChatMessage, FinishReason, Llm, LlmError, LlmEvent, LlmRequest, LlmSettings, OpenAiLlm,
    mock_server::MockServer,
};
use futures_util::StreamExt;
use secrecy::SecretString;
use std::{net::SocketAddr, sync::Arc, time::Duration};

const KEY: &str = "sk-canary-0123456789abcdef";
const HI: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";
const SSE: &str = "content-type: text/event-stream\r\n";

fn settings(address: SocketAddr) -> LlmSettings {
    LlmSettings {
        base_url: Some(format!("http://{address}/v1")),
        api_key: Some(SecretString::from(KEY.to_owned())),
        model: "test-model".into(),
        timeout: Duration::from_secs(3),
        gap_timeout: Duration::from_millis(300),
        thinking_timeout: Duration::from_millis(600),
        ..LlmSettings::default()
    }
}

fn client(server: &MockServer) -> OpenAiLlm {
    OpenAiLlm::new(settings(server.address)).expect("valid settings")
}

fn impatient(server: &MockServer) -> OpenAiLlm {
    OpenAiLlm::new(LlmSettings {
        timeout: Duration::from_millis(300),
        ..settings(server.address)
    })
    .expect("valid settings")
}

/// Of the program itself, so that what it is refused holds at once.
fn request() -> LlmRequest {
    LlmRequest {
        asker: Asker::program(),
        messages: vec![
            ChatMessage::System("Be kind.".into()),
            ChatMessage::User("private words".into()),
        ],
        tools: Arc::new([]),
        temperature: Some(0.3),
        max_output_tokens: 100,
        ..LlmRequest::default()
    }
}

/// The text shown, and how the call ended.
async fn ask(llm: &OpenAiLlm) -> (String, Result<FinishReason, LlmError>) {
    ask_with(llm, request()).await
}

async fn ask_with(llm: &OpenAiLlm, request: LlmRequest) -> (String, Result<FinishReason, LlmError>) {
    let mut text = String::new();
    let mut stream = match llm.stream(request).await {
        Ok(stream) => stream,
        Err(error) => return (text, Err(error)),
    };
    while let Some(item) = stream.next().await {
        match item {
            Ok(LlmEvent::Text(more)) => text.push_str(&more),
            Ok(LlmEvent::Completed(completion)) => {
                assert!(stream.next().await.is_none(), "nothing follows the completion");
                return (text, Ok(completion.finish));
            }
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing follows an error");
                return (text, Err(error));
            }
        }
    }
    panic!("the stream ended without completion or error");
}

async fn class(llm: &OpenAiLlm) -> &'static str {
    ask(llm).await.1.expect_err("must fail").class()
}
