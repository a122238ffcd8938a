//! The intents, one row each: what a message wants, the tools it is answered from, and the step that comes next. The texts are
//! in `wording`.

use crate::offline::intents::{cases, figures, goals, miss, plan, products, record, scenarios, settle, talk};
use crate::offline::message::ask;
use crate::offline::message::lead::SURE;
use crate::offline::situation::Situation;
use crate::offline::step::{Answer, Step};
use crate::wording;
use plan_model::event::HeardAs;
use plan_model::number::Number;
use plan_reader::{Heard, Intent, Mention, Wish};
use rust_decimal::Decimal;

/// One intent.
pub(super) struct Row {
    pub intent: Intent,
    /// Tools that the answer may need; a test holds the steps to them.
    pub tools: &'static [&'static str],
    pub next: fn(&Situation<'_>) -> Step,
}

const fn row(intent: Intent, tools: &'static [&'static str], next: fn(&Situation<'_>) -> Step) -> Row {
    Row { intent, tools, next }
}

const RECORD: &[&str] = &[
    "set_financial_field",
    "estimate",
    "get_plan_summary",
    "get_projection",
    "list_open_proposals",
    "what_if",
];
const OPEN: &[&str] = &["list_open_proposals", "get_plan_summary"];
const SUMMARY: &[&str] = &["get_plan_summary"];
const PROJECTION: &[&str] = &[
    "get_projection",
    "get_plan_summary",
    "rank_levers",
    "list_open_proposals",
    "compare_scenarios",
];
const CHANGES: &[&str] = &["list_changes", "list_open_proposals"];

pub(super) static INTENTS: [Row; 27] = [
    row(Intent::State, RECORD, record::state),
    row(Intent::Correct, RECORD, record::correct),
    row(Intent::Accept, RECORD, settle::accept),
    row(
        Intent::Decline,
        &[
            "dismiss_proposals",
            "list_open_proposals",
            "set_financial_field",
            "estimate",
            "get_plan_summary",
            "get_projection",
        ],
        settle::decline,
    ),
    row(Intent::Skip, SUMMARY, settle::later),
    row(Intent::DontKnow, SUMMARY, settle::later),
    row(Intent::WhyAsk, &[], settle::why_ask),
    row(
        Intent::Undo,
        &[
            "undo_last_change",
            "dismiss_proposals",
            "list_changes",
            "set_financial_field",
            "get_plan_summary",
            "list_open_proposals",
        ],
        settle::undo,
    ),
    row(Intent::Value, OPEN, plan::value),
    row(
        Intent::WhoSet,
        &[
            "list_changes",
            "list_open_proposals",
            "get_plan_summary",
            "dismiss_proposals",
        ],
        plan::who_set,
    ),
    row(Intent::Said, CHANGES, plan::said),
    row(Intent::Changes, CHANGES, plan::changes),
    row(Intent::Open, OPEN, plan::open),
    row(Intent::Figure, PROJECTION, figures::figure),
    row(Intent::Why, PROJECTION, figures::why),
    row(
        Intent::WhatIf,
        &[
            "what_if",
            "get_projection",
            "save_scenario",
            "get_plan_summary",
            "set_financial_field",
            "list_open_proposals",
        ],
        what_if,
    ),
    row(
        Intent::Goal,
        &["goal_seek", "get_projection", "rank_levers", "get_plan_summary"],
        goals::goal,
    ),
    row(Intent::Levers, &["rank_levers", "get_projection"], goals::levers),
    row(
        Intent::Estimate,
        &["estimate", "get_projection", "what_if"],
        products::estimate,
    ),
    row(Intent::Define, OPEN, talk::define),
    row(Intent::IsHigh, OPEN, plan::is_high),
    row(
        Intent::Place,
        &[
            "reset_fields_to_defaults",
            "clear_conversation",
            "check_status",
            "get_plan_summary",
            "list_open_proposals",
        ],
        talk::place,
    ),
    row(
        Intent::NotModeled,
        &["get_projection", "get_plan_summary"],
        talk::not_modeled,
    ),
    row(
        Intent::Scenario,
        &[
            "save_scenario",
            "compare_scenarios",
            "adopt_scenario",
            "get_plan_summary",
            "what_if",
            "set_financial_field",
            "list_open_proposals",
        ],
        scenarios::scenario,
    ),
    row(Intent::Social, &[], talk::social),
    row(Intent::Help, OPEN, talk::help),
    row(Intent::Other, &[], miss::other),
];

/// For what may be a question for figures: its answer is said to be a guess where that is likely right, else it is asked back.
static UNSURE: Row = row(
    Intent::Other,
    &[
        "what_if",
        "get_plan_summary",
        "get_projection",
        "rank_levers",
        "goal_seek",
        "estimate",
        "list_open_proposals",
        "list_changes",
        "compare_scenarios",
        "set_financial_field",
        "dismiss_proposals",
    ],
    unsure,
);

/// A case, with the figure that was asked of it where its answer has not told that.
fn what_if(situation: &Situation<'_>) -> Step {
    let answer = match cases::what_if(situation) {
        Step::Say(answer) if wording::begins(&answer.text, "whatif") => answer,
        step => return step,
    };
    let footer = situation.footer();
    match figures::of_computed(situation) {
        None => Step::Say(answer),
        Some(Err(step)) => step,
        Some(Ok(figure)) => {
            let text = format!(
                "{}\n\n{}{footer}",
                answer.text.replace(&footer, "").trim_end(),
                figure.trim_end()
            );
            Step::Say(Answer { text, ..answer })
        }
    }
}

fn unsure(situation: &Situation<'_>) -> Step {
    // Two of five between 0.3 and 0.4 are meant, where the line is named: a case to say no to is better than none.
    const GUESSED_FROM: f32 = 0.3;
    const SURELY: f32 = 0.45;
    if let Some(step) = guessed(situation) {
        return step;
    }
    let changes = situation.slots().all_changes();
    let named = &situation.understanding.named;
    let is_named = || changes.iter().any(|one| named.contains(&one.field));
    let certainty = situation.heard.certainty();
    let is_likely = certainty >= SURELY || certainty >= GUESSED_FROM && is_named();
    let case = Some(situation).filter(|situation| situation.heard.intent == Intent::WhatIf && is_likely);
    // "Yes. And the blorps I said too": the yes is not lost with what is not understood, the question is put again.
    let is_led = situation.advisor().is_some_and(wording::asks_for_yes);
    if is_led && wording::says_first(situation.message(), "w.yes") {
        return settle::accept(situation);
    }
    case.and_then(cases::unsure).unwrap_or_else(|| miss::unsure(situation))
}

/// The answer to what was most likely asked, said to be a guess: "If you mean profit in year 1: …".
fn guessed(situation: &Situation<'_>) -> Option<Step> {
    let heard = &situation.heard;
    if !heard.is_likely() {
        return None;
    }
    // A number that no change of the case has may be another one.
    let changes = situation.slots().all_changes().len();
    if heard.intent == Intent::WhatIf && situation.understanding.mentions.len() > changes {
        return None;
    }
    let label = miss::about(situation)?;
    match (row_of(heard.intent).next)(situation) {
        Step::Say(answer) if ask::was_missed(&answer.text) || wording::begins(&answer.text, "failed") => None,
        step => {
            let guess = situation.say("unsure.guess", &[("label", &label)]);
            Some(step.opened_by(&format!("{guess} ")))
        }
    }
}

/// Below it a question that has a number states nothing for sure: "is 8 percent royalty a lot, or do they all ask that?"
const SURELY_STATED: f32 = 0.6;

/// Below it a reading is no more than a guess.
const FLOOR: f32 = 0.4;

/// The row of an intent.
pub(super) fn row_of(intent: Intent) -> &'static Row {
    let found = INTENTS.iter().find(|row| row.intent == intent);
    found.unwrap_or(&INTENTS[INTENTS.len() - 1])
}

/// The row that answers a message, and what it was taken for. What the closed grammar understands goes before what the learned
/// reader makes of it.
pub(super) fn answering(situation: &Situation<'_>) -> (&'static Row, HeardAs) {
    let heard = &situation.heard;
    let intent = chosen(situation);
    let sure = intent == heard.intent;
    let probability = if sure { heard.probability } else { 1.0 };
    let hundredths = (probability.clamp(0.0, 1.0) * 100.0).round();
    // Between 0 and 100, so nothing is lost.
    let confidence = Number::millionths(hundredths as i64 * 10_000);
    let heard_as = HeardAs {
        intent: intent.as_str().to_owned(),
        confidence,
    };
    let is_known = plan::asks_of_any(situation) || cases::orders(situation);
    match sure && !heard.is_sure_of_figures() && !is_known {
        true => (&UNSURE, heard_as),
        false => (row_of(intent), heard_as),
    }
}

/// "8 percent royalty. Am I being robbed?" states nothing, however plain its first sentence is. The ear may hold back what the grammar
/// would write, and never the other way round.
fn asks_about_it(heard: &Heard) -> bool {
    const SURELY: f32 = 0.75;
    let asks = matches!(
        heard.intent,
        Intent::IsHigh
            | Intent::WhatIf
            | Intent::Goal
            | Intent::Estimate
            | Intent::Figure
            | Intent::Why
            | Intent::WhoSet
    );
    asks && heard.probability >= SURELY
}

/// "And labor 42", or anything behind a case, goes on from what was computed rather than states a value, where the ear thinks so, if not
/// surely.
fn goes_on_from_case(situation: &Situation<'_>) -> bool {
    const LIKELY: f32 = 0.4;
    let heard = &situation.heard;
    let is_likely = heard.intent == Intent::WhatIf && heard.probability >= LIKELY;
    is_likely && (situation.is_behind_case() || wording::behind_and(situation.message()).is_some())
}

/// Whether a message may want something else than it is taken for.
fn is_open(heard: &Heard) -> bool {
    heard.probability < SURE || !heard.is_sure_of_figures()
}

/// A first message that greets and is not understood otherwise: "hi, im gus, retired electrician, thinking about a franchise".
fn only_greets(situation: &Situation<'_>) -> bool {
    let is_first = situation.message_before().is_none();
    let is_unheard = is_open(&situation.heard) || matches!(situation.heard.intent, Intent::Other | Intent::NotModeled);
    let is_amount = |one: &Mention| one.value >= Decimal::ONE_THOUSAND;
    let says_amount = situation.understanding.mentions.iter().any(is_amount);
    is_first
        && is_unheard
        && !situation.understanding.has_heard()
        && !says_amount
        && wording::says_first(situation.message(), "w.hello")
}

fn chosen(situation: &Situation<'_>) -> Intent {
    let understood = &situation.understanding;
    if !understood.plain.is_empty() && !asks_about_it(&situation.heard) && !goes_on_from_case(situation) {
        return match situation.heard.intent {
            Intent::Correct => Intent::Correct,
            _ => Intent::State,
        };
    }
    let asks = situation.advisor().is_some_and(|text| text.trim_end().ends_with('?'));
    // "Why do you ask?", and not a long message with a why in it.
    let is_short = situation.message().split_whitespace().count() <= 6;
    match understood.wish {
        Some(Wish::Undo) => return Intent::Undo,
        Some(Wish::Why) if situation.asked.is_some() && (is_short || !asks_about_it(&situation.heard)) => {
            return Intent::WhyAsk;
        }
        // "No es demasiado lo que saco?"
        Some(Wish::Skip | Wish::No) if asks_about_it(&situation.heard) => {}
        Some(Wish::Skip) if asks => return Intent::Skip,
        Some(Wish::Unknown) if asks => return Intent::DontKnow,
        Some(Wish::No) if asks => return Intent::Decline,
        _ => {}
    }
    // A number of somebody else, or of the past, is left alone and said so, whatever the sentence looks like.
    let is_left_alone = !understood.ignored.is_empty() && !understood.has_heard();
    let has_heard = understood.has_heard() || !situation.products.is_empty();
    let has_numbers = has_heard || !understood.ignored.is_empty();
    let asks = situation.message().contains('?') && situation.asked.is_none();
    match situation.heard.intent {
        _ if only_greets(situation) => Intent::Help,
        _ if plan::asks_of_any(situation) => Intent::IsHigh,
        _ if situation.heard.probability < SURELY_STATED && has_numbers && asks => Intent::Other,
        _ if situation.heard.probability < FLOOR && has_numbers => Intent::State,
        _ if situation.heard.probability < FLOOR && talk::says(situation, "w.unknown") => Intent::DontKnow,
        // "No sé todavía cuánto pagaré de renta", whatever it sounds like.
        _ if is_open(&situation.heard) && wording::says_first(situation.message(), "w.unknown") => Intent::DontKnow,
        _ if situation.heard.probability < FLOOR => Intent::Other,
        Intent::Value | Intent::IsHigh | Intent::Social | Intent::Define if is_left_alone => Intent::State,
        // "Royalty is 6% and the ad fund 2, is that in there already?"
        Intent::IsHigh if understood.has_heard() && situation.field_meant().is_none() => Intent::State,
        Intent::WhatIf if is_left_alone && situation.slots().all_changes().is_empty() => Intent::State,
        // A yes with a number that nothing is known of is more than a yes.
        Intent::Accept if situation.heard.probability < SURE && !understood.mentions.is_empty() => Intent::Other,
        // "I prefer that. Write down 24,000 of salary" declines nothing that was asked.
        Intent::Decline if understood.has_heard() && !situation.advisor().is_some_and(ask::asks) => Intent::State,
        Intent::State | Intent::Correct if !has_numbers => Intent::Other,
        Intent::Other if has_numbers => Intent::State,
        intent => intent,
    }
}
