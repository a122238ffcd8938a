//! Which productions a sentence is made of.
//!
//! Positions are tokens of one sentence, at most 63, so that a set of positions is one word. First every rule is asked where it
//! can end; only where the whole sentence is reached are its readings built, each as a list of clauses.

use super::class_set::{Class, ClassSet};
use super::edges::{EdgePayload, Edges};
use super::productions::{GRAMMAR, Rule, Symbol, Term, Times};
use crate::lex::Table;
use std::rc::Rc;

/// The longest sentence, in tokens.
pub(super) const LONGEST: usize = 63;

/// More readings than this are no reading.
const MOST: usize = 48;

/// A step of a reading, in the order of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// A clause begins; the number of its rule.
    Clause(u16),
    /// A word of a class that carries something.
    Payload(u8, EdgePayload),
    /// A word of a class that changes what its clause means.
    Class(u8),
}

/// One reading of a sentence or a part of it.
pub(super) type Reading = Vec<Step>;

/// The ends of a rule that have not been computed yet. No rule ends where it begins, so no set is full.
const UNKNOWN: u64 = u64::MAX;

/// The chart of one sentence and the rule that it is to be read by.
pub(super) struct Chart<'a> {
    edges: &'a Edges,
    root: u16,
    marked: &'a [Class],
    /// Positions on a way through the whole sentence, by words that the root holds. Nothing else is looked at.
    passable: u64,
    /// Classes of the words that begin at each position.
    begins: Vec<ClassSet>,
    /// Where each rule can end, by the position it begins at: filled for a position when a rule is first asked for there.
    ends: Vec<Vec<u64>>,
    readings: Table<(u16, u8, u8), Rc<[Reading]>>,
    /// Steps taken so far: the work done.
    pub work: usize,
    overflow: bool,
}

impl<'a> Chart<'a> {
    /// `marked` are the classes whose words are kept in a reading although they carry nothing.
    pub(super) fn new(edges: &'a Edges, root: u16, marked: &'a [Class]) -> Self {
        Self {
            edges,
            root,
            marked,
            passable: 0,
            begins: Vec::new(),
            ends: Vec::new(),
            readings: Table::default(),
            work: 0,
            overflow: false,
        }
    }

    /// All readings of the whole sentence; none where there are too many.
    pub(super) fn read(&mut self) -> Rc<[Reading]> {
        let end = self.edges.at.len() - 1;
        self.find_ways(end);
        if self.passable == 0 || self.ends(self.root, 0) >> end & 1 == 0 {
            return Rc::new([]);
        }
        let readings = self.readings(self.root, 0, end);
        if self.overflow { Rc::new([]) } else { readings }
    }

    /// Looks for ways of words from the beginning to the end. Most sentences of a chat have none: they are given up here,
    /// before any rule is tried.
    fn find_ways(&mut self, end: usize) {
        let words = &rule_of(self.root).within;
        let known = |at: usize| self.edges.at[at].iter().filter(|edge| words.contains(edge.class));
        let mut reached: u64 = 1;
        for at in 0..end {
            if reached >> at & 1 == 1 {
                reached = known(at).fold(reached, |all, edge| all | 1 << edge.end);
            }
        }
        self.work += end;
        if reached >> end & 1 == 0 {
            return;
        }
        self.passable = 1 << end;
        self.begins = vec![ClassSet::default(); end + 1];
        self.ends = vec![Vec::new(); end + 1];
        for at in (0..end).rev().filter(|at| reached >> at & 1 == 1) {
            let begins = &mut self.begins[at];
            for edge in known(at).filter(|edge| self.passable >> edge.end & 1 == 1) {
                begins.insert(edge.class);
            }
            self.passable |= u64::from(*begins != ClassSet::default()) << at;
        }
    }

    /// The set of positions where a rule that begins at `at` can end.
    fn ends(&mut self, rule: u16, at: usize) -> u64 {
        let Rule {
            alternatives, first, ..
        } = rule_of(rule);
        if !self.begins[at].has_any(first) {
            return 0;
        }
        let known = &mut self.ends[at];
        if known.is_empty() {
            known.resize(GRAMMAR.rules.len(), UNKNOWN);
        }
        // A rule that asks for itself at the same place finds nothing there.
        let ends = std::mem::replace(&mut known[rule as usize], 0);
        if ends != UNKNOWN {
            known[rule as usize] = ends;
            return ends;
        }
        let ends = alternatives
            .iter()
            .map(|terms| self.sequence(terms, 1 << at))
            .fold(0, |all, ends| all | ends);
        self.ends[at][rule as usize] = ends;
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
                    edges.fold(0, |all, edge| all | 1 << edge.end) & self.passable
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
            let reading = match edge.payload {
                EdgePayload::Nothing if !self.marked.contains(&class) => Reading::new(),
                EdgePayload::Nothing => vec![Step::Class(class)],
                payload => vec![Step::Payload(class, payload)],
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
