//! Which productions a sentence is made of.
//!
//! Positions are tokens of one sentence, at most 63, so that a set of positions is one word. First every rule is asked where it
//! can end; only where the whole sentence is reached are its readings built, each as a list of clauses.

use super::edges::{Edges, Said};
use super::productions::{Class, GRAMMAR, Rule, Symbol, Term, Times};
use std::collections::HashMap;
use std::rc::Rc;

/// The longest sentence, in tokens.
pub const LONGEST: usize = 63;

/// More readings than this are no reading.
const MOST: usize = 48;

/// A step of a reading, in the order of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A clause begins; the number of its rule.
    Clause(u16),
    /// A word of a class that carries something.
    Said(u8, Said),
    /// A word of a class that changes what its clause means.
    Class(u8),
}

/// One reading of a sentence or a part of it.
pub type Reading = Vec<Step>;

/// The chart of one sentence.
pub struct Chart<'a> {
    edges: &'a Edges,
    marked: &'a [Class],
    memo: Vec<Option<u64>>,
    readings: HashMap<(u16, u8, u8), Rc<[Reading]>>,
    /// Steps taken so far: the work done.
    pub work: usize,
    overflow: bool,
}

impl<'a> Chart<'a> {
    /// `marked` are the classes whose words are kept in a reading although they carry nothing.
    #[must_use]
    pub fn new(edges: &'a Edges, marked: &'a [Class]) -> Self {
        Self {
            edges,
            marked,
            memo: vec![None; GRAMMAR.rules.len() * edges.at.len()],
            readings: HashMap::new(),
            work: 0,
            overflow: false,
        }
    }

    /// All readings of the whole sentence by a rule; none where there are too many.
    #[must_use]
    pub fn read(&mut self, rule: u16) -> Rc<[Reading]> {
        let end = self.edges.at.len() - 1;
        if self.ends(rule, 0) >> end & 1 == 0 {
            return Rc::new([]);
        }
        let readings = self.readings(rule, 0, end);
        if self.overflow { Rc::new([]) } else { readings }
    }

    /// The set of positions where a rule that begins at `at` can end.
    pub fn ends(&mut self, rule: u16, at: usize) -> u64 {
        let slot = rule as usize * self.edges.at.len() + at;
        if let Some(known) = self.memo[slot] {
            return known;
        }
        // A rule that asks for itself at the same place finds nothing there.
        self.memo[slot] = Some(0);
        let ends = rule_of(rule)
            .alternatives
            .iter()
            .map(|terms| self.sequence(terms, 1 << at))
            .fold(0, |all, ends| all | ends);
        self.memo[slot] = Some(ends);
        ends
    }

    fn sequence(&mut self, terms: &[Term], starts: u64) -> u64 {
        let mut ends = starts;
        for (symbol, times) in terms {
            if ends == 0 {
                return 0;
            }
            ends = match times {
                Times::Once => self.step(*symbol, ends),
                Times::Maybe => ends | self.step(*symbol, ends),
                Times::Any => {
                    let (mut all, mut fresh) = (ends, ends);
                    while fresh != 0 {
                        fresh = self.step(*symbol, fresh) & !all;
                        all |= fresh;
                    }
                    all
                }
            };
        }
        ends
    }

    fn step(&mut self, symbol: Symbol, mut starts: u64) -> u64 {
        let mut ends = 0;
        while starts != 0 {
            let at = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            self.work += 1;
            ends |= match symbol {
                Symbol::Rule(rule) => self.ends(rule, at),
                Symbol::Class(class) => {
                    let edges = self.edges.at[at].iter().filter(|edge| edge.class == class);
                    edges.fold(0, |all, edge| all | 1 << edge.end)
                }
            };
        }
        ends
    }

    fn readings(&mut self, rule: u16, at: usize, end: usize) -> Rc<[Reading]> {
        let slot = (rule, at as u8, end as u8);
        if let Some(known) = self.readings.get(&slot) {
            return known.clone();
        }
        let mut out: Vec<Reading> = Vec::new();
        for terms in &rule_of(rule).alternatives {
            let mut start = Reading::new();
            if rule_of(rule).is_clause {
                start.push(Step::Clause(rule));
            }
            self.build(terms, at, end, &start, &mut out);
        }
        let out: Rc<[Reading]> = out.into();
        self.readings.insert(slot, out.clone());
        out
    }

    /// Extends `before` by every way to read `terms` from `at` to `end`.
    fn build(&mut self, terms: &[Term], at: usize, end: usize, before: &Reading, out: &mut Vec<Reading>) {
        self.work += 1;
        if out.len() > MOST || self.overflow {
            self.overflow = true;
            return;
        }
        let Some(((symbol, times), rest)) = terms.split_first() else {
            if at == end && !out.contains(before) {
                out.push(before.clone());
            }
            return;
        };
        if *times != Times::Once {
            self.build(rest, at, end, before, out);
        }
        let again = if *times == Times::Any { terms } else { rest };
        let mut ends = self.step(*symbol, 1 << at) & !(1 << at);
        while ends != 0 {
            let next = ends.trailing_zeros() as usize;
            ends &= ends - 1;
            if next > end || self.sequence(again, 1 << next) >> end & 1 == 0 {
                continue;
            }
            for part in self.parts(*symbol, at, next).iter() {
                let mut reading = before.clone();
                reading.extend_from_slice(part);
                self.build(again, next, end, &reading, out);
            }
        }
    }

    fn parts(&mut self, symbol: Symbol, at: usize, end: usize) -> Rc<[Reading]> {
        let class = match symbol {
            Symbol::Rule(rule) => return self.readings(rule, at, end),
            Symbol::Class(class) => class,
        };
        let mut out: Vec<Reading> = Vec::new();
        for edge in self.edges.at[at]
            .iter()
            .filter(|edge| edge.class == class && edge.end == end)
        {
            let reading = match edge.said {
                Said::Nothing if !self.marked.contains(&class) => Reading::new(),
                Said::Nothing => vec![Step::Class(class)],
                said => vec![Step::Said(class, said)],
            };
            if !out.contains(&reading) {
                out.push(reading);
            }
        }
        out.into()
    }
}

fn rule_of(rule: u16) -> &'static Rule {
    &GRAMMAR.rules[rule as usize]
}
