//! Saving hypothetical values under a name, which is done at the commit, and adopting them, which the franchisee confirms.

use crate::conversation::tools::action::{self, Destructive, Intercepted, counted, first_of};
use crate::conversation::tools::analysis::what_if::{self, SupposedValue};
use crate::conversation::tools::arguments::{ToolError, brief_schema, parse};
use crate::conversation::tools::context::{PlannedScenario, ToolContext};
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::apply;
use crate::store::plans::scenarios::Scenario;
use crate::wording;
use pg_link::json::Json;
use plan_model::scenario::{self, MAX_NAME_CHARS, MAX_SCENARIOS, Overrides, name_key};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(crate) static SAVE: Tool = Tool::new(
    "save_scenario",
    "Keep what_if changes under a name, only when asked to.",
    Run::Read(save),
)
.reads_scenarios()
.acts()
.schema(brief_schema::<SaveArguments>)
.example(r#"{"name":"lean","changes":[{"path":"rentMonthly","value":5000}]}"#)
.known_by(&[&["changes", "name"]]);

pub(crate) static ADOPT: Tool = Tool::new(
    action::ADOPT_SCENARIO,
    "Write a saved scenario into the plan, only when asked to.",
    Run::Confirm(adopt),
)
.reads_scenarios()
.schema(brief_schema::<AdoptArguments>)
.example(r#"{"name":"lean"}"#)
.known_by(&[&["name"]]);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveArguments {
    name: String,
    // The schema is that of what_if and not repeated.
    #[schemars(with = "Vec<Map<String, Value>>")]
    changes: Vec<SupposedValue>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AdoptArguments {
    name: String,
}

fn save(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let SaveArguments { name, changes } = parse(arguments)?;
    let overrides = what_if::supposed(ctx, &changes)?;
    let name = scenario::name(&name)
        .ok_or_else(|| ToolError(format!("The name must have 1 to {MAX_NAME_CHARS} characters.")))?;
    let known = known(ctx)?;
    if ctx.inputs.is_none() {
        return Err(ToolError("The plan has no values yet.".into()));
    }
    if known.iter().any(|(known, _)| name_key(known) == name_key(&name)) {
        return Err(ToolError("A scenario has that name. Ask for another one.".into()));
    }
    if ctx.planned_scenario.is_some() {
        return Err(ToolError("One message saves one scenario.".into()));
    }
    if known.len() >= MAX_SCENARIOS {
        return Err(ToolError(format!(
            "There are {MAX_SCENARIOS} scenarios; one has to be deleted first."
        )));
    }
    let values = values(ctx, &overrides);
    ctx.planned_scenario = Some(PlannedScenario {
        name: name.clone(),
        overrides,
    });
    Ok(json!({"status": "will_save", "name": name, "values": values, "note": "The plan stays as it is."}))
}

fn adopt(ctx: &ToolContext, arguments: &str) -> Result<Intercepted, ToolError> {
    let AdoptArguments { name } = parse(arguments)?;
    let (name, overrides) = find(ctx, &name)?;
    let differs = |(path, value): &(&plan_model::field::FieldPath, &plan_model::number::Number)| {
        let inputs = ctx.inputs.as_deref();
        let held = inputs.and_then(|inputs| apply::value(inputs, &ctx.brand_version, path));
        held.is_some_and(|held| held.current_value != **value)
    };
    let differing: Vec<_> = overrides.0.iter().filter(differs).collect();
    if differing.is_empty() {
        return Err(ToolError("The plan has the values of that scenario already.".into()));
    }
    let differing = Overrides(
        differing
            .into_iter()
            .map(|(path, value)| (path.clone(), *value))
            .collect(),
    );
    let values = values(ctx, &differing);
    let slots = [
        ("count", &*counted(ctx.spoken(), values.len())),
        ("name", &*name),
        ("items", &*first_of(ctx.spoken(), &values)),
    ];
    let prompt = wording::say(ctx.spoken(), "ask.adopt", &slots);
    Ok(Intercepted {
        action: Destructive::AdoptScenario { name, overrides },
        prompt,
    })
}

/// Names and values of the scenarios, the one that this turn saves last.
pub(crate) fn known(ctx: &ToolContext) -> Result<Vec<(String, Overrides)>, ToolError> {
    let unread = || ToolError("The scenarios cannot be read just now.".into());
    let stored = ctx.scenarios.as_ref().ok_or_else(unread)?.iter();
    let stored = stored.map(
        |Scenario {
             name,
             overrides: Json(overrides),
             ..
         }| (name.clone(), overrides.clone()),
    );
    let planned = ctx.planned_scenario.iter();
    Ok(stored
        .chain(planned.map(|planned| (planned.name.clone(), planned.overrides.clone())))
        .collect())
}

/// The scenario that a name means; the only one where none is named.
pub(crate) fn find(ctx: &ToolContext, said: &str) -> Result<(String, Overrides), ToolError> {
    let mut known = known(ctx)?;
    let key = name_key(said);
    if let Some(at) = known.iter().position(|(name, _)| name_key(name) == key) {
        return Ok(known.swap_remove(at));
    }
    match known.as_slice() {
        [] => Err(ToolError("The plan has no scenarios.".into())),
        [_] if key.is_empty() => Ok(known.swap_remove(0)),
        known => {
            let names: Vec<_> = known.iter().map(|(name, _)| format!("{name:?}")).collect();
            Err(ToolError(format!("The scenarios are {}.", names.join(", "))))
        }
    }
}

/// "rent per month $5,000", one for each value.
pub(crate) fn values(ctx: &ToolContext, overrides: &Overrides) -> Vec<String> {
    let fields = ctx.brand_version.fields.iter();
    let shown = |field: &plan_model::field::Field| {
        let value = overrides.0.get(&field.path)?;
        let language = ctx.spoken();
        Some(format!(
            "{} {}",
            wording::name(language, field),
            wording::value(language, field, *value)
        ))
    };
    fields.filter_map(shown).collect()
}
