//! The request of an AG-UI run.

use crate::conversation::confirmation::{ConfirmationError, Decision};
use crate::http::error::AppError;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

/// A new message of the user.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UserMessage {
    pub id: String,
    pub text: String,
}

#[derive(Debug, Deserialize)]
struct AgentMessage {
    #[serde(default)]
    id: String,
    role: String,
    #[serde(default)]
    content: Value,
}

/// The answer to an interrupt.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResumeEntry {
    interrupt_id: String,
    status: ResumeStatus,
    #[serde(default)]
    payload: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ResumeStatus {
    Resolved,
    Cancelled,
}

/// The message to answer; `None` where the last one is not the user's. Outputs of tools are the client's own.
pub(super) fn asked(last: Option<Value>) -> Result<Option<UserMessage>, AppError> {
    let Some(last) = last else { return Ok(None) };
    let AgentMessage { id, role, content } =
        serde_json::from_value(last).map_err(|error| AppError::invalid("messages", error.to_string()))?;
    if role != "user" {
        return Ok(None);
    }
    let text = match content {
        Value::String(text) => text,
        Value::Array(parts) => text_of(&parts)?,
        _ => return Err(AppError::invalid("messages", "the last message has no text")),
    };
    Ok(Some(UserMessage { id, text }))
}

fn text_of(parts: &[Value]) -> Result<String, AppError> {
    let texts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| part["text"].as_str().filter(|_| part["type"] == "text"))
        .collect();
    texts
        .map(|texts| texts.join("\n"))
        .ok_or_else(|| AppError::invalid("messages", "attachments are not supported, only parts of type text"))
}

/// What was decided, of which action. A plan has at most one open confirmation, so one entry covers all of them.
pub(super) fn decision_of(resume: &[ResumeEntry]) -> Result<(Uuid, Decision), AppError> {
    let [entry] = resume else {
        return Err(AppError::invalid(
            "resume",
            "must have one entry: a plan has one open confirmation",
        ));
    };
    if entry.payload.get("editedArgs").is_some_and(|edited| !edited.is_null()) {
        return Err(AppError::invalid("resume[0].payload.editedArgs", "is not supported"));
    }
    let decision = match (entry.status, entry.payload.get("approved").and_then(Value::as_bool)) {
        (ResumeStatus::Cancelled, _) | (ResumeStatus::Resolved, Some(false)) => Decision::Deny,
        (ResumeStatus::Resolved, Some(true)) => Decision::Approve,
        (ResumeStatus::Resolved, None) => {
            return Err(AppError::invalid("resume[0].payload.approved", "must be true or false"));
        }
    };
    let id = entry.interrupt_id.parse().map_err(|_| ConfirmationError::Gone)?;
    Ok((id, decision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_last_text_of_the_user_is_what_is_asked() {
        let text = |content: Value| asked(Some(json!({"id": "m", "role": "user", "content": content})));
        let expected = Some(UserMessage {
            id: "m".into(),
            text: "a\nb".into(),
        });
        assert_eq!(text(json!("a\nb")).expect("text"), expected);
        let parts = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        assert_eq!(text(parts).expect("text"), expected);
        for content in [
            json!(null),
            json!(7),
            json!([{"type": "image", "source": {}}]),
            json!([{"text": "a"}]),
        ] {
            assert!(text(content.clone()).is_err(), "{content}");
        }
        assert_eq!(asked(None).expect("nothing"), None);
        let tool = json!({"id": "m", "role": "tool", "toolCallId": "x", "content": "rent is 1"});
        assert_eq!(asked(Some(tool)).expect("nothing"), None);
        assert!(asked(Some(json!("text"))).is_err());
    }

    #[test]
    fn one_entry_decides() {
        let id = Uuid::now_v7();
        let decided = |status: &str, payload: Value| {
            let entry = json!({"interruptId": id, "status": status, "payload": payload});
            decision_of(&[serde_json::from_value(entry).expect("an entry")])
        };
        let approved = json!({"approved": true});
        assert_eq!(
            decided("resolved", approved.clone()).expect("yes"),
            (id, Decision::Approve)
        );
        assert_eq!(
            decided("resolved", json!({"approved": false})).expect("no"),
            (id, Decision::Deny)
        );
        assert_eq!(decided("cancelled", Value::Null).expect("no"), (id, Decision::Deny));
        assert!(decided("resolved", json!({"approved": "yes"})).is_err());
        assert!(decided("resolved", json!({"approved": true, "editedArgs": {}})).is_err());
        assert!(decision_of(&[]).is_err());
    }
}
