//! Which amount belongs to which name.

use super::amount::Amount;
use super::clause::Clause;
use super::doubt::Doubts;
use super::lexicon::Mention;
use super::scan::Scan;
use super::unit::Unit;
use super::vocabulary::{is_connector, is_copula, is_filler};
use crate::model::field::{Field, Kind};

/// Where an amount stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Beside no name.
    Free,
    /// Beside the name of this field (an index).
    Field(usize),
    /// Beside a name that cannot hold it.
    Elsewhere,
}

/// An amount's place: its link, the mention, doubts that come from the place.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub link: Link,
    pub mention: Option<usize>,
    pub doubts: Doubts,
}

impl Place {
    const fn field(&self) -> Option<usize> {
        match self.link {
            Link::Field(field) => Some(field),
            Link::Free | Link::Elsewhere => None,
        }
    }
}

pub struct Linker<'a> {
    scan: &'a Scan,
    fields: &'a [Field],
    amounts: &'a [Amount],
    mentions: &'a [Mention],
    clauses: &'a [Clause],
    /// Clauses that say nothing but their numbers.
    light: Vec<bool>,
}

impl<'a> Linker<'a> {
    #[must_use]
    pub fn new(
        scan: &'a Scan,
        fields: &'a [Field],
        amounts: &'a [Amount],
        mentions: &'a [Mention],
        clauses: &'a [Clause],
    ) -> Self {
        let mut said = vec![false; scan.len()];
        for amount in amounts {
            said[amount.first..amount.next].fill(true);
        }
        let says_more = |i: usize| !said[i] && !scan.word(i).is_empty() && !is_light(scan.word(i));
        let light = clauses
            .iter()
            .map(|clause| !(clause.first..clause.next).any(says_more))
            .collect();
        Self {
            scan,
            fields,
            amounts,
            mentions,
            clauses,
            light,
        }
    }

    /// One place per amount.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let mut taken: Vec<Vec<usize>> = vec![Vec::new(); self.mentions.len()];
        let mut places: Vec<Place> = Vec::with_capacity(self.amounts.len());
        let (mut mention_at, mut clause_at) = (0, 0);
        for (i, amount) in self.amounts.iter().enumerate() {
            while clause_at + 1 < self.clauses.len() && self.clauses[clause_at + 1].first <= amount.first {
                clause_at += 1;
            }
            while mention_at < self.mentions.len() && self.mentions[mention_at].first < amount.first {
                mention_at += 1;
            }
            let place = self.place(i, clause_at, mention_at, &taken, places.last());
            if let (Some(m), Link::Field(field)) = (place.mention, place.link) {
                taken[m].push(field);
            } else if let Some(m) = place.mention {
                taken[m].push(usize::MAX);
            }
            places.push(place);
        }
        places
    }

    fn place(&self, i: usize, clause: usize, mention: usize, taken: &[Vec<usize>], last: Option<&Place>) -> Place {
        let here = &self.clauses[clause];
        let amount = &self.amounts[i];
        let left = mention.checked_sub(1).filter(|&m| self.mentions[m].first >= here.first);
        let next_amount = self.amounts.get(i + 1).map_or(usize::MAX, |next| next.first);
        let right = Some(mention).filter(|&m| {
            self.mentions
                .get(m)
                .is_some_and(|hit| hit.first < here.next && hit.first < next_amount)
        });
        let right = right.filter(|&m| self.touches(amount.next, self.mentions[m].first));
        let left = left.filter(|&m| self.reaches(self.mentions[m].next, amount.first));
        let purpose = right.filter(|_| {
            matches!(
                self.scan.word(self.after_period(amount.next)),
                "for" | "in" | "towards" | "toward" | "as"
            )
        });
        let fits = |m: Option<usize>, again: bool| {
            m.and_then(|m| {
                self.fit(m, amount, if again { &[] } else { &taken[m] })
                    .map(|field| (m, field))
            })
        };
        let fresh_left = left.filter(|&m| taken[m].is_empty());
        // "50% commission": what stands directly behind it is what it is.
        let other = right.filter(|&m| self.mentions[m].first <= amount.next && self.mentions[m].fields.is_empty());
        if let Some(m) = other {
            return Place {
                link: Link::Elsewhere,
                mention: Some(m),
                doubts: Doubts::NONE,
            };
        }
        let choice = fits(purpose, false)
            .or_else(|| fits(fresh_left, false))
            .or_else(|| fits(right, false))
            .or_else(|| fits(left, false))
            .or_else(|| fits(left, true));
        if let Some((m, field)) = choice {
            // "three tables": how many there are, not what they cost.
            let counted =
                amount.bare && amount.value < rust_decimal::Decimal::from(20) && self.mentions[m].first == amount.next;
            if counted && self.fields[field].kind == Kind::Money {
                return Place {
                    link: Link::Elsewhere,
                    mention: Some(m),
                    doubts: Doubts::NONE,
                };
            }
            let doubts = if self.is_shared(m, i) {
                Doubts::SHARED
            } else {
                Doubts::NONE
            };
            return Place {
                link: Link::Field(field),
                mention: Some(m),
                doubts,
            };
        }
        if let Some(m) = fresh_left.or(right).or(left) {
            return Place {
                link: Link::Elsewhere,
                mention: Some(m),
                doubts: Doubts::NONE,
            };
        }
        self.carried(i, clause, mention, taken, last)
    }

    /// A clause without a name of its own goes on with the one before, or waits for the one behind.
    fn carried(&self, i: usize, clause: usize, mention: usize, taken: &[Vec<usize>], last: Option<&Place>) -> Place {
        let (here, amount) = (&self.clauses[clause], &self.amounts[i]);
        let free = Place {
            link: Link::Free,
            mention: None,
            doubts: Doubts::NONE,
        };
        if here.has_mention || !self.light[clause] {
            return free;
        }
        let link = |m: usize, field| Place {
            link: Link::Field(field),
            mention: Some(m),
            doubts: Doubts::NONE,
        };
        let behind = mention.checked_sub(1);
        let near = |m: &usize| self.clauses[clause.saturating_sub(4)].first <= self.mentions[*m].first;
        let previous = behind.filter(near);
        if let Some(m) = previous {
            let corrected = here.corrects
                || clause > 0
                    && (self.clauses[clause - 1].corrects
                        || self.clauses[clause - 1].doubts.has(Doubts::NEGATED.with(Doubts::PAST)));
            let goes_on = taken[m].is_empty() || !corrected;
            if let Some(field) = self.fit(m, amount, &taken[m]).filter(|_| goes_on) {
                return Place {
                    doubts: self.doubts_at(m),
                    ..link(m, field)
                };
            }
            let before = last
                .filter(|_| corrected)
                .and_then(|last| last.mention.zip(last.field()));
            if let Some((m, field)) = before.filter(|(_, field)| accepts(&self.fields[*field], amount)) {
                return link(m, field);
            }
        }
        let ahead = self
            .clauses
            .get(clause + 1)
            .filter(|next| next.sentence == here.sentence && !next.has_amount && next.has_mention);
        let m = ahead
            .and_then(|next| Some(mention).filter(|&m| self.mentions.get(m).is_some_and(|hit| hit.first < next.next)));
        m.and_then(|m| self.fit(m, amount, &taken[m]).map(|field| link(m, field)))
            .unwrap_or(free)
    }

    /// What a clause says of its name holds for the number that comes later: "the loan is not approved yet, 280,000".
    fn doubts_at(&self, m: usize) -> Doubts {
        let clause = self
            .clauses
            .partition_point(|clause| clause.first <= self.mentions[m].first)
            .checked_sub(1);
        clause
            .map(|at| &self.clauses[at])
            .filter(|clause| !clause.has_amount)
            .map_or(Doubts::NONE, |clause| clause.doubts)
    }

    /// The field of a mention that can hold the amount and is not yet taken by another amount.
    fn fit(&self, m: usize, amount: &Amount, taken: &[usize]) -> Option<usize> {
        let mention = &self.mentions[m];
        let open = |field: &&usize| !taken.contains(field) && !taken.contains(&usize::MAX);
        let fields = || mention.fields.iter().filter(open).copied();
        let exact = fields().find(|&field| {
            accepts(&self.fields[field], amount)
                && (amount.unit != Unit::Bare || mention.fields.first() == Some(&field))
        });
        exact.or_else(|| {
            fields()
                .find(|&field| accepts(&self.fields[field], amount))
                .filter(|_| amount.unit != Unit::Bare || mention.fields.len() == 1)
        })
    }

    fn after_period(&self, i: usize) -> usize {
        super::unit::period_at(self.scan, i).map_or(i, |(_, next)| next)
    }

    /// Whether a name behind the amount is tied to it: "$4,200 a month for the rent".
    fn touches(&self, from: usize, to: usize) -> bool {
        if to <= from {
            return true;
        }
        let from = self.after_period(from).min(to);
        to - from <= 6
            && (from..to).all(|i| {
                let word = self.scan.word(i);
                self.scan.mark(i) == Some('-') || is_connector(word)
            })
    }

    /// Whether a name before the amount leads to it: "rent for the new place is $4,200".
    fn reaches(&self, from: usize, to: usize) -> bool {
        if to <= from {
            return true;
        }
        let gap = to - from;
        let verb = (to.saturating_sub(3).max(from)..to)
            .any(|i| is_copula(self.scan.word(i)) || matches!(self.scan.mark(i), Some(':' | '=' | '~' | '→')));
        let heavy = (from..to)
            .filter(|&i| !self.scan.word(i).is_empty() && !is_light(self.scan.word(i)))
            .count();
        gap <= 16 && (heavy == 0 || (verb && heavy <= 5) || (heavy <= 2 && gap <= 5))
    }

    /// "rent and utilities are 5,000": one amount for two names.
    fn is_shared(&self, m: usize, amount: usize) -> bool {
        let amount = &self.amounts[amount];
        let tied = |a: usize, b: usize| {
            let (a, b) = (&self.mentions[a], &self.mentions[b]);
            a.fields != b.fields
                && b.first >= a.next
                && b.first - a.next <= 4
                && (a.next..b.first).any(|i| {
                    matches!(self.scan.word(i), "and" | "or" | "plus" | "with")
                        || matches!(self.scan.mark(i), Some('&' | '/' | ',' | '+'))
                })
                && (a.next..b.first).all(|i| {
                    self.scan.mark(i).is_some()
                        || matches!(
                            self.scan.word(i),
                            "and" | "or" | "plus" | "with" | "the" | "my" | "our" | "both"
                        )
                })
        };
        let clear = |from: usize, to: usize| {
            let at = self.amounts.partition_point(|other| other.first < from);
            self.amounts.get(at).is_none_or(|other| other.next > to)
        };
        let before = m > 0 && amount.first >= self.mentions[m].next && tied(m - 1, m) && {
            let start = self.mentions[m - 1].first.saturating_sub(6);
            let clause = self
                .clauses
                .partition_point(|clause| clause.first <= self.mentions[m - 1].first);
            let clause_start = clause.checked_sub(1).map_or(0, |at| self.clauses[at].first);
            clear(clause_start.max(start), self.mentions[m].first)
        };
        let behind = amount.next <= self.mentions[m].first && m + 1 < self.mentions.len() && tied(m, m + 1) && {
            let other = &self.mentions[m + 1];
            let verb = is_copula(self.scan.word(other.next))
                || self
                    .scan
                    .mark(other.next)
                    .is_some_and(|mark| matches!(mark, '$' | ':' | '='));
            !verb && clear(other.next, other.next + 2)
        };
        before || behind
    }
}

/// Whether a field of this kind can hold an amount of this unit.
#[must_use]
pub fn accepts(field: &Field, amount: &Amount) -> bool {
    let too_large = amount.unit == Unit::Bare
        && field.kind == Kind::Percent
        && amount.value.abs() > rust_decimal::Decimal::ONE_HUNDRED;
    !too_large && fits(field.kind, field.path.as_str(), amount.unit)
}

/// Whether a kind can be said in a unit. Only the two start months are numbers of a month.
#[must_use]
pub fn fits(kind: Kind, path: &str, unit: Unit) -> bool {
    match unit {
        Unit::Bare => true,
        Unit::Money => kind == Kind::Money,
        Unit::Percent => kind == Kind::Percent,
        Unit::Months | Unit::Years => matches!(kind, Kind::Months | Kind::Years) && !path.ends_with("StartMonth"),
        Unit::Weeks | Unit::Days => kind == Kind::Days,
        Unit::Count => kind == Kind::Count,
        Unit::Multiple => kind == Kind::Multiple,
        Unit::MonthNumber => path.ends_with("StartMonth"),
        Unit::Other => false,
    }
}

/// Words that add nothing of their own.
#[must_use]
pub fn is_light(word: &str) -> bool {
    is_connector(word) || is_copula(word) || is_filler(word)
}
