//! Figures of the projection: one sentence with the number, one with the reason, one offer.

use crate::offline::intents::{cases, goals, own_cash, plan, scenarios, talk};
use crate::offline::message::ask;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use crate::wording::{self, sentence};
use plan_model::field::FieldPath;
use plan_model::metrics::NOT_COVERED;
use plan_model::tool_result::{LineFigure, ValueState};
use plan_reader::{FieldChange, Intent, Line};
use serde_json::{Value, json};

mod moved;
mod reason;
mod whole;

use reason::{NAMED_COSTS, each_year, number, parts, reason};
use whole::outcome;

/// Balances are at the end of a time, the rest is of it.
const BALANCES: [&str; 8] = [
    "cash",
    "loanBalance",
    "receivables",
    "inventory",
    "payables",
    "totalAssets",
    "totalLiabilities",
    "equity",
];

/// What is asked of it in a year is what is written off.
const DEPRECIATION: &str = "startupCapital.depreciationYears";

/// Figures that have a sentence of their own.
const OWN: [&str; 13] = [
    "moneyToOpen",
    "ownCash",
    "loanPayment",
    "lowestCash",
    "firstNegativeMonth",
    "breakEvenMonth",
    "payback",
    "dscr",
    "dscrAfterOwner",
    "breakEvenSales",
    "ownerLeft",
    "biggestCost",
    "franchiseFees",
];

pub(in crate::offline) fn figure(situation: &Situation<'_>) -> Step {
    answer(situation)
}

/// The same figure; its reason is what was asked for. Where that was just said, what moves it most.
pub(in crate::offline) fn why(situation: &Situation<'_>) -> Step {
    let step = answer(situation);
    let was_said = matches!(&step, Step::Say(answer) if situation.advisor() == Some(answer.text.trim()));
    let moving = || goals::levers_of(situation, &line(situation)?);
    was_said.then(moving).flatten().unwrap_or(step)
}

/// The line that the message is about, or the last one that was talked about.
fn line(situation: &Situation<'_>) -> Option<Line> {
    let own = situation.slots().line.clone();
    let named = || situation.slots().field.clone().map(Line::Field);
    own.or_else(named)
        .or_else(|| situation.earlier().find_map(|heard| heard.slots.line))
}

fn answer(situation: &Situation<'_>) -> Step {
    // Of no figure but the plan as a whole: "am I going to be ok?"
    let is_whole = situation.heard.intent == Intent::Figure && situation.slots().line.is_none();
    let Some(line) = line(situation).filter(|_| !is_whole) else {
        return outcome(situation);
    };
    // What is no line of time is a value of the plan.
    if let Line::Field(path) = &line
        && !Line::is_of_time(path)
    {
        return plan::value_of(situation, situation.field(path.as_str()));
    }
    let name = match line.as_str() {
        DEPRECIATION => "writtenOff",
        name => name,
    };
    let mut arguments = json!({ "line": name });
    let slots = situation.slots();
    if let Some(month) = slots.month {
        arguments["month"] = Value::from(month);
    } else if let Some(year) = slots.year {
        arguments["year"] = Value::from(year);
    }
    if situation.asks_for_months() {
        arguments["year"] = Value::from(slots.year.unwrap_or(1));
        arguments["monthly"] = Value::from(true);
    }
    let compared = moved::years(situation);
    if let Some((since, year)) = compared {
        arguments["year"] = Value::from(year);
        arguments["since"] = Value::from(since);
    }
    let case = match case_meant(situation) {
        Ok(case) => case,
        Err(step) => return step,
    };
    if let Some((key, case)) = &case {
        arguments[key] = case.clone();
    }
    let mut calls = vec![("get_projection", arguments)];
    calls.extend(may_wait(situation, line.as_str()).then(|| ("list_open_proposals", json!({}))));
    let is_why_of_sales = line.as_str() == "sales" && situation.heard.intent == Intent::Why;
    let wants_terms = case.is_none() && matches!(line.as_str(), "loanPayment" | "ownerLeft");
    let wants_summary = is_why_of_sales || is_of_opening(line.as_str()) || wants_terms;
    calls.extend(wants_summary.then(|| ("get_plan_summary", json!({}))));
    if let Some(step) = Step::ask(situation, &calls) {
        return step;
    }
    let Some(figure) = results::figure(situation) else {
        return Step::say(
            [situation.say("failed", &[])],
            situation.suggest(&["s.profit", "s.open", "s.missing"]),
        );
    };
    let is_timed = slots.year.is_some() || slots.month.is_some();
    // "Coverage by year?", "in years 1, 2 and 3"
    let is_yearly = (talk::says(situation, "w.yearly") || situation.years().len() > 2) && slots.month.is_none();
    let is_told = is_yearly || !is_timed && !OWN.contains(&figure.line.as_str());
    let years = (is_told && !figure.years.is_empty())
        .then(|| situation.say("figure.years", &[("values", &each_year(situation, &figure))]));
    if !figure.months.is_empty() {
        return Step::say(
            [month_by_month(situation, &figure), situation.footer()],
            offers(situation, &figure),
        );
    }
    let over_time = moved::over_time(situation, &figure);
    let against_plan = moved::against_plan(situation, &figure).filter(|_| situation.heard.intent == Intent::Why);
    let is_moved = over_time.is_some() || against_plan.is_some();
    let parts = [
        of_case(situation),
        over_time.unwrap_or_else(|| stated(situation, &figure)),
        years.unwrap_or_default(),
        if is_moved {
            String::new()
        } else {
            reason(situation, &figure)
        },
        results::in_plan(situation, &figure),
        against_plan.unwrap_or_default(),
        beside_own_cash(situation, &figure).unwrap_or_default(),
        goals::in_customers(situation, &figure).unwrap_or_default(),
        of_brand(situation, &figure).unwrap_or_default(),
        results::without_waiting(situation, |field| is_of_figure(&figure, field)),
        situation.footer(),
    ];
    Step::say(parts, offers(situation, &figure))
}

/// Each month of a year: "show me cash month by month".
fn month_by_month(situation: &Situation<'_>, figure: &LineFigure) -> String {
    let last = figure.year.unwrap_or(1).saturating_mul(12);
    let values: Vec<String> = figure.months.iter().map(|value| situation.figure(value)).collect();
    let label = sentence(&situation.label(&figure.line, &figure.label));
    let slots = [
        ("label", &*label),
        ("first", &*last.saturating_sub(11).to_string()),
        ("last", &*last.to_string()),
        ("values", &*values.join(", ")),
    ];
    let of_case = of_case(situation);
    format!("{of_case} {}", situation.say("figure.months", &slots))
        .trim_start()
        .to_owned()
}

/// The figure that a computed case was asked about, beside that of the plan: "what do I make in year 2 without the manager?"; or the
/// call that finds it.
pub(in crate::offline) fn of_computed(situation: &Situation<'_>) -> Option<Result<String, Step>> {
    let slots = situation.slots();
    let line = slots.line.as_ref()?;
    let changes = match cases::meant(situation, slots.all_changes()) {
        Ok(changes) => situation.as_arguments(&changes),
        Err(step) => return Some(Err(step)),
    };
    let mut arguments = json!({ "line": line.as_str(), "changes": changes });
    let time = slots.month.map(|month| ("month", month));
    if let Some((key, time)) = time.or(slots.year.map(|year| ("year", year))) {
        arguments[key] = Value::from(time);
    }
    if let Some(step) = Step::ask(situation, &[("get_projection", arguments)]) {
        return Some(Err(step));
    }
    let figure = results::figure(situation)?;
    Some(Ok(format!(
        "{} {}",
        stated(situation, &figure),
        results::in_plan(situation, &figure)
    )))
}

/// The case whose figures are asked for, as an argument of the tool: a saved one that the message names ("what do we put in with
/// plan B?"), or the one that the answer before was about ("when would I run out of money?"), whose figure is then said beside that of
/// the plan. Else the call that finds the saved ones.
fn case_meant(situation: &Situation<'_>) -> Result<Option<(&'static str, Value)>, Step> {
    let names_case = talk::says(situation, "w.of_case") || situation.keeps_cases();
    if names_case {
        if let Some(step) = Step::ask(situation, &[("compare_scenarios", json!({ "names": [] }))]) {
            return Err(step);
        }
        if let Some(step) = scenarios::older(situation) {
            return Err(step);
        }
        if let Some(name) = scenarios::scenario_named(situation) {
            return Ok(Some(("scenario", Value::from(name))));
        }
    }
    // What was only asked about is no case to go on with: "is it this: what if the ad fund is 1 %?"
    let was_asked = situation.advisor().is_some_and(ask::asks_case);
    let last = || {
        // "Why does coverage drop so much?" is against the plan, whatever was said since the case.
        let falls = situation.heard.intent == Intent::Why && talk::says(situation, "w.falls");
        let is_open = (situation.is_behind_case() || falls)
            && (!was_asked || situation.is_agreed || situation.refuses() || situation.refers_to_case());
        situation.last_case().filter(|_| is_open)
    };
    // "What does that do to year 2?": the case of the same message.
    let own = Some(situation.slots().changes.clone()).filter(|own| !own.is_empty());
    let is_why = situation.heard.intent == Intent::Why;
    let quoted = || situation.case_quoted().filter(|_| is_why);
    let Some(changes) = own.or_else(|| situation.case_at_number()).or_else(quoted).or_else(last) else {
        return Ok(None);
    };
    if situation.is_of_plan() || asks_by_itself(situation, &changes) {
        return Ok(None);
    }
    let changes = situation.as_arguments(&cases::meant(situation, changes)?);
    Ok((!changes.is_empty()).then(|| ("changes", Value::from(changes))))
}

/// "Why is cash so low in month 6?" behind a case: a reason that is asked for with a figure and a time of its own is the plan's.
fn asks_by_itself(situation: &Situation<'_>, changes: &[FieldChange]) -> bool {
    // "Why would it be lowest at month 60?"
    let is_supposed = talk::says(situation, "w.would_be");
    let goes_on = is_supposed || situation.refers_to_case() || wording::behind_and(situation.message()).is_some();
    let is_changed = |field: &FieldPath| changes.iter().any(|change| change.field == *field);
    let is_of_case = goes_on || situation.understanding.named.iter().any(is_changed);
    // Coverage without a time is that of year 1, and nobody has said so.
    let says_time = situation.slots().month.is_some() || !situation.years().is_empty();
    situation.heard.intent == Intent::Why && says_time && !is_of_case
}

/// What the figures are of, where they are of a case, or could be taken for those of one.
fn of_case(situation: &Situation<'_>) -> String {
    let assumed = situation
        .result("get_projection")
        .and_then(|result| cases::assumed_in(situation, result));
    let of_plan = || talk::says(situation, "w.of_case").then(|| situation.say("figure.of_plan", &[]));
    assumed.or_else(of_plan).unwrap_or_default()
}

/// What the person has told of own money, beside what opening takes.
fn beside_own_cash(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    let counted = match figure.line.as_str() {
        "ownCash" => figure.value.as_ref(),
        "moneyToOpen" => figure.own_cash.as_ref(),
        _ => None,
    };
    own_cash::beside_figure(situation, counted?)
}

/// Whose figures the opening is made of, before anybody has given one.
fn of_brand(situation: &Situation<'_>, figure: &LineFigure) -> Option<String> {
    let summary = results::summary(situation).filter(|_| is_of_opening(&figure.line))?;
    let fields = &summary.fields;
    let is_untouched = !fields.is_empty() && fields.iter().all(|field| field.state == ValueState::Default);
    is_untouched.then(|| situation.say("figure.of_brand", &[("brand", &summary.brand)]))
}

fn is_of_opening(line: &str) -> bool {
    matches!(line, "moneyToOpen" | "ownCash")
}

/// Whether an open value of a field would change a figure: of the opening those of its section.
fn is_of_figure(figure: &LineFigure, field: &FieldPath) -> bool {
    !is_of_opening(&figure.line) || ["startupCosts", "financing"].contains(&field.section())
}

/// Whether a figure is asked for while a value of it may wait: always of the opening, else behind a question for a yes.
fn may_wait(situation: &Situation<'_>, line: &str) -> bool {
    is_of_opening(line) || situation.advisor().is_some_and(wording::asks_for_yes)
}

/// The sentence with the number.
fn stated(situation: &Situation<'_>, figure: &LineFigure) -> String {
    let line = figure.line.as_str();
    let (year, month) = (number(figure.year), number(figure.month));
    let label = situation.label(line, &figure.label);
    let label = sentence(wording::over_time(situation.language, &label));
    let Some(value) = &figure.value else {
        let own = format!("figure.{line}.none");
        return match wording::has(&own) {
            true => situation.say(&own, &[]),
            false => situation.say("figure.none", &[("label", &label)]),
        };
    };
    let value = situation.figure(value);
    let own_cash = figure.own_cash.clone().unwrap_or_default();
    let loan = figure.loan.clone().unwrap_or_default();
    let monthly = figure.per_month.clone().unwrap_or_default();
    let until = number(figure.until_month);
    let cost = figure
        .costs
        .first()
        .map(|cost| situation.label(&cost.line, &cost.label))
        .unwrap_or_default();
    let key = match line {
        "dscr" | "dscrAfterOwner" if figure.value.as_deref() == Some(NOT_COVERED) => format!("figure.{line}.nothing"),
        "biggestCost" if figure.month.is_some() => "figure.biggestCost.month".to_owned(),
        // A time was asked about that the own sentence does not speak of.
        "loanPayment" if figure.year.is_some() || figure.month.is_some() => of_time(figure).to_owned(),
        "ownerLeft" if figure.month.is_some() => of_time(figure).to_owned(),
        "franchiseFees" if figure.month.is_some() => "figure.franchiseFees.month".to_owned(),
        "breakEvenSales" => results::break_even_sales(figure).to_owned(),
        "writtenOff" if figure.month.is_none() => "figure.writtenOff".to_owned(),
        line if OWN.contains(&line) => format!("figure.{line}"),
        _ => of_time(figure).to_owned(),
    };
    let month = if line == "lowestCash" { until } else { month };
    situation.say(
        &key,
        &[
            ("label", &label),
            ("year", &year),
            ("month", &month),
            ("value", &value),
            ("loan", &loan),
            ("own", &own_cash),
            ("monthly", &monthly),
            ("cost", &cost),
            ("costs", &parts(situation, figure, NAMED_COSTS)),
            ("share", figure.share_of_planned.as_deref().unwrap_or_default()),
        ],
    )
}

/// "in year 2", "at the end of month 6"; empty of the plan as a whole.
pub(in crate::offline) fn time(situation: &Situation<'_>, figure: &LineFigure) -> String {
    let key = match of_time(figure) {
        "figure.at_month" => "time.at_month",
        "figure.month" => "time.month",
        "figure.at_year" => "time.at_year",
        "figure.year" | "figure.year.monthly" => "time.year",
        _ => return String::new(),
    };
    let slots = [("year", &*number(figure.year)), ("month", &*number(figure.month))];
    format!(" {}", situation.say(key, &slots))
}

fn of_time(figure: &LineFigure) -> &'static str {
    let is_balance = BALANCES.contains(&figure.line.as_str());
    let is_cost = FieldPath::read(&figure.line).section() == "operatingCosts" && figure.per_month.is_some();
    match (figure.month, figure.year) {
        (None, Some(_)) if is_cost => "figure.year.monthly",
        (Some(_), _) if is_balance => "figure.at_month",
        (Some(_), _) => "figure.month",
        (None, Some(_)) if is_balance => "figure.at_year",
        (None, Some(_)) => "figure.year",
        (None, None) => "figure.plan",
    }
}

fn offers(situation: &Situation<'_>, figure: &LineFigure) -> Vec<String> {
    match figure.line.as_str() {
        "moneyToOpen" | "ownCash" | "loan" | "loanPayment" => {
            situation.suggest(&["s.less_loan", "s.payment", "s.profit"])
        }
        "cash" | "lowestCash" | "firstNegativeMonth" => situation.suggest(&["s.levers", "s.more_sales", "s.left"]),
        "dscr" | "dscrAfterOwner" => situation.suggest(&["s.goal", "s.less_loan", "s.levers"]),
        _ if figure.is_negative => situation.suggest(&["s.levers", "s.more_sales", "s.cash"]),
        _ => situation.suggest(&["s.less_sales", "s.left", "s.cash"]),
    }
}
