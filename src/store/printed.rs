//! JSON as PostgreSQL prints it.
//!
//! A turn reads its plan and the conversation before the model is asked; general JSON parsing would be the largest single part
//! of that (`make bench`). PostgreSQL prints a `jsonb` in one way only, with the members of an object by length and name, so
//! the usual text is matched piece by piece; any other is parsed.

use super::json;
use diesel::deserialize;
use diesel::pg::PgValue;
use plan_model::number::Number;
use serde::de::DeserializeOwned;
use std::str::FromStr;
use std::sync::Arc;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// What is left of a text. Each method takes something from its beginning, and gives `None` if something else is there.
#[derive(Clone, Copy)]
pub struct Printed<'a>(pub &'a str);

impl<'a> Printed<'a> {
    #[inline]
    pub fn consume(&mut self, text: &str) -> bool {
        self.expect(text).is_some()
    }

    #[inline]
    pub fn expect(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// A string without escapes.
    pub fn string(&mut self) -> Option<&'a str> {
        self.expect("\"")?;
        let end = memchr::memchr2(b'"', b'\\', self.0.as_bytes())?;
        let (string, rest) = self.0.split_at(end);
        self.0 = rest.strip_prefix('"')?;
        Some(string)
    }

    /// Any string.
    pub fn text(&mut self) -> Option<Arc<str>> {
        let start = *self;
        if let Some(plain) = self.string() {
            return Some(Arc::from(plain));
        }
        let length = end_of_string(start.0.as_bytes().get(1..)?)? + 2;
        let (string, rest) = start.0.split_at(length);
        self.0 = rest;
        serde_json::from_str::<String>(string).ok().map(Arc::from)
    }

    /// A string without escapes, parsed as another type.
    pub fn parse_string<T: FromStr>(&mut self) -> Option<T> {
        self.string()?.parse().ok()
    }

    pub fn number(&mut self) -> Option<Number> {
        let end = self.0.bytes().position(|byte| matches!(byte, b',' | b'}'))?;
        let (number, rest) = self.0.split_at(end);
        self.0 = rest;
        number.parse().ok()
    }

    pub fn timestamp(&mut self) -> Option<OffsetDateTime> {
        OffsetDateTime::parse(self.string()?, &Rfc3339).ok()
    }
}

/// Reads a `jsonb` by its usual text, else as any JSON.
pub fn read<'a, T: DeserializeOwned>(
    value: &'a PgValue<'_>,
    usual: impl FnOnce(Printed<'a>) -> Option<T>,
) -> deserialize::Result<T> {
    let text = json::text(value.as_bytes())?;
    match usual(Printed(text)) {
        Some(read) => Ok(read),
        None => Ok(serde_json::from_str(text)?),
    }
}

/// Where the quotation mark is that ends a JSON string, in what follows the one that begins it.
pub fn end_of_string(json: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', json.get(at..)?)?;
        match json[at] {
            b'"' => return Some(at),
            // An escaped character.
            _ => at += 2,
        }
    }
}

/// The text PostgreSQL prints of a value.
#[cfg(test)]
pub fn print(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| (name.len(), name.as_str()));
            let members = members
                .iter()
                .map(|(name, value)| format!("\"{name}\": {}", print(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(print).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
