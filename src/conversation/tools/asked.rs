//! The open values that the last answer asks about at its end, by the server's own questions.

use crate::conversation::tools::context::ToolContext;
use crate::wording;
use plan_model::extracted::ExtractedValue;
use plan_model::language::Language;

/// The name of a value's field.
pub(in crate::conversation) fn name(ctx: &ToolContext, language: Language, value: &ExtractedValue) -> String {
    let field = ctx.brand_version.field(value.field.as_str());
    field.map_or_else(|| value.label.clone(), |field| wording::name(language, field))
}

/// A value as it is written in a sentence.
pub(in crate::conversation) fn shown(ctx: &ToolContext, language: Language, value: &ExtractedValue) -> String {
    match ctx.brand_version.field(value.field.as_str()) {
        Some(field) => wording::value(language, field, value.value),
        None => wording::figure(language, &value.kind.show(value.value)),
    }
}

/// A text about a value and its field.
pub(in crate::conversation) fn item(
    ctx: &ToolContext,
    language: Language,
    key: &str,
    value: &ExtractedValue,
) -> String {
    let (name, shown) = (name(ctx, language, value), shown(ctx, language, value));
    wording::say(language, key, &[("name", &name), ("value", &shown)])
}

/// The value whose yes the last answer asks for; more than once where it was noted so. Oldest first.
pub(in crate::conversation) fn alone<'a>(ctx: &ToolContext, open: &[&'a ExtractedValue]) -> Vec<&'a ExtractedValue> {
    let said = last_answer(ctx);
    let is_asked = |one: &&&ExtractedValue| {
        ctx.brand_version.field(one.field.as_str()).is_some_and(|_| {
            Language::ALL.iter().any(|language| {
                let (name, value) = (name(ctx, *language, one), shown(ctx, *language, one));
                said.ends_with(&wording::confirm(*language, &value, &name))
            })
        })
    };
    let Some(asked) = open.iter().rev().find(is_asked) else {
        return Vec::new();
    };
    let is_same = |one: &&ExtractedValue| one.field == asked.field && one.value == asked.value;
    open.iter().copied().filter(is_same).collect()
}

/// The values that the last answer lists as waiting.
pub(in crate::conversation) fn together<'a>(ctx: &ToolContext, open: &[&'a ExtractedValue]) -> Vec<&'a ExtractedValue> {
    let said = last_answer(ctx);
    let lists = |language: &&Language| said.contains(&wording::beginning(**language, "still_open"));
    let listing = || Language::ALL.iter().find(lists).copied();
    let Some(language) = wording::asks_for_names(said).or_else(listing) else {
        return Vec::new();
    };
    let is_listed = |one: &&ExtractedValue| said.contains(&item(ctx, language, "heard.item", one));
    open.iter().copied().filter(is_listed).collect()
}

/// Whether the last answer asks whether to use all of so many values.
pub(in crate::conversation) fn asks_for_all(ctx: &ToolContext, count: usize) -> bool {
    let count = count.to_string();
    let asks =
        |language: &Language| last_answer(ctx).contains(&wording::say(*language, "ask_all", &[("count", &count)]));
    Language::ALL.iter().any(asks)
}

fn last_answer(ctx: &ToolContext) -> &str {
    ctx.words.advisor.as_deref().unwrap_or_default().trim_end()
}
