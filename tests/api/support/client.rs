//! A client of the API, with cookies as a browser keeps them.

use super::app::{Instance, eventually, soon};
use super::documented;
use super::transcript::{Listening, Turn, redacted};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, SET_COOKIE};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use uuid::Uuid;

/// A person at one server. Cloning gives another tab.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    /// `name=value`, as the browser would send it.
    pub cookie: Option<String>,
    /// A personal access token, sent beside the cookie.
    pub token: Option<String>,
    pub email: String,
    pub id: Uuid,
    /// Their plan; nil where they have none.
    pub plan: Uuid,
}

/// A whole response.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    pub async fn read(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self {
            status,
            headers,
            text: soon("a body", response.text()).await.expect("a body in UTF-8"),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("a header in ASCII"))
    }

    /// The `data` of a success.
    #[track_caller]
    pub fn data(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        self.json()["data"].take()
    }

    /// A failure as its reader sees it: status, code, message, and each detail on a line of its own.
    #[track_caller]
    pub fn refusal(&self) -> String {
        let (status, code) = self.failure();
        let error = self.json()["error"].take();
        let mut lines = vec![format!(
            "{status} {code}: {}",
            error["message"].as_str().unwrap_or_default()
        )];
        let details = error["details"].as_array().into_iter().flatten();
        lines.extend(details.map(|detail| redacted(detail).to_string()));
        lines.join("\n")
    }

    /// Status and code of a failure, whose envelope is checked.
    #[track_caller]
    pub fn failure(&self) -> (u16, String) {
        let json = self.json();
        assert!(self.status >= 400, "{} {}", self.status, self.text);
        assert_eq!(self.headers[CONTENT_TYPE], "application/json", "{}", self.text);
        assert!(
            json["error"]["message"].as_str().is_some_and(|text| !text.is_empty()),
            "{}",
            self.text
        );
        (
            self.status,
            json["error"]["code"].as_str().unwrap_or_default().to_owned(),
        )
    }
}

/// What a request for a stream comes to.
#[derive(Debug)]
pub enum Streamed {
    Stream(Box<Listening>),
    Reply(Reply),
}

impl Streamed {
    #[track_caller]
    pub fn stream(self) -> Listening {
        match self {
            Self::Stream(stream) => *stream,
            Self::Reply(reply) => panic!("no stream: {} {}", reply.status, reply.text),
        }
    }

    #[track_caller]
    pub fn reply(self) -> Reply {
        match self {
            Self::Stream(_) => panic!("a stream, where a plain answer was expected"),
            Self::Reply(reply) => reply,
        }
    }
}

impl Client {
    /// Without a session.
    pub fn new(instance: &Instance) -> Self {
        Self::to(&instance.url(""))
    }

    /// Without a session, at a server by its address.
    pub fn to(base: &str) -> Self {
        // A test may have chosen a provider already; either will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .tls_certs_only([])
            .tcp_nodelay(true)
            .build()
            .expect("a client");
        Self {
            http,
            base: base.to_owned(),
            cookie: None,
            token: None,
            email: String::new(),
            id: Uuid::nil(),
            plan: Uuid::nil(),
        }
    }

    /// The same person with the same session at another server.
    pub fn at(&self, instance: &Instance) -> Self {
        self.at_address(&instance.url(""))
    }

    /// The same person with the same session at another address.
    pub fn at_address(&self, base: &str) -> Self {
        Self {
            base: base.to_owned(),
            ..self.clone()
        }
    }

    /// The same person looking at another plan.
    pub fn on_plan(&self, plan: Uuid) -> Self {
        Self { plan, ..self.clone() }
    }

    /// Host and port, for raw sockets.
    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        let request = match &self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        };
        match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    /// Sends a request and reads the whole answer.
    pub async fn fetch(&self, request: RequestBuilder) -> Reply {
        Reply::read(self.sent(request).await).await
    }

    async fn sent(&self, request: RequestBuilder) -> Response {
        let request = request.build().expect("a request");
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = soon("an answer", self.http.execute(request)).await.expect("an answer");
        documented::check(method.as_str(), &path, response.status().as_u16());
        response
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.fetch(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.fetch(self.request(Method::DELETE, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.fetch(self.request(Method::POST, path).json(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.fetch(self.request(Method::PUT, path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Reply {
        self.fetch(self.request(Method::PATCH, path).json(body)).await
    }

    /// Posts without a body.
    pub async fn post_nothing(&self, path: &str) -> Reply {
        self.fetch(self.request(Method::POST, path)).await
    }

    /// Logs in and keeps the cookie.
    pub async fn log_in(&mut self, email: &str, password: &str) -> Reply {
        let reply = self
            .post("/api/auth/login", &json!({"email": email, "password": password}))
            .await;
        if let Some(cookie) = reply.headers.get(SET_COOKIE) {
            let cookie = cookie.to_str().expect("ASCII").split(';').next().unwrap_or_default();
            self.cookie = Some(cookie.to_owned());
        }
        if reply.status == 200 {
            let person = reply.data();
            email.clone_into(&mut self.email);
            self.id = person["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        }
        reply
    }

    /// Path of something under this person's plan.
    pub fn path(&self, rest: &str) -> String {
        format!("/api/plans/{}{rest}", self.plan)
    }

    async fn streamed(&self, request: RequestBuilder, after: usize) -> Streamed {
        let response = self.sent(request).await;
        let is_stream = response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind == "text/event-stream");
        if is_stream {
            Streamed::Stream(Box::new(Listening::new(response, after)))
        } else {
            Streamed::Reply(Reply::read(response).await)
        }
    }

    /// Sends a message with extra headers.
    pub async fn post_message(&self, message: &str, headers: &[(&str, &str)]) -> Streamed {
        let mut request = self
            .request(Method::POST, &self.path("/conversation"))
            .json(&json!({"message": message}));
        for (name, value) in headers {
            let name: HeaderName = name.parse().expect("a header's name");
            request = request.header(name, HeaderValue::from_str(value).expect("a header's value"));
        }
        self.streamed(
            request,
            offset_in(
                headers
                    .iter()
                    .find(|(name, _)| *name == "last-event-id")
                    .map(|(_, value)| *value),
            ),
        )
        .await
    }

    /// Sends a message and begins to listen.
    pub async fn open(&self, message: &str) -> Listening {
        self.post_message(message, &[]).await.stream()
    }

    /// Sends a message and listens to the end.
    pub async fn send(&self, message: &str) -> Turn {
        self.open(message).await.rest().await
    }

    /// Sends a message in place of a turn's.
    pub async fn replace(&self, turn: Uuid, message: &str, key: Option<&str>) -> Streamed {
        let mut request = self
            .request(Method::POST, &self.path("/conversation"))
            .json(&json!({"message": message, "replaces": turn}));
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        self.streamed(request, 0).await
    }

    /// Sends a message under a key.
    pub async fn post_with_key(&self, message: &str, key: &str) -> Streamed {
        self.post_message(message, &[("idempotency-key", key)]).await
    }

    /// Attaches to the running turn, or behind an event, as an `EventSource` does that connects again.
    pub async fn attach(&self, last_event_id: Option<&str>) -> Streamed {
        let mut request = self.request(Method::GET, &self.path("/conversation/stream"));
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id);
        }
        self.streamed(request, offset_in(last_event_id)).await
    }

    /// Attaches by the query, as the first connection of an `EventSource` has to.
    pub async fn attach_after(&self, id: &str) -> Streamed {
        let request = self
            .request(Method::GET, &self.path("/conversation/stream"))
            .query(&[("after", id)]);
        self.streamed(request, offset_in(Some(id))).await
    }

    /// Reads a `Location` that an answer gave.
    pub async fn follow(&self, location: &str) -> Streamed {
        let after = location.split_once("after=").map(|(_, id)| id.replace("%3A", ":"));
        self.streamed(self.request(Method::GET, location), offset_in(after.as_deref()))
            .await
    }

    /// Asks for a stop.
    pub async fn try_cancel(&self) -> Reply {
        self.post_nothing(&self.path("/conversation/cancel")).await
    }

    /// Stops the running turn.
    pub async fn cancel(&self) {
        let reply = self.try_cancel().await;
        assert_eq!((reply.status, reply.text.as_str()), (204, ""));
    }

    /// The whole history: `data` and `meta`.
    pub async fn conversation(&self) -> Value {
        let reply = self.get(&self.path("/conversation")).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()
    }

    /// The messages of the history.
    pub async fn history(&self) -> Vec<Value> {
        self.conversation().await["data"].as_array().expect("a list").clone()
    }

    /// Role and text of every message.
    pub async fn said(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        self.history()
            .await
            .iter()
            .map(|message| (text(&message["role"]), text(&message["content"])))
            .collect()
    }

    /// The plan with its inputs.
    pub async fn get_plan(&self) -> Value {
        self.get(&self.path("")).await.data()
    }

    /// One field of the plan.
    pub async fn field(&self, path: &str) -> Value {
        self.get_plan().await["financialInputs"][path].take()
    }

    /// Value and source of one field.
    pub async fn held(&self, path: &str) -> (Value, String) {
        let mut field = self.field(path).await;
        (
            field["currentValue"].take(),
            field["source"].as_str().unwrap_or_default().to_owned(),
        )
    }

    pub async fn set(&self, path: &str, value: impl Into<Value>) -> Reply {
        let reply = self
            .patch(&self.path("/financial-inputs"), &json!({path: value.into()}))
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply
    }

    /// The audit trail of the plan, newest first.
    pub async fn changes(&self) -> Vec<Value> {
        self.get(&self.path("/changes"))
            .await
            .data()
            .as_array()
            .expect("a list")
            .clone()
    }

    /// The prompts of this plan, newest first.
    pub async fn prompts(&self) -> Vec<Value> {
        self.get(&format!("/api/prompts?planId={}", self.plan))
            .await
            .data()
            .as_array()
            .expect("a list")
            .clone()
    }

    /// Waits until no turn of the plan is running, and gives the newest prompt.
    pub async fn settled_prompt(&self) -> Value {
        eventually("the turn ends", async || {
            self.prompts()
                .await
                .first()
                .is_some_and(|prompt| prompt["state"] != "running")
        })
        .await;
        self.prompts().await.swap_remove(0)
    }
}

/// Where a cursor of ours stands.
fn offset_in(cursor: Option<&str>) -> usize {
    cursor
        .and_then(|text| text.rsplit_once('.'))
        .and_then(|(_, offset)| offset.parse().ok())
        .unwrap_or(0)
}
