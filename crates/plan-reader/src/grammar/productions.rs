//! Reads `productions.txt` into rules over classes.

use super::class_set::{Class, ClassSet};
use crate::lex::Table;
use std::sync::LazyLock;

/// How often a symbol may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Once,
    Maybe,
    Any,
}

/// What stands in a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Class(Class),
    Rule(u16),
}

/// A symbol and how often it stands.
pub(super) type Term = (Symbol, Times);

/// All productions of one name.
#[derive(Debug, Default)]
pub(crate) struct Rule {
    /// A clause that means something of its own.
    pub is_clause: bool,
    pub alternatives: Vec<Vec<Term>>,
    /// Classes that it can begin with.
    pub first: ClassSet,
    /// Classes that stand anywhere in it.
    pub within: ClassSet,
}

/// Classes that only code asks for.
const CODED: [&str; 31] = [
    "AMOUNT",
    "MONTHNO",
    "YEARNO",
    "CAPITAL",
    "CALENDAR",
    "FIRST",
    "MONTHWORD",
    "TOGO",
    "DAYONE",
    "BACK",
    "REFERS",
    "ALLDOUBT",
    "QUESTION",
    "ASKWORD",
    "SPAN",
    "APIECE",
    "PIECE",
    "MOST",
    "LEAST",
    "NOMORE",
    "DONTKNOW",
    "SKIP",
    "WHY",
    "UNDO",
    "YES",
    "HINT",
    "OTHERS",
    "AHEAD",
    "MINE",
    "OURS",
    "CHANGEBY",
];

/// The productions, compiled.
#[derive(Debug, Default)]
pub(crate) struct Grammar {
    pub rules: Vec<Rule>,
    classes: Table<String, Class>,
    by_name: Table<String, u16>,
}

/// The productions of `productions.txt`.
pub(crate) static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::read(include_str!("productions.txt")));

impl Grammar {
    /// # Panics
    /// Where the text is no grammar; a test reads it.
    fn read(text: &str) -> Self {
        let mut out = Self::default();
        for class in CODED {
            out.class(class);
        }
        let lines = || {
            text.lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
        };
        for line in lines() {
            let (name, _) = line.split_once('=').expect("name = productions");
            out.rule(name.trim());
        }
        for line in lines() {
            let (name, right) = line.split_once('=').expect("name = productions");
            let rule = out.rule(name.trim());
            let tokens = tokens(right);
            let mut rest = tokens.as_slice();
            let alternatives = out.alternatives(&mut rest);
            assert!(rest.is_empty(), "{name}: {rest:?} is left over");
            out.rules[rule as usize].alternatives.extend(alternatives);
        }
        assert!(out.classes.len() <= 256, "{} classes", out.classes.len());
        while out.spread() {}
        out
    }

    /// Gives each rule what the symbols in it are known to begin with and to hold; whether that was anything new.
    fn spread(&mut self) -> bool {
        let mut has_grown = false;
        for rule in 0..self.rules.len() {
            let (mut first, mut within) = (self.rules[rule].first, self.rules[rule].within);
            for terms in &self.rules[rule].alternatives {
                let mut begins = true;
                for (symbol, times) in terms {
                    let (its_first, its_within) = match symbol {
                        Symbol::Class(class) => ([*class].into_iter().collect(), [*class].into_iter().collect()),
                        Symbol::Rule(rule) => (self.rules[*rule as usize].first, self.rules[*rule as usize].within),
                    };
                    within.insert_all(&its_within);
                    if begins {
                        first.insert_all(&its_first);
                    }
                    begins &= *times != Times::Once;
                }
                assert!(!begins, "a rule takes at least one word");
            }
            let rule = &mut self.rules[rule];
            has_grown |= first != rule.first || within != rule.within;
            (rule.first, rule.within) = (first, within);
        }
        has_grown
    }

    /// The number of a class, a new one where the name is new.
    fn class(&mut self, name: &str) -> Class {
        let next = self.classes.len() as Class;
        *self.classes.entry(name.to_owned()).or_insert(next)
    }

    /// The number of a known class.
    pub(crate) fn known(&self, name: &str) -> Option<Class> {
        self.classes.get(name).copied()
    }

    /// The number of the rule with this name.
    pub(crate) fn named(&self, name: &str) -> u16 {
        self.by_name[name]
    }

    fn rule(&mut self, name: &str) -> u16 {
        let (name, is_clause) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
        if let Some(known) = self.by_name.get(name) {
            self.rules[*known as usize].is_clause |= is_clause;
            return *known;
        }
        let number = self.rules.len() as u16;
        self.rules.push(Rule {
            is_clause,
            ..Rule::default()
        });
        self.by_name.insert(name.to_owned(), number);
        number
    }

    fn alternatives(&mut self, rest: &mut &[String]) -> Vec<Vec<Term>> {
        let mut out = vec![Vec::new()];
        while let Some((first, behind)) = rest.split_first() {
            match first.as_str() {
                ")" => break,
                "|" => {
                    out.push(Vec::new());
                    *rest = behind;
                }
                "(" => {
                    *rest = behind;
                    let group = self.alternatives(rest);
                    let close = rest.first().cloned().expect("a group is closed");
                    *rest = &rest[1..];
                    let number = self.rules.len() as u16;
                    self.rules.push(Rule {
                        alternatives: group,
                        ..Rule::default()
                    });
                    let times = times(close.trim_start_matches(')'));
                    out.last_mut()
                        .expect("one alternative")
                        .push((Symbol::Rule(number), times));
                }
                symbol => {
                    let term = self.term(symbol);
                    out.last_mut().expect("one alternative").push(term);
                    *rest = behind;
                }
            }
            if rest
                .first()
                .is_some_and(|next| next.starts_with(')') && next.len() <= 2)
            {
                break;
            }
        }
        out
    }

    fn term(&mut self, symbol: &str) -> Term {
        if let Some(mark) = symbol.strip_prefix('"') {
            let (mark, suffix) = mark.split_once('"').expect("a closed quote");
            return (Symbol::Class(self.class(mark)), times(suffix));
        }
        let name = symbol.trim_end_matches(['?', '*']);
        let times = times(&symbol[name.len()..]);
        let is_rule = name.starts_with(|c: char| c.is_ascii_lowercase());
        let symbol = if is_rule {
            let known = self.by_name.get(name);
            Symbol::Rule(*known.unwrap_or_else(|| panic!("{name} is no production")))
        } else {
            Symbol::Class(self.class(name))
        };
        (symbol, times)
    }
}

fn times(suffix: &str) -> Times {
    match suffix {
        "" => Times::Once,
        "?" => Times::Maybe,
        "*" => Times::Any,
        other => panic!("{other} is no number of times"),
    }
}

/// Symbols and brackets; a quoted mark is one symbol.
fn tokens(right: &str) -> Vec<String> {
    let mut out = Vec::new();
    for part in right.split_whitespace() {
        if part.starts_with('"') {
            out.push(part.to_owned());
            continue;
        }
        let opened = part.trim_start_matches('(');
        out.extend(std::iter::repeat_n("(".to_owned(), part.len() - opened.len()));
        let name = opened.split(')').next().unwrap_or_default();
        if !name.is_empty() {
            out.push(name.to_owned());
        }
        let mut closing = &opened[name.len()..];
        while let Some(behind) = closing.strip_prefix(')') {
            let suffix = behind.chars().next().filter(|c| matches!(c, '?' | '*'));
            out.push(format!("){}", suffix.map(String::from).unwrap_or_default()));
            closing = &behind[suffix.map_or(0, char::len_utf8)..];
        }
    }
    out
}
