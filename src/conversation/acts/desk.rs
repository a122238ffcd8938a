//! The open values of a plan: which of them are meant, and what becomes of them.

use super::{Acted, naming};
use crate::conversation::tools::{ToolContext, asked};
use crate::plans::proposals::Decided;
use crate::store::plans::extractions::Proposal;
use crate::wording;
use plan_model::extracted::ExtractedValue;
use plan_model::field::Kind;
use plan_model::inputs::{DRAW, DRAW_START, LOAN};
use plan_model::language::Language;
use plan_reader::{Mention, Texts};
use rust_decimal::Decimal;

/// Whether a number as it is said is that of a value.
pub(super) fn is_of(said: Decimal, value: &ExtractedValue) -> bool {
    value.kind.in_words(value.value).0.decimal() == said
}

/// Whether a number is that of an open value: "forget the 110" is said of 110,000, too.
pub(super) fn is_said(number: &Mention, one: &Proposal) -> bool {
    let thousands = number.value.checked_mul(Decimal::ONE_THOUSAND);
    is_of(number.value, &one.value) || thousands.is_some_and(|value| is_of(value, &one.value))
}

/// What a field is of, where several of it may be named together.
fn kin_of(path: &str) -> Option<naming::Kin> {
    let is_draw = [DRAW, DRAW_START].contains(&path);
    let is_loan = LOAN.contains(&path).then_some(naming::Kin::Loan);
    is_loan.or(is_draw.then_some(naming::Kin::OwnPay))
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
            stands: self.stands(&one.value),
            sign: match one.value.kind {
                Kind::Money => Some('$'),
                Kind::Percent => Some('%'),
                _ => None,
            },
            is_asked: asked_alone.iter().any(|asked| asked.value.id == one.value.id),
            kin: kin_of(one.value.field.as_str()),
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
        let words: Vec<String> = words.filter(|word| word.len() > 2).map(str::to_lowercase).collect();
        // "Just the draw start" names no draw: the longer name first.
        let mut is_named = vec![false; words.len()];
        for (length, at) in (1..=2)
            .rev()
            .flat_map(|length| (0..words.len()).map(move |at| (length, at)))
        {
            let Some(phrase) = words.get(at..at + length).filter(|_| !is_named[at]) else {
                continue;
            };
            let phrase = phrase.join(" ");
            let named = self.ctx.vocabulary.called(&phrase);
            is_named[at..at + length]
                .iter_mut()
                .for_each(|is| *is |= !named.is_empty());
            let mut meant = (0..listed.len()).filter(|at| named.contains(&listed[*at].value.field));
            if let (Some(only), None) = (meant.next(), meant.next()) {
                entries[only].names.push(phrase);
            }
        }
        entries
    }

    /// What the plan has of a value's field, as people say it.
    fn stands(&self, value: &ExtractedValue) -> Option<Decimal> {
        let held = self.ctx.inputs.as_ref()?.get(value.field.as_str())?;
        Some(value.kind.in_words(held.current_value).0.decimal())
    }

    pub(super) fn answer(&self, yes: bool) -> Option<Acted> {
        // A no leaves nothing open of what it was said to; a yes to what is only listed must say that it means all.
        if !yes && let together @ [_, ..] = &*self.asked(asked::together) {
            return Some(self.dismiss(together.to_vec()));
        }
        let asked = self.asked(asked::alone);
        let settle = if yes { Self::accept } else { Self::dismiss };
        (!asked.is_empty()).then(|| settle(self, asked))
    }

    /// A yes to "Shall I use all 2?", where what follows it is nothing, or asks for something else: "sí, 28,000 de renta" is one of them.
    pub(super) fn all_at_once(&self, rest: &str) -> Option<Acted> {
        let together = self.asked(asked::together);
        if !asked::asks_for_all(self.ctx, together.len()) {
            return None;
        }
        let named = plan_reader::understand(&Texts::of(rest), &self.ctx.vocabulary).named;
        let is_named = together.iter().any(|one| named.contains(&one.value.field));
        let stands = rest.is_empty() || naming::asks(rest) && !is_named;
        stands.then(|| self.accept(together))
    }

    /// A no to one of the values that were asked about, where it does not say which.
    pub(super) fn refuse_one(&self) -> Option<Acted> {
        match &*self.asked(asked::together) {
            together @ [_, _, ..] => {
                let items = self.items("heard.item", together);
                Some(self.only_said(self.say("act.which", &[("items", &items)])))
            }
            _ => self.answer(false),
        }
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

    /// All that is open; where the last answer lists what waits, what it lists: a yes is to what is shown.
    pub(super) fn all(&self) -> Vec<&'a Proposal> {
        match self.asked(asked::together) {
            none if none.is_empty() => self.open.iter().collect(),
            listed => listed,
        }
    }

    /// The values that no later turn gave another value of, and those of before whose number a message says: "yes, the 3,900".
    pub(super) fn newest(&self, values: &[&'a Proposal], message: &str) -> Vec<&'a Proposal> {
        let said = plan_reader::understand(&Texts::of(message), &self.ctx.vocabulary).mentions;
        let is_replaced = |at: usize, one: &Proposal| {
            let mut later = values[at + 1..].iter();
            later.any(|other| other.value.field == one.value.field && other.turn != one.turn)
        };
        let is_meant = |(at, one): &(usize, &&'a Proposal)| {
            !is_replaced(*at, one) || said.iter().any(|number| is_of(number.value, &one.value))
        };
        let meant = values.iter().enumerate().filter(is_meant);
        meant.map(|(_, one)| *one).collect()
    }

    pub(super) fn several(&self, count: usize) -> Acted {
        let all = self.all();
        // "All 3": of two values of one line the later one is meant.
        let newest = self.newest(&all, "");
        for values in [self.listed(), all.clone(), newest] {
            if values.len() == count && (count > 2 || values.len() == all.len() || values.len() == self.listed().len())
            {
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
        // Noted in another message, too: it is settled with it.
        for one in self.open {
            let is_settled = settlement.iter().any(|(id, _)| *id == one.value.id);
            let is_taken = |other: &&Proposal| other.value.field == one.value.field && other.turn != one.turn;
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
