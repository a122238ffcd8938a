//! Drafts a text for a lender. The person reads it and says yes before it is anywhere.

use crate::conversation::tools::action::{DRAFT_STORY, Destructive, Intercepted};
use crate::conversation::tools::arguments::{ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::tool::{Run, Tool};
use crate::plans::apply;
use plan_model::clean;
use plan_model::language::Language;
use plan_model::metrics::METRICS;
use plan_model::number::Number;
use plan_model::story::{MAX_CHARS, StoryPart};
use plan_reader::numbers;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) static TOOL: Tool = Tool::new(
    DRAFT_STORY,
    "Only when asked to: draft one text of the plan for a lender, from what they said. No number that they or the plan do not have. \
     The server asks them.",
    Run::Confirm(run),
)
.schema(schema::<DraftArguments>)
.example(r#"{"part":"team","text":"We have run a shop before."}"#)
.known_by(&[&["part", "text"]]);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DraftArguments {
    /// team, business, market, customers, loan or risks
    part: String,
    text: String,
}

fn run(ctx: &ToolContext, arguments: &str) -> Result<Intercepted, ToolError> {
    let DraftArguments { part, text } = parse(arguments)?;
    let part = StoryPart::parse(part.trim()).ok_or_else(|| {
        let parts: Vec<_> = StoryPart::ALL.iter().map(|part| part.as_str()).collect();
        ToolError(format!("The parts are {}.", parts.join(", ")))
    })?;
    let text = clean::paragraphs(&text);
    if text.is_empty() || text.chars().count() as u64 > MAX_CHARS {
        return Err(ToolError(format!("The text must have 1 to {MAX_CHARS} characters.")));
    }
    check_numbers(ctx, &text)?;
    let name = match part {
        StoryPart::Team => "who you are and your experience",
        StoryPart::Business => "the business and its place",
        StoryPart::Market => "the market and your competitors",
        StoryPart::Customers => "how customers come",
        StoryPart::Loan => "what the loan is for and what secures it",
        StoryPart::Risks => "the risks and what you do about them",
    };
    Ok(Intercepted {
        prompt: format!(
            "This is a draft for a lender, about {name}:\n\n{text}\n\nShall I put it into your plan's story, in place of what \
             stands there? Answer yes or no."
        ),
        action: Destructive::WriteStory { part, text },
    })
}

/// A lender reads the text beside the figures: each number of it is the person's or the plan's.
fn check_numbers(ctx: &ToolContext, text: &str) -> Result<(), ToolError> {
    let unread = || ToolError("The text has a number that cannot be read. Write it in another way.".into());
    let found = numbers(text, ctx.language).ok_or_else(unread)?;
    let said = ctx.words.said.iter().chain([&ctx.words.message]).cloned();
    let known: Vec<Number> = said
        .chain(plan_in_words(ctx))
        .flat_map(|text| [Language::English, Language::Spanish].map(|language| numbers(&text, language)))
        .flatten()
        .flatten()
        .collect();
    match found.iter().find(|number| !known.contains(number)) {
        Some(number) => Err(ToolError(format!(
            "Neither the plan nor what they said has the number {number}. Leave it out, or ask them."
        ))),
        None => Ok(()),
    }
}

/// The plan's values and results, each as it is shown.
fn plan_in_words(ctx: &ToolContext) -> impl Iterator<Item = String> {
    let fields = ctx.brand_version.fields.iter();
    let values = fields.filter_map(|field| {
        let value = apply::value(ctx.inputs.as_deref()?, &ctx.brand_version, &field.path)?;
        Some(field.kind.show(value.current_value))
    });
    let projection = ctx.projection();
    let results = METRICS.iter().filter_map(move |metric| {
        let value = (metric.value)(&projection.as_ref()?.metrics)?;
        Some(metric.show(value))
    });
    values.chain(results)
}
