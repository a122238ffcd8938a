//! Pictures of a projection as SVG text: cash in the bank, sales against costs, the owner's cash until it is back.
//!
//! Each brings its own surface, so that it reads on any page, and a darker one where the reader prefers that. Colours stand
//! in attributes, the dark ones in a `<style>`: where a content policy forbids it, the picture stays light and complete.
//! No scripts, no links, no text of anybody's but ours.

mod canvas;
mod scale;

use super::words::whole_dollars;
use crate::model::outputs::{MonthRow, Projection};
use canvas::{Anchor, Canvas, Tone};
use scale::Scale;

const OWN: &str = "The result of the plan's own assumptions, not a forecast.";

/// Cash at the end of each month, with the lowest point marked.
#[must_use]
pub fn cash(projection: &Projection) -> String {
    let metrics = &projection.metrics;
    let points = points(metrics.opening_cash, projection, |row| row.ending_cash);
    let (lowest, month) = (metrics.lowest_cash, metrics.lowest_cash_month);
    let scale = Scale::around(&points).with_room_below(lowest);
    let last = points.last().copied().unwrap_or_default();
    let mut canvas = Canvas::new("cash", "Cash in the bank", scale);
    canvas.describe(&format!(
        "Line chart of the cash at the end of each of the 60 months. It opens with {}, is lowest in month {month} with {} \
         and ends with {}. {OWN}",
        dollars(metrics.opening_cash),
        dollars(lowest),
        dollars(last),
    ));
    canvas.area(&points);
    canvas.line(&points, Tone::Main);
    canvas.point(month, lowest, Tone::Mark);
    let anchor = Anchor::below(month);
    canvas.label(
        month,
        lowest,
        anchor,
        &format!("Lowest: {} in month {month}", dollars(lowest)),
    );
    canvas.finish()
}

/// Sales against all costs with the loan payment, and the month from which the first covers the second.
#[must_use]
pub fn revenue_costs(projection: &Projection) -> String {
    let sales: Vec<_> = projection.monthly.iter().map(|row| row.revenue).collect();
    let costs: Vec<_> = projection.monthly.iter().map(all_costs).collect();
    let both: Vec<_> = sales.iter().chain(&costs).copied().collect();
    let mut canvas = Canvas::new(
        "revenue-costs",
        "Sales and costs",
        Scale::around(&both).with_room_above(),
    );
    let break_even = projection.metrics.break_even_month;
    canvas.describe(&format!(
        "Line chart of the sales and of all costs with the loan payment in each of the 60 months. In month 1 sales are {} \
         and costs {}, in month 60 {} and {}. {} {OWN}",
        dollars(sales.first().copied().unwrap_or_default()),
        dollars(costs.first().copied().unwrap_or_default()),
        dollars(sales.last().copied().unwrap_or_default()),
        dollars(costs.last().copied().unwrap_or_default()),
        break_even_sentence(break_even),
    ));
    canvas.legend(&[("Sales", Tone::Main), ("Costs and loan payment", Tone::Other)]);
    canvas.line_from(1, &costs, Tone::Other);
    canvas.line_from(1, &sales, Tone::Main);
    match break_even {
        Some(month) => {
            canvas.flag(month, &format!("Break-even: month {month}"));
            canvas.point(month, value_at(&sales, month), Tone::Mark);
        }
        None => canvas.note("No break-even within 60 months"),
    }
    canvas.finish()
}

/// What the owner has put in and got back so far, before draws, with break-even and payback marked.
#[must_use]
pub fn break_even(projection: &Projection) -> String {
    let metrics = &projection.metrics;
    let mut position = -metrics.owner_cash;
    let points = points(position, projection, |row| {
        position += row.operating_cash_flow - row.principal;
        position
    });
    let last = points.last().copied().unwrap_or_default();
    let scale = Scale::around(&points).with_room_below(points.iter().copied().min().unwrap_or_default());
    let mut canvas = Canvas::new("break-even", "Until your cash is back", scale);
    canvas.describe(&format!(
        "Line chart of the cash the business has returned so far, before draws, less the {} put in. After 60 months it \
         stands at {}. {} {} {OWN}",
        dollars(metrics.owner_cash),
        dollars(last),
        break_even_sentence(metrics.break_even_month),
        metrics.payback_month.map_or_else(
            || "The cash put in is not back within 60 months.".into(),
            |month| format!("In month {month} the cash put in is back."),
        ),
    ));
    canvas.area(&points);
    canvas.line(&points, Tone::Main);
    mark_turns(&mut canvas, projection, &points);
    canvas.finish()
}

/// Marks break-even and payback on the owner's line, or says that they are missing.
fn mark_turns(canvas: &mut Canvas, projection: &Projection, points: &[i64]) {
    let (turn, back) = (projection.metrics.break_even_month, projection.metrics.payback_month);
    let at = |month: u32| points.get(month as usize).copied().unwrap_or_default();
    if let Some(month) = turn {
        canvas.point(month, at(month), Tone::Mark);
        canvas.label(
            month,
            at(month),
            Anchor::below(month),
            &format!("Break-even: month {month}"),
        );
    }
    if let Some(month) = back {
        let text = format!("Cash is back: month {month}");
        // The line rises here: before it is free, where there is room for words.
        if month > 24 {
            canvas.label(month, at(month), Anchor::BEFORE, &text);
        } else {
            canvas.flag(month, &text);
        }
        canvas.point(month, at(month), Tone::Mark);
    }
    match (turn, back) {
        (None, None) => canvas.remark("No break-even, no payback within 60 months"),
        (None, Some(_)) => canvas.remark("No break-even within 60 months"),
        (Some(_), None) => canvas.remark("No payback within 60 months"),
        (Some(_), Some(_)) => {}
    }
}

/// Month 0 and the 60 after it.
fn points(opening: i64, projection: &Projection, value: impl FnMut(&MonthRow) -> i64) -> Vec<i64> {
    std::iter::once(opening)
        .chain(projection.monthly.iter().map(value))
        .collect()
}

/// What a month's sales have to cover: running costs and the loan payment.
fn all_costs(row: &MonthRow) -> i64 {
    row.revenue - row.operating_ebitda + row.interest + row.principal
}

fn value_at(values: &[i64], month: u32) -> i64 {
    values.get(month as usize - 1).copied().unwrap_or_default()
}

fn break_even_sentence(month: Option<u32>) -> String {
    month.map_or_else(
        || "In none of the 60 months do sales cover them three months in a row.".into(),
        |month| format!("Break-even is month {month}, the first of three in a row in which sales cover all costs."),
    )
}

/// Whole dollars with a true minus sign.
fn dollars(cents: i64) -> String {
    whole_dollars(cents).replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::brand::Brand;
    use crate::model::field::FieldPath;
    use crate::model::inputs::FinancialInputs;
    use crate::model::number::Number;
    use crate::plan::project;
    use proptest::prelude::*;

    fn with(changes: &[(&'static str, i64)]) -> Projection {
        let brand = Brand::demo();
        let mut inputs = FinancialInputs::from_brand(&brand);
        for (path, value) in changes {
            let field = inputs
                .0
                .get_mut(&FieldPath::from_static(path))
                .expect("a field of the plan");
            field.current_value = Number::whole(*value);
        }
        project(&inputs, &brand)
    }

    /// Every tag closes in order, and nothing but tags and text stands in between.
    fn assert_well_formed(svg: &str) {
        let mut open = vec![];
        let mut rest = svg;
        while let Some(start) = rest.find('<') {
            assert!(!rest[..start].contains('>'), "stray >");
            let end = start + rest[start..].find('>').expect("a tag ends");
            let tag = &rest[start + 1..end];
            let name = |tag: &str| {
                tag.trim_start_matches('/')
                    .split([' ', '/'])
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            };
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name(tag)));
            } else {
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                if !tag.ends_with('/') {
                    open.push(name(tag));
                }
            }
            rest = &rest[end + 1..];
        }
        assert_eq!(open, Vec::<String>::new());
    }

    fn all(projection: &Projection) -> [String; 3] {
        [cash(projection), revenue_costs(projection), break_even(projection)]
    }

    #[test]
    fn every_picture_has_a_title_a_text_and_axes_in_dollars() {
        for svg in all(&with(&[])) {
            assert_well_formed(&svg);
            for part in [
                "role=\"img\"",
                "<title id=",
                "<desc id=",
                "aria-labelledby=",
                ">$",
                "months after opening",
            ] {
                assert!(svg.contains(part), "{part} in {svg}");
            }
            for active in ["<script", "href", "onload", "foreignObject", "url(http"] {
                assert!(!svg.contains(active), "{active}");
            }
        }
    }

    #[test]
    fn the_telling_months_are_marked() {
        let projection = with(&[("operatingCosts.rentMonthly", 420_000)]);
        let [cash, costs, owner] = all(&projection);
        assert!(cash.contains("Lowest: $27,321 in month 8"), "{cash}");
        assert!(costs.contains("Break-even: month 8"));
        assert!(owner.contains("Break-even: month 8") && owner.contains("Cash is back: month 39"));
    }

    #[test]
    fn what_is_never_reached_is_said() {
        let projection = with(&[("operatingCosts.rentMonthly", 900_000)]);
        let [cash, costs, owner] = all(&projection);
        assert!(cash.contains("Lowest: \u{2212}$152,333 in month 60"), "{cash}");
        assert!(costs.contains("No break-even within 60 months"));
        assert!(owner.contains("No break-even, no payback within 60 months"));
    }

    proptest! {
        #[test]
        fn any_plan_can_be_drawn(sales in 0i64..=10_000_000_000, rent in 0i64..=10_000_000_000, loan in 0i64..=10_000_000_000) {
            let plan = [("revenue.monthlyAuv", sales), ("operatingCosts.rentMonthly", rent), ("financing.loanAmount", loan)];
            for svg in all(&with(&plan)) {
                assert_well_formed(&svg);
            }
        }
    }
}
