//! Reads the projection for the model: the figures are quoted, never computed by it.

use crate::conversation::tools::{Nothing, ToolContext, ToolError, figures, parse, rank_levers};
use crate::plans::analysis::Hypothesis;
use serde_json::{Value, json};

pub fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
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
