//! The terminal event of a stored turn as its first readers got it. The row has the answer in `output`, its ending has the rest.

use crate::conversation::stream::frame;
use plan_model::event::{Done, TurnEvent, TurnFailure};
use plan_model::json_text;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(rename = "fullResponse")]
    text: Option<IgnoredAny>,
}

/// The event of the ending `stored` and the answer `output`, byte for byte as it was sent. Endings of other releases, which
/// may have other keys, keep the database's order of keys.
pub fn event(stored: &RawValue, output: Option<&str>) -> Box<RawValue> {
    let Ok(head) = serde_json::from_str::<Head<'_>>(stored.get()) else {
        return stored.to_owned();
    };
    let is_done = head.kind == "done";
    let whole = match head.text {
        None if is_done => with_text(stored, output.unwrap_or_default()),
        _ => stored.to_owned(),
    };
    in_order(&whole, is_done).unwrap_or(whole)
}

fn with_text(stored: &RawValue, text: &str) -> Box<RawValue> {
    let rest = stored.get().trim_start_matches('{');
    let mut json = String::with_capacity(rest.len() + text.len() + text.len() / 8 + 32);
    json.push_str("{\"fullResponse\":");
    json_text::push_string(&mut json, text);
    json.push(',');
    json.push_str(rest);
    RawValue::from_string(json).unwrap_or_else(|_| stored.to_owned())
}

/// `None` if our types would lose something.
fn in_order(whole: &RawValue, is_done: bool) -> Option<Box<RawValue>> {
    let event = match is_done {
        true => TurnEvent::Done(Box::new(serde_json::from_str::<Done>(whole.get()).ok()?)),
        false => TurnEvent::Error(serde_json::from_str::<TurnFailure>(whole.get()).ok()?),
    };
    let json = frame::json(&event);
    let value = |json: &RawValue| serde_json::from_str::<Value>(json.get()).ok();
    (value(&json) == value(whole)).then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn raw(json: &Value) -> Box<RawValue> {
        RawValue::from_string(json.to_string()).expect("JSON")
    }

    #[test]
    fn an_ending_that_our_types_do_not_know_keeps_all_it_has() {
        let stored = raw(&json!({"type": "done", "ofTheFuture": 1}));
        let sent = event(&stored, Some("Hi \"you\"\n"));
        assert_eq!(
            sent.get(),
            r#"{"fullResponse":"Hi \"you\"\n","ofTheFuture":1,"type":"done"}"#
        );
        let stored = raw(&json!({"type": "done", "fullResponse": "Hello", "n": 1}));
        assert_eq!(event(&stored, Some("Hi")).get(), stored.get());
        assert_eq!(event(&raw(&json!(7)), Some("Hi")).get(), "7");
    }

    #[test]
    fn an_error_has_the_order_it_was_sent_in() {
        let sent = r#"{"type":"error","message":"Stopped.","code":"STOPPED","retryable":false}"#;
        let stored: Value = serde_json::from_str(sent).expect("JSON");
        assert_eq!(event(&raw(&stored), Some("Half")).get(), sent);
    }
}
