//! Independent readers of JSON and of amounts, with which the fuzz targets compare the product.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// JSON without duplicate keys.
#[derive(Debug)]
pub enum Json {
    Object(BTreeMap<String, Json>),
    List(Vec<Json>),
    Leaf,
}

impl Json {
    /// `None` if it is not JSON or has a duplicate key.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text).ok()
    }

    /// Nesting depth of lists and objects.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Object(entries) => 1 + entries.values().map(Self::depth).max().unwrap_or(0),
            Self::List(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Leaf => 0,
        }
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without a key twice")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<Json, E> {
        Ok(Json::Leaf)
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Leaf)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some((key, value)) = map.next_entry()? {
            if entries.insert(key, value).is_some() {
                return Err(A::Error::custom("a key occurs twice"));
            }
        }
        Ok(Json::Object(entries))
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

/// The cents of `$4,200.50`, `$4200` or `$0.5`: a dollar sign, whole groups, at most two digits behind the point. `None` for
/// every other text and above ten billion dollars.
#[must_use]
pub fn plain_dollars(text: &str) -> Option<i64> {
    let number = text.strip_prefix('$')?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "00"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let grouped = rest.is_empty() || (first.len() <= 3 && rest.iter().all(|group| group.len() == 3));
    if !is_digits(first) || !rest.iter().all(|group| is_digits(group)) || !grouped || fraction.len() > 2 {
        return None;
    }
    if !is_digits(fraction) || (first.starts_with('0') && whole != "0") || whole.len() > 14 {
        return None;
    }
    let dollars: i64 = whole.replace(',', "").parse().ok()?;
    let cents: i64 = format!("{fraction:0<2}").parse().ok()?;
    (dollars <= 10_000_000_000).then_some(dollars * 100 + cents)
}
