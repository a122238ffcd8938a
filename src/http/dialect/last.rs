//! The last element of a list that clients send whole.

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Of a client's messages only the last one counts: the history is the server's own. The others are read past without
/// being kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Last(pub Option<Value>);

impl<'de> Deserialize<'de> for Last {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Last;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of messages")
            }

            fn visit_unit<E>(self) -> Result<Last, E> {
                Ok(Last(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Last, A::Error> {
                let mut last = None;
                while let Some(message) = list.next_element::<Value>()? {
                    last = Some(message);
                }
                Ok(Last(last))
            }
        }
        deserializer.deserialize_any(List)
    }
}
