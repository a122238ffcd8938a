//! What is left of a message behind a yes or a no to values: to be answered only where its numbers are of something else.

use super::desk::{Desk, is_of, is_said};
use super::naming;
use crate::plans::proposals::Decided;
use crate::store::plans::extractions::Proposal;
use crate::wording;
use plan_model::extracted::ExtractedValue;
use plan_model::field::{FieldPath, Kind};
use plan_model::ids::ExtractionId;
use plan_reader::{Intent, Mention, Texts, Understanding, Unit};
use rust_decimal::Decimal;

/// Words in which a value is said again behind a yes.
const LONGEST_REPETITION: usize = 8;

/// A number may be of a line from this probability on.
const LIKELY: f32 = 0.1;

/// Whether a number, or so many thousand, is more than twice a value or less than half of it: nobody corrects it so.
fn is_far_from(said: Decimal, value: &ExtractedValue) -> bool {
    let value = value.kind.in_words(value.value).0.decimal();
    let twice = |number: Decimal| number.checked_mul(Decimal::TWO);
    let is_far = |said: Decimal| {
        twice(value).is_some_and(|most| said > most) || twice(said).is_some_and(|doubled| doubled < value)
    };
    is_far(said) && said.checked_mul(Decimal::ONE_THOUSAND).is_none_or(is_far)
}

/// Whether a number is less than a tenth of a value.
fn is_of_less(said: Decimal, value: &ExtractedValue) -> bool {
    let value = value.kind.in_words(value.value).0.decimal();
    said.checked_mul(Decimal::TEN).is_some_and(|most| most < value)
}

/// Where a text has one of some marks that is no part of a number.
fn marks<'t>(text: &'t str, marks: &'t [char]) -> impl Iterator<Item = usize> + Clone + 't {
    let places = text.match_indices(marks).map(|(at, _)| at);
    places.filter(move |at| !text[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
}

/// What is left to answer: without a number that only says one of the values again ("yes, 4,250. Now compare them."). `None` where a number
/// may be of one of them, or its place is not clear.
pub(super) fn left<'s>(desk: &Desk<'_>, rest: &'s str, settlement: &[(ExtractionId, Decided)]) -> Option<&'s str> {
    let is_settled = |id: &ExtractionId| settlement.iter().any(|(settled, _)| settled == id);
    let (settled, open): (Vec<_>, Vec<_>) = desk.open.iter().partition(|one| is_settled(&one.value.id));
    let read = |text: &str| plan_reader::understand(&Texts::of(text), &desk.ctx.vocabulary);
    // A number behind "not the sales, mine is 38" is of what is refused; only what is accepted must not be corrected.
    let is_accepted = |one: &Proposal| settlement.contains(&(one.value.id, Decided::Accept(None)));
    let accepted: Vec<&Proposal> = settled.iter().copied().filter(|one| is_accepted(one)).collect();
    let corrected = if accepted.is_empty() { settled } else { accepted };
    let mut of = Rest {
        desk,
        text: rest,
        settled: desk.newest(&corrected, "").into_iter().map(|one| &one.value).collect(),
        said: Understanding::default(),
    };
    let (first, behind) = rest.split_at(marks(rest, &['.', '!', ';', '\n']).next().unwrap_or(rest.len()));
    let rest = match of.is_said_again(first, &read(first)) {
        true => behind.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '¿'),
        false => rest,
    };
    (of.text, of.said) = (rest, read(rest));
    let is_accepting = settlement
        .iter()
        .any(|(_, decided)| matches!(decided, Decided::Accept(_)));
    let is_of_open = |mention: &Mention| open.iter().any(|one| is_said(mention, one));
    let has_place = |mention: &Mention| is_of_open(mention) || of.has_place(mention);
    let is_clear = !of.said.mentions.iter().any(|mention| of.contradicts(mention));
    let is_doubted = || of.is_doubted() || is_left_open(desk, rest, settlement);
    let stands = !(is_accepting && is_doubted()) && of.is_of_others() && is_clear;
    (stands && (of.said.mentions.iter().all(has_place) || of.only_asks()) || of.is_product()).then_some(rest)
}

/// "Not the draws; the manager starts in month 1": what a message that refuses says of other lines, from its clause on.
pub(super) fn stated_behind<'s>(desk: &Desk<'_>, message: &'s str, settlement: &[(ExtractionId, Decided)]) -> &'s str {
    let refused = |field: &FieldPath| {
        let mut settled = desk
            .open
            .iter()
            .filter(|one| settlement.iter().any(|(id, _)| *id == one.value.id));
        settled.any(|one| one.value.field == *field)
    };
    let says_another = |text: &str| {
        let said = plan_reader::understand(&Texts::of(text), &desk.ctx.vocabulary);
        let heard = said
            .candidates
            .iter()
            .filter_map(|one| Some(&one.choices.first()?.field));
        let mut values = said.plain.iter().map(|one| &one.field).chain(heard);
        !said.named.is_empty() && !said.named.iter().any(refused) && values.any(|field| !refused(field))
    };
    let starts = marks(message, &[';', '.', ',', '\n']).map(|at| at + 1);
    let clauses = starts.clone().zip(starts.skip(1).chain([message.len()]));
    let mut clauses = clauses.filter(|(from, to)| from <= to && says_another(message[*from..*to].trim()));
    clauses.next().map_or("", |(from, _)| message[from..].trim())
}

/// The only field of the open ones that a text names, where it gives a value of it and of nothing else: "make the months 12".
pub(super) fn only_corrected(desk: &Desk<'_>, text: &str) -> Option<FieldPath> {
    let said = plan_reader::understand(&Texts::of(text), &desk.ctx.vocabulary);
    let heard = said
        .candidates
        .iter()
        .filter_map(|one| Some(&one.choices.first()?.field));
    let mut values = said.plain.iter().map(|one| &one.field).chain(heard);
    let (field, None) = (values.next()?, values.next()) else {
        return None;
    };
    let is_open = desk.open.iter().any(|one| one.value.field == *field);
    (is_open && said.named == [field.clone()]).then(|| field.clone())
}

/// Whether a text names lines, and none of those that are settled.
pub(super) fn is_of_another(desk: &Desk<'_>, text: &str, settlement: &[(ExtractionId, Decided)]) -> bool {
    let named = plan_reader::understand(&Texts::of(text), &desk.ctx.vocabulary).named;
    let is_settled = |one: &&Proposal| settlement.iter().any(|(id, _)| *id == one.value.id);
    let mut settled = desk.open.iter().filter(is_settled);
    !named.is_empty() && !settled.any(|one| named.contains(&one.value.field))
}

/// Whether a question behind a yes leaves open whether there will be such a value: "yes, but can I even get that?"
pub(super) fn is_left_open(desk: &Desk<'_>, text: &str, settlement: &[(ExtractionId, Decided)]) -> bool {
    wording::says(text, "w.may_not_get") && !is_of_another(desk, text, settlement)
}

/// The rest of a message, read.
struct Rest<'r> {
    desk: &'r Desk<'r>,
    text: &'r str,
    settled: Vec<&'r ExtractedValue>,
    said: Understanding,
}

impl Rest<'_> {
    fn is_settled(&self, field: &FieldPath) -> bool {
        self.settled.iter().any(|one| one.field == *field)
    }

    fn is_same(&self, number: &Mention) -> bool {
        self.settled.iter().any(|one| self.repeats(number, one))
    }

    fn is_said_again(&self, first: &str, again: &Understanding) -> bool {
        !first.contains('?')
            && first.split_whitespace().count() <= LONGEST_REPETITION
            && again.named.iter().all(|field| self.is_settled(field))
            && matches!(&again.mentions[..], [only] if self.is_same(only))
    }

    /// "Sure, 4,250 for that dump. I'm still looking", "yes, 32.8 of what?"
    fn is_doubted(&self) -> bool {
        // "Ok, and how about 3,500": another one of what was settled.
        let is_other = wording::says(self.text, "w.how_about")
            && !self.said.mentions.is_empty()
            && self.said.named.iter().all(|field| self.is_settled(field));
        let is_asked_again =
            is_other || self.text.starts_with(|c: char| c.is_ascii_digit()) && self.text.ends_with('?');
        is_asked_again || naming::doubts(self.text) && self.said.named.iter().all(|field| self.is_settled(field))
    }

    /// "Now revenue: 32 dogs a day x $72 x 26 days": factors are no values.
    fn is_product(&self) -> bool {
        const FACTORS: usize = 3;
        let heard = plan_reader::wants(&Texts::of(self.text), &self.desk.ctx.vocabulary);
        heard.intent == Intent::Estimate && heard.is_sure_of_figures() && heard.slots.product.len() >= FACTORS
    }

    /// "And tell me whether our 130,000 covers it": it surely asks for something of the plan, and none of its numbers is heard as a value.
    fn only_asks(&self) -> bool {
        const SURELY: f32 = 0.9;
        let said = &self.said;
        let states = !said.plain.is_empty() || said.has_heard() || !said.ignored.is_empty();
        let heard = plan_reader::wants(&Texts::of(self.text), &self.desk.ctx.vocabulary);
        let is_question = matches!(heard.intent, Intent::Figure | Intent::Why | Intent::Levers);
        !states && is_question && heard.probability >= SURELY
    }

    /// What its numbers may be values of.
    fn values(&self) -> impl Iterator<Item = (&FieldPath, (usize, usize))> {
        let heard = self.said.candidates.iter().chain(&self.said.supposed);
        let heard = heard.flat_map(|one| {
            let likely = one.choices.iter().filter(|choice| choice.probability >= LIKELY);
            likely.map(|choice| (&choice.field, one.number))
        });
        let plain = self.said.plain.iter().map(|one| (&one.field, one.number));
        plain.chain(heard)
    }

    /// "Yes. So if sales drop to 14,000 do I still pay 32.8 %?" corrects nothing.
    fn is_asked(&self, mention: &Mention) -> bool {
        naming::asks_of_more(self.text, mention.number.0)
    }

    fn contradicts(&self, mention: &Mention) -> bool {
        let is_value = self.settled.iter().any(|one| is_of(mention.value, one));
        is_value && !self.is_same(mention) && !self.is_asked(mention)
    }

    /// Whether no number may be a value of what is settled.
    fn is_of_others(&self) -> bool {
        let is_in_question = |number: (usize, usize)| {
            let mut mentions = self.said.mentions.iter();
            mentions.any(|mention| mention.number == number && self.is_asked(mention))
        };
        !self
            .values()
            .any(|(field, number)| self.is_settled(field) && !is_in_question(number))
    }

    /// Whether a number is surely of something else.
    fn has_place(&self, mention: &Mention) -> bool {
        self.names_others()
            || self.is_asked(mention)
            || self.is_far(mention)
            || self.supposes()
            || mention.count_only
            || self.is_same(mention)
            || self.is_value(mention)
            || self.is_of_wages(mention)
            || self.is_time(mention) && self.text.ends_with('?')
    }

    fn names_settled(&self) -> bool {
        self.said.named.iter().any(|field| self.is_settled(field))
    }

    fn names_others(&self) -> bool {
        let names_others = !self.said.named.is_empty() && !self.names_settled();
        self.settled.len() > 1 && (names_others || wording::says(self.text, "w.own_is"))
    }

    fn is_value(&self, mention: &Mention) -> bool {
        let at = mention.number;
        let is_at = |number: (usize, usize)| number.0 < at.1 && at.0 < number.1;
        !self.said.named.is_empty() && self.values().any(|(_, number)| is_at(number))
    }

    /// "Three barbers, each makes 2,200 a month": what is paid, and how many are.
    fn is_of_wages(&self, mention: &Mention) -> bool {
        let is_count = mention.unit == Unit::Bare && mention.value < Decimal::ONE_HUNDRED;
        let mut shares = self.said.shares.iter().filter(|one| !self.is_settled(&one.field));
        shares.any(|one| is_count || one.number == mention.number)
    }

    fn is_time(&self, mention: &Mention) -> bool {
        let before = wording::plain(self.text.get(..mention.number.0).unwrap_or_default());
        let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
        let is_joined = |word: &&str| is_number(word) || ["and", "to", "y", "e", "o", "or"].contains(word);
        // "In year 1 and 2"
        let counted = before.split(' ').rev().find(|word| !is_joined(word));
        let counts = counted
            .is_some_and(|word| ["year", "years", "month", "months", "ano", "anos", "mes", "meses"].contains(&word));
        counts || mention.month_number || matches!(mention.unit, Unit::Months | Unit::Years)
    }

    /// None of the numbers of what is supposed corrects a value, unless it names it.
    fn supposes(&self) -> bool {
        let plain = format!("{} ", wording::plain(self.text));
        let begins = |phrase: &str| plain.starts_with(&format!("{} ", wording::plain(phrase)));
        wording::phrases("w.supposes").any(begins) && !self.names_settled()
    }

    /// "Yes. Did you put in the 13,650?" behind a number of months, "rent yes, and I have 50,000 saved": no slip of what is settled. "25
    /// jobs a week" are no thousands, nor is the pay of an hour.
    fn is_far(&self, mention: &Mention) -> bool {
        let words = self.text.split_whitespace();
        let has_words = words.filter(|word| word.chars().all(char::is_alphabetic)).count() > 1;
        let is_small = self.said.counts_customers && mention.unit == Unit::Bare || mention.per_unit;
        // "Two techs" are no two thousand.
        let is_spelled = self
            .text
            .get(mention.number.0..mention.number.1)
            .is_some_and(|said| !said.contains(|c: char| c.is_ascii_digit()));
        let is_count = is_small || is_spelled && mention.unit == Unit::Bare && mention.value < Decimal::ONE_HUNDRED;
        let is_off =
            |one: &&ExtractedValue| is_count && is_of_less(mention.value, one) || is_far_from(mention.value, one);
        has_words && self.settled.iter().all(is_off)
    }

    /// Whether a number says a value again, and nothing else: "4,250 a week" contradicts a monthly one.
    fn repeats(&self, number: &Mention, value: &ExtractedValue) -> bool {
        let field = self.desk.ctx.brand_version.field(value.field.as_str());
        let periods = [number.period, number.or_period];
        let is_of_period = periods
            .iter()
            .flatten()
            .all(|period| field.and_then(|field| field.period) == Some(*period));
        let is_plain = !number.per_unit && number.upper.is_none() && number.bound.is_none();
        let is_in_unit = match number.unit {
            Unit::Bare => true,
            Unit::Money => value.kind == Kind::Money,
            Unit::Percent => value.kind == Kind::Percent,
            Unit::Months => !matches!(value.kind, Kind::Money | Kind::Percent),
            _ => false,
        };
        is_of(number.value, value) && is_of_period && is_plain && is_in_unit
    }
}
