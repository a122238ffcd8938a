//! The open values of a plan: which of them are meant, and what becomes of them.

use super::{Acted, naming};
use crate::conversation::tools::{ToolContext, asked};
use crate::plans::proposals::Decided;
use crate::store::plans::extractions::Proposal;
use crate::wording;
use plan_model::extracted::ExtractedValue;
use plan_model::field::{FieldPath, Kind};
use plan_model::ids::ExtractionId;
use plan_model::language::Language;
use plan_reader::{Mention, Texts, Unit};
use rust_decimal::Decimal;

/// What a loan is made of.
const LOAN: [&str; 3] = [
    "financing.loanAmount",
    "financing.loanTermMonths",
    "financing.interestRate",
];

/// Words in which a value is said again behind a yes.
const LONGEST_REPETITION: usize = 8;

/// Whether a number as it is said is that of a value.
fn is_of(said: Decimal, value: &ExtractedValue) -> bool {
    value.kind.in_words(value.value).0.decimal() == said
}

/// Whether a number is that of an open value: "forget the 110" is said of 110,000, too.
fn is_said(number: &Mention, one: &Proposal) -> bool {
    let thousands = number.value.checked_mul(Decimal::ONE_THOUSAND);
    is_of(number.value, &one.value) || thousands.is_some_and(|value| is_of(value, &one.value))
}

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

/// The open values of a plan, with what the last answer said of them.
#[derive(Clone, Copy)]
pub(super) struct Desk<'a> {
    pub open: &'a [Proposal],
    pub ctx: &'a ToolContext,
    pub language: Language,
}

impl<'a> Desk<'a> {
    fn say(&self, key: &str, slots: &[(&str, &str)]) -> String {
        wording::say(self.language, key, slots)
    }

    fn name(&self, value: &ExtractedValue) -> String {
        asked::name(self.ctx, self.language, value)
    }

    fn shown(&self, value: &ExtractedValue) -> String {
        asked::shown(self.ctx, self.language, value)
    }

    /// What a value's field is called, without "per year", too.
    pub(super) fn names(&self, one: &Proposal) -> Vec<String> {
        let field = self.ctx.brand_version.field(one.value.field.as_str());
        let names = field.map(wording::names).unwrap_or_default();
        let short = names.iter().filter_map(|name| {
            let ends = [" per year", " por ano"];
            ends.iter().find_map(|end| name.strip_suffix(end)).map(str::to_owned)
        });
        let short: Vec<String> = short.collect();
        names.into_iter().chain(short).collect()
    }

    pub(super) fn items(&self, key: &str, values: &[&Proposal]) -> String {
        let item = |one: &&Proposal| asked::item(self.ctx, self.language, key, &one.value);
        wording::list(self.language, &values.iter().map(item).collect::<Vec<_>>())
    }

    /// The values of the newest turn that has some open: those that were listed last.
    pub(super) fn listed(&self) -> Vec<&'a Proposal> {
        let newest = self.open.last().and_then(|one| one.turn);
        self.open.iter().filter(|one| one.turn == newest).collect()
    }

    /// The open values among those that the last answer asks about.
    pub(super) fn asked(
        &self,
        about: fn(&ToolContext, &[&'a ExtractedValue]) -> Vec<&'a ExtractedValue>,
    ) -> Vec<&'a Proposal> {
        let open: Vec<&'a ExtractedValue> = self.open.iter().map(|one| &one.value).collect();
        let asked = about(self.ctx, &open);
        let is_asked = |one: &&Proposal| asked.iter().any(|value| value.id == one.value.id);
        self.open.iter().filter(is_asked).collect()
    }

    /// Values as a message may name them, in its own words for their fields, too: "la luz".
    pub(super) fn entries(
        &self,
        listed: &[&Proposal],
        [asked_together, asked_alone]: [&[&Proposal]; 2],
        message: &str,
    ) -> Vec<naming::Entry> {
        let entry = |one: &&Proposal| naming::Entry {
            names: self.names(one),
            value: one.value.kind.in_words(one.value.value).0.decimal(),
            sign: match one.value.kind {
                Kind::Money => Some('$'),
                Kind::Percent => Some('%'),
                _ => None,
            },
            is_asked: asked_alone.iter().any(|asked| asked.value.id == one.value.id),
            is_of_loan: LOAN.contains(&one.value.field.as_str()),
            is_listed: asked_together.iter().any(|asked| asked.value.id == one.value.id),
        };
        let mut entries: Vec<naming::Entry> = listed.iter().map(entry).collect();
        // "The months yes, the percent no": by what they are counted in, where one of them is.
        for (kind, key) in [(Kind::Percent, "w.the_percent"), (Kind::Months, "w.the_months")] {
            let mut counted = (0..listed.len()).filter(|at| listed[*at].value.kind == kind);
            if let (Some(only), None, true) = (counted.next(), counted.next(), wording::says(message, key)) {
                let without = |phrase: &'static str| phrase.split_once(' ').map(|(_, name)| name.to_owned());
                entries[only].names.extend(wording::phrases(key).filter_map(without));
            }
        }
        let words = message.split(|c: char| !c.is_alphabetic());
        for word in words.filter(|word| word.len() > 2).map(str::to_lowercase) {
            let named = self.ctx.vocabulary.called(&word);
            let is_named = |at: &usize| named.contains(&listed[*at].value.field);
            let mut meant = (0..listed.len()).filter(is_named);
            if let (Some(only), None) = (meant.next(), meant.next()) {
                entries[only].names.push(word);
            }
        }
        entries
    }

    pub(super) fn answer(&self, yes: bool) -> Option<Acted> {
        // A no leaves nothing open of what it was said to; a yes must say that it means all.
        if !yes && let together @ [_, ..] = &*self.asked(asked::together) {
            return Some(self.dismiss(together.to_vec()));
        }
        let asked = self.asked(asked::alone);
        let settle = if yes { Self::accept } else { Self::dismiss };
        (!asked.is_empty()).then(|| settle(self, asked))
    }

    /// The values that a message which drops some names, by their fields, their numbers, or both. `None` where it has a number that
    /// none of them has: then it says more.
    pub(super) fn drop_named(&self, words: &str) -> Option<Acted> {
        let said = plan_reader::understand(&Texts::of(words), &self.ctx.vocabulary);
        let numbers: Vec<_> = said.mentions.iter().filter(|mention| !mention.count_only).collect();
        let is_open = |number: &&Mention| self.open.iter().any(|one| is_said(number, one));
        // Names of the plan's own language, too: "descarta el aumento anual de salarios".
        let plain = format!(" {} ", naming::bare(words));
        let says = |name: &String| plain.contains(&format!(" {} ", naming::bare(name)));
        let is_named = |one: &Proposal| said.named.contains(&one.value.field) || self.names(one).iter().any(says);
        let names_some = !said.named.is_empty() || self.open.iter().any(is_named);
        if !names_some && numbers.is_empty() || !numbers.iter().all(is_open) {
            return None;
        }
        let is_meant = |one: &&Proposal| {
            (!names_some || is_named(one)) && (numbers.is_empty() || numbers.iter().any(|number| is_said(number, one)))
        };
        let meant: Vec<&Proposal> = self.open.iter().filter(is_meant).collect();
        (!meant.is_empty()).then(|| self.dismiss(meant))
    }

    /// Whether a number says a value again, and nothing else: "4,250 a week" contradicts a monthly one.
    fn repeats(&self, number: &Mention, value: &ExtractedValue) -> bool {
        let field = self.ctx.brand_version.field(value.field.as_str());
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

    /// What is left to answer behind a yes or a no to values: without a number that only says one of them again ("yes, 4,250. Now
    /// compare them."). `None` where a number may be of one of them, or its place is not clear.
    pub(super) fn left<'s>(&self, rest: &'s str, settlement: &[(ExtractionId, Decided)]) -> Option<&'s str> {
        let read = |text: &str| plan_reader::understand(&Texts::of(text), &self.ctx.vocabulary);
        let is_settled = |one: &&Proposal| settlement.iter().any(|(id, _)| *id == one.value.id);
        let settled: Vec<&ExtractedValue> = self.open.iter().filter(is_settled).map(|one| &one.value).collect();
        let is_accepted = |field: &FieldPath| settled.iter().any(|one| one.field == *field);
        let is_same = |number: &Mention| settled.iter().any(|one| self.repeats(number, one));
        let end = rest.match_indices(['.', '!', ';', '\n']).map(|(at, _)| at);
        let mut ends = end.filter(|at| !rest[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let (first, behind) = rest.split_at(ends.next().unwrap_or(rest.len()));
        let again = read(first);
        let is_again = !first.contains('?')
            && first.split_whitespace().count() <= LONGEST_REPETITION
            && again.named.iter().all(is_accepted)
            && matches!(&again.mentions[..], [only] if is_same(only));
        let rest = match is_again {
            true => behind.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '¿'),
            false => rest,
        };
        let said = read(rest);
        // "Sure, 4,250 for that dump. I'm still looking", "yes, 32.8 of what?"
        let is_accepting = settlement
            .iter()
            .any(|(_, decided)| matches!(decided, Decided::Accept(_)));
        let is_asked_again = rest.starts_with(|c: char| c.is_ascii_digit()) && rest.ends_with('?');
        if is_accepting && (naming::doubts(rest) && said.named.iter().all(is_accepted) || is_asked_again) {
            return None;
        }
        let heard = said.candidates.iter().chain(&said.supposed);
        let heard = heard.flat_map(|one| one.choices.iter().map(|choice| (&choice.field, one.number)));
        let values: Vec<_> = said
            .plain
            .iter()
            .map(|one| (&one.field, one.number))
            .chain(heard)
            .collect();
        let is_value = |mention: &Mention| {
            let at = mention.number;
            !said.named.is_empty() && values.iter().any(|(_, number)| number.0 < at.1 && at.0 < number.1)
        };
        let is_time = |mention: &Mention| {
            let before = wording::plain(rest.get(..mention.number.0).unwrap_or_default());
            let counts = ["year", "month", "ano", "mes"]
                .iter()
                .any(|word| before.ends_with(word));
            counts || mention.month_number || matches!(mention.unit, Unit::Months | Unit::Years)
        };
        let asks_for_time = |mention: &Mention| is_time(mention) && rest.ends_with('?');
        // None of the numbers of what is supposed corrects a value, unless it names it.
        let plain = format!("{} ", wording::plain(rest));
        let begins = |phrase: &str| plain.starts_with(&format!("{} ", wording::plain(phrase)));
        let is_case = wording::phrases("w.supposes").any(begins) && !said.named.iter().any(is_accepted);
        let contradicts = |mention: &Mention| !is_same(mention) && settled.iter().any(|one| is_of(mention.value, one));
        // "Yes. Did you put in the 13,650?" behind a number of months, "rent yes, and I have 50,000 saved": no slip of what is settled.
        let has_words = rest
            .split_whitespace()
            .filter(|word| word.chars().all(char::is_alphabetic))
            .count()
            > 1;
        // "25 jobs a week" are no thousands.
        let is_count = |mention: &Mention| said.counts_customers && mention.unit == Unit::Bare;
        let is_off = |mention: &Mention, one: &ExtractedValue| match is_count(mention) {
            true => is_of_less(mention.value, one),
            false => is_far_from(mention.value, one),
        };
        let is_far = |mention: &Mention| has_words && settled.iter().all(|one| is_off(mention, one));
        let is_open = |mention: &Mention| self.open.iter().any(|one| !is_settled(&one) && is_said(mention, one));
        let is_of_own_cash = wording::says(rest, "w.own_is");
        let names_others = !said.named.is_empty() && !said.named.iter().any(is_accepted);
        let names_others = settled.len() > 1 && (names_others || is_of_own_cash);
        // "Yes. So if sales drop to 14,000 do I still pay 32.8 %?" corrects nothing.
        let is_asked = |mention: &Mention| naming::asks_of_more(rest, mention.number.0);
        // "Two groomers at 17 an hour" behind sales of 15,492.
        let is_price = |mention: &Mention| {
            has_words && mention.per_unit && settled.iter().all(|one| is_of_less(mention.value, one))
        };
        let has_place = |mention: &Mention| {
            names_others
                || is_asked(mention)
                || is_price(mention)
                || is_far(mention)
                || is_open(mention)
                || is_case
                || mention.count_only
                || is_same(mention)
                || is_value(mention)
                || asks_for_time(mention)
        };
        let is_of_accepted = |(field, number): &(&FieldPath, (usize, usize))| {
            let is_in_question = said
                .mentions
                .iter()
                .any(|mention| mention.number == *number && is_asked(mention));
            is_accepted(field) && !is_in_question
        };
        let is_of_others = !values.iter().any(is_of_accepted);
        let contradicts = |mention: &Mention| contradicts(mention) && !is_asked(mention);
        let is_clear = !said.mentions.iter().any(contradicts) && said.mentions.iter().all(has_place);
        (is_of_others && is_clear).then_some(rest)
    }

    /// All that is open; where the last answer lists what waits, what it lists: a yes is to what is shown.
    pub(super) fn all(&self) -> Vec<&'a Proposal> {
        match self.asked(asked::together) {
            none if none.is_empty() => self.open.iter().collect(),
            listed => listed,
        }
    }

    /// The values that no later turn gave another value of.
    pub(super) fn newest(&self, values: &[&'a Proposal]) -> Vec<&'a Proposal> {
        let is_newest = |(at, one): (usize, &&'a Proposal)| {
            let mut later = values[at + 1..].iter();
            (!later.any(|other| other.value.field == one.value.field && other.turn != one.turn)).then_some(*one)
        };
        values.iter().enumerate().filter_map(is_newest).collect()
    }

    pub(super) fn several(&self, count: usize) -> Acted {
        let all = self.all();
        for values in [self.listed(), all.clone()] {
            if values.len() == count {
                return self.accept(values);
            }
        }
        // "Yes, 3" to three employees.
        if let [only] = &all[..]
            && is_of(Decimal::from(count), &only.value)
        {
            return self.accept(all);
        }
        let (waiting, said) = (all.len().to_string(), count.to_string());
        let slots = [
            ("count", &*waiting),
            ("said", &*said),
            ("items", &*self.items("heard.item", &all)),
        ];
        self.only_said(self.say("act.both", &slots))
    }

    pub(super) fn nth(&self, at: usize) -> Option<Acted> {
        let listed = self.listed();
        let Some(one) = listed.get(at) else {
            let items = self.items("heard.item", &listed);
            return Some(self.only_said(self.say("act.no_such", &[("items", &items)])));
        };
        Some(self.accept(vec![one]))
    }

    fn only_said(&self, text: String) -> Acted {
        Acted {
            text,
            settlement: Vec::new(),
            accepted: Vec::new(),
            suggestions: vec![self.say("s.all", &[]), self.say("s.none", &[])],
        }
    }

    /// An older value of the same field was replaced by the one that is dropped: it does not come back.
    pub(super) fn dismiss(&self, values: Vec<&Proposal>) -> Acted {
        let items = self.items("heard.item", &values);
        let is_dropped = |at: usize, one: &Proposal| {
            let is_later = |other: &Proposal| self.open[at..].iter().any(|later| later.value.id == other.value.id);
            values
                .iter()
                .any(|other| other.value.field == one.value.field && is_later(other))
        };
        let dropped = self.open.iter().enumerate().filter(|(at, one)| is_dropped(*at, one));
        Acted {
            text: self.say("act.dismissed", &[("items", &items)]),
            settlement: dropped.map(|(_, one)| (one.value.id, Decided::Dismiss)).collect(),
            accepted: Vec::new(),
            suggestions: vec![self.say("s.missing", &[])],
        }
    }

    /// Of several values of one field the one that was said last counts; where one message gave them, it is asked which.
    pub(super) fn accept(&self, values: Vec<&Proposal>) -> Acted {
        let mut taken: Vec<&Proposal> = Vec::new();
        let (mut settlement, mut texts) = (Vec::new(), Vec::new());
        for one in values.iter().rev().copied() {
            let same_field = || {
                values
                    .iter()
                    .copied()
                    .filter(|other| other.value.field == one.value.field)
            };
            let rivals: Vec<_> = same_field()
                .filter(|other| other.turn == one.turn && other.value.value != one.value.value)
                .collect();
            let is_settled = taken.iter().any(|other| other.value.field == one.value.field);
            let field = self.ctx.brand_version.field(one.value.field.as_str());
            let name = self.name(&one.value);
            if is_settled {
                settlement.push((one.value.id, Decided::Dismiss));
            } else if !rivals.is_empty() {
                let shown: Vec<_> = same_field().map(|other| self.shown(&other.value)).collect();
                let shown = wording::list(self.language, &shown);
                texts.push(self.say("act.two_values", &[("name", &name), ("values", &shown)]));
            } else if field.is_none_or(|field| field.refusal(one.value.value).is_some()) {
                let slots = [
                    ("name", &*wording::sentence(&name)),
                    ("value", &*self.shown(&one.value)),
                ];
                texts.push(self.say("act.bounds", &slots));
            } else {
                settlement.push((one.value.id, Decided::Accept(None)));
                taken.push(one);
            }
        }
        // Noted in an earlier message, too: it is settled with it.
        for (at, one) in self.open.iter().enumerate() {
            let is_settled = settlement.iter().any(|(id, _)| *id == one.value.id);
            let is_taken = |other: &&Proposal| {
                let is_later = self.open[at..].iter().any(|later| later.value.id == other.value.id);
                is_later && other.value.field == one.value.field && other.turn != one.turn
            };
            if !is_settled && taken.iter().any(is_taken) {
                settlement.push((one.value.id, Decided::Dismiss));
            }
        }
        taken.reverse();
        texts.dedup();
        texts.reverse();
        let mut suggestions = vec![self.say("s.profit", &[]), self.say("s.missing", &[])];
        if !taken.is_empty() {
            let items = self.items("written.item", &taken);
            texts.insert(0, self.say("act.accepted", &[("items", &items)]));
            texts.insert(1, self.say("act.undo", &[]));
            suggestions.push(self.say("s.undo", &[]));
        }
        Acted {
            text: texts.join(" "),
            settlement,
            accepted: taken.iter().map(|one| one.value.clone()).collect(),
            suggestions,
        }
    }
}
