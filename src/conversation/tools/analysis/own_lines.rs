//! Which line of the projection a field's cost is.

use plan_engine::lines::{self, FigureLine, When};
use plan_model::field;
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::tool_result::LineFigure;

/// The line that a field's value makes, where it has one.
pub(super) fn of(path: &str) -> Option<&'static FigureLine> {
    lines::find(field::find(path)?.line?)
}

/// What a figure that was found counts, where it is one of a line.
pub(super) fn number(projection: &Projection, found: &LineFigure) -> Option<Number> {
    let line = lines::find(&found.line).or_else(|| of(&found.line))?;
    line.value(projection, time(found))
}

/// The time that a figure is of.
pub(super) fn time(found: &LineFigure) -> When {
    match (found.year, found.month) {
        (Some(year), _) => When::Year(year),
        (None, Some(month)) => When::Month(month),
        (None, None) => When::Plan,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::field::{Kind, catalogue};

    #[test]
    fn each_cost_in_dollars_has_a_line_of_its_own() {
        for field in catalogue() {
            if let Some(line) = field.line {
                assert!(lines::find(line).is_some_and(FigureLine::is_flow), "{line}");
            }
            let is_cost = field.path.section() == "operatingCosts" && field.kind == Kind::Money;
            assert!(field.line.is_some() || !is_cost, "{}", field.path);
        }
    }
}
