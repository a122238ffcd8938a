//! Reads the projection for the model: the figures are quoted, never computed by it.

use super::{Nothing, ToolError, Workbench, figures, parse};
use serde_json::{Value, json};

pub fn run(bench: &mut Workbench, arguments: &str) -> Result<Value, ToolError> {
    let Nothing {} = parse(arguments)?;
    let Some(projection) = bench.projection() else {
        return Err(ToolError(
            "The plan has no figures yet, so there is nothing to project.".into(),
        ));
    };
    Ok(json!({
        "metrics": figures::metrics(&projection.metrics),
        "annual": figures::annual(&projection),
        "note": "Results of the franchisee's own assumptions.",
    }))
}
