//! Serde helpers that never fail on a value of an unexpected kind: what cannot be used reads as absent.
//!
//! Only broken JSON is an error. One pass over the bytes, strings borrowed where they hold no escapes.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use std::{borrow::Cow, fmt, marker::PhantomData};

/// Methods of a visitor that takes every scalar and every other shape as "absent".
macro_rules! ignore {
    ($($method:ident: $kind:ty),* $(,)?) => {
        $(fn $method<E>(self, _: $kind) -> Result<Self::Value, E> { Ok(Default::default()) })*
    };
}
macro_rules! ignore_nothing {
    () => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
        fn visit_none<E>(self) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
        fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
            deserializer.deserialize_any(self)
        }
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON value")
        }
    };
}
macro_rules! ignore_seq {
    () => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Default::default())
        }
    };
}
macro_rules! ignore_map {
    () => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Default::default())
        }
    };
}

/// An object, or nothing.
#[derive(Debug)]
pub(crate) struct Object<T>(pub Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    ignore!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);
    ignore_nothing!();
    ignore_seq!();

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|value| Object(Some(value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ObjectVisitor(PhantomData))
    }
}

/// The objects of an array; an object alone is a list of one. What is no object keeps its place as `None`.
#[derive(Debug)]
pub(crate) struct List<T>(pub Vec<Object<T>>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    ignore!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);
    ignore_nothing!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            list.push(element);
        }
        Ok(List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<List<T>, A::Error> {
        Ok(List(vec![ObjectVisitor(PhantomData).visit_map(map)?]))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListVisitor(PhantomData))
    }
}

/// A whole number, also where it comes as `3.0` or `"3"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Int(pub Option<i64>);

struct IntVisitor;

impl<'de> Visitor<'de> for IntVisitor {
    type Value = Int;

    ignore!(visit_bool: bool);
    ignore_nothing!();
    ignore_seq!();
    ignore_map!();

    fn visit_i64<E>(self, value: i64) -> Result<Int, E> {
        Ok(Int(Some(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Int, E> {
        Ok(Int(i64::try_from(value).ok()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Int, E> {
        // Beyond 2^53 a float is no count any more.
        let is_count = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
        Ok(Int(is_count.then_some(value as i64)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Int, E> {
        Ok(Int(value.trim().parse().ok()))
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IntVisitor)
    }
}

/// A word such as an id, a name or a code; numbers read as their digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word<'a>(pub Option<Cow<'a, str>>);

impl Word<'_> {
    /// The word, if there is one and it is not empty.
    pub(crate) fn get(&self) -> Option<&str> {
        self.0.as_deref().filter(|word| !word.is_empty())
    }
}

struct WordVisitor;

impl<'de> Visitor<'de> for WordVisitor {
    type Value = Word<'de>;

    ignore!(visit_bool: bool, visit_f64: f64);
    ignore_nothing!();
    ignore_seq!();
    ignore_map!();

    fn visit_i64<E>(self, value: i64) -> Result<Word<'de>, E> {
        Ok(Word(Some(Cow::Owned(value.to_string()))))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Word<'de>, E> {
        Ok(Word(Some(Cow::Owned(value.to_string()))))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Word<'de>, E> {
        Ok(Word(Some(Cow::Borrowed(value))))
    }

    fn visit_str<E>(self, value: &str) -> Result<Word<'de>, E> {
        Ok(Word(Some(Cow::Owned(value.to_owned()))))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Word<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordVisitor)
    }
}

/// A piece of the answer: a string, an array of parts, or one part.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Content<'a> {
    pub text: Cow<'a, str>,
    /// A part held thoughts.
    pub has_reasoning: bool,
    /// A part was neither text nor thoughts.
    pub has_unknown: bool,
}

#[derive(serde::Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    r#type: Word<'a>,
    #[serde(borrow, default)]
    text: Word<'a>,
    #[serde(borrow, default)]
    refusal: Word<'a>,
    #[serde(borrow, default)]
    content: Word<'a>,
}

impl<'a> Content<'a> {
    fn push(&mut self, text: Cow<'a, str>) {
        if self.text.is_empty() {
            self.text = text;
        } else {
            self.text.to_mut().push_str(&text);
        }
    }

    fn push_part(&mut self, part: Part<'a>) {
        if matches!(
            part.r#type.get(),
            Some("thinking" | "reasoning" | "reasoning_content" | "thought")
        ) {
            self.has_reasoning = true;
            return;
        }
        match [part.text, part.refusal, part.content]
            .into_iter()
            .find_map(|word| word.0)
        {
            Some(text) => self.push(text),
            None => self.has_unknown = true,
        }
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;

    ignore!(visit_bool: bool);
    ignore_nothing!();

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Content {
            text: Cow::Owned(value.to_string()),
            ..Content::default()
        })
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Content {
            text: Cow::Owned(value.to_string()),
            ..Content::default()
        })
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Content {
            text: Cow::Owned(value.to_string()),
            ..Content::default()
        })
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Content {
            text: Cow::Borrowed(value),
            ..Content::default()
        })
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Content {
            text: Cow::Owned(value.to_owned()),
            ..Content::default()
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut content = Content::default();
        while let Some(element) = seq.next_element::<PartOrText<'de>>()? {
            match element {
                PartOrText::Text(text) => content.push(text),
                PartOrText::Part(part) => content.push_part(part),
                PartOrText::Nothing => {}
            }
        }
        Ok(content)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let mut content = Content::default();
        content.push_part(Part::deserialize(MapAccessDeserializer::new(map))?);
        Ok(content)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

#[derive(Default)]
enum PartOrText<'a> {
    Text(Cow<'a, str>),
    Part(Part<'a>),
    #[default]
    Nothing,
}

struct PartVisitor;

impl<'de> Visitor<'de> for PartVisitor {
    type Value = PartOrText<'de>;

    ignore!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64);
    ignore_nothing!();
    ignore_seq!();

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(PartOrText::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(PartOrText::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Part::deserialize(MapAccessDeserializer::new(map)).map(PartOrText::Part)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for PartOrText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartVisitor)
    }
}
