//! Remarks on values that have been written, and the question for the next one: said by the advisor without a model, and by the
//! server behind a yes.

use super::{has, name, say, shown};
use plan_model::extracted::RangeCode;
use plan_model::field::Field;
use plan_model::language::Language;
use plan_model::metrics::NOT_COVERED;
use plan_model::tool_result::{MovedResult, Reference, ReferenceKind};

/// Asks for a field in plain words. The grammar reads the field back out of the question too: the decision on the answer does not
/// know what was asked.
pub(crate) fn question(language: Language, field: &Field) -> String {
    let key = format!("q.{}", field.path);
    if has(&key) {
        return say(language, &key, &[]);
    }
    say(language, "q.other", &[("name", &name(language, field))])
}

/// The next question of the interview; behind the last one that all are answered.
pub(crate) fn next_question(language: Language, field: Option<&Field>) -> String {
    field.map_or_else(|| say(language, "all_yours", &[]), |field| question(language, field))
}

/// Whether a shown amount is below zero.
pub(crate) fn is_negative(shown: &str) -> bool {
    shown.starts_with('−')
}

/// Whether a shown coverage is below one: what is earned does not pay the loan.
pub(crate) fn is_below_one(shown: &str) -> bool {
    shown == NOT_COVERED || shown.starts_with('0')
}

/// One sentence about what values break: cash below zero, coverage below one.
pub(crate) fn broken(language: Language, changed: &[MovedResult]) -> Option<String> {
    let of = |metric: &str| {
        let moved = changed.iter().find(|moved| moved.metric == metric)?;
        Some((moved.before.clone()?, moved.after.clone()?))
    };
    if let Some((before, after)) = of("lowestCash")
        && is_negative(&after)
        && !is_negative(&before)
    {
        return Some(say(language, "broken.cash", &[("value", &after)]));
    }
    let (before, after) = of("dscrYear1")?;
    if after == NOT_COVERED && before != NOT_COVERED {
        return Some(say(language, "broken.nothing", &[]));
    }
    (is_below_one(&after) && !is_below_one(&before)).then(|| say(language, "broken.coverage", &[("value", &after)]))
}

/// Names the reference of a value outside it once, neutrally.
pub(crate) fn out_of_range(language: Language, field: &Field, code: RangeCode, range: &Reference) -> String {
    let side = match code {
        RangeCode::AboveItem7 | RangeCode::AboveTypical => "above",
        RangeCode::BelowItem7 | RangeCode::BelowTypical => "below",
    };
    let key = match range.kind {
        ReferenceKind::Item7 => "range.item7",
        ReferenceKind::Typical => "range.typical",
    };
    let (name, side) = (name(language, field), say(language, side, &[]));
    let (low, high) = (shown(language, field, &range.low), shown(language, field, &range.high));
    say(
        language,
        key,
        &[("name", &name), ("low", &low), ("high", &high), ("side", &side)],
    )
}
