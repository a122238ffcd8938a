//! What is said behind a yes that leaves nothing else to answer: where a value leaves its range, what the values break, and the next
//! question of the interview.

use crate::conversation::acts::Acted;
use crate::conversation::tools::{ToolContext, asked, figures};
use crate::plans::apply;
use crate::store::plans::extractions::Proposal;
use crate::wording;
use plan_model::extracted::ExtractedValue;
use plan_model::field::Kind;
use plan_model::inputs::SALES;
use plan_model::language::Language;
use plan_model::number::Number;

/// Values outside their range are named up to so many; the page marks every one.
const RANGES: usize = 2;

/// Adds these sentences to the text of an act. A plain yes is followed by the value that still waits, where it is the only one; behind any
/// other act what it left alone is not asked about at once.
pub(in crate::conversation) fn follow_up(
    acted: Acted,
    (open, is_plain_yes): (&[Proposal], bool),
    before: &ToolContext,
    mut after: ToolContext,
) -> Acted {
    if acted.accepted.is_empty() {
        return acted;
    }
    let language = before.spoken();
    let was = before.projection_or_default();
    after.settle_first(acted.settlement.clone(), &acted.accepted);
    let moved = figures::changes(&was.metrics, &after.projection_or_default().metrics);
    let is_left = |one: &&Proposal| !acted.settlement.iter().any(|(id, _)| *id == one.value.id);
    let left: Vec<&Proposal> = open.iter().filter(is_left).collect();
    let (question, suggestions) = match left[..] {
        _ if acted.text.contains('?') => (None, None),
        [] => (Some(next(&after, language, &acted.accepted)), None),
        [only] if is_plain_yes => {
            let say = |key| wording::say(language, key, &[]);
            let question = asked::item(&after, language, "confirm", &only.value);
            (Some(question), Some(vec![say("s.yes"), say("s.no")]))
        }
        _ => (None, None),
    };
    let remarks = acted
        .accepted
        .iter()
        .filter_map(|one| range_remark(&after, language, one));
    let broken = wording::broken(language, &moved);
    let accepted = |one: &&Proposal| acted.accepted.iter().any(|value| value.id == one.value.id);
    let of_sales = open.iter().filter(|one| accepted(one) || is_left(one));
    let of_sales = of_sales.filter_map(|one| share_remark(one, open, before, &after, language));
    let sentences = remarks.take(RANGES).chain(of_sales).chain(broken).chain(question);
    let behind: String = sentences.map(|sentence| format!(" {sentence}")).collect();
    Acted {
        text: acted.text.clone() + &behind,
        suggestions: suggestions.unwrap_or_else(|| acted.suggestions.clone()),
        ..acted
    }
}

fn range_remark(ctx: &ToolContext, language: Language, one: &ExtractedValue) -> Option<String> {
    let field = ctx.brand_version.field(one.field.as_str())?;
    let range = plan_engine::describe::reference_range(&ctx.brand_version.brand, field)?;
    Some(wording::out_of_range(language, field, one.range_code?, &range))
}

/// Dollars that were worked out as a share of sales, where the sales are others now: what the same dollars are of these. Those of one
/// message are of its own sales.
fn share_remark(
    one: &Proposal,
    open: &[Proposal],
    before: &ToolContext,
    after: &ToolContext,
    language: Language,
) -> Option<String> {
    let is_sales = |other: &Proposal| other.value.field.as_str() == SALES;
    let is_worked_out = one.value.kind == Kind::Percent && one.value.evidence.is_none();
    if !is_worked_out || open.iter().any(|other| is_sales(other) && other.turn == one.turn) {
        return None;
    }
    let sales = |ctx: &ToolContext| ctx.inputs_or_defaults().get(SALES).map(|value| value.current_value);
    let (was, is) = (sales(before)?, sales(after)?);
    let share = one
        .value
        .value
        .decimal()
        .checked_mul(was.decimal())?
        .checked_div(is.decimal())?;
    let share = Number::new(share).round(3);
    let slots = [
        ("name", asked::name(after, language, &one.value)),
        ("value", asked::shown(after, language, &one.value)),
        ("before", wording::figure(language, &Kind::Money.show(was))),
        ("after", wording::figure(language, &Kind::Money.show(is))),
        ("share", Kind::Percent.show(share)),
    ];
    let slots: Vec<(&str, &str)> = slots.iter().map(|(slot, text)| (*slot, &**text)).collect();
    (was != is).then(|| wording::sentence(&wording::say(language, "share.moved", &slots)))
}

/// Asks for what is still the brand's, first in the section of what was accepted last.
fn next(ctx: &ToolContext, language: Language, accepted: &[ExtractedValue]) -> String {
    let fields = &ctx.brand_version.fields;
    let missing = apply::missing_core(ctx.inputs.as_deref(), fields);
    let section = accepted.last().map(|one| one.field.section());
    let of_section = missing.iter().find(|path| Some(path.section()) == section);
    let field = of_section
        .or_else(|| missing.first())
        .and_then(|path| ctx.brand_version.field(path.as_str()));
    wording::next_question(language, field)
}
