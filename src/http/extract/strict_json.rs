//! Checks JSON bodies before they are deserialized: well formed, no duplicate keys, at most sixteen levels deep.
//!
//! Parsers disagree about which of two duplicate keys counts, so an ambiguous body is refused rather than
//! interpreted.

use plan_model::error::FieldError;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

/// Maximum nesting of arrays and objects.
const MAX_DEPTH: usize = 16;

/// Scans the body without building a value.
pub fn check(json: &[u8]) -> Result<(), FieldError> {
    let fault = RefCell::new(None);
    let walk = Walk {
        path: Vec::new(),
        depth: 0,
        fault: &fault,
    };
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let outcome = walk.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    match (fault.into_inner(), outcome) {
        (Some(fault), _) => Err(fault),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => Err(FieldError::new(
            "body",
            format!("is not valid JSON at line {}, column {}", error.line(), error.column()),
        )),
    }
}

#[derive(Clone)]
struct Walk<'a> {
    path: Vec<String>,
    depth: usize,
    fault: &'a RefCell<Option<FieldError>>,
}

impl Walk<'_> {
    fn child(&self, name: String) -> Self {
        let mut path = self.path.clone();
        path.push(name);
        Self {
            path,
            depth: self.depth + 1,
            fault: self.fault,
        }
    }

    fn fail<E: Error>(&self, message: &str) -> E {
        let field = if self.path.is_empty() {
            "body".to_owned()
        } else {
            self.path.join(".")
        };
        self.fault
            .borrow_mut()
            .get_or_insert_with(|| FieldError::new(field, message));
        E::custom(message)
    }

    fn enter<E: Error>(&self) -> Result<(), E> {
        if self.depth >= MAX_DEPTH {
            Err(self.fail("is nested too deeply"))
        } else {
            Ok(())
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
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

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| ())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.enter()?;
        let mut index = 0;
        while seq.next_element_seed(self.child(index.to_string()))?.is_some() {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.enter()?;
        let mut seen = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let child = self.child(key.clone());
            if !seen.insert(key) {
                return Err(child.fail("occurs twice"));
            }
            map.next_value_seed(child)?;
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
        assert_eq!(fault(r#"{"x":{"y":[0,{"a":1,"\u0061":2}]}}"#), twice("x.y.1.a"));
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
