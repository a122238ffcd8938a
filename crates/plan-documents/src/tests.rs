//! Documents of plans that a person may have, and of some that they should not.

mod adding_up;
#[cfg(feature = "typst")]
mod pdf;
mod wording;

use crate::contents::{Case, CaseName, Contents};
use crate::sheets::{Block, Part, Sheets, Table};
use plan_model::brand::Brand;
use plan_model::field::{Field, FieldPath};
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_model::outputs::Projection;
use time::OffsetDateTime;
use time::macros::datetime;

pub(super) const NOON: OffsetDateTime = datetime!(2026-11-26 12:00 UTC);

/// A plan, with what is needed to print it.
pub(super) struct Plan {
    pub name: String,
    pub owner: String,
    pub brand: Brand,
    pub fields: Vec<Field>,
    pub inputs: FinancialInputs,
    pub projection: Projection,
    pub cases: Vec<Case>,
}

impl Plan {
    pub(super) fn of(brand: Brand, values: &[(&'static str, i64)]) -> Self {
        let mut inputs = FinancialInputs::from_brand(&brand);
        for (at, &(path, value)) in (1..).zip(values) {
            let path = FieldPath::from_static(path);
            let kind = plan_model::field::find(path.as_str()).expect("a field").kind;
            let stored = inputs.0.get_mut(&path).expect("a field");
            stored.current_value = match kind.is_decimal() {
                true => Number::millionths(value),
                false => Number::whole(value),
            };
            stored.source = plan_model::inputs::Source::UserEntry;
            stored.last_modified_at = Some(NOON - time::Duration::days(30) + time::Duration::seconds(at));
        }
        Self {
            name: "Sam's salon".to_owned(),
            owner: "Sam Rivera".to_owned(),
            fields: brand.fields(),
            projection: plan_engine::project(&inputs, &brand),
            brand,
            inputs,
            cases: Vec::new(),
        }
        .with_cases()
    }

    pub(super) fn demo() -> Self {
        Self::of(Brand::demo(), &[])
    }

    fn with_cases(mut self) -> Self {
        let rent = self
            .fields
            .iter()
            .find(|field| field.path.as_str() == "operatingCosts.rentMonthly");
        let mut names = vec![
            CaseName::SalesLower(10),
            CaseName::OpensLater(3),
            CaseName::Scenario("Lean".to_owned()),
        ];
        names.extend(rent.map(|rent| CaseName::Lever(Box::new(rent.clone()), Number::whole(400_000))));
        let case = |name| Case {
            name,
            projection: self.projection.clone(),
        };
        self.cases = names.into_iter().map(case).collect();
        self
    }

    pub(super) fn contents(&self) -> Contents<'_> {
        Contents {
            cases: &self.cases,
            plan_version: 7,
            ..Contents::new(
                &self.name,
                &self.owner,
                &self.brand,
                &self.fields,
                &self.inputs,
                &self.projection,
                NOON,
            )
        }
    }
}

/// Plans at the edge, by what is odd about them.
pub(super) fn odd_plans() -> Vec<(&'static str, Plan)> {
    let with = |values: &[(&'static str, i64)]| Plan::of(Brand::demo(), values);
    let mut bare = Brand::demo();
    for row in &mut bare.startup_cost_template {
        (row.item7_low, row.item7_high) = (None, None);
        row.derives.clear();
    }
    let mut empty = Brand::demo();
    empty.startup_cost_template.clear();
    let mut highest = Plan::demo();
    for (path, value) in &mut highest.inputs.0 {
        let field = highest
            .fields
            .iter()
            .find(|field| field.path == *path)
            .expect("a field");
        value.current_value = field.hard().high;
    }
    highest.projection = plan_engine::project(&highest.inputs, &highest.brand);
    let mut zero = Plan::demo();
    for value in zero.inputs.0.values_mut() {
        value.current_value = Number::ZERO;
    }
    zero.projection = plan_engine::project(&zero.inputs, &zero.brand);
    vec![
        ("the defaults", Plan::demo()),
        ("no loan", with(&[("financing.loanAmount", 0)])),
        ("a loan above the costs", with(&[("financing.loanAmount", 90_000_000)])),
        (
            "extra cash, and the owner's share decides",
            with(&[
                ("financing.additionalEquity", 1_234_567),
                ("financing.downPaymentPct", 333_333),
            ]),
        ),
        ("a loan without a term", with(&[("financing.loanTermMonths", 0)])),
        (
            "a rent that eats all",
            with(&[("operatingCosts.rentMonthly", 2_000_001)]),
        ),
        ("all at zero", zero.with_cases()),
        ("all at their highest", highest.with_cases()),
        ("a brand without Item 7", Plan::of(bare, &[])),
        ("a brand without startup costs", Plan::of(empty, &[])),
    ]
}

pub(super) fn tables(part: &Part) -> Vec<&Table> {
    let tables = part.blocks.iter().filter_map(|block| match block {
        Block::Table(table) => Some(table),
        Block::Text { .. } => None,
    });
    tables.collect()
}

/// The section with this title.
#[track_caller]
pub(super) fn part<'a>(sheets: &'a Sheets, title: &str) -> &'a Part {
    let found = sheets.parts.iter().find(|part| part.title == title);
    found.unwrap_or_else(|| panic!("no section {title}"))
}

/// The cells of a row behind its label.
#[track_caller]
pub(super) fn row<'a>(table: &'a Table, label: &str) -> &'a [String] {
    let found = table.rows.iter().find(|row| row.cells[0] == label);
    &found.unwrap_or_else(|| panic!("no row {label}")).cells[1..]
}

/// Cents of an amount as it is printed.
#[track_caller]
pub(super) fn cents(printed: &str) -> i64 {
    let digits = printed.replace([',', '.', '$'], "").replace('−', "-");
    digits.parse().unwrap_or_else(|_| panic!("{printed:?} is no amount"))
}
