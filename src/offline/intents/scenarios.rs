//! Saved cases: keeping, comparing and adopting them.

use crate::offline::intents::cases::{self, effects, keep, meant};
use crate::offline::intents::talk;
use crate::offline::message::shown;
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::Step;
use plan_model::tool_result::{SummaryField, ValueState};
use plan_reader::ScenarioAct;
use rust_decimal::Decimal;
use serde_json::{Value, json};

pub(in crate::offline) fn scenario(situation: &Situation<'_>) -> Step {
    match situation.slots().act {
        Some(ScenarioAct::Save) => save(situation),
        Some(ScenarioAct::Adopt) => adopt(situation),
        Some(ScenarioAct::Delete) => Step::say([situation.say("delete", &[])], situation.suggest(&["s.compare"])),
        Some(ScenarioAct::Compare | ScenarioAct::List) | None => compare(situation),
    }
}

/// Keeps the last case: the one that was computed, or that a yes was asked for.
fn save(situation: &Situation<'_>) -> Step {
    // "Sí, guárdalo en el plan"
    if situation.slots().name.is_none()
        && talk::says(situation, "w.in_plan")
        && let Some(step) = cases::note_last(situation)
    {
        return step;
    }
    // "Save this plan as Downtown" behind something else than a case.
    let is_of_plan = !situation.is_behind_case() && talk::says(situation, "w.this_plan");
    let numbers = own_numbers(situation);
    // "What if rent is 5,200? Save that as small."
    let own = Some(situation.slots().all_changes()).filter(|own| !own.is_empty());
    let case = match &numbers[..] {
        [] => own.or_else(|| situation.last_case()),
        numbers => situation
            .case_with(numbers)
            .or_else(|| situation.case_asked_with(numbers)),
    };
    // "Ok 320 again, and save it as big loan": no case of that was shown.
    if case.is_none() && !numbers.is_empty() && !is_of_plan {
        return Step::say(
            [situation.say("saved.other", &[])],
            situation.suggest(&["s.more_sales", "s.less_loan"]),
        );
    }
    let changes = match case.filter(|_| !is_of_plan).map(|changes| meant(situation, changes)) {
        Some(Ok(changes)) => situation.as_arguments(&changes),
        Some(Err(step)) => return step,
        None => Vec::new(),
    };
    let name = situation.slots().name.as_deref();
    let is_lost = changes.is_empty() && !talk::says(situation, "w.this_plan") && situation.has_lost_case();
    if let Some(name) = name.filter(|_| changes.is_empty() && !is_lost) {
        match own_values(situation) {
            Ok(values) if !values.is_empty() => return keep(situation, name, &values),
            Ok(_) => {}
            Err(step) => return step,
        }
    }
    if changes.is_empty() {
        let key = if is_lost { "saved.lost" } else { "saved.nothing" };
        return Step::say(
            [situation.say(key, &[])],
            situation.suggest(&["s.more_sales", "s.less_loan"]),
        );
    }
    match name {
        Some(name) => keep(situation, name, &changes),
        None => Step::say([situation.say("saved.name", &[])], situation.suggest(&["s.save"])),
    }
}

/// Numbers of the message that are no part of the name.
fn own_numbers(situation: &Situation<'_>) -> Vec<Decimal> {
    let name = situation.slots().name.as_deref().unwrap_or_default();
    let mentions = situation.understanding.mentions.iter();
    let own = mentions.filter(|one| {
        let said = situation.message().get(one.number.0..one.number.1).unwrap_or_default();
        // "Save that one" has no number.
        said.contains(|c: char| c.is_ascii_digit()) && !name.contains(said)
    });
    own.map(|one| one.value).collect()
}

/// "Save this plan as Downtown": the values that people have set, as they are now; nothing where they are more than a case holds.
fn own_values(situation: &Situation<'_>) -> Result<Vec<Value>, Step> {
    const MOST: usize = 20;
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return Err(step);
    }
    let fields = results::summary(situation)
        .map(|summary| summary.fields)
        .unwrap_or_default();
    let own = fields.into_iter().filter(|field| field.state != ValueState::Default);
    let value = |one: SummaryField| Some(json!({"path": one.path, "value": one.value?}));
    let values: Vec<Value> = own.filter_map(value).collect();
    Ok(if values.len() > MOST { Vec::new() } else { values })
}

fn adopt(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("compare_scenarios", json!({ "names": [] }))]) {
        return step;
    }
    let known = scenario_named(situation);
    if known.is_none()
        && situation.slots().name.is_none()
        && let Some(step) = cases::note_last(situation)
    {
        return step;
    }
    let name = known.or_else(|| situation.slots().name.clone()).unwrap_or_default();
    if let Some(step) = Step::ask(situation, &[("adopt_scenario", json!({ "name": name }))]) {
        return step;
    }
    Step::say([situation.say("adopt.none", &[])], situation.suggest(&["s.compare"]))
}

/// The scenario that the message names among those that are shown: "use Carl's idea as my plan".
pub(in crate::offline) fn scenario_named(situation: &Situation<'_>) -> Option<String> {
    let scenarios = situation.result("compare_scenarios")?.get("scenarios")?.as_array()?;
    let names = scenarios.iter().filter_map(|scenario| results::text(scenario, "name"));
    named(situation, names.map(str::to_owned))
}

/// The longest of the names that the message has.
fn named(situation: &Situation<'_>, names: impl Iterator<Item = String>) -> Option<String> {
    names.filter(|name| says_name(situation, name)).max_by_key(String::len)
}

pub(in crate::offline) fn says_name(situation: &Situation<'_>, name: &str) -> bool {
    shown::says_name(situation.message(), name)
}

/// A second look, at a scenario that the message names and the first did not show: it shows the newest.
pub(in crate::offline) fn older(situation: &Situation<'_>) -> Option<Step> {
    let result = situation.result("compare_scenarios")?;
    let name = named(situation, results::texts(result, "others").into_iter())?;
    let is_shown = scenario_named(situation).is_some_and(|shown| shown.len() >= name.len());
    let calls = situation.results.iter();
    let calls = calls.filter(|result| result.tool == "compare_scenarios").count();
    (!is_shown && calls < 2).then(|| Step::call("compare_scenarios", &json!({ "names": [name] })))
}

/// One line for each scenario: what it has, and what moves against the plan.
fn compare(situation: &Situation<'_>) -> Step {
    if let Some(step) = Step::ask(situation, &[("compare_scenarios", json!({ "names": [] }))]) {
        return step;
    }
    if let Some(step) = older(situation) {
        return step;
    }
    let result = situation.result("compare_scenarios");
    let scenarios = result.and_then(|result| result.get("scenarios")?.as_array());
    let scenarios = scenarios.filter(|scenarios| !scenarios.is_empty());
    let named = scenario_named(situation);
    let is_unknown = named.is_none() && situation.slots().name.is_some();
    let (Some(result), Some(scenarios), false) = (result, scenarios, is_unknown) else {
        return Step::say(
            [situation.say("compared.none", &[])],
            situation.suggest(&["s.more_sales", "s.less_loan"]),
        );
    };
    let line = |scenario: &Value| {
        let effects = effects(situation, result.get("plan"), scenario.get("metrics"));
        let name = results::text(scenario, "name").unwrap_or_default();
        let items = situation.list(&results::texts(scenario, "values"));
        let text = situation.say(
            "compared.item",
            &[("name", name), ("items", &items), ("effects", &effects)],
        );
        format!("- {text}")
    };
    // "Compare lean with big loan": each that is named.
    let is_meant = |scenario: &&Value| {
        named.is_none() || results::text(scenario, "name").is_some_and(|name| says_name(situation, name))
    };
    let lines: Vec<String> = scenarios.iter().filter(is_meant).map(line).collect();
    let others = results::texts(result, "others");
    let others = match others.is_empty() || named.is_some() {
        true => String::new(),
        false => format!(
            "\n\n{}",
            situation.say("compared.others", &[("names", &situation.list(&others))])
        ),
    };
    let lowest = lowest_cash(situation, scenarios.iter().filter(is_meant));
    let text = format!(
        "{}\n\n{}{lowest}{others}",
        situation.say("compared", &[]),
        lines.join("\n")
    );
    Step::say(
        [text, situation.footer()],
        situation.suggest(&["s.levers", "s.missing"]),
    )
}

/// Of several cases the one whose cash is lowest: "which of these three hurts most?"
fn lowest_cash<'v>(situation: &Situation<'_>, scenarios: impl Iterator<Item = &'v Value>) -> String {
    let lowest = |scenario: &'v Value| {
        let shown = results::text(scenario.get("metrics")?, "lowestCash")?;
        Some((results::digits(shown)?, shown, results::text(scenario, "name")?))
    };
    let mut all: Vec<_> = scenarios.filter_map(lowest).collect();
    all.sort_by(|(one, ..), (other, ..)| one.total_cmp(other));
    match &all[..] {
        // As low as another it is not the lowest.
        [(least, shown, name), (next, ..), ..] if least < next => {
            let slots = [("name", *name), ("value", &*situation.figure(shown))];
            format!("\n\n{}", situation.say("compared.lowest", &slots))
        }
        _ => String::new(),
    }
}
