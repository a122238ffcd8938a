//! A server of flesh and blood. Run by hand:
//! `LLM_BASE_URL=… LLM_MODEL=… cargo test --lib real_server -- --ignored --nocapture`

use super::request;
use crate::llm::{ChatMessage, Completion, Llm, LlmEvent, LlmRequest, LlmSettings, OpenAiLlm, ToolDefinition};
use futures_util::StreamExt;
use secrecy::SecretString;
use serde_json::json;
use std::{env, sync::Arc, time::Duration};

async fn play(llm: &OpenAiLlm, request: LlmRequest) -> (String, Completion) {
    let mut text = String::new();
    let mut stream = llm.stream(request).await.expect("the server answers");
    loop {
        match stream.next().await.expect("an end").expect("a whole answer") {
            LlmEvent::Text(more) => text.push_str(&more),
            LlmEvent::Completed(completion) => return (text, completion),
        }
    }
}

#[tokio::test]
#[ignore = "needs a model server; see the module's first lines"]
async fn a_real_server_gives_text_calls_and_usage() {
    let llm = OpenAiLlm::new(LlmSettings {
        base_url: Some(env::var("LLM_BASE_URL").expect("LLM_BASE_URL")),
        api_key: env::var("LLM_API_KEY").ok().map(SecretString::from),
        model: env::var("LLM_MODEL").expect("LLM_MODEL"),
        timeout: Duration::from_secs(120),
        gap_timeout: Duration::from_secs(60),
        ..LlmSettings::default()
    })
    .expect("valid settings");
    println!("reachable: {}", llm.is_reachable().await);

    let (text, completion) = play(&llm, request()).await;
    println!("text: {text:?}\n{completion:?}");

    let tool = ToolDefinition {
        name: "record_value".into(),
        description: "Records one value of the plan.".into(),
        parameters: json!({"type": "object", "required": ["field", "amount"], "properties": {
            "field": {"type": "string", "enum": ["rent", "wages"]}, "amount": {"type": "string"}}}),
    };
    let mut with_tool = request();
    with_tool.tools = Arc::new([tool]);
    with_tool
        .messages
        .push(ChatMessage::User("My rent is $4,200 per month. Record it.".into()));
    let (text, completion) = play(&llm, with_tool.clone()).await;
    println!("with a tool: {text:?}\n{completion:?}");

    let results = completion.tool_calls.iter().map(|call| ChatMessage::Tool {
        call_id: call.id.clone(),
        content: "recorded".into(),
    });
    let results: Vec<_> = results.collect();
    if !results.is_empty() {
        with_tool.messages.push(ChatMessage::Assistant {
            content: text,
            tool_calls: completion.tool_calls,
        });
        with_tool.messages.extend(results);
        let (text, completion) = play(&llm, with_tool).await;
        println!("after the result: {text:?}\n{completion:?}");
    }
    println!("adaptations: {:?}", llm.adaptations());
}
