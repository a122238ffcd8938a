//! What a sentence that was not understood does to the statements around it.

use super::edges::{EdgePayload, Edges};
use super::meaning::Stated;
use super::productions::GRAMMAR;
use super::sentences::Sentence;
use super::vocabulary::Vocabulary;
use crate::lex::{Kind, Token};
use std::collections::BTreeSet;

/// Words at most in a line that is a title.
const TITLE: usize = 4;

/// What a sentence that was not understood puts in doubt.
#[derive(Debug, Default)]
pub(crate) struct Doubt {
    /// All that was stated before it.
    pub(super) before: bool,
    /// The whole message.
    pub(super) all: bool,
    /// These fields, wherever they were stated.
    pub(super) fields: BTreeSet<usize>,
    /// It is about another business: what is said of "our rent" behind it stands.
    pub(super) others: bool,
    /// A heading of doubtful things: all that was stated after it.
    pub(super) after: bool,
}

impl Doubt {
    /// Whether it names the field of a statement, or another meaning of its name.
    pub(super) fn touches(&self, stated: &Stated) -> bool {
        self.fields.contains(&stated.field) || stated.related.iter().any(|field| self.fields.contains(field))
    }

    /// What a sentence that is not understood puts in doubt; `None` where no word of it could touch another sentence.
    pub(super) fn of(
        sentence: &Sentence,
        tokens: &[Token],
        is_whole_line: bool,
        edges: &Edges,
        has_amount: bool,
        vocabulary: &Vocabulary,
    ) -> Option<Self> {
        let fields = fields_of(edges, vocabulary);
        let class = |name: &str| GRAMMAR.known(name);
        let (back, all) = (class("BACK"), class("ALLDOUBT"));
        let has = |wanted: Option<u8>| edges.has(wanted);
        let has_number = tokens
            .iter()
            .any(|token| matches!(token.kind, Kind::Figure(_) | Kind::Odd))
            || has_amount;
        let words = tokens
            .iter()
            .filter(|token| matches!(token.kind, Kind::Word(_)))
            .count();
        let short = words < 3;
        // "Here is what we signed:" brings up what follows.
        let heading = sentence.announces && !has_number;
        // "(from the brochure)" is about what it follows.
        let aside = tokens.first().is_some_and(|token| token.is_mark('('));
        // "Old | New": what a column is about decides on all of its rows.
        let header = fields.is_empty() && !has_number && tokens.iter().any(|token| token.is_mark('|'));
        let ours = has(class("MINE")) || has(class("AFFIRMS"));
        // "Second location", "Worst case", "Store 2" on a line of its own, above the lines it is about.
        let numbered = matches!(tokens.last().map(|token| &token.kind), Some(Kind::Figure(figure)) if !figure.marked);
        let title = (1..=TITLE).contains(&words) && (!has_number || numbered) && is_whole_line;
        let doubt = Self {
            before: (has(class("REFERS")) || fields.is_empty() && (has_number || has(back) || short || aside))
                && !heading,
            all: has(all),
            others: has(class("OTHERS")),
            after: header
                || title && !sentence.announces
                || sentence.announces && (has(class("AHEAD")) || has(class("OTHERS")) || !ours),
            fields: if heading { BTreeSet::new() } else { fields },
        };
        let is_neutral = !doubt.before && !doubt.all && doubt.fields.is_empty() && !doubt.others && !doubt.after;
        (!is_neutral).then_some(doubt)
    }
}

/// All fields that a sentence names.
fn fields_of(edges: &Edges, vocabulary: &Vocabulary) -> BTreeSet<usize> {
    let keys = edges.at.iter().flatten().filter_map(|edge| match edge.payload {
        EdgePayload::Key(key) => Some(vocabulary.key(key)),
        _ => None,
    });
    let fields = keys.flat_map(|key| &key.fields);
    fields.filter_map(|field| vocabulary.position(&field.path)).collect()
}
