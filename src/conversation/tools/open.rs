//! What waits for the franchisee, and what was done before: read for whoever answers.

use crate::conversation::tools::arguments::{Nothing, ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::services::Services;
use crate::conversation::tools::tool::{Asking, Run, Tool};
use crate::plans::analysis::Hypothesis;
use crate::store::plans::plan_changes::PlanChange;
use futures_util::FutureExt;
use plan_model::extracted::ExtractedValue;
use plan_model::field::FieldPath;
use plan_model::tool_result::{ListedChange, OpenProposal, UndoResult, ValueState};
use plan_reader::Outcome;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;

pub(super) static PROPOSALS: Tool = Tool::new(
    "list_open_proposals",
    "Values of the plan that wait for the franchisee's word.",
    Run::Ask(proposals),
);

pub(super) static CHANGES: Tool = Tool::new(
    "list_changes",
    "The newest changes of the plan, or of one field: who, when, in which words.",
    Run::Ask(changes),
)
.schema(schema::<ChangesArguments>);

/// The newest changes that are listed, of one field or of the plan.
const LISTED: i64 = 20;

/// Of one field, changes among which its own are looked for.
const LOOKED_AT: i64 = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangesArguments {
    #[serde(default, alias = "path")]
    field: Option<String>,
}

fn proposals<'a>(ctx: &'a mut ToolContext, services: &'a dyn Services, arguments: &'a str) -> Asking<'a> {
    async move {
        let Nothing {} = parse(arguments)?;
        let mut open = services.open_proposals().await.map_err(|error| unread(&error))?;
        open.retain(|one| !ctx.settlement.iter().any(|(id, _)| *id == one.id));
        Ok(json!({ "open": listed_once(ctx, &open.iter().collect::<Vec<_>>()) }))
    }
    .boxed()
}

/// Open values as they are listed. The same value may have been noted twice: it is listed once.
pub(super) fn listed_once(ctx: &ToolContext, open: &[&ExtractedValue]) -> Vec<OpenProposal> {
    let is_last = |(at, value): &(usize, &&ExtractedValue)| {
        let same = |other: &&ExtractedValue| other.field == value.field && other.value == value.value;
        !open[at + 1..].iter().any(same)
    };
    let shown = open.iter().enumerate().filter(is_last).filter_map(|(_, value)| {
        let field = ctx.brand_version.field(value.field.as_str())?;
        Some(OpenProposal {
            label: field.label.to_string(),
            value: field.kind.show(value.value),
            field: value.field.clone(),
            said: value.evidence.clone(),
        })
    });
    shown.collect()
}

fn changes<'a>(ctx: &'a mut ToolContext, services: &'a dyn Services, arguments: &'a str) -> Asking<'a> {
    async move {
        let ChangesArguments { field } = parse(arguments)?;
        let wanted = field
            .map(|field| ctx.field(&field).map(|field| field.path.clone()))
            .transpose()?;
        let limit = if wanted.is_some() { LOOKED_AT } else { LISTED };
        let changes = services.changes(limit).await.map_err(|error| unread(&error))?;
        let is_wanted = |change: &PlanChange| wanted.as_ref().is_none_or(|path| path.as_str() == change.field);
        let shown = changes
            .into_iter()
            .filter(is_wanted)
            .filter_map(|change| listed(ctx, change));
        let shown: Vec<ListedChange> = shown.take(LISTED as usize).collect();
        let of_turn = taken_back(ctx, &shown).into_iter().chain(written(ctx, &shown));
        let of_turn: Vec<ListedChange> = of_turn
            .filter(|change| wanted.as_ref().is_none_or(|path| *path == change.field))
            .collect();
        let newest_first: Vec<ListedChange> = of_turn.into_iter().chain(shown).collect();
        let default = wanted.as_ref().filter(|_| newest_first.is_empty());
        let default = default.and_then(|path| brand_default(ctx, path));
        Ok(match default {
            Some(default) => json!({ "changes": newest_first, "brandDefault": default }),
            None => json!({ "changes": newest_first }),
        })
    }
    .boxed()
}

/// What a field has that nobody has set, and where the brand has it from.
fn brand_default(ctx: &ToolContext, path: &FieldPath) -> Option<Value> {
    let brand_version = &ctx.brand_version;
    let field = brand_version.field(path.as_str())?;
    Some(json!({ "value": field.kind.show(field.default?), "from": brand_version.brand.provenance(path) }))
}

/// What this turn has written, stored at its end, too: "yes. What did I tell you?"
fn written(ctx: &ToolContext, listed: &[ListedChange]) -> Vec<ListedChange> {
    let decisions = ctx.decisions();
    let applied = decisions.iter().filter(|one| one.outcome == Outcome::Apply);
    let applied = applied.map(|one| (&one.field, "turn"));
    let accepted = ctx.accepted.iter().map(|field| (field, "accept"));
    let inputs = ctx.inputs_or_defaults();
    let plan = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    let change = |(path, reason): (&FieldPath, &str)| {
        let field = ctx.brand_version.field(path.as_str())?;
        let now = plan.value_in_force(path).ok()?;
        let before = listed.iter().find(|change| change.field == *path);
        Some(ListedChange {
            field: path.clone(),
            label: field.label.to_string(),
            from: before.map(|before| before.to.clone()),
            to: field.kind.show(now),
            number_before: before.and_then(|before| before.number),
            number: Some(now).filter(|_| ctx.figures.has_numbers()),
            state: ValueState::Advisor,
            reason: reason.to_owned(),
            said: None,
            on: day(ctx.now),
            is_today: true,
            minutes_ago: 0,
        })
    };
    applied.chain(accepted).filter_map(change).collect()
}

/// What this turn takes back: it is stored at the turn's end.
fn taken_back(ctx: &ToolContext, listed: &[ListedChange]) -> Vec<ListedChange> {
    let Some(UndoResult::WillUndo { changes }) = ctx.undo.as_ref().map(|planned| &planned.result) else {
        return Vec::new();
    };
    let undone = changes.iter().filter_map(|one| {
        let newest = listed.iter().find(|change| change.field == one.field)?;
        Some(ListedChange {
            from: Some(one.value.clone()),
            to: one.returns_to.clone(),
            number_before: newest.number,
            number: newest.number_before,
            reason: "undo".into(),
            said: None,
            on: day(ctx.now),
            is_today: true,
            minutes_ago: 0,
            ..newest.clone()
        })
    });
    undone.collect()
}

fn listed(ctx: &ToolContext, change: PlanChange) -> Option<ListedChange> {
    let field = ctx.brand_version.field(&change.field)?;
    let age = ctx.now - change.created_at;
    let before = change.old_value.map(|old| old.0.current_value);
    let after = change.new_value.0.current_value;
    Some(ListedChange {
        field: FieldPath::read(&change.field),
        label: field.label.to_string(),
        from: before.map(|before| field.kind.show(before)),
        to: field.kind.show(after),
        number_before: before.filter(|_| ctx.figures.has_numbers()),
        number: Some(after).filter(|_| ctx.figures.has_numbers()),
        state: plan_engine::describe::state(&change.new_value.0),
        reason: change.reason.as_str().to_owned(),
        said: change.evidence,
        on: day(change.created_at),
        is_today: day(change.created_at) == day(ctx.now),
        minutes_ago: age.whole_minutes().max(0),
    })
}

fn day(at: OffsetDateTime) -> String {
    at.date().to_string()
}

pub(super) fn unread(error: &crate::store::StoreError) -> ToolError {
    tracing::warn!(error = %error, "What a tool lists could not be read");
    ToolError("That cannot be read just now.".into())
}
