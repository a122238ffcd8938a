//! Words about what the tools returned: short, in plain English, one question at the end.

use super::ask::{name, question};
use super::intent::{Aside, Intent, Topic};
use super::prose::{FOOTER, fixed, list, sentence};
use super::results::{self, Recorded};
use super::situation::Situation;
use crate::model::field::Field;
use serde_json::Value;

/// The answer to one intent, with whatever results there are.
#[must_use]
pub fn answer(intent: &Intent, situation: &Situation<'_>) -> String {
    let parts = match intent {
        Intent::Record(_, asides) => record(situation, asides),
        Intent::WhatIf(changes) => what_if(situation, changes),
        Intent::Refuse => vec!["All right, I leave that as it is.".to_owned(), next(situation, None).unwrap_or_default()],
        Intent::Missing => missing(situation),
        Intent::Results => vec![outcome(situation)],
        Intent::About(fields) => about(situation, fields),
        Intent::Advice(fields) => advice(situation, fields),
        Intent::Status => vec![status(situation)],
        Intent::Reset(_) => vec!["I can return values to the brand's placeholders in My Plan; I could not do it from here just now.".to_owned()],
        Intent::ClearConversation => vec!["I could not clear the conversation from here just now.".to_owned()],
        Intent::Fixed(topic) => vec![fixed(*topic).to_owned(), if asks_on(*topic) { next(situation, None).unwrap_or_default() } else { String::new() }],
        Intent::Unknown => vec![
            "I'm the built-in advisor and did not find a number for your plan in that. Tell me a line and its number, such as your rent or your loan.".to_owned(),
            next(situation, None).unwrap_or_default(),
        ],
    };
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Subjects after which the conversation goes on with a question.
#[must_use]
pub const fn asks_on(topic: Topic) -> bool {
    matches!(topic, Topic::Greeting)
}

fn record(situation: &Situation<'_>, asides: &[(Aside, Option<usize>)]) -> Vec<String> {
    let recorded = results::recorded(situation);
    let of = |status: &str| recorded.iter().filter(|one| one.status == status).collect::<Vec<_>>();
    let (applied, unchanged, proposed) = (of("applied"), of("unchanged"), of("proposed"));
    let mut parts = Vec::new();
    if !applied.is_empty() {
        let items: Vec<String> = applied.iter().map(|one| written(one, situation)).collect();
        parts.push(format!("I've written down {}.", list(&items)));
    }
    parts.extend(applied.iter().filter_map(|one| range_remark(one, situation)));
    if !unchanged.is_empty() {
        let items: Vec<String> = unchanged
            .iter()
            .map(|one| format!("{} at {}", named(one.path, situation), shown(one.path, one.value)))
            .collect();
        parts.push(format!("Your plan already has {}.", list(&items)));
    }
    if !proposed.is_empty() {
        let items: Vec<String> = proposed
            .iter()
            .map(|one| format!("{} for {}", shown(one.path, one.value), named(one.path, situation)))
            .collect();
        let them = if items.len() == 1 { "it" } else { "them" };
        parts.push(format!(
            "I heard {}, and have only noted {them} until you confirm.",
            list(&items)
        ));
    }
    if recorded.iter().any(|one| one.status == "invalid") {
        parts.push("One number I could not use; please give it to me again with the line it is for.".to_owned());
    }
    parts.extend(remarks(asides, situation));
    match proposed.first() {
        Some(one) => parts.push(confirm(one, situation)),
        None => parts.extend(next(situation, recorded.last().map(|one| one.path))),
    }
    parts
}

fn written(one: &Recorded<'_>, situation: &Situation<'_>) -> String {
    let was = one.previous.filter(|previous| *previous != one.value);
    let was = was.map_or_else(String::new, |previous| {
        format!(" (it was {})", shown(one.path, previous))
    });
    format!("{} at {}{was}", named(one.path, situation), shown(one.path, one.value))
}

/// A value as it is spoken of: the number of a month is "month 13", not "13 months".
#[must_use]
pub fn shown(path: &str, value: &str) -> String {
    let number = value.split(' ').next().unwrap_or_default();
    if path.ends_with("StartMonth") {
        format!("month {number}")
    } else {
        value.to_owned()
    }
}

/// Names the reference once, neutrally.
fn range_remark(one: &Recorded<'_>, situation: &Situation<'_>) -> Option<String> {
    let warning = one.warning?;
    let side = if warning.contains("above") { "above" } else { "below" };
    let range = one.range?;
    let name = named(one.path, situation);
    Some(match range.strip_prefix("Item 7 ") {
        Some(range) => format!(
            "For reference, the franchisor's published Item 7 estimate for {name} is {range}; yours is {side} it, and I've kept your number."
        ),
        None => {
            let range = range.strip_prefix("typical ").unwrap_or(range);
            format!(
                "For reference, the planning range for {name} is {range}; yours is {side} it, and I've kept your number."
            )
        }
    })
}

fn confirm(one: &Recorded<'_>, situation: &Situation<'_>) -> String {
    if one.note.is_some_and(|note| note.contains("two values")) {
        return format!("Which one should I write down for {}?", named(one.path, situation));
    }
    format!(
        "Shall I write down {} for {}?",
        shown(one.path, one.value),
        named(one.path, situation)
    )
}

fn remarks(asides: &[(Aside, Option<usize>)], situation: &Situation<'_>) -> Vec<String> {
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for (aside, field) in asides {
        if seen.contains(aside) {
            continue;
        }
        seen.push(*aside);
        let line = field.map_or_else(|| "that line".to_owned(), |i| name(&situation.fields[i]));
        out.push(match aside {
            Aside::Others => "That sounds like somebody else's number, so I've left your plan as it is.".to_owned(),
            Aside::Past => format!("That sounds like a number from the past, so I haven't changed {line}."),
            Aside::Foreign => format!("Your plan is in US dollars. Please give me {line} in dollars."),
            Aside::Shared => "That amount seems to cover more than one line. Please tell me how it splits.".to_owned(),
            Aside::Change => {
                format!("That sounds like a change rather than a total. Please tell me the new total for {line}.")
            }
            Aside::Unclear => format!("I could not turn that into a value for {line}."),
        });
    }
    out
}

fn named(path: &str, situation: &Situation<'_>) -> String {
    field(path, situation).map_or_else(|| "that line".to_owned(), name)
}

fn field<'s>(path: &str, situation: &'s Situation<'_>) -> Option<&'s Field> {
    situation.fields.iter().find(|field| field.path.as_str() == path)
}

/// Asks for the next field that is still missing, first in the section being discussed; not for one of this very turn.
fn next(situation: &Situation<'_>, discussed: Option<&str>) -> Option<String> {
    let missing = results::missing(situation)?;
    let now: Vec<&str> = results::recorded(situation).iter().map(|one| one.path).collect();
    let open = || {
        missing
            .iter()
            .filter(|path| !now.contains(*path))
            .filter_map(|path| field(path, situation))
    };
    let section = discussed.and_then(|path| path.split('.').next());
    let chosen = open()
        .find(|field| Some(field.path.section()) == section)
        .or_else(|| open().next());
    chosen.map(question).or_else(|| {
        Some("All the key numbers of your plan are yours now. Ask me for your results whenever you like.".to_owned())
    })
}

fn missing(situation: &Situation<'_>) -> Vec<String> {
    let Some(missing) = results::missing(situation) else {
        return vec!["I can't look at your plan just now.".to_owned()];
    };
    let names: Vec<String> = missing.iter().map(|path| named(path, situation)).collect();
    if names.is_empty() {
        return vec!["Nothing is missing: all the key numbers of your plan are your own.".to_owned()];
    }
    let count = if names.len() == 1 {
        "One key number is".to_owned()
    } else {
        format!("These {} key numbers are", names.len())
    };
    vec![
        format!(
            "{count} still at the brand administrator's planning placeholder: {}.",
            list(&names)
        ),
        next(situation, None).unwrap_or_default(),
    ]
}

fn about(situation: &Situation<'_>, fields: &[usize]) -> Vec<String> {
    let mut seen = Vec::new();
    let mut parts = Vec::new();
    for field in fields.iter().take(3).map(|&i| &situation.fields[i]) {
        if seen.contains(&&field.path) {
            continue;
        }
        seen.push(&field.path);
        parts.extend(describe(situation, field));
    }
    if parts.is_empty() {
        parts.push("I can't look at your plan just now.".to_owned());
    }
    parts
}

fn describe(situation: &Situation<'_>, field: &Field) -> Option<String> {
    let line = results::line(situation, field.path.as_str())?;
    let name = name(field);
    let state = match (line.state, line.value) {
        (_, None) => format!("Your plan has no number for {name} yet."),
        ("default", Some(value)) => format!(
            "{} stands at {value}, a planning placeholder set by the brand administrator.",
            sentence(&name)
        ),
        ("yours", Some(value)) => format!("{} stands at {value}, which you entered.", sentence(&name)),
        ("AI", Some(value)) => format!("{} stands at {value}, as you told me.", sentence(&name)),
        (_, Some(value)) => format!("{} stands at {value}, set by an administrator.", sentence(&name)),
    };
    Some(match line.range {
        Some(range) => format!("{state} {}", reference(range)),
        None => format!("{state} There is no reference range for it."),
    })
}

fn reference(range: &str) -> String {
    match range.strip_prefix("Item 7 ") {
        Some(range) => format!("The franchisor's published Item 7 estimate is {range}, for reference only."),
        None => format!(
            "The planning range is {}, for reference only.",
            range.strip_prefix("typical ").unwrap_or(range)
        ),
    }
}

fn advice(situation: &Situation<'_>, fields: &[usize]) -> Vec<String> {
    let mut parts = vec!["You are the author of this plan, so I don't say which number to use.".to_owned()];
    parts.extend(fields.first().and_then(|&i| describe(situation, &situation.fields[i])));
    parts.push("Your disclosure document, accountant, lender or franchisees you know can help you decide.".to_owned());
    parts
}

/// Key results with what they rest on.
fn outcome(situation: &Situation<'_>) -> String {
    let Some(metrics) = results::metrics(situation) else {
        return "Your plan has no results yet: give me a first number and they will appear.".to_owned();
    };
    let month = |key: &str, reached: &str, never: &str| match results::shown(metrics, key) {
        Some(month) => format!("{reached} month {month}"),
        None => never.to_owned(),
    };
    let mut items = vec![
        month(
            "breakEvenMonth",
            "break-even comes in",
            "break-even is not reached within the 60 months",
        ),
        month(
            "paybackMonth",
            "your own money is paid back in",
            "your own money is not paid back within the 60 months",
        ),
    ];
    if let (Some(cash), Some(at)) = (
        results::shown(metrics, "lowestCash"),
        results::shown(metrics, "lowestCashMonth"),
    ) {
        items.push(format!("cash is lowest in month {at} at {cash}"));
    }
    if let Some(cover) = results::shown(metrics, "dscrYear1") {
        items.push(format!("debt coverage in year 1 is {cover}"));
    }
    let basis = [
        "operatingCosts.rentMonthly",
        "financing.loanAmount",
        "revenue.monthlyAuv",
    ];
    let basis: Vec<String> = basis
        .iter()
        .filter_map(|path| {
            Some(format!(
                "{} {}",
                named(path, situation),
                results::line(situation, path)?.value?
            ))
        })
        .collect();
    let open = results::missing(situation).map_or(0, |missing| missing.len());
    let basis = if basis.is_empty() {
        String::new()
    } else {
        format!(" They rest on your assumptions, among them {}.", list(&basis))
    };
    let open = if open > 0 {
        format!(" {open} key numbers are still placeholders.")
    } else {
        String::new()
    };
    format!("With the plan as it stands, {}.{basis}{open}\n\n{FOOTER}", list(&items))
}

fn what_if(situation: &Situation<'_>, changes: &[(usize, crate::model::number::Number)]) -> Vec<String> {
    let Some(result) = situation
        .result("what_if")
        .filter(|result| result.get("after").is_some())
    else {
        return vec!["I could not work that out. Nothing in your plan was changed.".to_owned()];
    };
    let assumed: Vec<String> = changes
        .iter()
        .map(|(i, value)| {
            format!(
                "{} at {}",
                name(&situation.fields[*i]),
                situation.fields[*i].kind.show(*value)
            )
        })
        .collect();
    let moved = moved(result);
    let effect = if moved.is_empty() {
        "none of the key results would move".to_owned()
    } else {
        list(&moved)
    };
    vec![format!(
        "With {}, and everything else as in your plan, {effect}. Nothing was changed.\n\n{FOOTER}",
        list(&assumed)
    )]
}

fn moved(result: &Value) -> Vec<String> {
    let names = [
        ("breakEvenMonth", "break-even month"),
        ("paybackMonth", "payback month"),
        ("lowestCash", "lowest cash"),
        ("dscrYear1", "debt coverage in year 1"),
        ("monthlyPayment", "the loan payment"),
        ("totalInvestment", "total investment"),
        ("fiveYearOwnerCashFlow", "five-year owner cash flow"),
    ];
    let side = |side: &str, key: &str| {
        result
            .get(side)
            .and_then(|metrics| results::shown(metrics, key))
            .unwrap_or_else(|| "not reached".to_owned())
    };
    names
        .iter()
        .map(|(key, name)| (name, side("before", key), side("after", key)))
        .filter(|(_, before, after)| before != after)
        .map(|(name, before, after)| format!("{name} would go from {before} to {after}"))
        .take(4)
        .collect()
}

fn status(situation: &Situation<'_>) -> String {
    let Some(result) = situation.result("check_status") else {
        return "I'm here and working.".to_owned();
    };
    let says = |key: &str| result.get(key).and_then(Value::as_str).unwrap_or("unknown").to_owned();
    format!(
        "I'm here. The database says {}, the advisor says {}.",
        says("database"),
        says("model")
    )
}
