//! Reads the projection for the model: the figures are quoted, never computed by it.

use crate::conversation::tools::analysis::{figures, rank_levers};
use crate::conversation::tools::arguments::{Nothing, ToolError, parse};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::analysis::Hypothesis;
use serde_json::{Value, json};

pub static TOOL: Tool = Tool::new(
    "get_projection",
    "Read the projection: key results and five annual summaries.",
    Run::Read(run),
);

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let Nothing {} = parse(arguments)?;
    let Some(projection) = ctx.projection() else {
        return Err(ToolError(
            "The plan has no figures yet, so there is nothing to project.".into(),
        ));
    };
    let inputs = ctx.inputs_or_defaults();
    let plan = Hypothesis::new(&inputs, &ctx.brand_version, ctx.now);
    Ok(json!({
        "metrics": figures::metrics(&projection.metrics),
        "annual": figures::annual(&projection),
        "levers": rank_levers::of_weak(&plan, &projection.metrics),
        "note": "Results of the franchisee's own assumptions.",
    }))
}
