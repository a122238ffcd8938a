//! What a message says about the open values of the plan and nothing else: settled by the server, whatever answers.
//!
//! Only the closed lists of `plan_reader::act` settle anything. Yes and no count for the question that the last answer ends
//! with, and only where that question is the server's own for a value that is open. Dropping may name its values in any words: it writes
//! nothing.
//!
//! An act may lead a message ("Yes to all. And what is left for me?"): it is settled first, and the rest answered with the plan as it
//! is then. A number in the rest must be of other values, or the one that was said yes to. A yes to all is to what the last answer
//! lists, where it lists some, and names alone are a yes to those.

use crate::conversation::tools::{ToolContext, asked};
use crate::plans::proposals::Decided;
use crate::store::plans::extractions::Proposal;
use crate::wording;
use plan_model::extracted::ExtractedValue;
use plan_model::field::FieldPath;
use plan_model::ids::ExtractionId;
use plan_model::language::Language;
use plan_reader::{Act, Mention, SaidAct, Texts, Unit};
use rust_decimal::Decimal;

mod naming;

/// What an act comes to.
#[derive(Debug)]
pub(super) struct Acted {
    pub text: String,
    pub settlement: Vec<(ExtractionId, Decided)>,
    /// The values of those that are accepted.
    pub accepted: Vec<ExtractedValue>,
    pub suggestions: Vec<String>,
}

/// The values that a message names, right or wrong, where the last answer asks for a yes, or to name those that are meant. Nothing else
/// may stand in it.
pub(super) fn by_name(message: &str, open: &[Proposal], ctx: &ToolContext) -> Option<Acted> {
    let language = ctx.spoken();
    let desk = Desk { open, ctx, language };
    let listed = match desk.asked(asked::together) {
        none if none.is_empty() && !desk.asked(asked::alone).is_empty() => open.iter().collect(),
        listed => listed,
    };
    let entry = |one: &&Proposal| naming::Entry {
        names: desk.names(one),
        value: one.value.kind.in_words(one.value.value).0.decimal(),
    };
    let entries: Vec<naming::Entry> = listed.iter().map(entry).collect();
    let chosen = naming::read(message, &entries)?;
    let of = |places: &[usize]| places.iter().map(|at| listed[*at]).collect::<Vec<_>>();
    let (accepted, dismissed) = (of(&chosen.accepted), of(&chosen.dismissed));
    match (accepted.is_empty(), dismissed.is_empty()) {
        (false, true) => Some(desk.accept(accepted)),
        (true, _) => Some(desk.dismiss(dismissed)),
        (false, false) => {
            let (taken, dropped) = (desk.accept(accepted), desk.dismiss(dismissed));
            Some(Acted {
                text: format!("{} {}", taken.text, dropped.text),
                settlement: taken.settlement.into_iter().chain(dropped.settlement).collect(),
                ..taken
            })
        }
    }
}

/// Whether a message may be names of open values alone: short, and no question.
pub(super) fn may_name(message: &str) -> bool {
    const LONGEST: usize = 160;
    message.len() <= LONGEST && !message.contains('?')
}

/// Settles by an act, and gives what is left of the message. `None` where it is about nothing that is open, or may be corrected by
/// what follows it: then it is a message like any other.
pub(super) fn resolve<'s>(said: SaidAct<'s>, open: &[Proposal], ctx: &ToolContext) -> Option<(Acted, &'s str)> {
    if open.is_empty() {
        return None;
    }
    // "No" is no word of one language.
    let language = match said.act {
        Act::No => ctx.spoken(),
        _ => said.language,
    };
    let desk = Desk { open, ctx, language };
    let acted = match said.act {
        Act::Drop => desk.drop_named(said.words)?,
        Act::Yes | Act::No => desk.answer(said.act == Act::Yes)?,
        Act::All => desk.accept(desk.all()),
        Act::None => desk.dismiss(desk.all()),
        Act::Several(count) => desk.several(count),
        Act::Nth(at) => desk.nth(at)?,
        Act::Last => desk.nth(desk.listed().len().checked_sub(1)?)?,
    };
    let rest = match said.counts {
        true => desk.left(said.rest, &acted.settlement)?,
        false => said.rest,
    };
    Some((acted, rest))
}

/// Words in which a value is said again behind a yes.
const LONGEST_REPETITION: usize = 8;

/// How a message begins that supposes something: none of its numbers corrects a value, unless it names it.
const CASES: [&str; 4] = ["what if ", "what happens if ", "que pasa si ", "y si "];

/// Whether a number as it is said is that of a value.
fn is_of(said: Decimal, value: &ExtractedValue) -> bool {
    value.kind.in_words(value.value).0.decimal() == said
}

#[derive(Clone, Copy)]
struct Desk<'a> {
    open: &'a [Proposal],
    ctx: &'a ToolContext,
    language: Language,
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

    /// What a value's field is called, "per year" and "per month" left out as well.
    fn names(&self, one: &Proposal) -> Vec<String> {
        let field = self.ctx.brand_version.field(one.value.field.as_str());
        let names = field.map(wording::names).unwrap_or_default();
        let short = names.iter().filter_map(|name| {
            let ends = [" per year", " por ano", " per month", " por mes"];
            ends.iter().find_map(|end| name.strip_suffix(end)).map(str::to_owned)
        });
        let short: Vec<String> = short.collect();
        names.into_iter().chain(short).collect()
    }

    fn items(&self, key: &str, values: &[&Proposal]) -> String {
        let item = |one: &&Proposal| asked::item(self.ctx, self.language, key, &one.value);
        wording::list(self.language, &values.iter().map(item).collect::<Vec<_>>())
    }

    /// The values of the newest turn that has some open: those that were listed last.
    fn listed(&self) -> Vec<&'a Proposal> {
        let newest = self.open.last().and_then(|one| one.turn);
        self.open.iter().filter(|one| one.turn == newest).collect()
    }

    /// The open values among those that the last answer asks about.
    fn asked(&self, about: fn(&ToolContext, &[&'a ExtractedValue]) -> Vec<&'a ExtractedValue>) -> Vec<&'a Proposal> {
        let open: Vec<&'a ExtractedValue> = self.open.iter().map(|one| &one.value).collect();
        let asked = about(self.ctx, &open);
        let is_asked = |one: &&Proposal| asked.iter().any(|value| value.id == one.value.id);
        self.open.iter().filter(is_asked).collect()
    }

    fn answer(&self, yes: bool) -> Option<Acted> {
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
    fn drop_named(&self, words: &str) -> Option<Acted> {
        let said = plan_reader::understand(&Texts::of(words), &self.ctx.vocabulary);
        let numbers: Vec<_> = said.mentions.iter().filter(|mention| !mention.count_only).collect();
        // "Forget the 110" is said of 110,000, too.
        let has = |one: &Proposal, mention: &Mention| {
            let thousands = mention.value.checked_mul(Decimal::ONE_THOUSAND);
            is_of(mention.value, &one.value) || thousands.is_some_and(|value| is_of(value, &one.value))
        };
        let is_open = |number: &&Mention| self.open.iter().any(|one| has(one, number));
        if said.named.is_empty() && numbers.is_empty() || !numbers.iter().all(is_open) {
            return None;
        }
        let is_named = |one: &Proposal| said.named.contains(&one.value.field);
        let is_meant = |one: &&Proposal| {
            (said.named.is_empty() || is_named(one))
                && (numbers.is_empty() || numbers.iter().any(|number| has(one, number)))
        };
        let meant: Vec<&Proposal> = self.open.iter().filter(is_meant).collect();
        (!meant.is_empty()).then(|| self.dismiss(meant))
    }

    /// What is left to answer behind a yes or a no to values: without a number that only says one of them again ("yes, 4,250. Now
    /// compare them."). `None` where a number may be of one of them, or of nobody knows what.
    fn left<'s>(&self, rest: &'s str, settlement: &[(ExtractionId, Decided)]) -> Option<&'s str> {
        let read = |text: &str| plan_reader::understand(&Texts::of(text), &self.ctx.vocabulary);
        let is_settled = |one: &&Proposal| settlement.iter().any(|(id, _)| *id == one.value.id);
        let settled: Vec<&ExtractedValue> = self.open.iter().filter(is_settled).map(|one| &one.value).collect();
        let is_accepted = |field: &FieldPath| settled.iter().any(|one| one.field == *field);
        let is_same = |number: &Mention| settled.iter().any(|one| is_of(number.value, one));
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
            values.iter().any(|(_, number)| number.0 < at.1 && at.0 < number.1)
        };
        let is_time = |mention: &Mention| {
            let before = wording::plain(rest.get(..mention.number.0).unwrap_or_default());
            let counts = ["year", "month", "ano", "mes"]
                .iter()
                .any(|word| before.ends_with(word));
            counts || mention.month_number || matches!(mention.unit, Unit::Months | Unit::Years)
        };
        let asks_for_time = |mention: &Mention| is_time(mention) && rest.ends_with('?');
        let plain = wording::plain(rest);
        let is_case = CASES.iter().any(|words| plain.starts_with(words)) && !said.named.iter().any(is_accepted);
        let has_place = |mention: &Mention| {
            is_case || mention.count_only || is_same(mention) || is_value(mention) || asks_for_time(mention)
        };
        let is_of_others = !values.iter().any(|(field, _)| is_accepted(field));
        (is_of_others && said.mentions.iter().all(has_place)).then_some(rest)
    }

    /// All that is open; where the last answer lists what waits, what it lists: a yes is to what is shown.
    fn all(&self) -> Vec<&'a Proposal> {
        match self.asked(asked::together) {
            none if none.is_empty() => self.open.iter().collect(),
            listed => listed,
        }
    }

    fn several(&self, count: usize) -> Acted {
        let all = self.all();
        for values in [self.listed(), all.clone()] {
            if values.len() == count {
                return self.accept(values);
            }
        }
        let (waiting, said) = (all.len().to_string(), count.to_string());
        let slots = [
            ("count", &*waiting),
            ("said", &*said),
            ("items", &*self.items("heard.item", &all)),
        ];
        self.only_said(self.say("act.both", &slots))
    }

    fn nth(&self, at: usize) -> Option<Acted> {
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

    fn dismiss(&self, values: Vec<&Proposal>) -> Acted {
        let items = self.items("heard.item", &values);
        Acted {
            text: self.say("act.dismissed", &[("items", &items)]),
            settlement: values.iter().map(|one| (one.value.id, Decided::Dismiss)).collect(),
            accepted: Vec::new(),
            suggestions: vec![self.say("s.missing", &[])],
        }
    }

    /// Of several values of one field the one that was said last counts; where one message gave them, nobody knows which.
    fn accept(&self, values: Vec<&Proposal>) -> Acted {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::tools::EvidenceTexts;
    use crate::store::brands::BrandVersion;
    use plan_model::brand::Brand;
    use plan_model::ids::{BrandVersionId, TurnId};
    use plan_model::inputs::FinancialInputs;
    use plan_reader::Vocabulary;
    use serde_json::json;
    use std::sync::Arc;
    use time::OffsetDateTime;

    fn proposal(turn: TurnId, field: &str, kind: &str, value: i64) -> Proposal {
        let value = json!({
            "id": uuid::Uuid::now_v7(), "field": field, "label": field, "kind": kind, "value": value, "previousValue": null,
            "confidence": "tentative", "status": "proposed", "applied": false, "rangeWarning": null, "rangeCode": null,
            "evidence": null, "note": null,
        });
        Proposal {
            turn: Some(turn),
            value: serde_json::from_value(value).expect("a value"),
            at: OffsetDateTime::UNIX_EPOCH,
            author: None,
        }
    }

    fn context(advisor: &str) -> ToolContext {
        let brand = Brand::demo();
        let inputs = FinancialInputs::from_brand(&brand);
        let vocabulary = Arc::new(Vocabulary::of(&brand));
        let brand_version = BrandVersion {
            id: BrandVersionId::fresh(),
            fields: brand.fields().into(),
            brand,
        };
        let words = EvidenceTexts {
            advisor: Some(advisor.to_owned()),
            ..EvidenceTexts::default()
        };
        ToolContext::new(
            Arc::new(brand_version),
            vocabulary,
            Some(Arc::new(inputs)),
            words,
            OffsetDateTime::UNIX_EPOCH,
        )
    }

    fn acted(message: &str, open: &[Proposal], advisor: &str) -> Option<Acted> {
        resolve(plan_reader::said_act(message)?, open, &context(advisor)).map(|(acted, _)| acted)
    }

    const RENT: &str = "operatingCosts.rentMonthly";
    const INSURANCE: &str = "operatingCosts.insuranceMonthly";

    #[test]
    fn all_and_both_and_the_second_write_what_they_name() {
        let (old, new) = (TurnId::fresh(), TurnId::fresh());
        let open = [
            proposal(old, "operatingCosts.utilitiesMonthly", "money", 30_000),
            proposal(new, RENT, "money", 420_000),
            proposal(new, INSURANCE, "money", 31_000),
        ];
        let accepted = |message: &str| -> Vec<ExtractionId> {
            let acted = acted(message, &open, "").expect("an act");
            acted
                .settlement
                .into_iter()
                .filter(|(_, decided)| *decided == Decided::Accept(None))
                .map(|(id, _)| id)
                .collect()
        };
        assert_eq!(accepted("yes to all").len(), 3);
        assert_eq!(accepted("yes to both"), [open[2].value.id, open[1].value.id]);
        assert_eq!(accepted("the second one"), [open[2].value.id]);
        assert_eq!(accepted("sí a todo").len(), 3);
        assert!(acted("the third one", &open, "").expect("an act").settlement.is_empty());
        let none = acted("none of them", &open, "").expect("an act");
        assert!(none.settlement.iter().all(|(_, decided)| *decided == Decided::Dismiss) && none.settlement.len() == 3);
        assert_eq!(
            acted("use all", &open[1..], "").expect("an act").text,
            "I've written down rent per month at $4,200 and insurance per month at $310. “Undo that” takes it back."
        );
        assert!(acted("yes to all", &[], "").is_none());
    }

    #[test]
    fn what_a_message_drops_is_dropped_and_nothing_else() {
        let (old, new) = (TurnId::fresh(), TurnId::fresh());
        let open = [
            proposal(old, "financing.additionalEquity", "money", 12_000_000),
            proposal(new, INSURANCE, "money", 31_000),
            proposal(new, "financing.additionalEquity", "money", 12_000_000),
        ];
        let dropped = |message: &str| -> Option<Vec<ExtractionId>> {
            let mut context = context("");
            context.words.message = message.to_owned();
            let (acted, _) = resolve(plan_reader::said_act(message)?, &open, &context)?;
            assert!(acted.settlement.iter().all(|(_, decided)| *decided == Decided::Dismiss));
            Some(acted.settlement.into_iter().map(|(id, _)| id).collect())
        };
        let [equity, insurance, again] = [0, 1, 2].map(|at: usize| open[at].value.id);
        for message in [
            "forget the 120k",
            "no, drop both 120k ones",
            "drop the extra cash",
            "no to the extra owner cash",
            "olvida los 120 mil extra",
        ] {
            assert_eq!(dropped(message), Some(vec![equity, again]), "{message}");
        }
        assert_eq!(dropped("forget the insurance"), Some(vec![insurance]));
        assert_eq!(dropped("forget the insurance of 310"), Some(vec![insurance]));
        for message in [
            "forget the rent",
            "forget it, insurance is 450",
            "drop the insurance to 200",
            "drop the rent of 310",
            "forget everything else",
        ] {
            assert_eq!(dropped(message), None, "{message}");
        }
    }

    #[test]
    fn of_two_values_of_one_message_none_is_written_and_of_two_messages_the_later() {
        let (old, new) = (TurnId::fresh(), TurnId::fresh());
        let rivals = [
            proposal(new, RENT, "money", 420_000),
            proposal(new, RENT, "money", 430_000),
        ];
        let answer = acted("yes to all", &rivals, "").expect("an act");
        assert!(answer.settlement.is_empty(), "{answer:?}");
        assert!(answer.text.contains("$4,200 and $4,300"), "{}", answer.text);
        let later = [
            proposal(old, RENT, "money", 420_000),
            proposal(new, RENT, "money", 430_000),
        ];
        let answer = acted("all of them", &later, "").expect("an act");
        assert_eq!(
            answer.settlement,
            [
                (later[1].value.id, Decided::Accept(None)),
                (later[0].value.id, Decided::Dismiss)
            ]
        );
    }

    #[test]
    fn a_number_behind_a_yes_is_of_other_values_or_said_again() {
        let open = [proposal(TurnId::fresh(), RENT, "money", 425_000)];
        let asked = "Shall I write down $4,250 for rent per month?";
        let rest = |message: &str| {
            let found = resolve(plan_reader::said_act(message).expect("an act"), &open, &context(asked));
            found.map(|(acted, rest)| (acted.settlement.len(), rest.to_owned()))
        };
        for (message, left) in [
            (
                "yes, 4,250. now compare lean with my plan",
                "now compare lean with my plan",
            ),
            ("yes. rent is 4,250. thank you", "thank you"),
            ("yes, 4,250", ""),
            ("yes. and insurance is 5,400 a year", "and insurance is 5,400 a year"),
            ("yes. what if I borrow 20,000 less?", "what if I borrow 20,000 less?"),
            ("yes. what is my profit in year 2?", "what is my profit in year 2?"),
            ("yes. is 4,250 the usual rent?", "is 4,250 the usual rent?"),
            ("no. insurance is 5,400 a year", "insurance is 5,400 a year"),
        ] {
            assert_eq!(rest(message), Some((1, left.to_owned())), "{message}");
        }
        for message in [
            "yes. 4,350",
            "yes. and the rent is 4,350",
            "yes, 4,350",
            "yes. or 4,300?",
            "no. 4,350",
            "no, 4,350",
            "no. rent is 4,350",
        ] {
            assert_eq!(rest(message), None, "{message}");
        }
    }

    #[test]
    fn names_are_a_yes_where_one_was_asked_for() {
        let (old, new) = (TurnId::fresh(), TurnId::fresh());
        let open = [
            proposal(old, "operatingCosts.utilitiesMonthly", "money", 87_000),
            proposal(new, RENT, "money", 415_000),
        ];
        let named =
            |message: &str, advisor: &str| by_name(message, &open, &context(advisor)).map(|one| one.settlement.len());
        let one = "Shall I write down $4,150 for rent per month?";
        assert_eq!(named("yes, write the rent. and the utilities too please", one), Some(2));
        assert_eq!(named("I said yes to both, the rent and the utilities", one), Some(2));
        assert_eq!(named("yes, the rent", "Is it the rent?"), None, "nothing was asked for");
        assert_eq!(named("rent went up", one), None);
        let both = "I heard these, and have only noted them until you confirm:\n\n- $870 for utilities per month\n- $4,150 for rent per month\n\nShall I use all 2? Say “yes to all”, or name the ones you mean.";
        assert_eq!(named("rent yes, utilities no", both), Some(2));
        assert_eq!(named("not the rent", both), Some(1));
    }

    #[test]
    fn yes_and_no_are_about_the_question_of_an_open_value_and_no_other() {
        let open = [proposal(TurnId::fresh(), RENT, "money", 420_000)];
        let asked = "¿Anoto $4,200 para la renta por mes?";
        assert_eq!(
            acted("sí", &open, asked).expect("an act").settlement,
            [(open[0].value.id, Decided::Accept(None))]
        );
        let english = "Noted. Shall I write down $4,200 for rent per month?";
        assert_eq!(
            acted("no", &open, english).expect("an act").settlement,
            [(open[0].value.id, Decided::Dismiss)]
        );
        let insurance = proposal(TurnId::fresh(), INSURANCE, "money", 31_000);
        let two = [open[0].clone(), insurance];
        let both = "I heard these, and have only noted them until you confirm:\n\n- $4,200 for rent per month\n- $310 for insurance per month\n\nShall I use all 2? Say “yes to all”, or name the ones you mean.";
        assert_eq!(
            acted("no", &two, both).expect("an act").settlement.len(),
            2,
            "both were asked about"
        );
        let one = "These wait for your word: $4,200 for rent per month. Say “yes to all”, or name the ones you mean.";
        assert_eq!(acted("no", &two, one).expect("an act").settlement.len(), 1, "one was");
        for other in [
            "¿Anoto $4,300 para la renta por mes?",
            "¿Seguimos?",
            "¿Anoto $4,200 para la renta por mes? ¿O no?",
            "",
        ] {
            assert!(acted("sí", &open, other).is_none(), "{other}");
        }
    }
}
