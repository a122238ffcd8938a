//! The name that a number stands beside: "insurance is like 450, and marketing 600", "600 on marketing".

use super::{Spot, Spots};
use crate::ear::names::Named;
use crate::lex::{Kind, is_of};

/// Words between a name and its number.
const BETWEEN: usize = 5;

/// Words behind a number that its name follows.
const OF: &str = "on for of in de para en";

/// Words before a name that are no part of it.
const ARTICLES: &str = "the my our la el los las mi nuestra nuestro";

/// Words at which a clause goes on with something else.
const JOINS: &str = "and y plus or o but pero";

impl Spots<'_> {
    /// The fields of the name that stands right before a number, or behind it as what it is for; nothing where it may be another number's.
    pub(crate) fn named_beside(&self, spot: &Spot) -> Option<&[(usize, bool)]> {
        let names = &self.names[spot.part];
        let found = self
            .name_behind(spot, names)
            .or_else(|| self.name_before(spot, names))?;
        Some(&found.fields)
    }

    fn name_behind<'n>(&self, spot: &Spot, names: &'n [Named]) -> Option<&'n Named> {
        let behind = self.message.behind_period(spot.amount.to);
        let start = behind + 1 + usize::from(is_of(ARTICLES, self.word_at(behind + 1)));
        is_of(OF, self.word_at(behind)).then(|| names.iter().find(|name| name.range.start == start))?
    }

    fn name_before<'n>(&self, spot: &Spot, names: &'n [Named]) -> Option<&'n Named> {
        let name = names.iter().rev().find(|name| name.range.end <= spot.amount.from)?;
        let between = self.message.tokens.get(name.range.end..spot.amount.from)?;
        let goes_on = |token: &crate::lex::Token| {
            let is_parting = matches!(
                token.kind,
                Kind::Figure(_) | Kind::Mark(',' | ';' | '.' | '(' | ')' | '?' | '!')
            );
            is_parting || is_of(JOINS, token.word())
        };
        // "450 insurance 600 marketing"
        let is_of_another = |other: &Spot| {
            other.amount.to == name.range.start || self.message.behind_period(other.amount.to) == name.range.start
        };
        let is_taken = self
            .all
            .iter()
            .any(|other| other.amount.from < name.range.start && is_of_another(other));
        (between.len() <= BETWEEN && !between.iter().any(goes_on) && !is_taken).then_some(name)
    }
}
