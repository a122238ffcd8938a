//! What one clause says of the values that it names.

use super::clause::{Clause, Item};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Yes,
    No,
    /// Not yet, or nothing that can be told: they stay open.
    Later,
}

/// Values of one sign; without one, names alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub sign: Option<Sign>,
    pub named: Vec<usize>,
    /// The values that nothing names.
    pub others: bool,
}

/// What a clause says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub groups: Vec<Group>,
    /// A yes to what was asked about beside a no to what is named: "yes, not the insurance".
    pub yes_alone: bool,
}

impl Verdict {
    pub(super) fn no_to(named: Vec<usize>) -> Self {
        let group = Group {
            sign: Some(Sign::No),
            named,
            others: false,
        };
        Self {
            groups: vec![group],
            yes_alone: false,
        }
    }

    /// `None` where it says nothing clear: its values stay open.
    pub(super) fn of(clause: &Clause) -> Option<Self> {
        if clause.has(Item::All) && clause.has(Item::But) || counts_all_but(clause) {
            return all_but(clause);
        }
        let tokens = tokens(clause)?;
        let is_whole = !clause.has(Item::Unknown);
        let mut signs: Vec<Sign> = tokens.iter().filter_map(Token::sign).collect();
        signs.dedup();
        let mut groups = match signs[..] {
            [] => vec![joined(&tokens, None)],
            [sign] => vec![joined(&tokens, Some(sign))],
            _ if !signs.contains(&Sign::Yes) => vec![joined(&tokens, Some(Sign::Later))],
            [Sign::Yes, sign] if matches!(tokens[..2], [Token::Sign(_), Token::Sign(_)]) => {
                let groups = vec![joined(&tokens, Some(sign))];
                return is_whole.then_some(Self {
                    groups,
                    yes_alone: true,
                });
            }
            _ => mixed(&tokens)?,
        };
        let is_negative = !signs.is_empty() && !signs.contains(&Sign::Yes);
        if !is_whole && is_negative {
            // Why it is none may be more than a reason.
            groups.iter_mut().for_each(|group| group.sign = Some(Sign::Later));
        }
        (is_whole || is_negative).then_some(Self {
            groups,
            yes_alone: false,
        })
    }
}

#[derive(Clone, Debug)]
enum Token {
    Names(Vec<usize>, bool),
    Sign(Sign),
}

impl Token {
    fn sign(&self) -> Option<Sign> {
        match self {
            Self::Sign(sign) => Some(*sign),
            Self::Names(..) => None,
        }
    }
}

/// Names and signs in their order; of each run of signs what it comes to: "not right" is a no, "no, use" may be either.
fn tokens(clause: &Clause) -> Option<Vec<Token>> {
    let mut out: Vec<Token> = Vec::new();
    let has_others = clause.has(Item::Others);
    let mut run: Vec<Sign> = Vec::new();
    for item in clause.items.iter().copied().chain([Item::Named(usize::MAX)]) {
        let sign = match item {
            Item::Yes => Some(Sign::Yes),
            Item::No => Some(Sign::No),
            Item::Later => Some(Sign::Later),
            _ => None,
        };
        run.extend(sign);
        let (named, others) = match item {
            Item::Named(at) => (Some(at), false),
            Item::Others => (None, true),
            Item::All if !has_others => (None, true),
            _ => continue,
        };
        match run[..] {
            [] => {}
            [Sign::Yes, .., last] if last != Sign::Yes => out.extend([Token::Sign(Sign::Yes), Token::Sign(last)]),
            [Sign::No, .., Sign::Yes] if clause.uses && out.is_empty() => return None,
            _ if run.contains(&Sign::Later) => out.push(Token::Sign(Sign::Later)),
            [first, ..] => out.push(Token::Sign(first)),
        }
        run.clear();
        if named == Some(usize::MAX) {
            break;
        }
        match out.last_mut() {
            Some(Token::Names(names, has)) => {
                names.extend(named);
                *has |= others;
            }
            _ => out.push(Token::Names(named.into_iter().collect(), others)),
        }
    }
    Some(out)
}

/// All names of a clause, with one sign.
fn joined(tokens: &[Token], sign: Option<Sign>) -> Group {
    let mut group = Group {
        sign,
        ..Group::default()
    };
    for token in tokens {
        if let Token::Names(named, others) = token {
            group.named.extend(named);
            group.others |= others;
        }
    }
    group
}

/// "Rent yes sign no", "yes the rent no the sign", "the rent is right not the sign"; `None` where a name may belong to either.
fn mixed(tokens: &[Token]) -> Option<Vec<Group>> {
    let mut turns = tokens.windows(2).enumerate();
    let turn = turns.find(|(_, pair)| matches!(pair, [Token::Sign(_), Token::Sign(_)]));
    let at = match (turn, tokens.first()?) {
        (Some((at, _)), _) => at + 1,
        (None, Token::Sign(_)) => 0,
        (None, Token::Names(..)) => tokens.len(),
    };
    let (behind, before) = tokens.split_at_checked(at)?;
    let behind = behind.chunks(2).map(|pair| match pair {
        [names @ Token::Names(..), Token::Sign(sign)] => Some(joined(std::slice::from_ref(names), Some(*sign))),
        _ => None,
    });
    let before = before.chunks(2).map(|pair| match pair {
        [Token::Sign(sign), names @ Token::Names(..)] => Some(joined(std::slice::from_ref(names), Some(*sign))),
        _ => None,
    });
    behind.chain(before).collect()
}

/// "Both but the second": the number of them stands before what it leaves out.
fn counts_all_but(clause: &Clause) -> bool {
    let place = |item: Item| clause.items.iter().position(|one| *one == item);
    let counted = place(Item::Count).zip(place(Item::But));
    counted.is_some_and(|(count, but)| count < but) && !clause.has(Item::Others)
}

/// "All but the rent": a no to what is named, or where more is said of it, nothing.
fn all_but(clause: &Clause) -> Option<Verdict> {
    let named = clause.named();
    let until = clause.items.iter().position(|item| *item == Item::But)?;
    let all = clause
        .items
        .iter()
        .position(|item| matches!(item, Item::All | Item::Count))?;
    let (before, behind) = clause.items.split_at(until.min(all));
    let is_turned = before.contains(&Item::No);
    if named.is_empty() || before.contains(&Item::Unknown) || is_turned && clause.uses {
        return None;
    }
    let is_open = behind.contains(&Item::Later) || behind.contains(&Item::Unknown);
    let (sign, others) = match (is_turned, is_open) {
        (true, true) => return None,
        (true, false) => (Sign::Yes, Sign::No),
        (false, true) => (Sign::Later, Sign::Yes),
        (false, false) => (Sign::No, Sign::Yes),
    };
    let group = |sign, named, others| Group {
        sign: Some(sign),
        named,
        others,
    };
    Some(Verdict {
        groups: vec![group(sign, named, false), group(others, Vec::new(), true)],
        yes_alone: false,
    })
}
