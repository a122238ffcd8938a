//! Commits a turn's answer with one statement: its end, its messages and its tokens. Most turns change nothing else, and a
//! transaction of five statements needs five times the round trips.

use crate::store::conversations::Appended;
use crate::store::json::{Json, JsonText};
use crate::store::prepared::{Continue, prepared};
use crate::store::printed::end_of_string;
use crate::store::prompts::{Ending, TurnLease};
use crate::store::{Conn, StoreResult};
use diesel::sql_types::{Array, BigInt, Binary, Bool, Jsonb, Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use plan_model::ids::PlanId;
use plan_model::message::Message;
use plan_model::usage::Usage;
use std::borrow::Cow;
use uuid::Uuid;

/// The statement with the rights of who sent the message: each kind of them is read only where it counts.
macro_rules! commit_sql {
    ($rights:literal) => {
        concat!(
            include_str!("answer_only_commit/ended.sql"),
            include_str!($rights),
            "RETURNING prompts.plan_id, prompts.total_tokens\
            ) \
            INSERT INTO ai_conversations AS c (id, plan_id, messages, total_tokens_used) \
            SELECT $11, plan_id, $12, total_tokens FROM ended\n",
            include_str!("conversations/on_conflict.sql")
        )
    };
}

/// A complete answer.
#[derive(Debug)]
pub struct AnswerOnlyCommit<'a> {
    pub lease: TurnLease,
    pub plan: PlanId,
    /// The plan version that the answer is based on; `None` where the caller has locked the plan.
    pub version: Option<i64>,
    /// The key of the session that an impersonating administrator sent the message with.
    pub session: Option<&'a [u8]>,
    pub ending: &'a Ending<'a>,
    pub messages: &'a [Message],
}

impl AnswerOnlyCommit<'_> {
    /// Stores the answer. `None`, and nothing is written, if the lease is lost, the plan has another version, or the
    /// people of the turn no longer have the right to write in the plan.
    pub async fn store(&self, mut conn: &Conn) -> StoreResult<Option<Appended>> {
        let (lease, ending) = (self.lease, self.ending);
        let text = match self.session {
            None => commit_sql!("answer_only_commit/in_person.sql"),
            Some(_) => commit_sql!("answer_only_commit/impersonated.sql"),
        };
        let event = without_text(ending.event.get());
        // Few placeholders: the time and memory to compile a statement grow steeply with their number.
        Ok(prepared(text)
            .bind::<Text, _>(ending.state.as_str())
            .bind::<Nullable<Text>, _>(ending.output)
            .bind::<Jsonb, _>(JsonText(&event))
            .bind::<Array<Nullable<BigInt>>, _>(counts(ending.usage))
            .bind::<Bool, _>(ending.usage.estimated)
            .bind::<SqlUuid, _>(lease.turn.0)
            .bind::<BigInt, _>(lease.fence)
            .bind::<SqlUuid, _>(self.plan.0)
            .bind::<Nullable<BigInt>, _>(self.version)
            .bind::<Nullable<Binary>, _>(self.session)
            .bind::<SqlUuid, _>(Uuid::now_v7())
            .bind::<Jsonb, _>(Json(self.messages))
            .load(&mut conn)
            .await?
            .pop())
    }
}

/// The event without the text, which is stored as the output. Cutting it out here is cheaper than in a `jsonb`.
fn without_text(event: &str) -> Cow<'_, str> {
    const KEY: &str = "\"fullResponse\":\"";
    // No text holds the key: its quotation marks would be escaped.
    let cut = event.find(KEY).and_then(|key| {
        let (before, text) = (&event[..key], &event[key + KEY.len()..]);
        let behind = &text[end_of_string(text.as_bytes())? + 1..];
        match behind.strip_prefix(',') {
            Some(behind) => Some([before, behind].concat()),
            None => Some([before.strip_suffix(',')?, behind].concat()),
        }
    });
    cut.map_or(Cow::Borrowed(event), Cow::Owned)
}

fn counts(usage: Usage) -> Vec<Option<i64>> {
    vec![
        Some(usage.prompt_tokens.max(0)),
        Some(usage.completion_tokens.max(0)),
        Some(usage.total_tokens.max(0)),
        usage.cached_prompt_tokens,
        usage.cache_write_tokens,
        usage.reasoning_tokens,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    proptest! {
        #[test]
        fn only_the_text_is_cut_out(text in "([a-z\"\\\\\n,:{}]|\"fullResponse\":\"){0,20}") {
            let (quoted, turn) = (json!(text).to_string(), Uuid::nil());
            for event in [
                format!(r#"{{"type":"done","turnId":"{turn}","fullResponse":{quoted},"note":{quoted}}}"#),
                format!(r#"{{"note":{quoted},"turnId":"{turn}","type":"done","fullResponse":{quoted}}}"#),
            ] {
                let parsed: Value = serde_json::from_str(&without_text(&event)).expect("JSON");
                prop_assert_eq!(parsed, json!({"type": "done", "turnId": turn, "note": text}));
            }
        }
    }

    #[test]
    fn an_event_without_text_is_stored_as_it_is() {
        let event = r#"{"type":"error","message":"\"fullResponse\":\"x\","}"#;
        assert_eq!(without_text(event), event);
    }
}
