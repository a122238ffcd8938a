//! The messages of a conversation as PostgreSQL prints them.

use crate::store::printed::{Printed, read};
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::pg::{Pg, PgValue};
use diesel::sql_types::Jsonb;
use plan_model::ids::{MessageId, TurnId};
use plan_model::message::{Message, Role};

/// The messages in a `jsonb` column.
#[derive(Debug, Clone, PartialEq, FromSqlRow)]
pub struct StoredMessages(pub Vec<Message>);

impl FromSql<Jsonb, Pg> for StoredMessages {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        read(&value, Printed::messages).map(Self)
    }
}

impl Printed<'_> {
    fn messages(mut self) -> Option<Vec<Message>> {
        let mut messages = Vec::with_capacity(20);
        let mut start = "[";
        while messages.is_empty() || !self.consume("]") {
            self.expect(start)?;
            messages.push(self.message()?);
            start = ", ";
        }
        self.0.is_empty().then_some(messages)
    }

    fn message(&mut self) -> Option<Message> {
        let start = self.0;
        if let Some(plain) = self.plain_message() {
            return Some(plain);
        }
        let mut parsed = serde_json::Deserializer::from_str(start).into_iter();
        let message = parsed.next()?.ok()?;
        self.0 = &start[parsed.byte_offset()..];
        Some(message)
    }

    /// Of the plan's owner, or an answer that wrote nothing.
    fn plain_message(&mut self) -> Option<Message> {
        self.expect("{\"id\": ")?;
        let id = self.parse_string().map(MessageId)?;
        self.expect(", \"role\": ")?;
        let role = match self.string()? {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => return None,
        };
        self.expect(", \"turnId\": ")?;
        let turn_id = self.parse_string().map(TurnId)?;
        self.expect(", \"content\": ")?;
        let content = self.text()?;
        self.expect(", \"timestamp\": ")?;
        let timestamp = self.timestamp()?;
        self.expect(", \"extractedValues\": null}")?;
        Some(Message::plain(id, turn_id, role, content, timestamp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::printed::print;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn message(n: usize, content: &str, more: &[(&str, Value)]) -> Value {
        let mut message = json!({
            "id": uuid::Uuid::from_u128(n as u128), "turnId": uuid::Uuid::max(), "content": content,
            "role": if n.is_multiple_of(2) { "user" } else { "assistant" },
            "timestamp": "2026-01-02T03:04:05.678901Z", "extractedValues": null,
        });
        for (name, value) in more {
            message[*name] = value.clone();
        }
        message
    }

    proptest! {
        #[test]
        fn messages_are_read_as_they_are_printed(contents in proptest::collection::vec("\\PC{0,9}[\"\\\\\n]{0,2}[a-z]{0,9}", 1..5), odd in 0usize..9) {
            let odd_members = [("stopped", json!(true)), ("finishReason", json!("length")), ("extractedValues", json!([]))];
            let messages: Vec<Value> = contents
                .iter()
                .enumerate()
                .map(|(n, content)| message(n, content, if n == odd { &odd_members } else { &[] }))
                .collect();
            let text = print(&messages.into());
            let parsed: Vec<Message> = serde_json::from_str(&text).expect("messages");
            prop_assert_eq!(Printed(&text).messages(), Some(parsed));
        }
    }

    #[test]
    fn what_a_turn_stores_is_usual_text() {
        let text = print(&message(1, "Noted:\n\"$4,200\"", &[]));
        let stored: Message = serde_json::from_str(&text).expect("a message");
        let again = print(&serde_json::to_value(&stored).expect("JSON"));
        assert_eq!(Printed(&again).plain_message(), Some(stored));
    }

    #[test]
    fn other_text_is_left_to_the_parser() {
        let one = print(&message(1, "x", &[]));
        for text in ["[]", "null", "{}", "[{}]", "", &format!("[{one}"), &format!("[{one}]]")] {
            assert_eq!(Printed(text).messages(), None, "{text}");
        }
    }
}
