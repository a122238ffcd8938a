//! A case read clause by clause: "sales 20 % lower, rent 3,800, 60,000 more of our own and no draw". Each clause is a short case, which the
//! ear knows best; as a whole each further change makes it less sure, and what it misses is missing in the case.

use super::Reader;
use super::going_on::is_same;
use crate::offline::message::shown;
use crate::wording;
use plan_model::field::{Field, FieldPath};
use plan_model::inputs::OWN_PAY;
use plan_reader::{Change, FieldChange, Heard, Intent, Mention, Slots, Texts, Unit, understand, wants_case};

/// A message with more places to part is read as a whole.
const MOST: usize = 10;

/// At most so sure is a case beside a number that is none of its own, one that leaves something out,
/// one of several sentences, and one of a message that is hardly heard as a whole: it is said to be a guess.
const UNSURE: f32 = 0.85;

/// "A 10-year loan" names the loan and is of this.
const LOAN_TERM: &str = "financing.loanTermMonths";

/// Words of a clause that changes a line without a number: "no manager", "and without the van".
const SHORT: usize = 6;

/// At most so many clauses behind one are read with it.
const TOGETHER: usize = 2;

/// What stands between two sentences.
const SENTENCES: [&str; 4] = [". ", "! ", "? ", "\n"];

/// What stands between two clauses.
const JOINS: [&str; 20] = [
    ", ",
    "; ",
    ". ",
    "! ",
    " and ",
    " y ",
    " e ",
    " but ",
    " pero ",
    " plus ",
    " with ",
    " con ",
    " while ",
    " mientras ",
    " & ",
    " + ",
    " also ",
    " además ",
    " n ",
    "\n",
];

/// A case as its clauses say it.
pub(super) struct ByClauses<'a> {
    pub heard: Heard,
    /// A clause that is not understood.
    pub left_out: Option<&'a str>,
    /// Whether that has a number or names a line. "Do not touch anything" has neither.
    is_missing: bool,
    /// Whether it takes several sentences: "He laughs at the 174. Say sales are 51,000."
    is_spread: bool,
}

/// What a clause is to a case.
pub(super) enum Clause {
    /// It says nothing of the case, or that something stays.
    Aside,
    /// It changes something.
    Change(Box<Heard>),
    /// It may change something; whether it has a number or names a line.
    Unclear(bool),
}

impl Clause {
    fn changes_all(&self, named: &[FieldPath]) -> bool {
        let Self::Change(heard) = self else { return false };
        let changes = heard.slots.all_changes();
        named.iter().all(|field| changes.iter().any(|one| one.field == *field))
    }
}

impl<'a> Reader<'_, 'a> {
    /// What a message supposes, where its clauses say it more surely, or say more, than the message as a whole.
    pub(super) fn by_clauses(&self, texts: &Texts<'a>, whole: &Heard) -> Option<ByClauses<'a>> {
        let is_case = whole.intent == Intent::WhatIf;
        // A question or a goal with a "what if" in it is more than a case.
        let may_be = matches!(whole.intent, Intent::State | Intent::Correct | Intent::Other);
        if !(is_case || may_be && wording::says(texts.message, "w.supposes")) {
            return None;
        }
        let mut read = self.case_of(texts)?;
        let (own, all) = (whole.slots.all_changes(), read.heard.slots.all_changes());
        let is_likely = is_case && !own.is_empty() && whole.is_likely();
        let is_sure = is_likely && whole.is_sure_of_figures();
        let has_own = own.iter().all(|one| all.contains(one));
        let is_right = match (is_sure, is_likely) {
            (true, _) => {
                let is_clear = read.left_out.is_none() && !read.is_spread && read.heard.is_sure_of_figures();
                has_own && all.len() > own.len() && is_clear
            }
            // The same, more surely or with more, or with what is not in it.
            (false, true) => has_own && (read.left_out.is_none() || read.is_missing || all.len() > own.len()),
            // Half of a case is another case.
            (false, false) => all.len() >= own.len(),
        };
        if read.left_out.is_some() || read.is_spread || !is_likely {
            read.heard.figure_probability = read.heard.figure_probability.min(UNSURE);
        }
        is_right.then_some(read)
    }

    /// The changes of all clauses, as sure as the least sure of them.
    fn case_of(&self, texts: &Texts<'a>) -> Option<ByClauses<'a>> {
        let message = texts.message;
        let (remark, supposed) = message.split_at(supposed_from(message)?);
        let clauses = clauses(supposed);
        if clauses.len() > MOST || clauses.len() < 2 && remark.is_empty() {
            return None;
        }
        let mut changes: Vec<FieldChange> = Vec::new();
        let (mut left_out, mut is_missing) = (None, false);
        let mut certainty = self.certainty_beside(remark, texts);
        let mut at = 0;
        while at < clauses.len() {
            let text = |end: usize| &supposed[clauses[at].0..clauses[end].1];
            // A clause alone, else with those behind it, where what it names is changed then.
            let (end, clause) = match self.clause(text(at)) {
                Clause::Unclear(is_missing) => {
                    let named = understand(&Texts::of(text(at)), self.vocabulary).named;
                    let ends = at + 1..clauses.len().min(at + 1 + TOGETHER);
                    let longer = ends.map(|end| (end, self.clause(text(end))));
                    let mut longer = longer.filter(|(_, clause)| clause.changes_all(&named));
                    let of_case = || Some((at, Clause::Change(Box::new(self.of_line_before(message, text(at))?))));
                    longer
                        .next()
                        .or_else(of_case)
                        .unwrap_or((at, Clause::Unclear(is_missing)))
                }
                clause => (at, clause),
            };
            let is_new = |one: &FieldChange| !changes.iter().any(|other| other.field == one.field);
            match clause {
                Clause::Aside => {}
                Clause::Change(heard) if heard.slots.all_changes().iter().all(is_new) => {
                    certainty = certainty.min(heard.certainty());
                    changes.extend(heard.slots.all_changes());
                }
                // Of one line twice.
                Clause::Change(_) => return None,
                Clause::Unclear(_) if left_out.is_some() => return None,
                Clause::Unclear(has_name) => {
                    left_out = Some(text(at).trim_end_matches(['?', '.', '!']));
                    is_missing = has_name;
                }
            }
            at = end + 1;
        }
        // "The light and the rent, 100 more each" is of two.
        let is_half = changes.len() == 1 && wording::says(message, "w.each_one");
        if changes.is_empty() || is_half {
            return None;
        }
        let slots = Slots {
            changes,
            ..Slots::default()
        };
        Some(ByClauses {
            heard: Heard {
                figure_probability: certainty,
                ..Heard::known(Intent::WhatIf, slots)
            },
            left_out,
            is_missing,
            is_spread: SENTENCES.iter().any(|end| supposed.contains(end)),
        })
    }

    /// What a clause is to a case. One that names its line may be less sure; without a number it must name it: "do not touch anything" is no
    /// draw of zero, and "first year" no month 1.
    pub(super) fn clause(&self, text: &str) -> Clause {
        let texts = Texts::of(text);
        let said = understand(&texts, self.vocabulary).with_ungrouped();
        let case = wants_case(&texts, self.vocabulary);
        let changes = case.slots.all_changes();
        let has_number = text.contains(|c: char| c.is_ascii_digit());
        let is_aside = changes.is_empty() && said.named.is_empty();
        let stays = ["w.stays", "w.not_to_note"].iter().any(|key| wording::says(text, key));
        if !has_number && (stays || is_aside) {
            return Clause::Aside;
        }
        // "If I don't pay myself" is of both kinds of pay, and "a 10-year loan" of its term.
        let is_pay = |path: &FieldPath| OWN_PAY.contains(&path.as_str());
        let is_term = |path: &FieldPath| {
            path.as_str() == LOAN_TERM && said.named.iter().any(|one| one.section() == path.section())
        };
        let is_named = |one: &FieldChange| {
            said.named.contains(&one.field)
                || self.starts(&one.field, &changes)
                || is_pay(&one.field) && said.named.iter().any(is_pay)
                || is_term(&one.field)
        };
        let is_time = |one: &Mention| matches!(one.unit, Unit::Months | Unit::Years);
        // "If the bank wants 1.2 on the coverage" is of that figure.
        let names_figure = || !plan_reader::lines_named(text, self.vocabulary).is_empty();
        let is_plain = has_number && case.is_sure_of_figures() && !said.mentions.iter().all(is_time) && !names_figure();
        // "Year 3 at 2 %" is of the growth of that year.
        let has_year = !plan_reader::years(&texts, self.vocabulary).is_empty();
        let is_of_year = |one: &FieldChange| self.field(one.field.as_str()).is_some_and(Field::is_growth);
        let is_brief = has_number || text.split_whitespace().count() <= SHORT;
        let is_change = !changes.is_empty()
            && case.is_likely()
            && is_brief
            && (!has_year || changes.iter().all(is_of_year))
            && (changes.iter().all(is_named) || is_plain);
        match is_change {
            true => Clause::Change(Box::new(case)),
            false => Clause::Unclear(has_number || !said.named.is_empty()),
        }
    }

    /// "And 15 months" in the same case: another value of its only line that can have it.
    fn of_line_before(&self, message: &str, text: &str) -> Option<Heard> {
        let said = understand(&Texts::of(text), self.vocabulary).with_ungrouped();
        let [number] = &said.mentions[..] else { return None };
        if !said.named.is_empty() || !is_same(message) {
            return None;
        }
        let case = self.talk(message).computed_case()?;
        let meant = |one: &FieldChange| Some((one.field.clone(), self.again(one, number)?));
        let mut meant = case.iter().filter_map(meant);
        let (field, value) = meant.next().filter(|_| meant.next().is_none())?;
        let slots = Slots {
            changes: vec![FieldChange {
                field,
                change: Change::To(value),
            }],
            ..Slots::default()
        };
        Some(Heard::known(Intent::WhatIf, slots))
    }

    /// Whether a field is the month from which one of some changes is paid.
    fn starts(&self, start: &FieldPath, changes: &[FieldChange]) -> bool {
        let starts = |one: &FieldChange| {
            self.field(one.field.as_str())
                .and_then(|field| field.start_month.as_ref())
        };
        changes.iter().any(|one| starts(one) == Some(start))
    }

    /// How sure a case can be beside a remark: "5,245 is something I could live on, what if …?"
    fn certainty_beside(&self, remark: &str, texts: &Texts<'_>) -> f32 {
        let told = texts.advisor.unwrap_or_default();
        let said = understand(&Texts::of(remark), self.vocabulary).with_ungrouped();
        let is_told = said.mentions.iter().all(|one| shown::is_number_of(told, one.value));
        if is_told && said.named.is_empty() { 1.0 } else { UNSURE }
    }
}

/// Where a message begins to suppose: at its only "what if", else at its beginning. `None` where it supposes twice: those are two cases.
fn supposed_from(message: &str) -> Option<usize> {
    let lower = message.to_lowercase();
    let found = wording::phrases("w.supposes").flat_map(|phrase| lower.match_indices(phrase));
    let mut places: Vec<usize> = found.map(|(at, _)| at).collect();
    places.sort_unstable();
    places.dedup();
    match places[..] {
        [] => Some(0),
        [at] if message.is_char_boundary(at) => Some(at),
        _ => None,
    }
}

/// Where each clause begins and ends.
fn clauses(message: &str) -> Vec<(usize, usize)> {
    let found = |join: &'static str| message.match_indices(join).map(|(at, join)| (at, at + join.len()));
    let mut cuts: Vec<(usize, usize)> = JOINS.into_iter().flat_map(found).collect();
    cuts.sort_unstable();
    let (mut out, mut from) = (Vec::new(), 0);
    for (end, start) in cuts.into_iter().chain([(message.len(), message.len())]) {
        if end > from && message[from..end].contains(char::is_alphanumeric) {
            out.push((from, end));
        }
        from = from.max(start);
    }
    out
}
