//! Reads JSON bodies: well formed, no duplicate keys, at most sixteen levels deep. What is wrong is named by its field.
//!
//! Parsers disagree about which of two duplicate keys counts, so an ambiguous body is refused rather than interpreted. Serde
//! alone does not: it keeps the last of two keys in a map, and does not look at what a type ignores.

use plan_model::error::FieldError;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_path_to_error::{Path, Track};
use std::collections::HashSet;
use std::fmt;

/// Maximum nesting of arrays and objects.
const MAX_DEPTH: usize = 16;

/// The object as a value.
pub(super) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, FieldError> {
    check(json)?;
    // serde would also accept a list for a struct, field by field.
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(FieldError::new("body", "must be a JSON object"));
    }
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(json))
        .map_err(|error| data_error(error.path(), error.inner()))
}

/// Scans the body without building a value.
pub(super) fn check(json: &[u8]) -> Result<(), FieldError> {
    let mut json = serde_json::Deserializer::from_slice(json);
    let mut track = Track::new();
    let outcome = Strict::default().deserialize(serde_path_to_error::Deserializer::new(&mut json, &mut track));
    outcome
        .and_then(|()| json.end())
        .map_err(|error| match error.is_data() {
            true => data_error(&track.path(), &error),
            false => FieldError::new(
                "body",
                format!("is not valid JSON at line {}, column {}", error.line(), error.column()),
            ),
        })
}

/// The field that serde refuses, and why.
fn data_error(path: &Path, error: &serde_json::Error) -> FieldError {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let problem = text.strip_suffix(&position).unwrap_or(&text);
    let place = (path.iter().len() > 0).then(|| path.to_string());
    // A field that is absent has no place: serde's path is the object's, and only the text has the name.
    let absent = problem
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'));
    if let Some(name) = absent {
        let field = place.map_or_else(|| name.to_owned(), |place| format!("{place}.{name}"));
        return FieldError::new(field, "is required");
    }
    let problem = match problem.starts_with("unknown field") {
        // Serde lists the known ones, which a client did not ask for.
        true => "is not known here",
        false => problem,
    };
    FieldError::new(place.unwrap_or_else(|| "body".to_owned()), problem)
}

/// A value of any type, which is looked at and dropped.
#[derive(Clone, Copy, Default)]
struct Strict {
    depth: usize,
    /// Its key has occurred before. Refused here and not with the key, because here the path ends with the key.
    is_second: bool,
}

impl Strict {
    fn child<E: Error>(self) -> Result<Self, E> {
        match self.depth < MAX_DEPTH {
            true => Ok(Self {
                depth: self.depth + 1,
                is_second: false,
            }),
            false => Err(E::custom("is nested too deeply")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.is_second {
            true => Err(D::Error::custom("occurs twice")),
            false => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let child = self.child()?;
        while seq.next_element_seed(child)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let child = self.child()?;
        let mut seen = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let is_second = !seen.insert(key);
            map.next_value_seed(Self { is_second, ..child })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(json: &str) -> Option<(String, String)> {
        check(json.as_bytes()).err().map(|error| (error.field, error.message))
    }

    #[test]
    fn ordinary_json_passes() {
        for json in [
            r#"{"a":1,"b":{"a":[1,2.5,"x",null,true,{"a":1}]}}"#,
            "null",
            "[]",
            r#"{"a":12345678901234567890123}"#,
        ] {
            assert_eq!(fault(json), None, "{json}");
        }
    }

    #[test]
    fn a_key_that_occurs_twice_is_named_wherever_it_is() {
        let twice = |path: &str| Some((path.to_owned(), "occurs twice".to_owned()));
        assert_eq!(fault(r#"{"a":1,"a":1}"#), twice("a"));
        assert_eq!(fault(r#"{"x":{"y":[0,{"a":1,"\u0061":2}]}}"#), twice("x.y[1].a"));
    }

    #[test]
    fn sixteen_levels_are_deep_enough() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(fault(&nested(16)), None);
        assert!(fault(&nested(17)).is_some_and(|(_, message)| message == "is nested too deeply"));
        assert!(fault(&nested(100_000)).is_some());
    }

    #[test]
    fn broken_json_is_located() {
        for json in ["", "{", "{\"a\":1}x", "\u{1}", "{'a':1}", "\"\\x\""] {
            assert!(fault(json).is_some_and(|(field, _)| field == "body"), "{json}");
        }
    }
}
