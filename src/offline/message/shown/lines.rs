//! The lines that numbers were shown for.

use crate::offline::{answers, content, is_answer};
use crate::wording;
use llm_client::ChatMessage;
use plan_engine::lines;
use plan_model::field::{Field, FieldPath};
use plan_model::language::Language;
use plan_model::number::Number;
use plan_reader::{Line, Mention, Source, Texts, Understanding, Unit, Vocabulary, understand};
use rust_decimal::Decimal;

/// Answers that are looked at.
const LOOKED_AT: usize = 6;

/// A name stands at most so many bytes before its number: "rent per month at $4,350".
const APART: usize = 24;

/// The answers before a message, and the questions that they answer.
pub(super) struct Shown<'a, F> {
    pub before: &'a [ChatMessage],
    pub fields: &'a [Field],
    /// What the person's message at a place asked for.
    pub asked: F,
}

/// Takes from the numbers of a message those that the last answer has shown for another line: "91k?? I never said that" is no loan. In
/// a sentence that names its line, or as an answer to a question for it, it may be one.
pub(in crate::offline) fn without_shown(
    understanding: &mut Understanding,
    texts: &Texts<'_>,
    (before, fields): (&[ChatMessage], &[Field]),
    vocabulary: &Vocabulary,
) {
    let last = before.iter().rposition(is_answer).unwrap_or(0);
    let shown = Shown {
        before: before.get(last..).unwrap_or_default(),
        fields,
        asked: |_| None,
    };
    let mentions = &understanding.mentions;
    understanding.candidates.retain(|one| {
        let mention = mentions.iter().find(|mention| mention.number == one.number);
        let line = mention
            .filter(|_| one.source == Source::Message)
            .and_then(|mention| shown.line(mention));
        let (Some(line), Some(choice)) = (line, one.choices.first()) else {
            return true;
        };
        let sentence = texts.message.get(one.start..one.end).unwrap_or_default();
        let is_asked = texts.asked.as_ref() == Some(&choice.field);
        let is_named = || {
            understand(&Texts::of(sentence), vocabulary)
                .named
                .contains(&choice.field)
        };
        line == Line::Field(choice.field.clone()) || is_asked || is_named()
    });
}

/// Whether an answer has a number; "31k" is said of 31,821, and "280" of 280,000.
pub(in crate::offline) fn is_number_of(answer: &str, said: Decimal) -> bool {
    let thousands = said.checked_mul(Decimal::ONE_THOUSAND);
    let is_it = |shown: &Number| {
        let shown = shown.decimal().abs();
        let is_in_thousands = |from: Decimal| shown >= from && shown.saturating_sub(from) < Decimal::ONE_THOUSAND;
        let is_rounded = said >= Decimal::ONE_THOUSAND
            && said
                .checked_rem(Decimal::ONE_THOUSAND)
                .is_some_and(|rest| rest.is_zero());
        shown == said
            || shown.trunc() == said
            || shown.round() == said
            || is_rounded && is_in_thousands(said)
            || thousands.is_some_and(is_in_thousands)
    };
    let numbers = Language::ALL
        .iter()
        .find_map(|language| plan_reader::numbers(answer, *language));
    numbers.is_some_and(|shown| shown.iter().any(is_it))
}

impl<F: Fn(usize) -> Option<Line>> Shown<'_, F> {
    /// The line that a number was shown for: by the name beside it, or else by the question that the answer begins with it. "280" is
    /// said of 280,000, too.
    pub(super) fn line(&self, one: &Mention) -> Option<Line> {
        let is_small = one.unit == Unit::Bare && one.value < Decimal::ONE_HUNDRED && one.value.scale() == 0;
        let is_year = one.unit == Unit::Years && one.value < Decimal::TEN;
        // "Year 2" and "3 girls" are no figures.
        if one.month_number || is_small || is_year {
            return None;
        }
        let thousands = one.value.checked_mul(Decimal::ONE_THOUSAND);
        let values = [Some(one.value), thousands.filter(|_| one.value < Decimal::ONE_THOUSAND)];
        values.into_iter().flatten().find_map(|value| self.line_of(value))
    }

    fn line_of(&self, value: Decimal) -> Option<Line> {
        let mut places = (0..self.before.len())
            .rev()
            .filter(|at| is_answer(&self.before[*at]))
            .take(LOOKED_AT);
        places.find_map(|at| {
            let text = content(&self.before[at]);
            let is_first = amounts(text).next().is_some_and(|(.., shown)| is_same(shown, value));
            let of_question = || {
                let is_user = |message: &ChatMessage| matches!(message, ChatMessage::User(_));
                (self.asked)(self.before[..at].iter().rposition(is_user)?)
            };
            shown_for(text, value, self.fields).or_else(|| is_first.then(of_question).flatten())
        })
    }

    /// Whether the last answer shows a number as what is written off in a year.
    pub(super) fn is_written_off(&self, one: &Mention) -> bool {
        let text = answers(self.before).next().unwrap_or_default();
        amounts(text).any(|(_, end, shown)| {
            let after = text.get(end..).unwrap_or_default();
            let mut texts = Language::ALL
                .iter()
                .map(|language| wording::say(*language, "less.written_off", &[]));
            is_same(shown, one.value) && texts.any(|said| after.starts_with(said.trim_start_matches("{amount}")))
        })
    }
}

/// Whether a shown number is the one that is said, or was said in whole dollars, thousands or percents of it: "34k" of $34,472.
fn is_same(shown: Decimal, said: Decimal) -> bool {
    let is_round = said >= Decimal::ONE_THOUSAND
        && said
            .checked_rem(Decimal::ONE_THOUSAND)
            .is_some_and(|rest| rest.is_zero());
    let step = if is_round { Decimal::ONE_THOUSAND } else { Decimal::ONE };
    let is_near = |rounded: Option<Decimal>| rounded.and_then(|whole| whole.checked_mul(step)) == Some(said);
    let steps = shown.checked_div(step);
    shown == said
        || said.scale() == 0 && (is_near(steps.map(|one| one.trunc())) || is_near(steps.map(|one| one.round())))
}

/// Words between a number and what it is of: "$280,000 from the loan and $91,500 of your own cash".
const JOINS: [&str; 6] = [" for ", " para ", " of ", " from ", " de ", " del "];

/// The line that an answer names for a number: before it ("build-out $140,000"), or behind it ("$4,300 for rent per month").
fn shown_for(answer: &str, number: Decimal, fields: &[Field]) -> Option<Line> {
    let lower = answer.to_lowercase();
    amounts(&lower).find_map(|(start, end, value)| {
        if !is_same(value, number) {
            return None;
        }
        let (before, after) = (&lower[..start], &lower[end..]);
        // Behind the number before it; but "goes from 0.61× to 0.56×" is of one name.
        let since = before
            .rfind(|c: char| c.is_ascii_digit() || c == '\n')
            .map_or(0, |at| at.saturating_add(1));
        let since = before
            .get(since..)
            .filter(|since| !is_end_of_move(since))
            .unwrap_or_else(|| {
                let parts = before.rsplit([',', '\n']).next().unwrap_or(before);
                [" and ", " y "]
                    .iter()
                    .fold(parts, |part, join| part.rsplit(join).next().unwrap_or(part))
            });
        // "You open with $45,000; by month 7 …": what is in the bank on the first day.
        let opens = Language::ALL.iter();
        let mut opens = opens.map(|language| wording::beginning(*language, "reason.until").to_lowercase());
        if opens.any(|opens| before.trim_end_matches('$').ends_with(opens.as_str())) {
            return Some(Line::Field(FieldPath::from_static("startupCosts.additionalFunds")));
        }
        let behind = JOINS.iter().find_map(|join| after.strip_prefix(join));
        let named = behind.and_then(|rest| longest(fields, |name| rest.starts_with(name)));
        let of_loan = || {
            let next = after
                .split(|c: char| c.is_ascii_digit() || ".,;:\n".contains(c))
                .next()?;
            let loan = || Line::Field(FieldPath::from_static("financing.loanAmount"));
            // "$30,455 after costs and loan payments" is no loan.
            (behind.is_some() && wording::says(next, "w.loan")).then(loan)
        };
        let is_near = |name: &str| {
            since
                .rsplit_once(name)
                .is_some_and(|(_, between)| between.len() <= APART)
        };
        named.or_else(of_loan).or_else(|| longest(fields, is_near))
    })
}

/// "× to ", "% instead of $"
fn is_end_of_move(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    ["to ", "instead of ", "a ", "en vez de "]
        .iter()
        .any(|join| text.starts_with(join))
}

/// The field that the last sentence of an answer names.
pub(super) fn last_named<'f>(answer: &str, fields: &'f [Field]) -> Option<&'f Field> {
    let lower = answer.trim_end().to_lowercase();
    let last = lower.rsplit(". ").next()?;
    match longest(fields, |name| last.contains(name))? {
        Line::Field(path) => fields.iter().find(|field| field.path == path),
        _ => None,
    }
}

/// Key results as cases name them, and the lines that they are.
const RESULTS: [(&str, Line); 7] = [
    ("m.breakEvenMonth", Line::BreakEvenMonth),
    ("m.paybackMonth", Line::Payback),
    ("m.lowestCash", Line::LowestCash),
    ("m.dscrYear1", Line::Dscr),
    ("m.monthlyPayment", Line::LoanPayment),
    ("m.totalInvestment", Line::MoneyToOpen),
    ("m.ownerCash", Line::OwnCash),
];

/// The line with the longest name of those that are meant.
fn longest(fields: &[Field], is_it: impl Fn(&str) -> bool) -> Option<Line> {
    let of_fields = fields.iter().flat_map(|field| {
        let of = |language: &Language| wording::name(*language, field).to_lowercase();
        Language::ALL
            .iter()
            .map(move |language| (of(language), Line::Field(field.path.clone())))
    });
    let results = RESULTS.iter().flat_map(|(key, line)| {
        let of = |language: &Language| wording::say(*language, key, &[]).to_lowercase();
        Language::ALL.iter().map(move |language| (of(language), line.clone()))
    });
    let lines = Line::NAMED.iter().flat_map(|(key, line)| {
        let english = || lines::find(key).map(|line| line.label.to_owned()).unwrap_or_default();
        let of = move |language: &Language| wording::named(*language, key, english).to_lowercase();
        Language::ALL.iter().map(move |language| (of(language), line.clone()))
    });
    let found = of_fields
        .chain(results)
        .chain(lines)
        .filter(|(name, _)| !name.is_empty() && is_it(name));
    found.max_by_key(|(name, _)| name.len()).map(|(_, line)| line)
}

/// The numbers of an answer in digits, each with its place.
fn amounts(text: &str) -> impl Iterator<Item = (usize, usize, Decimal)> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    let runs = text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at);
    let begins = runs.filter(move |at| !text[..*at].ends_with(is_part));
    begins.filter_map(move |start| {
        let rest = &text[start..];
        let run = rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())].trim_end_matches([',', '.']);
        let value = run.replace(',', "").parse().ok()?;
        Some((start, start.checked_add(run.len())?, value))
    })
}
