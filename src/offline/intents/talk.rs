//! Words and places: what a term means, where something is done, small talk, and what the advisor does not understand.

use crate::offline::intents::{closed, miss, plan};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::{Step, joined};
use crate::wording::{self, sentence};
use plan_model::field::{Field, lookup};
use plan_model::metrics::{METRICS, Metric};
use plan_reader::{Line, Place, SocialKind, Topic};
use serde_json::json;

/// A longer message that names no known term asks for something else than its meaning.
const LONGEST: usize = 6;

/// A word by the glossary, else by the results and fields of the plan: what the asking itself names, else nothing.
/// "Is 0.54 bad?": what the plan has of it; or the call that finds it.
fn own_coverage(situation: &Situation<'_>) -> Result<String, Step> {
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return Err(step);
    }
    let summary = results::summary(situation);
    let shown = summary
        .as_ref()
        .and_then(|summary| results::text(summary.metrics.as_ref()?, "dscrYear1"));
    Ok(shown.map_or_else(String::new, |shown| {
        situation.say("dscr.own", &[("value", &situation.figure(shown))])
    }))
}

pub(in crate::offline) fn define(situation: &Situation<'_>) -> Step {
    let said = wording::plain(&situation.slots().term.clone().unwrap_or_default());
    let refers = ["", "it", "that", "this", "they", "eso", "esto", "ello"].contains(&&*said);
    let earlier = || situation.earlier().find_map(|heard| heard.slots.line);
    let line = situation
        .slots()
        .line
        .clone()
        .or_else(|| refers.then(earlier).flatten());
    let key = match &line {
        Some(line) => wording::plain(&situation.line_label(line)),
        None => said,
    };
    if let Some(field) = situation
        .slots()
        .field
        .as_ref()
        .and_then(|path| situation.field(path.as_str()))
    {
        let calls = [("get_plan_summary", json!({})), ("list_open_proposals", json!({}))];
        let call = Step::ask(situation, &calls);
        return call.unwrap_or_else(|| define_field(situation, field));
    }
    let term = wording::term(&key).or_else(|| wording::term(&wording::plain(situation.message())));
    let named = situation.understanding.named.first();
    let named = named.and_then(|path| situation.field(path.as_str()));
    if let Some(term) = term.filter(|term| !named.is_some_and(|field| is_part_of_name(situation, term, field))) {
        // "What is break-even? And coverage, in plain words"
        let told = |term: &str| situation.say(&format!("term.{term}"), &[]);
        let pieces = situation.message().split("? ").flat_map(|part| part.split(" and "));
        let pieces = pieces.flat_map(|part| part.split(" y "));
        let mut others = pieces.filter_map(|part| wording::term(&wording::plain(part)));
        let text = match others.find(|other| *other != term) {
            Some(other) => joined([told(term), told(other)]),
            None => told(term),
        };
        let is_of_coverage = line == Some(Line::Dscr) || term == "dscr";
        let own = match is_of_coverage && says(situation, "w.is_good") {
            true => own_coverage(situation),
            false => Ok(String::new()),
        };
        return match own {
            Ok(own) => Step::say([text, own], situation.suggest(&["s.profit", "s.missing"])),
            Err(step) => step,
        };
    }
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return step;
    }
    let metric = METRICS.iter().find(|metric| metric.aliases().any(|alias| alias == key));
    if let Some(metric) = metric {
        return define_result(situation, metric);
    }
    match lookup(&situation.fields, &key).ok().or(named) {
        Some(field) => define_field(situation, field),
        // "So did you put my 110,000 in or not" asks for no meaning.
        None if situation.message().split_whitespace().count() > LONGEST => miss::other(situation),
        None => Step::say(
            [situation.say("define.unknown", &[]), miss::again(situation)],
            situation.suggest(&["s.profit", "s.missing"]),
        ),
    }
}

/// Whether a term is only a part of a field's name that the message has: "obra", in "mano de obra directa".
fn is_part_of_name(situation: &Situation<'_>, term: &str, field: &Field) -> bool {
    let said = format!(" {} ", wording::plain(situation.message()));
    wording::names(field).iter().any(|name| {
        let is_longer = name.contains(' ') && wording::term(name) == Some(term) && !wording::is_term(name);
        is_longer && said.contains(&format!(" {name} "))
    })
}

fn define_result(situation: &Situation<'_>, metric: &Metric) -> Step {
    let name = sentence(&situation.label(metric.name, metric.label));
    let help = situation.help(metric.name, metric.help);
    let metrics = results::summary(situation).and_then(|summary| summary.metrics);
    let value = metrics.as_ref().and_then(|metrics| results::text(metrics, metric.name));
    let now = value.map(|value| situation.say("define.now", &[("value", &situation.figure(value))]));
    let parts = [
        situation.say("define", &[("name", &name), ("help", &help)]),
        now.unwrap_or_default(),
    ];
    Step::say(parts, situation.suggest(&["s.profit", "s.levers"]))
}

fn define_field(situation: &Situation<'_>, field: &Field) -> Step {
    let name = sentence(&situation.name(field));
    let help = situation.help(field.path.as_str(), &field.help);
    let summary = results::summary(situation);
    let stands = summary.map(|summary| plan::stands(situation, &summary, field));
    let parts = [
        situation.say("define", &[("name", &name), ("help", &help)]),
        stands.unwrap_or_default(),
    ];
    let suggestions = situation.suggest(&["s.missing", "s.profit"]);
    plan::with_waiting(situation, field, parts.into(), suggestions)
}

pub(in crate::offline) fn place(situation: &Situation<'_>) -> Step {
    match situation.slots().place {
        Some(place) => {
            if let Some(step) = by_server(situation, place) {
                return step;
            }
            if place == Place::Brand {
                return brand(situation);
            }
            // Behind a yes or a no the place alone is said.
            let goes_out = matches!(place, Place::Print | Place::Excel | Place::Bank) && situation.lead.is_none();
            let calls = [("get_plan_summary", json!({})), ("list_open_proposals", json!({}))];
            if let Some(step) = Step::ask(situation, &calls).filter(|_| goes_out) {
                return step;
            }
            let text = situation.say(&format!("place.{}", place.as_str()), &[]);
            let parts = [text].into_iter().chain(unfinished(situation));
            Step::say(parts, situation.suggest(&["s.profit", "s.missing"]))
        }
        None => miss::other(situation),
    }
}

/// Whose figures the plan begins with: "what kind of business is this plan for?"
fn brand(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return step;
    }
    let brand = results::summary(situation).map_or_else(String::new, |summary| summary.brand);
    Step::say(
        [situation.say("place.brand", &[("brand", &brand)])],
        situation.suggest(&["s.open", "s.profit", "s.missing"]),
    )
}

/// What somebody who is handed the plan would ask about: cash below zero, loan payments that are not covered, answers that wait, and
/// numbers that are still the brand's.
fn unfinished(situation: &Situation<'_>) -> Vec<String> {
    let Some(summary) = results::summary(situation) else {
        return Vec::new();
    };
    let metrics = summary.metrics.as_ref();
    let shown = |metric: &str| metrics.and_then(|metrics| results::text(metrics, metric));
    let mut parts = Vec::new();
    if let Some(cash) = shown("lowestCash").filter(|cash| wording::is_negative(cash)) {
        parts.push(situation.say("unfinished.cash", &[("value", cash)]));
    } else if shown("dscrYear1").is_some_and(wording::is_below_one) {
        parts.push(situation.say("unfinished.coverage", &[]));
    }
    let open = results::open(situation);
    match open.len() {
        0 => {}
        1 => parts.push(situation.say("unfinished.waits", &[])),
        count => parts.push(situation.say("unfinished.wait", &[("count", &count.to_string())])),
    }
    match summary.missing.len() {
        0 => {}
        1 => parts.push(situation.say("unfinished.default", &[])),
        count => parts.push(situation.say("unfinished.defaults", &[("count", &count.to_string())])),
    }
    parts
}

/// Whether the message has one of the phrases of a text that parts them by bars.
pub(in crate::offline) fn says(situation: &Situation<'_>, key: &str) -> bool {
    wording::says(situation.message(), key)
}

/// Asks the server for something that it does itself, or asks back: a reset, a cleared conversation, how the service is.
fn by_server(situation: &Situation<'_>, place: Place) -> Option<Step> {
    let (tool, arguments) = match place {
        Place::Clear => ("clear_conversation", json!({})),
        Place::Reset => (
            "reset_fields_to_defaults",
            json!({ "fields": situation.understanding.named }),
        ),
        Place::Status => ("check_status", json!({})),
        _ => return None,
    };
    let step = Step::ask(situation, &[(tool, arguments)]);
    Some(step.unwrap_or_else(|| {
        let text = match place {
            Place::Clear => situation.say("clear.failed", &[]),
            Place::Reset => situation.say("reset.failed", &[]),
            _ => status(situation),
        };
        Step::say([text], Vec::new())
    }))
}

fn status(situation: &Situation<'_>) -> String {
    let result = situation.result("check_status");
    let of = |key: &str| result.and_then(|result| results::text(result, key)).unwrap_or("ok");
    situation.say("status", &[("database", of("database")), ("model", of("model"))])
}

pub(in crate::offline) fn not_modeled(situation: &Situation<'_>) -> Step {
    if let Some(step) = closed::cost(situation) {
        return step;
    }
    let topic = situation.slots().topic.unwrap_or(Topic::Other);
    let suggestions: &[&str] = match topic {
        Topic::Lender => &["s.coverage", "s.goal", "s.print"],
        Topic::LenderWants => &["s.coverage", "s.cash", "s.goal"],
        _ => &["s.less_sales", "s.missing"],
    };
    let field = situation
        .field_meant()
        .or_else(|| situation.field("revenue.monthlyAuv"));
    let name = field.map_or_else(|| situation.say("that_line", &[]), |field| situation.name(field));
    let text = situation.say(&format!("not_modeled.{}", topic.as_str()), &[("name", &name)]);
    Step::say([text], situation.suggest(suggestions))
}

pub(in crate::offline) fn social(situation: &Situation<'_>) -> Step {
    let key = match situation.slots().kind {
        Some(SocialKind::Thanks) | None => "thanks",
        Some(SocialKind::Hello) => "hello",
        Some(SocialKind::Annoyed) => "annoyed",
        Some(SocialKind::Bye) => "bye",
    };
    Step::say(
        [situation.say(key, &[])],
        situation.suggest(&["s.missing", "s.open", "s.profit"]),
    )
}

/// What it can do, and the first numbers that are missing.
pub(in crate::offline) fn help(situation: &Situation<'_>) -> Step {
    plan::open(situation).opened_by(&format!("{}\n\n", situation.say("help", &[])))
}
