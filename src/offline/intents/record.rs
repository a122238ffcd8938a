//! Values that are stated or corrected.

use crate::offline::intents::worked_out::{self, in_share};
use crate::offline::intents::{miss, own_cash};
use crate::offline::message::product::Product;
use crate::offline::message::{lead, shown};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording;
use plan_model::extracted::{Confidence, NoteCode};
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::number::Number;
use plan_model::period::Period;
use plan_model::tool_result::{FieldResult, FieldStatus, OpenProposal, PlanSummary};
use plan_reader::{IgnoredNumber, Mention, Source, Unit};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Value, json};

/// Values of one message.
const MOST: usize = 40;

/// Records what is plain, asks about what is heard.
pub(in crate::offline) fn state(situation: &Situation<'_>) -> Step {
    let calls = calls(situation);
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    recorded(situation)
}

/// Asks about values that no number of the message says: those of a case.
pub(in crate::offline) fn propose(situation: &Situation<'_>, values: &[(&str, f64)]) -> Step {
    let set = |(path, value): &(&str, f64)| {
        let field = situation.field(path)?;
        let (_, unit) = field.kind.in_words(Number::ZERO);
        let quote = situation.message();
        let arguments =
            json!({"path": path, "value": value, "unit": unit, "confidence": Confidence::Tentative, "quote": quote});
        Some(("set_financial_field", arguments))
    };
    let mut calls: Vec<_> = values.iter().filter_map(set).take(MOST).collect();
    calls.push(("get_plan_summary", json!({})));
    calls.push(("list_open_proposals", json!({})));
    Step::ask(situation, &calls).unwrap_or_else(|| recorded(situation))
}

/// As [`state`]: what "make that 4,350" is about is known to the reader.
pub(in crate::offline) fn correct(situation: &Situation<'_>) -> Step {
    let understood = &situation.understanding;
    if understood.plain.is_empty() && !understood.has_heard() && understood.ignored.is_empty() {
        return Step::say(
            [situation.say("correct.which", &[])],
            situation.suggest(&["s.undo", "s.missing"]),
        );
    }
    state(situation)
}

/// Calls that record, in the order of the user's words, and those that read what there is to say.
fn calls(situation: &Situation<'_>) -> Vec<(&'static str, Value)> {
    let understood = &situation.understanding;
    let plain = understood.plain.iter().map(|one| {
        let quote = situation.quote(one.source, one.start, one.end);
        (&one.field, one.value, Confidence::High, quote)
    });
    let heard = understood.candidates.iter().filter_map(|one| {
        let choice = one.choices.first()?;
        let quote = situation.quote(one.source, one.start, one.end);
        Some((&choice.field, choice.value, Confidence::Tentative, quote))
    });
    let set = |(path, value, confidence, quote): (&FieldPath, Number, Confidence, String)| {
        let field = situation.field(path.as_str())?;
        let (value, unit) = field.kind.in_words(value);
        let arguments = json!({"path": path, "value": value, "unit": unit, "confidence": confidence, "quote": quote});
        Some(("set_financial_field", arguments))
    };
    let in_dollars = understood.shares.iter().filter_map(|one| {
        let dollars = Number::new(one.cents.decimal().checked_div(Decimal::ONE_HUNDRED)?);
        let people = people(situation, one.number);
        let factors: Vec<Number> = people.into_iter().chain([dollars]).collect();
        Some((
            "estimate",
            json!({"factors": factors, "path": one.field, "per": "month"}),
        ))
    });
    let products = situation.products.iter().map(|one| ("estimate", one.arguments()));
    let values = plain.chain(heard).filter_map(set);
    // Sales first: a share is one of them.
    let mut calls: Vec<_> = values.chain(products).chain(in_dollars).take(MOST).collect();
    calls.push(("get_plan_summary", json!({})));
    calls.push(("list_open_proposals", json!({})));
    calls.extend(own_cash::call(situation));
    calls
}

fn recorded(situation: &Situation<'_>) -> Step {
    let results = results::recorded(situation);
    let recorded: Vec<&FieldResult> = results.iter().flatten().collect();
    let of = |status| {
        recorded
            .iter()
            .copied()
            .filter(|one| one.status == status)
            .collect::<Vec<_>>()
    };
    let (applied, unchanged, proposed) = (
        of(FieldStatus::Applied),
        of(FieldStatus::Unchanged),
        of(FieldStatus::Proposed),
    );
    let mut parts = Vec::new();
    if !applied.is_empty() {
        let items: Vec<String> = applied.iter().map(|one| written(situation, one)).collect();
        parts.push(situation.say("written", &[("items", &situation.list(&items))]));
    }
    parts.extend(applied.iter().filter_map(|one| range_remark(situation, one)));
    if !unchanged.is_empty() {
        let items: Vec<String> = unchanged
            .iter()
            .map(|one| situation.item("written.item", &one.field, &one.value))
            .collect();
        parts.push(situation.say("already", &[("items", &situation.list(&items))]));
    }
    let summary = results::summary(situation);
    if !applied.is_empty() {
        parts.extend(
            summary
                .as_ref()
                .and_then(|summary| wording::broken(situation.language, &summary.changed)),
        );
    }
    parts.extend(heard(situation, &proposed));
    parts.extend(proposed.iter().filter_map(|one| may_be_monthly(situation, one)));
    parts.extend(sums(situation));
    parts.extend(
        summary
            .as_ref()
            .and_then(|summary| own_cash::on_top(situation, &proposed, summary))
            .or_else(|| own_cash::beside_values(situation)),
    );
    if results.iter().any(Option::is_none) {
        parts.push(situation.say("unusable", &[]));
    }
    parts.extend(remarks(situation, !recorded.is_empty()));
    parts.extend(condition(situation));
    if !recorded.is_empty() {
        parts.extend(left_out(situation, &recorded));
    }
    let (question, suggestions) = asks(
        situation,
        &proposed,
        summary.as_ref(),
        !applied.is_empty() || !unchanged.is_empty(),
    );
    if parts.is_empty() && question.is_none() {
        return miss::other(situation);
    }
    Step::say_and_ask(parts, question.unwrap_or_default(), suggestions)
}

/// The question at the end: about what was heard, about what is open, or the next of the interview after a success.
fn asks(
    situation: &Situation<'_>,
    proposed: &[&FieldResult],
    summary: Option<&PlanSummary>,
    is_success: bool,
) -> (Option<String>, Vec<String>) {
    let yes_or_no = || situation.suggest(&["s.yes", "s.no"]);
    match proposed {
        [] => {}
        [only] => {
            let name = situation.named(only.field.as_str());
            if only.note_code == Some(NoteCode::TwoValues) {
                return (Some(situation.say("ask_which", &[("name", &name)])), Vec::new());
            }
            let value = situation.value(only.field.as_str(), &only.value);
            return (Some(wording::confirm(situation.language, &value, &name)), yes_or_no());
        }
        many => {
            // A yes to all is to what waited before, too.
            let older = waiting(situation, many.iter().map(|one| &one.field));
            let count = (many.len() + older.len()).to_string();
            let still = still_open(situation, &older);
            let ask = situation.say("ask_all", &[("count", &count)]);
            let parts = [still, Some(ask), Some(situation.say("all_or_name", &[]))];
            let question = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
            return (Some(question), situation.suggest(&["s.all", "s.none"]));
        }
    }
    let settled: Vec<FieldPath> = results::recorded(situation)
        .into_iter()
        .flatten()
        .map(|one| one.field)
        .collect();
    let waiting = waiting(situation, settled.iter());
    match &waiting[..] {
        [] => {}
        [only] => return (Some(confirm(situation, only)), yes_or_no()),
        several => return (still_open(situation, several), situation.suggest(&["s.all", "s.none"])),
    }
    if !is_success {
        return (
            ask_instead(situation),
            situation.suggest(&["s.missing", "s.profit", "s.open"]),
        );
    }
    let discussed = settled.last();
    let next = summary.and_then(|summary| next(situation, summary, discussed));
    (next, situation.suggest(&["s.undo", "s.profit", "s.missing"]))
}

/// What waits for a word, of other fields than these.
fn waiting<'f>(situation: &Situation<'_>, but: impl Iterator<Item = &'f FieldPath> + Clone) -> Vec<OpenProposal> {
    let open = results::open(situation).into_iter();
    open.filter(|one| !but.clone().any(|field| *field == one.field))
        .collect()
}

fn still_open(situation: &Situation<'_>, waiting: &[OpenProposal]) -> Option<String> {
    let items = open_items(situation, &waiting.iter().collect::<Vec<_>>());
    (!waiting.is_empty()).then(|| situation.say("still_open", &[("items", &items)]))
}

/// The question whose yes writes an open value.
pub(in crate::offline) fn confirm(situation: &Situation<'_>, one: &OpenProposal) -> String {
    let (name, value) = (
        situation.named(one.field.as_str()),
        situation.value(one.field.as_str(), &one.value),
    );
    wording::confirm(situation.language, &value, &name)
}

/// What was dropped in this turn.
pub(in crate::offline) fn dropped(situation: &Situation<'_>) -> Option<String> {
    let dropped = results::dismissed(situation);
    let items = open_items(situation, &dropped.iter().collect::<Vec<_>>());
    (!dropped.is_empty()).then(|| situation.say("act.dismissed", &[("items", &items)]))
}

/// "$4,200 for rent per month, and $310 for insurance per month"
pub(in crate::offline) fn open_items(situation: &Situation<'_>, open: &[&OpenProposal]) -> String {
    let item = |one: &&OpenProposal| situation.item("heard.item", &one.field, &one.value);
    situation.list(&open.iter().map(item).collect::<Vec<_>>())
}

fn written(situation: &Situation<'_>, one: &FieldResult) -> String {
    match one.previous.as_ref().filter(|previous| **previous != one.value) {
        Some(before) => {
            let path = one.field.as_str();
            let (name, value) = (situation.named(path), situation.value(path, &one.value));
            let before = situation.value(path, before);
            situation.say(
                "written.was",
                &[("name", &name), ("value", &value), ("before", &before)],
            )
        }
        None => situation.item("written.item", &one.field, &one.value),
    }
}

/// What waits for a word: one in the sentence, several as a list.
fn heard(situation: &Situation<'_>, proposed: &[&FieldResult]) -> Option<String> {
    match proposed {
        [] => None,
        [only] => Some(situation.item("heard", &only.field, &only.value)),
        many => {
            let item = |one: &&FieldResult| format!("- {}", situation.item("heard.item", &one.field, &one.value));
            let items: Vec<String> = many.iter().map(item).collect();
            let intro = situation.say("heard.many", &[]);
            Some(format!("{intro}\n\n{}\n\n", items.join("\n")))
        }
    }
}

/// "Put the manager at 3,800": without a period, and too little for the year that the line is of.
fn may_be_monthly(situation: &Situation<'_>, one: &FieldResult) -> Option<String> {
    let least = Decimal::from(10_000);
    let field = situation.field(one.field.as_str())?;
    let value = results::dollars(&one.value)?;
    let is_of = |mention: &&Mention| mention.value == value && mention.period.is_none() && mention.or_period.is_none();
    let is_unclear = situation.understanding.mentions.iter().any(|mention| is_of(&mention));
    let is_little =
        field.kind == Kind::Money && field.period == Some(Period::Annual) && value < least && !value.is_zero();
    let yearly = results::shown(value.checked_mul(Decimal::from(12))?)?;
    let (value, yearly) = (situation.figure(&one.value), situation.figure(&yearly));
    (is_little && is_unclear).then(|| situation.say("heard.a_year", &[("value", &value), ("yearly", &yearly)]))
}

/// "Two groomers, 2,900 a month each": how many are paid an amount, where each of them is.
fn people(situation: &Situation<'_>, amount: (usize, usize)) -> Option<Number> {
    const MOST: i64 = 30;
    let is_count = |mention: &&Mention| {
        let is_small = mention.value > Decimal::ONE && mention.value <= Decimal::from(MOST);
        mention.number != amount && mention.unit == Unit::Bare && is_small && mention.value.scale() == 0
    };
    let mut counts = situation.understanding.mentions.iter().filter(is_count);
    let only = counts.next().filter(|_| counts.next().is_none())?;
    wording::says(situation.message(), "w.each").then(|| Number::new(only.value))
}

/// How what was worked out comes about: products, and dollars as shares of sales.
fn sums(situation: &Situation<'_>) -> Vec<String> {
    let results = situation.results.iter().filter(|result| result.tool == "estimate");
    let products = situation.products.iter().map(Some).chain(std::iter::repeat(None));
    let of = |(result, product): (&Value, Option<&Product>)| {
        let is_product = results::text(result, "sum").is_some_and(|sum| sum.contains('×'));
        let own = product.map(|one| worked_out::in_words(situation, result, &one.groups, one.per));
        let sum = own.or_else(|| is_product.then(|| worked_out::in_words(situation, result, &[], None)));
        let sum = sum.filter(|_| results::text(result, "sum").is_some());
        [sum, in_share(situation, result)]
    };
    let contents = results.map(|result| &result.content);
    contents.zip(products).flat_map(of).flatten().collect()
}

fn range_remark(situation: &Situation<'_>, one: &FieldResult) -> Option<String> {
    let field = situation.field(one.field.as_str())?;
    Some(wording::out_of_range(
        situation.language,
        field,
        one.range_code?,
        one.range.as_ref()?,
    ))
}

/// Amounts and percentages of the message that nothing was made of, so that none is lost without a word. The value that is replaced
/// ("4,250, not 4,150") is none of them.
fn left_out(situation: &Situation<'_>, recorded: &[&FieldResult]) -> Option<String> {
    const NAMED: usize = 3;
    // A smaller one, or a year, counts something.
    const LARGE: i64 = 300;
    const YEARS: std::ops::Range<i64> = 1980..2040;
    let understood = &situation.understanding;
    // Somebody else's number beside a value is left out by its name.
    if understood.ignored.iter().any(|why| *why != IgnoredNumber::Others) {
        return None;
    }
    let plain = understood.plain.iter().map(|one| one.number);
    let heard = understood.candidates.iter().map(|one| one.number);
    let shares = understood.shares.iter().map(|one| one.number);
    let own = own_cash::own_amount(situation).map(|one| one.number);
    let factors: Vec<Decimal> = situation
        .products
        .iter()
        .flat_map(|one| one.groups.iter().flatten().map(|factor| factor.decimal()))
        .collect();
    let used: Vec<_> = plain.chain(heard).chain(shares).chain(own).collect();
    let replaced = recorded
        .iter()
        .filter_map(|one| results::digits(one.previous.as_ref()?));
    let replaced: Vec<f64> = replaced.collect();
    // "3 grand. 3000 dollars for my draw": the same once more.
    let is_used = |mention: &Mention| used.contains(&mention.number);
    let said_again = |mention: &Mention| {
        let mut mentions = understood.mentions.iter().filter(|other| is_used(other));
        mentions.any(|other| other.value == mention.value)
    };
    let is_shown = |mention: &Mention| {
        let last = situation.advisor();
        // "Put me down for 310" behind $310,000 is no echo.
        let is_large = mention.value >= Decimal::ONE_THOUSAND;
        is_large && last.is_some_and(|answer| shown::is_number_of(answer, mention.value))
    };
    let is_year = |mention: &Mention| mention.value.to_i64().is_some_and(|value| YEARS.contains(&value));
    let is_left = |mention: &&Mention| {
        mention.source == Source::Message
            && !mention.value.to_f64().is_some_and(|value| replaced.contains(&value))
            && !said_again(mention)
            && !factors.contains(&mention.value)
            && !is_shown(mention)
            && (matches!(mention.unit, Unit::Money | Unit::Percent)
                || mention.unit == Unit::Bare && mention.value >= Decimal::from(LARGE) && !is_year(mention))
            && !used
                .iter()
                .any(|(start, end)| *start < mention.number.1 && mention.number.0 < *end)
    };
    let left: Vec<String> = understood
        .mentions
        .iter()
        .filter(is_left)
        .map(|mention| situation.quote(mention.source, mention.number.0, mention.number.1))
        .collect();
    let count = left.len().to_string();
    match left.len() {
        0 => None,
        few if few <= NAMED => Some(situation.say("left_out", &[("numbers", &situation.list(&left))])),
        _ => Some(situation.say("left_out.many", &[("count", &count)])),
    }
}

/// The question for the line of a limit, or of two numbers: what is said next answers it.
fn ask_instead(situation: &Situation<'_>) -> Option<String> {
    let understood = &situation.understanding;
    let is_asked = |why: &IgnoredNumber| {
        matches!(
            why,
            IgnoredNumber::Limit | IgnoredNumber::OneCase | IgnoredNumber::Either | IgnoredNumber::Share
        )
    };
    // An hour's pay is no share of sales.
    let is_wage = wording::says(situation.message(), "w.an_hour");
    let is_meant = understood.ignored.iter().any(is_asked) && !is_wage;
    let field = understood
        .named
        .first()
        .and_then(|path| situation.field(path.as_str()))?;
    is_meant.then(|| wording::question(situation.language, field))
}

/// "Rent 3,500 until 2027", "200k if my house appraises": what a value hangs on has no place in a plan.
fn condition(situation: &Situation<'_>) -> Option<String> {
    let understood = &situation.understanding;
    let plain = understood.plain.iter().filter(|one| one.source == Source::Message);
    let plain = plain.map(|one| (one.number, &one.field));
    let heard = understood.candidates.iter().filter(|one| one.source == Source::Message);
    let heard = heard.filter_map(|one| Some((one.number, &one.choices.first()?.field)));
    // "10 % growth in year 1" is of its year.
    let is_growth = |path: &FieldPath| situation.field(path.as_str()).is_some_and(Field::is_growth);
    let mut values = plain.chain(heard).filter(|(_, field)| !is_growth(field));
    let words = values.find_map(|(number, _)| lead::condition(situation.message(), number))?;
    Some(situation.say("left_out.condition", &[("words", words)]))
}

fn remarks(situation: &Situation<'_>, is_recorded: bool) -> Vec<String> {
    let named = situation.understanding.named.first();
    let name = named.map_or_else(
        || situation.say("that_line", &[]),
        |path| situation.named(path.as_str()),
    );
    let mut seen = Vec::new();
    for aside in &situation.understanding.ignored {
        let key = match aside {
            // "200k, of which the bank gives 150 and my dad 50": the plan is not left as it is.
            IgnoredNumber::Others if is_recorded => continue,
            IgnoredNumber::Others => "ignored.others",
            IgnoredNumber::Past => "ignored.past",
            IgnoredNumber::Shared => "ignored.shared",
            IgnoredNumber::Change => "ignored.change",
            IgnoredNumber::Foreign => "ignored.foreign",
            IgnoredNumber::Limit => "ignored.limit",
            IgnoredNumber::OneCase => "ignored.one_case",
            IgnoredNumber::Either => "ignored.either",
            IgnoredNumber::Share => "ignored.share",
        };
        if !seen.contains(&key) {
            seen.push(key);
        }
    }
    seen.into_iter()
        .map(|key| situation.say(key, &[("name", &name)]))
        .collect()
}

/// The next question: of what is still missing, first in the section being discussed.
pub(in crate::offline) fn next(
    situation: &Situation<'_>,
    summary: &PlanSummary,
    discussed: Option<&FieldPath>,
) -> Option<String> {
    let now: Vec<FieldPath> = results::recorded(situation)
        .into_iter()
        .flatten()
        .map(|one| one.field)
        .collect();
    let open = || {
        let missing = summary.missing.iter().map(|missing| &missing.path);
        missing
            .filter(|path| !now.contains(path))
            .filter_map(|path| situation.field(path.as_str()))
    };
    let section = discussed.map(FieldPath::section);
    // What was asked and not answered comes last.
    let asked = situation.asked.map(|at| &situation.fields[at].path);
    let passed = open().skip_while(|field| Some(&field.path) != asked).skip(1);
    let chosen: Option<&Field> = open()
        .find(|field| Some(field.path.section()) == section && Some(&field.path) != asked)
        .or_else(|| passed.chain(open()).next());
    Some(wording::next_question(situation.language, chosen))
}
