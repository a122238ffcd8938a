//! Records one number: judged by the extraction room, then put on the turn's working copy.

use super::{Heard, MAX_HEARD, ToolError, Workbench};
use crate::conversation::prompt;
use crate::extraction::{self, Context, Outcome};
use crate::model::ids::ExtractionId;
use crate::model::inputs::{FinancialInputs, Source};
use crate::plan;
use serde_json::{Value, json};
use std::sync::Arc;

pub fn run(bench: &mut Workbench, arguments: &str) -> Result<Value, ToolError> {
    if bench.heard.len() >= MAX_HEARD {
        return Err(ToolError(
            "Too many values for one message. Ask the franchisee to send the rest in another one.".into(),
        ));
    }
    let words = bench.words.words();
    let context = Context {
        fields: &bench.edition.fields,
        inputs: bench.inputs.as_deref(),
        brand: &bench.edition.brand,
        words: &words,
    };
    let judgement = extraction::judge(arguments, &context).map_err(|error| ToolError(error.to_string()))?;
    let previous = bench
        .inputs
        .as_ref()
        .and_then(|inputs| inputs.get(judgement.field.as_str()))
        .map(|value| value.current_value);
    let field = bench
        .edition
        .field(judgement.field.as_str())
        .ok_or_else(|| ToolError("There is no such field.".into()))?;
    let show = |value| field.kind.show(value);
    let result = json!({
        "status": match judgement.outcome {
            Outcome::Apply => "applied",
            Outcome::Unchanged => "unchanged",
            Outcome::Propose => "proposed",
            Outcome::Superseded => "superseded",
        },
        "field": judgement.field,
        "label": judgement.label,
        "value": show(judgement.value),
        "previous": previous.map(show),
        "warning": judgement.range_warning,
        "note": judgement.note,
        "range": prompt::range(&bench.edition.brand, field),
    });
    if judgement.outcome == Outcome::Apply {
        let inputs = bench
            .inputs
            .get_or_insert_with(|| Arc::new(FinancialInputs::from_brand(&bench.edition.brand)));
        plan::apply::set(
            Arc::make_mut(inputs),
            &judgement.field,
            judgement.value,
            Source::AiPopulated,
            bench.now,
        );
    }
    bench.heard.push(Heard {
        id: ExtractionId::fresh(),
        judgement,
        previous,
    });
    Ok(result)
}
