//! What if: the plan beside cases of it.

use crate::contents::{CaseName, Contents};
use crate::figures::{self, amount, coverage};
use crate::sheets::{Block, Column, Layout, Part, Row, Table};
use crate::texts::{Texts, readable};
use plan_model::language::Language;
use plan_model::outputs::Projection;

/// `None` without cases.
pub(crate) fn cases(contents: &Contents<'_>, texts: Texts) -> Option<Part> {
    if contents.cases.is_empty() {
        return None;
    }
    let plan = row(texts.get("cases.plan").to_owned(), contents.projection, texts);
    let cases = contents.cases.iter();
    let cases = cases.map(|case| Row::line(row(named(&case.name, texts), &case.projection, texts)));
    let numbers = ["breakEven", "before", "after", "lowest", "month", "cash"];
    let numbers = numbers.map(|key| Column::number(texts.get(&format!("cases.{key}"))));
    let columns = std::iter::once(Column::text(texts.get("cases.case"))).chain(numbers);
    let rows = std::iter::once(Row::total(plan)).chain(cases);
    let mut notes = vec![texts.get("cases.note").to_owned()];
    let is_lever = |case: &crate::contents::Case| matches!(case.name, CaseName::Lever(..));
    if contents.cases.iter().any(is_lever) {
        notes.push(texts.get("cases.levers").to_owned());
    }
    Some(Part {
        title: texts.get("cases.title").to_owned(),
        layout: Layout::Running,
        blocks: vec![
            Block::Table(Table::new(columns.collect(), rows.collect())),
            Block::text(notes),
        ],
    })
}

/// What a case is called.
pub fn case_name(name: &CaseName, language: Language) -> String {
    named(name, Texts(language))
}

fn named(name: &CaseName, texts: Texts) -> String {
    match name {
        CaseName::SalesLower(percent) => texts.say("cases.sales", &[("percent", &percent.to_string())]),
        CaseName::OpensLater(months) => texts.say("cases.later", &[("count", &months.to_string())]),
        CaseName::Lever(field, value) => {
            format!("{}: {}", texts.field(field), figures::value(field, *value, texts))
        }
        CaseName::Scenario(name) => texts.say("cases.scenario", &[("name", &readable(name))]),
    }
}

fn row(label: String, projection: &Projection, texts: Texts) -> Vec<String> {
    let metrics = &projection.metrics;
    let after = projection.annual.last().map_or(0, |year| year.ending_cash);
    vec![
        label,
        figures::month(metrics.break_even_month, texts),
        coverage(metrics.dscr_year1, texts),
        coverage(metrics.dscr_after_owner_year1, texts),
        amount(metrics.lowest_cash),
        metrics.lowest_cash_month.to_string(),
        amount(after),
    ]
}
