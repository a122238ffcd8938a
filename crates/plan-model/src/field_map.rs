//! Values by path, without gaps: every running turn holds a plan, so its size counts. In the order in which PostgreSQL prints
//! them, so that those that it sends need not be sorted.

use super::field::{FieldPath, printed_order};
use super::field_value::FieldValue;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::fmt;

/// Values by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldMap(Vec<(FieldPath, FieldValue)>);

impl FieldMap {
    /// About as many as a plan has, so that reading one needs no second allocation.
    pub const USUAL: usize = 72;

    fn place(&self, path: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(known, _)| printed_order(known.as_str(), path))
    }

    /// The value of a path.
    pub fn get<P: AsRef<str> + ?Sized>(&self, path: &P) -> Option<&FieldValue> {
        self.place(path.as_ref()).ok().map(|at| &self.0[at].1)
    }

    /// As [`FieldMap::get`], quick if the path is at this place.
    pub fn get_at(&self, place: usize, path: &FieldPath) -> Option<&FieldValue> {
        match self.0.get(place) {
            Some((known, value)) if known == path => Some(value),
            _ => self.get(path),
        }
    }

    /// The value of a path, to change it.
    pub fn get_mut<P: AsRef<str> + ?Sized>(&mut self, path: &P) -> Option<&mut FieldValue> {
        self.place(path.as_ref()).ok().map(|at| &mut self.0[at].1)
    }

    /// Puts a value in, in place of the one that was there.
    pub fn insert(&mut self, path: FieldPath, value: FieldValue) {
        match self.place(path.as_str()) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (path, value)),
        }
    }

    /// All values with their paths.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&FieldPath, &FieldValue)> {
        self.0.iter().map(|(path, value)| (path, value))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(FieldPath, FieldValue)> for FieldMap {
    fn from_iter<I: IntoIterator<Item = (FieldPath, FieldValue)>>(pairs: I) -> Self {
        let mut all = Vec::with_capacity(Self::USUAL);
        all.extend(pairs);
        all.into()
    }
}

impl From<Vec<(FieldPath, FieldValue)>> for FieldMap {
    /// The last of several values of a path stays.
    fn from(pairs: Vec<(FieldPath, FieldValue)>) -> Self {
        let mut map = Self(pairs);
        let order = |one: &FieldPath, other: &FieldPath| printed_order(one.as_str(), other.as_str());
        if !map.0.is_sorted_by(|(one, _), (next, _)| order(one, next).is_lt()) {
            map.0.reverse();
            map.0.sort_by(|(one, _), (other, _)| order(one, other));
            map.0.dedup_by(|(older, _), (kept, _)| older == kept);
        }
        map
    }
}

impl IntoIterator for FieldMap {
    type Item = (FieldPath, FieldValue);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Serialize for FieldMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for FieldMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = FieldMap;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("values by path")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<FieldMap, A::Error> {
                let mut all = Vec::with_capacity(FieldMap::USUAL);
                while let Some((path, json)) = pairs.next_entry::<FieldPath, &RawValue>()? {
                    // A newer release may have written another shape. The plan then counts as one without the field, and
                    // the stored value stays until the field is written.
                    if let Ok(value) = serde_json::from_str(json.get()) {
                        all.push((path, value));
                    }
                }
                Ok(all.into())
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::brand::Brand;
    use super::super::inputs::FinancialInputs;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_is_a_map_whatever_the_order_of_what_comes_in(order in proptest::collection::vec(0_usize..12, 0..40)) {
            let sample = FinancialInputs::from_brand(&Brand::demo());
            let (_, value) = sample.0.iter().next().expect("a value");
            let pairs = order.iter().map(|n| (FieldPath::new(format!("a.f{n}")), value.clone()));
            let (map, model): (FieldMap, BTreeMap<_, _>) = (pairs.clone().collect(), pairs.clone().collect());
            let mut inserted = FieldMap::default();
            for (path, value) in pairs {
                inserted.insert(path, value);
            }
            prop_assert_eq!(&map, &inserted);
            prop_assert!(map.0.is_sorted_by(|(one, _), (next, _)| printed_order(one.as_str(), next.as_str()).is_lt()));
            prop_assert_eq!(map.iter().collect::<BTreeMap<_, _>>(), model.iter().collect::<BTreeMap<_, _>>());
            prop_assert_eq!(map.len(), model.len());
            for n in 0..12 {
                let path = format!("a.f{n}");
                prop_assert_eq!(map.get(&path), model.get(path.as_str()));
                for place in 0..=map.len() {
                    prop_assert_eq!(map.get_at(place, &FieldPath::new(&*path)), model.get(path.as_str()));
                }
            }
            let json = serde_json::to_string(&map).expect("writes");
            let written: serde_json::Value = serde_json::from_str(&json).expect("reads");
            prop_assert_eq!(written, serde_json::to_value(&model).expect("writes"));
            prop_assert_eq!(serde_json::from_str::<FieldMap>(&json).expect("reads"), map);
        }
    }

    #[test]
    fn a_value_with_its_path_is_small() {
        assert!(size_of::<(FieldPath, FieldValue)>() <= 112);
    }
}
