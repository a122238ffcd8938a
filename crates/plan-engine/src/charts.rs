//! Pictures of a projection as SVG text: cash in the bank, sales against costs, the owner's cash until it is back.
//!
//! Each brings its own surface, so that it reads on any page, and a darker one where the reader prefers that. Colours stand
//! in attributes, the dark ones in a `<style>`: where a content policy forbids it, the picture stays light and complete.
//! No scripts, no links, no text of anybody's but ours.

mod canvas;
mod scale;
mod texts;

use canvas::{Anchor, Canvas, Tone};
use plan_model::field::show_dollars as dollars;
use plan_model::language::Language;
use plan_model::outputs::{MonthRow, Projection};
use scale::Scale;
use texts::{Texts, fill, texts};

/// Cash at the end of each month, with the lowest point marked.
pub fn cash(projection: &Projection, language: Language) -> String {
    let (metrics, texts) = (&projection.metrics, texts(language));
    let points = points(metrics.opening_cash, projection, |row| row.ending_cash);
    let (lowest, month) = (metrics.lowest_cash, metrics.lowest_cash_month);
    let scale = Scale::around(&points).with_room_below(lowest);
    let last = points.last().copied().unwrap_or_default();
    let mut canvas = Canvas::new("cash", texts.cash, texts.months, scale);
    let marked = [("lowest", dollars(lowest)), ("month", month.to_string())];
    let values = [("opening", dollars(metrics.opening_cash)), ("last", dollars(last))];
    let description = fill(texts.cash_description, &borrowed(&values));
    canvas.describe(&sentences(&[&fill(&description, &borrowed(&marked)), texts.own]));
    canvas.area(&points);
    canvas.line(&points, Tone::Main);
    canvas.point(month, lowest, Tone::Mark);
    let label = fill(texts.lowest, &borrowed(&marked));
    canvas.label(month, lowest, Anchor::below(month), &label);
    canvas.finish()
}

/// Sales against all costs with the loan payment, and the month from which the first covers the second.
pub fn revenue_costs(projection: &Projection, language: Language) -> String {
    let texts = texts(language);
    let sales: Vec<_> = projection.monthly.iter().map(|row| row.revenue).collect();
    let costs: Vec<_> = projection.monthly.iter().map(all_costs).collect();
    let both: Vec<_> = sales.iter().chain(&costs).copied().collect();
    let scale = Scale::around(&both).with_room_above();
    let mut canvas = Canvas::new("revenue-costs", texts.sales_and_costs, texts.months, scale);
    let break_even = projection.metrics.break_even_month;
    let values = [
        ("sales", dollars(sales.first().copied().unwrap_or_default())),
        ("costs", dollars(costs.first().copied().unwrap_or_default())),
        ("last_sales", dollars(sales.last().copied().unwrap_or_default())),
        ("last_costs", dollars(costs.last().copied().unwrap_or_default())),
    ];
    let description = fill(texts.sales_and_costs_description, &borrowed(&values));
    canvas.describe(&sentences(&[
        &description,
        &break_even_sentence(break_even, texts),
        texts.own,
    ]));
    canvas.legend(&[(texts.sales, Tone::Main), (texts.costs, Tone::Other)]);
    canvas.line_from(1, &costs, Tone::Other);
    canvas.line_from(1, &sales, Tone::Main);
    match break_even {
        Some(month) => {
            canvas.flag(month, &with_month(texts.break_even, month));
            canvas.point(month, value_at(&sales, month), Tone::Mark);
        }
        None => canvas.note(texts.no_break_even),
    }
    canvas.finish()
}

/// What the owner has put in and got back so far, before draws, with payback marked.
pub fn break_even(projection: &Projection, language: Language) -> String {
    let (metrics, texts) = (&projection.metrics, texts(language));
    let mut position = -metrics.owner_cash;
    let points = points(position, projection, |row| {
        position += row.operating_cash_flow - row.principal;
        position
    });
    let last = points.last().copied().unwrap_or_default();
    let scale = Scale::around(&points).with_room_below(points.iter().copied().min().unwrap_or_default());
    let mut canvas = Canvas::new("break-even", texts.payback, texts.months, scale);
    let values = [("paid_in", dollars(metrics.owner_cash)), ("last", dollars(last))];
    let paid_back = metrics.payback_month.map_or_else(
        || texts.not_paid_back_sentence.to_owned(),
        |month| with_month(texts.paid_back_sentence, month),
    );
    canvas.describe(&sentences(&[
        &fill(texts.payback_description, &borrowed(&values)),
        &break_even_sentence(metrics.break_even_month, texts),
        &paid_back,
        texts.own,
    ]));
    canvas.area(&points);
    canvas.line(&points, Tone::Main);
    mark_payback(&mut canvas, metrics.payback_month, &points, texts);
    canvas.finish()
}

/// Marks payback on the owner's line, or labels it as not reached.
fn mark_payback(canvas: &mut Canvas, payback: Option<u32>, points: &[i64], texts: &Texts) {
    let Some(month) = payback else {
        return canvas.remark(texts.not_paid_back);
    };
    let at = points.get(month as usize).copied().unwrap_or_default();
    let text = with_month(texts.paid_back, month);
    // The line rises here: the space before it is free for the label.
    if month > 24 {
        canvas.label(month, at, Anchor::BEFORE, &text);
    } else {
        canvas.flag(month, &text);
    }
    canvas.point(month, at, Tone::Mark);
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

fn break_even_sentence(month: Option<u32>, texts: &Texts) -> String {
    month.map_or_else(
        || texts.no_break_even_sentence.to_owned(),
        |month| with_month(texts.break_even_sentence, month),
    )
}

fn with_month(text: &str, month: u32) -> String {
    fill(text, &[("month", &month.to_string())])
}

fn sentences(parts: &[&str]) -> String {
    parts.join(" ")
}

fn borrowed<'a, const N: usize>(values: &'a [(&'a str, String); N]) -> [(&'a str, &'a str); N] {
    std::array::from_fn(|index| (values[index].0, values[index].1.as_str()))
}

#[cfg(test)]
mod tests;
