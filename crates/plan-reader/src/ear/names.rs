//! The names of fields in a message.

use crate::grammar::{ClassSet, EdgePayload, GRAMMAR, Message, Part, Vocabulary};
use plan_model::field::FieldPath;
use std::ops::Range;

/// A name, by the message's tokens, with the fields that it may mean.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub range: Range<usize>,
    /// Places in the vocabulary's fields, the likeliest first, and whether each is seldom meant.
    pub fields: Vec<(usize, bool)>,
}

const CLASSES: [&str; 12] = [
    "NAME", "PART", "PAYEE", "DO", "LENDS", "LENDER", "AFTER", "LANDLORD", "NETTERM", "STAFFOF", "QUESTION", "HINT",
];

/// The names of each sentence: the longest ones, from left to right.
pub(crate) fn names(message: &Message<'_>) -> Vec<Vec<Named>> {
    let classes: ClassSet = CLASSES.iter().filter_map(|class| GRAMMAR.known(class)).collect();
    let parts = message.parts.iter();
    parts.map(|part| names_of(part, &classes, message.vocabulary)).collect()
}

fn names_of(part: &Part, classes: &ClassSet, vocabulary: &Vocabulary) -> Vec<Named> {
    let Some(edges) = &part.edges else {
        return Vec::new();
    };
    let start = part.sentence.tokens.start;
    let (mut out, mut at): (Vec<Named>, usize) = (Vec::new(), 0);
    while at < edges.at.len() {
        let here = edges.at[at].iter().filter(|edge| classes.contains(edge.class));
        let Some(end) = here.clone().map(|edge| edge.end).max() else {
            at += 1;
            continue;
        };
        let mut fields: Vec<(usize, bool)> = Vec::new();
        for edge in here.filter(|edge| edge.end == end) {
            if let EdgePayload::Key(key) = edge.payload {
                fields.extend(fields_of(key, vocabulary));
            }
        }
        if !fields.is_empty() {
            out.push(Named {
                range: at + start..end + start,
                fields,
            });
        }
        at = end;
    }
    out
}

fn fields_of(key: u16, vocabulary: &Vocabulary) -> Vec<(usize, bool)> {
    let key = vocabulary.key(key);
    if key.is_growth() {
        return (1..=5)
            .filter_map(|year| vocabulary.growth(year))
            .map(|at| (at, false))
            .collect();
    }
    let known = |path: &str| vocabulary.position(path);
    let fields = key.fields.iter();
    fields
        .filter_map(|field| Some((known(&field.path)?, field.is_guess)))
        .collect()
}

/// The likeliest field of each name, in the order of the message.
pub(crate) fn named(names: &[Vec<Named>], vocabulary: &Vocabulary) -> Vec<FieldPath> {
    let mut out: Vec<FieldPath> = Vec::new();
    for name in names.iter().flatten() {
        let path = &vocabulary.fields()[name.fields[0].0].path;
        if !out.contains(path) {
            out.push(path.clone());
        }
    }
    out
}
