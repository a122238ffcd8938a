//! Drops open values that the franchisee does not want. Done at the commit, with the turn; nothing of the plan changes.

use crate::conversation::tools::arguments::{parse, schema};
use crate::conversation::tools::asked;
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::open::{self, unread};
use crate::conversation::tools::services::Services;
use crate::conversation::tools::tool::{Asking, Run, Tool};
use crate::plans::proposals::Decided;
use futures_util::FutureExt;
use plan_model::extracted::ExtractedValue;
use plan_model::field::FieldPath;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(super) static TOOL: Tool = Tool::new(
    "dismiss_proposals",
    "Drop open values that the franchisee declines: of these fields, else those just asked about.",
    Run::Ask(run),
)
.schema(schema::<Arguments>)
.acts();

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    fields: Vec<String>,
}

fn run<'a>(ctx: &'a mut ToolContext, services: &'a dyn Services, arguments: &'a str) -> Asking<'a> {
    async move {
        let Arguments { fields } = parse(arguments)?;
        let wanted = fields.iter().map(|field| Ok(ctx.field(field)?.path.clone()));
        let wanted: Vec<FieldPath> = wanted.collect::<Result<_, _>>()?;
        let open = services.open_proposals().await.map_err(|error| unread(&error))?;
        let open: Vec<&ExtractedValue> = open.iter().collect();
        let meant: Vec<&ExtractedValue> = match wanted.is_empty() {
            false => open.iter().copied().filter(|one| wanted.contains(&one.field)).collect(),
            true => match asked::alone(ctx, &open) {
                none if none.is_empty() => asked::together(ctx, &open),
                asked => asked,
            },
        };
        // Noted twice, dropped once.
        let is_same = |one: &&ExtractedValue| {
            meant
                .iter()
                .any(|other| other.field == one.field && other.value == one.value)
        };
        for one in open.iter().copied().filter(is_same) {
            if !ctx.settlement.iter().any(|(id, _)| *id == one.id) {
                ctx.settlement.push((one.id, Decided::Dismiss));
            }
        }
        Ok(json!({ "dismissed": open::listed_once(ctx, &meant) }))
    }
    .boxed()
}
