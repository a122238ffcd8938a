//! The terminal event of a stored turn as its first readers got it: its ending, and the answer from `prompts.output`.

use crate::conversation::stream::frame;
use plan_model::event::StoredEnding;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

const TEXT: &str = "fullResponse";

/// The event of the ending `stored` and the answer `output`, as it was sent. What our types do not know, which another release
/// may have stored, is kept; only the order of the keys is then the database's.
pub(crate) fn event(stored: &RawValue, output: Option<&str>) -> Box<RawValue> {
    let Ok(mut members) = serde_json::from_str::<Map<String, Value>>(stored.get()) else {
        return stored.to_owned();
    };
    let is_done = members.get("type").is_some_and(|kind| kind == "done");
    // Endings of the first releases have the text, too.
    let held = if is_done { members.remove(TEXT) } else { None };
    let text = held.as_ref().map_or(output, Value::as_str).unwrap_or_default();
    let known = StoredEnding::read(stored.get()).filter(|ending| {
        let again = serde_json::to_value(ending);
        again.is_ok_and(|again| again.as_object() == Some(&members))
    });
    if let Some(ending) = known {
        return frame::json(&ending.with_text(text));
    }
    if is_done {
        members.insert(TEXT.to_owned(), text.into());
    }
    to_raw_value(&members).unwrap_or_else(|_| stored.to_owned())
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

    #[test]
    fn a_done_is_the_one_that_was_sent_whether_or_not_it_was_stored_with_its_text() {
        let usage = r#"{"promptTokens":3,"completionTokens":4,"totalTokens":7,"estimated":false}"#;
        let sent = format!(
            r#"{{"type":"done","turnId":"{}","fullResponse":"Hi \"you\"\n","extractedValues":[],"updatedOutputs":null,"pendingConfirmation":null,"finishReason":"stop","missingFields":[],"usage":{usage},"suggestions":[],"heardAs":null}}"#,
            uuid::Uuid::nil()
        );
        // As the database keeps it: in another order.
        let mut stored: Value = serde_json::from_str(&sent).expect("JSON");
        assert_eq!(event(&raw(&stored), Some("Hi \"you\"\n")).get(), sent);
        stored.as_object_mut().expect("an object").remove(TEXT);
        assert_eq!(event(&raw(&stored), Some("Hi \"you\"\n")).get(), sent);
    }
}
