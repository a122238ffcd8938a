//! A turn as its reader sees it. Whatever is read to its end is held against the protocol.

use super::app::soon;
use super::sse::{Frame, SseParser};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::header::HeaderMap;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt::{self, Write};
use uuid::Uuid;

/// One event with the place its id names.
#[derive(Clone, Debug)]
pub struct Event {
    pub id: String,
    pub turn: Uuid,
    pub attempt: i32,
    pub offset: usize,
    pub json: Value,
}

impl Event {
    /// # Panics
    /// Where the frame is none of our protocol.
    pub fn read(frame: &Frame) -> Self {
        assert_eq!(frame.name, "message", "events carry no name");
        let (turn, place) = frame
            .id
            .split_once(':')
            .unwrap_or_else(|| panic!("an id of ours: {:?}", frame.id));
        let (attempt, offset) = place.split_once('.').expect("attempt and offset");
        Self {
            id: frame.id.clone(),
            turn: turn.parse().expect("a turn's id"),
            attempt: attempt.parse().expect("an attempt"),
            offset: offset.parse().expect("an offset"),
            json: serde_json::from_str(&frame.data).unwrap_or_else(|error| panic!("{error} in {}", frame.data)),
        }
    }

    pub fn content(&self) -> Option<&str> {
        self.json["content"].as_str().filter(|_| self.json["type"] == "token")
    }

    pub fn is_terminal(&self) -> bool {
        matches!(self.json["type"].as_str(), Some("done" | "error"))
    }
}

/// A stream that is being read.
pub struct Listening {
    pub status: u16,
    pub headers: HeaderMap,
    bytes: BoxStream<'static, reqwest::Result<bytes::Bytes>>,
    parser: SseParser,
    waiting: VecDeque<Event>,
    pub events: Vec<Event>,
    /// Where in the text reading began.
    start: usize,
}

impl fmt::Debug for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Listening after {:?}", self.text())
    }
}

impl Listening {
    pub fn new(response: reqwest::Response, start: usize) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            bytes: response.bytes_stream().boxed(),
            parser: SseParser::default(),
            waiting: VecDeque::new(),
            events: Vec::new(),
            start,
        }
    }

    /// The turn that the head names.
    pub fn turn(&self) -> Uuid {
        self.headers["x-turn-id"]
            .to_str()
            .ok()
            .and_then(|text| text.parse().ok())
            .expect("a turn's id")
    }

    /// Text read so far.
    pub fn text(&self) -> String {
        self.events.iter().filter_map(Event::content).collect()
    }

    /// Reads the next piece of the body. `false` at its end.
    async fn read(&mut self) -> bool {
        match soon("something from the stream", self.bytes.next()).await {
            Some(Ok(bytes)) => {
                self.waiting.extend(self.parser.feed(&bytes).iter().map(Event::read));
                true
            }
            Some(Err(error)) => panic!("the stream broke after {:?}: {error}", self.text()),
            None => false,
        }
    }

    /// The next event; `None` at the end.
    pub async fn next(&mut self) -> Option<Event> {
        while self.waiting.is_empty() {
            if !self.read().await {
                return None;
            }
        }
        let event = self.waiting.pop_front()?;
        self.events.push(event.clone());
        Some(event)
    }

    /// Waits for the comment that opens every stream.
    pub async fn opened(&mut self) {
        while self.parser.comments.is_empty() {
            assert!(self.read().await, "the stream ended before its first comment");
        }
    }

    /// Reads until so much text has come.
    pub async fn until(&mut self, text: &str) {
        while !self.text().contains(text) {
            let event = self.next().await;
            assert!(
                event.as_ref().is_some_and(|event| !event.is_terminal()),
                "the stream ended after {:?}: {event:?}",
                self.text()
            );
        }
    }

    /// Reads to the end and checks the whole.
    pub async fn rest(mut self) -> Turn {
        while self.next().await.is_some() {}
        let Self {
            status,
            headers,
            parser,
            events,
            start,
            ..
        } = self;
        check_protocol(&parser, &events, start);
        Turn {
            status,
            headers,
            events,
            parser,
        }
    }
}

/// What every stream has to be, whatever it says.
fn check_protocol(parser: &SseParser, events: &[Event], start: usize) {
    let raw = String::from_utf8_lossy(&parser.raw);
    assert!(raw.starts_with(':'), "a comment comes first: {raw}");
    assert_eq!(parser.blocks_without_data, 0, "every block carries data: {raw}");
    assert_eq!(
        parser.retries,
        [(2000, 0)],
        "`retry: 2000` once, within the first data block: {raw}"
    );
    assert!(raw.ends_with("\n\n"), "the last event is whole: {raw}");
    let (last, tokens) = events.split_last().unwrap_or_else(|| panic!("no event at all: {raw}"));
    assert!(last.is_terminal(), "the last event ends the turn: {raw}");
    let mut offset = start;
    for event in tokens {
        let content = event
            .content()
            .unwrap_or_else(|| panic!("only tokens before the end: {raw}"));
        offset += content.len();
        assert!(!content.is_empty(), "an empty token: {raw}");
        assert_eq!(event.offset, offset, "an id counts the bytes so far: {raw}");
    }
    assert!(
        events
            .iter()
            .all(|event| (event.turn, event.attempt) == (last.turn, last.attempt)),
        "one turn, one attempt: {raw}"
    );
    let text: String = tokens.iter().filter_map(Event::content).collect();
    if last.json["type"] == "done" {
        let whole = last.json["fullResponse"].as_str().expect("fullResponse");
        assert_eq!(
            whole.get(start..),
            Some(text.as_str()),
            "the tokens joined are the answer"
        );
        assert_eq!(last.offset, whole.len() + 1, "the end stands one behind the text");
        assert_eq!(last.json["turnId"], last.turn.to_string());
    } else if last.offset != i64::MAX as usize {
        assert_eq!(last.offset, offset + 1, "the end stands one behind the text: {raw}");
    }
}

/// A stream that was read to its end.
#[derive(Debug)]
pub struct Turn {
    pub status: u16,
    pub headers: HeaderMap,
    pub events: Vec<Event>,
    pub parser: SseParser,
}

impl Turn {
    pub fn id(&self) -> Uuid {
        self.last().turn
    }

    pub fn last(&self) -> &Event {
        self.events.last().expect("a checked stream has an end")
    }

    /// The text that came.
    pub fn text(&self) -> String {
        self.events.iter().filter_map(Event::content).collect()
    }

    /// The `done` event.
    #[track_caller]
    pub fn done(&self) -> &Value {
        let json = &self.last().json;
        assert_eq!(json["type"], "done", "{json}");
        json
    }

    /// Code and `retryable` of the `error` event.
    #[track_caller]
    pub fn error(&self) -> (&str, bool) {
        let json = &self.last().json;
        assert_eq!(json["type"], "error", "{json}");
        (
            json["code"].as_str().expect("a code"),
            json["retryable"].as_bool().expect("retryable"),
        )
    }

    /// The values that were heard.
    #[track_caller]
    pub fn values(&self) -> &[Value] {
        self.done()["extractedValues"].as_array().expect("a list")
    }

    /// The only value that was heard.
    #[track_caller]
    pub fn value(&self) -> &Value {
        let [value] = self.values() else {
            panic!("not exactly one value: {:#?}", self.values())
        };
        value
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("a header in ASCII"))
    }
}

/// The transcript: what was said, what was heard, how it ended. Ids and times are left out; [`check_protocol`] has seen them.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        if !text.is_empty() {
            writeln!(f, "says   {}", text.replace('\n', "⏎"))?;
        }
        let json = &self.last().json;
        if json["type"] == "error" {
            let retryable = if json["retryable"] == true {
                ", may be retried"
            } else {
                ""
            };
            return write!(f, "error  {}{retryable}", json["code"].as_str().unwrap_or_default());
        }
        for value in json["extractedValues"].as_array().into_iter().flatten() {
            writeln!(f, "value  {}", describe(value))?;
        }
        let pending = &json["pendingConfirmation"];
        if !pending.is_null() {
            writeln!(
                f,
                "asks   {} {}",
                pending["toolName"].as_str().unwrap_or_default(),
                pending["arguments"]
            )?;
        }
        for change in json["updatedOutputs"]["changes"].as_array().into_iter().flatten() {
            writeln!(
                f,
                "moves  {} {} → {}",
                change["metric"].as_str().unwrap_or_default(),
                change["before"],
                change["after"]
            )?;
        }
        let usage = &json["usage"];
        let estimated = if usage["estimated"] == true { " (estimated)" } else { "" };
        write!(
            f,
            "done   {}, {} tokens{estimated}",
            json["finishReason"].as_str().unwrap_or_default(),
            usage["totalTokens"]
        )
    }
}

/// One extracted value on one line; its id is checked.
pub fn describe(value: &Value) -> String {
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    assert!(
        text("id").parse::<Uuid>().is_ok_and(|id| id.get_version_num() == 7),
        "{value}"
    );
    assert_eq!(
        value["applied"],
        matches!(text("status"), "applied" | "accepted"),
        "{value}"
    );
    let mut line = format!(
        "{} {} → {}, {}, {}",
        text("field"),
        value["previousValue"],
        value["value"],
        text("confidence"),
        text("status")
    );
    for (name, mark) in [("evidence", "“"), ("rangeWarning", "range: "), ("note", "note: ")] {
        if let Some(text) = value[name].as_str() {
            let _ = write!(line, " | {mark}{text}");
        }
    }
    line
}

/// JSON for a snapshot: ids and times replaced, each item of a list on a line of its own behind a dash.
pub fn shown(value: impl Serialize) -> String {
    match redacted(&json!(value)) {
        Value::Array(items) => items
            .iter()
            .map(|item| format!("- {item}"))
            .collect::<Vec<_>>()
            .join("\n"),
        other => other.to_string(),
    }
}

/// An object without a member that is too long to show.
pub fn without(value: &Value, name: &str) -> Value {
    let mut rest = value.clone();
    let members = rest.as_object_mut().expect("an object");
    assert!(members.remove(name).is_some(), "no {name} in {value}");
    rest
}

/// The lines of an audit trail: what changed, why, and who did it for whom.
pub fn audited<'a>(changes: impl IntoIterator<Item = &'a Value>) -> String {
    let line = |change: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or("nobody").to_owned();
        let mut line = format!(
            "{} {} → {}, {}, {} by {} | {}",
            text(&change["field"]),
            change["oldValue"],
            change["newValue"],
            text(&change["source"]),
            text(&change["reason"]),
            text(&change["decidedBy"]),
            text(&change["actor"]["email"]),
        );
        if change["actor"] != change["effectiveUser"] {
            let _ = write!(line, " for {}", text(&change["effectiveUser"]["email"]));
        }
        line
    };
    changes.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The same JSON with ids and times replaced; asserts that they are ids and times.
pub fn redacted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), redact_field(name, value)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(redacted).collect()),
        other => other.clone(),
    }
}

fn redact_field(name: &str, value: &Value) -> Value {
    let is_id = name == "id" || name.ends_with("Id");
    let is_time = name == "timestamp" || name == "at" || name.ends_with("At");
    match value.as_str() {
        Some(text) if is_id => {
            assert!(
                text.parse::<Uuid>().is_ok_and(|id| id.get_version_num() == 7),
                "{name} is no id: {text}"
            );
            "[id]".into()
        }
        Some(text) if is_time => {
            let time = time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339);
            assert!(
                time.is_ok_and(|time| time.offset().is_utc()),
                "{name} is no time in UTC: {text}"
            );
            "[time]".into()
        }
        _ => redacted(value),
    }
}
