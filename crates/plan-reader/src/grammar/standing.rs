//! Which statements still stand at the end of a message.

use super::doubt::Doubt;
use super::meaning::Stated;
use super::message::{Message, Part, SentenceResult};
use super::productions::GRAMMAR;
use crate::lex::Token;
use crate::texts::Source;
use crate::understanding::Statement;
use rust_decimal::Decimal;

/// A statement and the sentence it stands in.
struct Standing {
    stated: Stated,
    /// The sentence says whose it is: "our rent".
    is_own: bool,
    part: usize,
    stands: bool,
}

impl Message<'_> {
    /// What is plainly stated and stands at the end.
    pub(crate) fn plain(&self) -> Vec<Statement> {
        if !self.language.is_plain() {
            return Vec::new();
        }
        let standing = self.standing();
        standing
            .iter()
            .filter(|one| one.stands && self.adds_up(one))
            .map(|one| self.statement(one))
            .collect()
    }

    /// All statements, and whether they still stand at the end.
    fn standing(&self) -> Vec<Standing> {
        let mut out: Vec<Standing> = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            match &part.result {
                SentenceResult::Neutral => {}
                SentenceResult::Understood(meaning) => {
                    // "sorry, my mistake" behind a correction takes nothing back.
                    let corrected = out.last().is_some_and(|one| one.stated.corrects);
                    if meaning.correcting && !corrected {
                        out.iter_mut().for_each(|one| one.stands = false);
                    }
                    for stated in &meaning.stated {
                        merge(&mut out, stated, at, self.is_own(part));
                    }
                    // "rent is 4,200 no wait": a correction without a value takes its own sentence back.
                    let is_open = meaning.correcting && meaning.stated.last().is_some_and(|last| !last.corrects);
                    for one in out.iter_mut().filter(|one| is_open && one.part == at) {
                        one.stands = false;
                    }
                }
                SentenceResult::Doubtful(doubt) => {
                    for one in &mut out {
                        one.stands &= !(doubt.before || doubt.all || doubt.touches(&one.stated));
                    }
                }
            }
        }
        let doubts: Vec<(usize, &Doubt)> = (0..)
            .zip(&self.parts)
            .filter_map(|(at, part)| match &part.result {
                SentenceResult::Doubtful(doubt) => Some((at, doubt)),
                _ => None,
            })
            .collect();
        for one in &mut out {
            let blocks = |at: usize, doubt: &Doubt| {
                let theirs = doubt.others && one.is_own;
                doubt.all
                    || (at < one.part && doubt.after)
                    || (at < one.part && doubt.others && !one.is_own)
                    || (doubt.touches(&one.stated) && !(theirs && at < one.part))
            };
            one.stands &= one.is_own || !self.before.about_others;
            one.stands &= !doubts.iter().any(|(at, doubt)| blocks(*at, doubt));
        }
        out
    }

    /// A total is what the amounts before it add up to, from one of them on; of one that differs nobody knows which is right.
    fn adds_up(&self, one: &Standing) -> bool {
        let range = &self.parts[one.part].sentence.tokens;
        let is_total = |token: &Token| matches!(token.word(), "total" | "totals" | "totaling" | "altogether");
        let total = one.stated.amount.map(|at| &self.amounts[at as usize]);
        let Some(total) = total.filter(|_| self.tokens[range.clone()].iter().any(is_total)) else {
            return true;
        };
        let before = self.amounts.iter().rev().filter(|amount| amount.to <= total.from);
        let sums = before.scan(Decimal::ZERO, |sum, amount| {
            *sum = sum.checked_add(amount.value)?;
            Some(*sum)
        });
        let sums: Vec<Decimal> = sums.collect();
        sums.len() < 2 || sums[1..].contains(&total.value)
    }

    fn is_own(&self, part: &Part) -> bool {
        let mine = GRAMMAR.known("MINE");
        part.edges.as_ref().is_some_and(|edges| edges.has(mine))
    }

    fn statement(&self, one: &Standing) -> Statement {
        let range = &self.parts[one.part].sentence.tokens;
        let (first, last) = (&self.tokens[range.start], &self.tokens[range.end - 1]);
        let said = match one.stated.amount {
            Some(amount) => Some(&self.amounts[amount as usize]),
            // "month 7" is a number too.
            None => {
                let mut inside = self.amounts_of(range).map(|(_, amount)| amount);
                inside.find(|amount| amount.value == one.stated.value.decimal())
            }
        };
        let number = said.map_or((first.start, last.end), |amount| self.bytes(amount));
        Statement {
            field: self.vocabulary.fields()[one.stated.field].path.clone(),
            value: one.stated.value,
            source: Source::Message,
            start: first.start,
            end: last.end,
            number,
        }
    }
}

/// A later value takes an earlier one's place only by words of correction.
fn merge(all: &mut Vec<Standing>, stated: &Stated, part: usize, is_own: bool) {
    let mut stands = true;
    for earlier in all.iter_mut().filter(|one| one.stated.field == stated.field) {
        if earlier.stated.value == stated.value {
            continue;
        }
        earlier.stands = false;
        stands &= stated.corrects;
    }
    let again = all.iter().any(|one| one.stands && one.stated.field == stated.field);
    if !again {
        all.push(Standing {
            stated: stated.clone(),
            is_own,
            part,
            stands,
        });
    }
}
