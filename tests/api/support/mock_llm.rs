//! A provider with chat completions over HTTP, which answers as a test scripts and refuses a malformed question.
//!
//! Every request is checked; what is wrong with one fails the test when the provider goes.

use super::app::{eventually, soon};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::sync::watch;

/// What the provider wants to see in `Authorization`.
pub const KEY: &str = "test-key";

/// No honest question is larger.
const MAX_BODY: usize = 256 * 1024;

/// Something an answer waits for until the test lets it through.
#[derive(Clone, Debug)]
pub struct Gate {
    permits: Arc<Semaphore>,
    waiting: Arc<watch::Sender<usize>>,
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(0)),
            waiting: Arc::new(watch::Sender::new(0)),
        }
    }
}

impl Gate {
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets one pass.
    pub fn open(&self) {
        self.permits.add_permits(1);
    }

    /// Waits until the answer has come this far `times` times.
    pub async fn reached(&self, times: usize) {
        let mut waiting = self.waiting.subscribe();
        soon("the gate is reached", waiting.wait_for(|count| *count >= times))
            .await
            .expect("a gate");
    }

    async fn pass(&self) {
        self.waiting.send_modify(|count| *count += 1);
        self.permits.acquire().await.expect("never closed").forget();
    }
}

#[derive(Clone, Debug)]
enum Step {
    Send(String),
    Wait(Gate),
    /// Says nothing more until the client goes.
    Hang,
    /// Ends the connection in the middle of the body.
    Cut,
}

/// One scripted answer.
#[derive(Clone, Debug)]
pub struct Answer {
    status: StatusCode,
    before_head: Vec<Step>,
    steps: Vec<Step>,
    /// Sent as it is instead of a stream.
    body: Option<String>,
    calls: usize,
    finish: Option<String>,
    usage: Option<Value>,
    ended: bool,
}

/// An answer that says nothing yet.
pub fn answer() -> Answer {
    Answer {
        status: StatusCode::OK,
        before_head: Vec::new(),
        steps: Vec::new(),
        body: None,
        calls: 0,
        finish: None,
        usage: Some(json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120})),
        ended: false,
    }
}

/// An answer in words.
pub fn says(text: &str) -> Answer {
    answer().says(text)
}

/// An answer that records one number.
pub fn sets(path: &str, value: impl Into<Value>, confidence: &str) -> Answer {
    answer().sets(path, value, confidence)
}

/// An answer that calls a tool.
pub fn calls(name: &str, arguments: Value) -> Answer {
    answer().calls(name, &arguments.to_string())
}

/// An error of the provider.
pub fn refuses(status: u16) -> Answer {
    let status = StatusCode::from_u16(status).expect("a status");
    let body =
        json!({"error": {"message": "the provider's own words, not for franchisees", "type": "x", "code": null}});
    Answer {
        status,
        body: Some(body.to_string()),
        ..answer()
    }
}

/// A refusal in the provider's own words.
pub fn refuses_with(status: u16, body: &Value) -> Answer {
    Answer {
        body: Some(body.to_string()),
        ..refuses(status)
    }
}

fn chunk(choices: Value, usage: Value) -> String {
    let mut chunk = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "mock", "choices": choices});
    if !usage.is_null() {
        chunk["usage"] = usage;
    }
    format!("data: {chunk}\n\n")
}

fn delta(delta: Value) -> String {
    chunk(
        json!([{"index": 0, "delta": delta, "finish_reason": null}]),
        Value::Null,
    )
}

impl Answer {
    pub fn says(self, text: &str) -> Self {
        self.raw(&delta(json!({"content": text})))
    }

    /// Says a text in pieces of so many characters, each behind a gate.
    pub fn says_in_steps(mut self, text: &str, size: usize, gate: &Gate) -> Self {
        let chars: Vec<char> = text.chars().collect();
        for piece in chars.chunks(size) {
            self = self.wait(gate).says(&piece.iter().collect::<String>());
        }
        self
    }

    /// Bytes of the stream as they are.
    pub fn raw(mut self, bytes: &str) -> Self {
        self.steps.push(Step::Send(bytes.to_owned()));
        self
    }

    /// Stops here until the test opens the gate.
    pub fn wait(mut self, gate: &Gate) -> Self {
        self.steps.push(Step::Wait(gate.clone()));
        self
    }

    /// Does not even send a head until the test opens the gate.
    pub fn wait_before_head(mut self, gate: &Gate) -> Self {
        self.before_head.push(Step::Wait(gate.clone()));
        self
    }

    /// Never sends a head.
    pub fn hang_before_head(mut self) -> Self {
        self.before_head.push(Step::Hang);
        self
    }

    /// A tool call, its arguments in three pieces.
    pub fn calls(mut self, name: &str, arguments: &str) -> Self {
        let index = self.calls;
        self.calls += 1;
        let id = format!("call_{index}_{}", name.len());
        let begin = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
        self = self.raw(&delta(json!({"tool_calls": [begin]})));
        let chars: Vec<char> = arguments.chars().collect();
        for piece in chars.chunks(chars.len().div_ceil(3).max(1)) {
            let piece: String = piece.iter().collect();
            self = self.raw(&delta(
                json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}),
            ));
        }
        self
    }

    /// Records one number, in dollars, percent, months and so on.
    pub fn sets(self, path: &str, value: impl Into<Value>, confidence: &str) -> Self {
        let arguments = json!({"path": path, "value": value.into(), "confidence": confidence});
        self.calls("set_financial_field", &arguments.to_string())
    }

    pub fn usage(mut self, prompt: i64, completion: i64) -> Self {
        self.usage = Some(
            json!({"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}),
        );
        self
    }

    /// Usage as no honest provider counts.
    pub fn odd_usage(mut self, usage: Value) -> Self {
        self.usage = Some(usage);
        self
    }

    pub fn no_usage(mut self) -> Self {
        self.usage = None;
        self
    }

    /// Ends for this reason instead of `stop` or `tool_calls`.
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.to_owned());
        self
    }

    /// The connection ends here.
    pub fn cut(mut self) -> Self {
        self.steps.push(Step::Cut);
        self.ended = true;
        self
    }

    /// Falls silent here until the client goes.
    pub fn hang(mut self) -> Self {
        self.steps.push(Step::Hang);
        self.ended = true;
        self
    }

    /// The body ends here in good order, but nothing said that the answer is whole.
    pub fn ends_early(mut self) -> Self {
        self.ended = true;
        self
    }

    fn finished(mut self) -> Self {
        if !self.ended {
            let default = if self.calls > 0 { "tool_calls" } else { "stop" };
            let reason = self.finish.clone().unwrap_or_else(|| default.to_owned());
            self = self.raw(&chunk(
                json!([{"index": 0, "delta": {}, "finish_reason": reason}]),
                Value::Null,
            ));
            if let Some(usage) = self.usage.clone() {
                self = self.raw(&chunk(json!([]), usage));
            }
            self = self.raw("data: [DONE]\n\n");
        }
        self
    }
}

#[derive(Debug, Default)]
struct Seen {
    script: Mutex<VecDeque<Answer>>,
    always: Mutex<Option<Answer>>,
    requests: Mutex<Vec<Value>>,
    /// The same, byte for byte.
    bodies: Mutex<Vec<Bytes>>,
    /// Answers to second looks, and what they were asked.
    review_script: Mutex<VecDeque<Answer>>,
    review_requests: Mutex<Vec<Value>>,
    complaints: Mutex<Vec<String>>,
    /// Answers whose client went away before their end.
    dropped: watch::Sender<usize>,
}

/// A running provider.
#[derive(Debug)]
pub struct MockLlm {
    pub address: SocketAddr,
    seen: Arc<Seen>,
    task: tokio::task::JoinHandle<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MockLlm {
    /// Listens on a free port; its tasks live on the current runtime.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let seen = Arc::new(Seen::default());
        let router = Router::new()
            .route("/v1/chat/completions", post(complete))
            .route(
                "/v1/models",
                get(async || axum::Json(json!({"object": "list", "data": []}))),
            )
            .with_state(Arc::clone(&seen));
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let task = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Self { address, seen, task }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Adds answers for the next requests, in order.
    pub fn script(&self, answers: impl IntoIterator<Item = Answer>) {
        lock(&self.seen.script).extend(answers);
    }

    /// Adds answers for the next second looks, in order. Without one, nothing is confirmed.
    pub fn reviews(&self, answers: impl IntoIterator<Item = Answer>) {
        lock(&self.seen.review_script).extend(answers);
    }

    /// The bodies of all second looks so far.
    pub fn review_requests(&self) -> Vec<Value> {
        lock(&self.seen.review_requests).clone()
    }

    /// What is answered when the script has come to its end. Without it a request too many is a mistake.
    pub fn always(&self, answer: Answer) {
        *lock(&self.seen.always) = Some(answer);
    }

    /// The result of the last tool call that the model was given.
    pub fn last_result(&self) -> Value {
        let request = self.requests().pop().expect("a request");
        let messages = request["messages"].as_array().expect("messages");
        let content = messages.last().expect("a message")["content"].as_str();
        serde_json::from_str(content.expect("a text")).expect("JSON")
    }

    /// The bodies of all requests so far, without second looks.
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.seen.requests).clone()
    }

    /// The same, byte for byte.
    pub fn bodies(&self) -> Vec<Bytes> {
        lock(&self.seen.bodies).clone()
    }

    pub fn request_count(&self) -> usize {
        lock(&self.seen.requests).len()
    }

    /// Waits until so many questions have come.
    pub async fn asked(&self, count: usize) {
        eventually("the provider is asked", async || self.request_count() >= count).await;
    }

    /// Waits until a client has left in the middle of an answer.
    pub async fn client_gone(&self) {
        let mut dropped = self.seen.dropped.subscribe();
        soon(
            "the request to the provider is dropped",
            dropped.wait_for(|count| *count > 0),
        )
        .await
        .expect("running");
    }

    /// What was wrong with the requests, and scripted answers that were not requested.
    pub fn complaints(&self) -> Vec<String> {
        let mut all = lock(&self.seen.complaints).clone();
        let unused = lock(&self.seen.script).len() + lock(&self.seen.review_script).len();
        if unused > 0 {
            all.push(format!("{unused} scripted answers were never asked for"));
        }
        all
    }
}

impl Seen {
    fn next_answer(&self, request: Value) -> Option<Answer> {
        if is_review(&request) {
            lock(&self.review_requests).push(request);
            let scripted = lock(&self.review_script).pop_front();
            return Some(scripted.unwrap_or_else(|| says("I cannot say.")));
        }
        let scripted = lock(&self.script).pop_front();
        let answer = scripted.or_else(|| lock(&self.always).clone());
        lock(&self.requests).push(request);
        answer
    }
}

/// A second look is known by its first words.
fn is_review(request: &Value) -> bool {
    let system = request["messages"][0]["content"].as_str().unwrap_or_default();
    system.starts_with("You check whether a person plainly states a value.")
}

impl Drop for MockLlm {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Tells when an answer is dropped before its end.
struct Watched {
    seen: Arc<Seen>,
    whole: bool,
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.whole {
            self.seen.dropped.send_modify(|count| *count += 1);
        }
    }
}

async fn complete(State(seen): State<Arc<Seen>>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    let (request, complaints) = check(&headers, &body);
    lock(&seen.complaints).extend(complaints);
    if !is_review(&request) {
        lock(&seen.bodies).push(body);
    }
    let Some(answer) = seen.next_answer(request) else {
        lock(&seen.complaints).push("a request came that no answer was scripted for".into());
        return reply(StatusCode::BAD_REQUEST, "{}".into());
    };
    let mut watched = Watched { seen, whole: false };
    for step in &answer.before_head {
        match step {
            Step::Wait(gate) => gate.pass().await,
            _ => std::future::pending::<()>().await,
        }
    }
    if let Some(body) = answer.body {
        watched.whole = true;
        return reply(answer.status, body);
    }
    let steps = answer.finished().steps;
    let stream = async_stream::stream! {
        let mut watched = watched;
        for step in steps {
            match step {
                Step::Send(text) => yield Ok(Bytes::from(text)),
                Step::Wait(gate) => gate.pass().await,
                Step::Hang => std::future::pending::<()>().await,
                Step::Cut => {
                    watched.whole = true;
                    // What was said before goes out first: a body that waits is flushed.
                    tokio::task::yield_now().await;
                    tokio::task::yield_now().await;
                    yield Err(std::io::Error::other("cut"));
                }
            }
        }
        watched.whole = true;
    };
    let mut response = Response::new(Body::from_stream(stream));
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("text/event-stream"),
    );
    response
}

fn reply(status: StatusCode, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("application/json"),
    );
    response
}

/// Everything a strict provider might refuse.
fn check(headers: &HeaderMap, body: &[u8]) -> (Value, Vec<String>) {
    let mut wrong = Vec::new();
    let mut demand = |holds: bool, what: &str| {
        if !holds {
            wrong.push(what.to_owned());
        }
    };
    let request: Value = serde_json::from_slice(body).unwrap_or_default();
    let key = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    demand(key == Some(&format!("Bearer {KEY}")), "the key is missing");
    demand(body.len() <= MAX_BODY, "the request is too large");
    demand(request["stream"] == true, "stream is not true");
    demand(
        request["stream_options"]["include_usage"] == true,
        "usage is not asked for",
    );
    let is_review = is_review(&request);
    let temperature = if is_review { 0.0 } else { 0.3 };
    demand(request["temperature"] == temperature, "the temperature is another one");
    demand(
        request["max_tokens"].is_u64() || request["max_completion_tokens"].is_u64(),
        "no limit on the answer",
    );
    for absent in ["tool_choice", "parallel_tool_calls", "functions"] {
        demand(request.get(absent).is_none(), &format!("{absent} is set"));
    }
    if is_review {
        demand(request.get("tools").is_none(), "a second look has tools");
        return (request, wrong);
    }
    let names: Vec<&str> = request["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect();
    // A model that refuses tools is asked without.
    demand(
        request.get("tools").is_none()
            || (names.first() == Some(&"set_financial_field") && matches!(names.len(), 3 | 18)),
        "the tools are not the eighteen of the full form or the three of the compact one",
    );
    let empty = Vec::new();
    let messages = request["messages"].as_array().unwrap_or(&empty);
    check_messages(messages, &mut demand);
    (request, wrong)
}

fn check_messages(messages: &[Value], demand: &mut impl FnMut(bool, &str)) {
    let role = |at: usize| {
        messages
            .get(at)
            .and_then(|message| message["role"].as_str())
            .unwrap_or_default()
    };
    let system = messages.iter().filter(|message| message["role"] == "system").count();
    demand(
        role(0) == "system" && system == 1,
        "not exactly one system message at the front",
    );
    demand(role(1) == "user", "the window does not start at a user message");
    demand(
        matches!(role(messages.len().wrapping_sub(1)), "user" | "tool"),
        "the last message is neither a user's nor a tool's",
    );
    let question = messages
        .iter()
        .rposition(|message| message["role"] == "user")
        .unwrap_or(0);
    demand(question <= 21, "the window holds more than twenty messages");
    let mut open: VecDeque<&str> = VecDeque::new();
    for message in messages {
        match message["role"].as_str() {
            Some("tool") => {
                let id = message["tool_call_id"].as_str();
                demand(
                    id.is_some() && open.pop_front() == id,
                    "a tool's answer was not called for, or is out of order",
                );
                demand(
                    message["content"].as_str().is_some_and(|text| !text.is_empty()),
                    "a tool's answer is empty",
                );
            }
            Some("assistant") => {
                demand(open.is_empty(), "a tool call is not answered");
                let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
                demand(
                    !calls.is_empty() || message["content"].is_string(),
                    "an empty answer of the assistant",
                );
                demand(
                    message.get("tool_calls").is_none_or(|calls| calls != &json!([])),
                    "an empty list of tool calls",
                );
                for call in calls {
                    let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
                    demand(call["type"] == "function", "a call without its type");
                    demand(
                        serde_json::from_str::<Value>(arguments).is_ok_and(|json| json.is_object()),
                        "arguments that are no object",
                    );
                    open.extend(call["id"].as_str());
                }
                let mut ids: Vec<_> = open.iter().collect();
                ids.sort_unstable();
                ids.dedup();
                demand(ids.len() == calls.len(), "calls without ids of their own");
            }
            Some("user") => {
                demand(open.is_empty(), "a tool call is not answered");
                demand(
                    message["content"].as_str().is_some_and(|text| !text.is_empty()),
                    "an empty message of the user",
                );
            }
            _ => {}
        }
    }
    demand(open.is_empty(), "a tool call is not answered");
}

#[test]
fn the_provider_complains_about_every_malformed_history() {
    let complaints = |messages: Value| {
        let mut wrong: Vec<String> = Vec::new();
        let messages = messages.as_array().expect("a list").clone();
        check_messages(&messages, &mut |holds, what| {
            if !holds {
                wrong.push(what.to_owned());
            }
        });
        wrong
    };
    let (system, user) = (
        json!({"role": "system", "content": "s"}),
        json!({"role": "user", "content": "u"}),
    );
    let said = json!({"role": "assistant", "content": "a"});
    let call = |id: &str| json!({"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": {"name": "t", "arguments": "{}"}}]});
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "r"});
    let good = [
        json!([system, user]),
        json!([system, user, said, user]),
        json!([system, user, call("1"), result("1")]),
        json!([system, user, call("1"), result("1"), call("2"), result("2")]),
    ];
    for messages in good {
        assert_eq!(complaints(messages.clone()), [""; 0], "{messages}");
    }
    let bad = [
        json!([]),
        json!([user]),
        json!([system, system, user]),
        json!([user, system]),
        json!([system, said, user]),
        json!([system, user, said]),
        json!([system, user, call("1")]),
        json!([system, user, call("1"), user]),
        json!([system, user, call("1"), result("2")]),
        json!([system, user, result("1")]),
        json!([system, user, {"role": "assistant", "content": "a", "tool_calls": []}, user]),
        json!([system, {"role": "user", "content": ""}]),
    ];
    for messages in bad {
        assert!(!complaints(messages.clone()).is_empty(), "{messages}");
    }
}
