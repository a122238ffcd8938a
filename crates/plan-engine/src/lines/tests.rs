//! The catalogue, and what it reads.

use super::*;
use crate::project;
use plan_model::brand::Brand;
use plan_model::inputs::FinancialInputs;
use std::collections::HashSet;

fn demo() -> Projection {
    let brand = Brand::demo();
    project(&FinancialInputs::from_brand(&brand), &brand)
}

fn said(name: &str, when: When) -> Option<String> {
    let line = find(name).expect("a line");
    line.value(&demo(), when).map(|value| line.show(value))
}

#[test]
fn each_figure_has_a_name_and_a_label_of_its_own() {
    let distinct = |text: fn(&FigureLine) -> &'static str| LINES.iter().map(text).collect::<HashSet<_>>().len();
    assert_eq!(
        (distinct(|line| line.name), distinct(|line| line.label)),
        (LINES.len(), LINES.len())
    );
}

#[test]
fn each_heading_has_its_spanish_one() {
    let missing: Vec<_> = columns()
        .filter(|line| spanish::heading(line.name).is_none())
        .map(|line| line.name)
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
    let distinct = |language| {
        columns()
            .map(|line| line.heading_in(language))
            .collect::<HashSet<_>>()
            .len()
    };
    assert_eq!(
        (distinct(Language::English), distinct(Language::Spanish)),
        (columns().count(), columns().count())
    );
}

#[test]
fn what_the_franchisor_gets_is_royalty_ad_fund_and_technology_fee() {
    let plan = demo();
    let value = |name: &str| {
        let line = find(name).expect("a line");
        line.value(&plan, When::Year(2)).map_or(0, Number::to_whole)
    };
    let parts = ["royalty", "adFund", "technologyFee"].map(value);
    assert!(parts.iter().all(|part| *part > 0));
    assert_eq!(value("franchiseFees"), parts.iter().sum::<i64>());
}

#[test]
fn figures_are_those_of_the_projection() {
    let plan = demo();
    assert_eq!(said("moneyToOpen", When::Plan).as_deref(), Some("$371,500"));
    assert_eq!(said("loanPayment", When::Plan).as_deref(), Some("$3,739.10"));
    assert_eq!(said("dscr", When::Year(1)).as_deref(), Some("0.61×"));
    assert_eq!(said("breakEvenMonth", When::Plan).as_deref(), Some("month 9"));
    assert_eq!(said("firstNegativeMonth", When::Plan), None);
    let cash = find("cash").expect("a line");
    assert_eq!(
        cash.value(&plan, When::Month(6)),
        Some(Number::whole(plan.monthly[5].ending_cash))
    );
    assert_eq!(
        cash.value(&plan, When::Year(2)),
        Some(Number::whole(plan.annual[1].ending_cash))
    );
    let sales = find("SALES").expect("a line");
    assert_eq!(
        sales.value(&plan, When::Year(3)),
        Some(Number::whole(plan.annual[2].revenue))
    );
    for outside in [
        When::Year(0),
        When::Year(6),
        When::Month(0),
        When::Month(61),
        When::Month(u32::MAX),
        When::Year(u32::MAX),
    ] {
        assert!(!outside.is_projected());
        assert!(
            LINES.iter().all(|line| line.value(&plan, outside).is_none()),
            "{outside:?}"
        );
    }
}

#[test]
fn the_costs_add_up_to_what_sales_have_to_pay() {
    let plan = demo();
    for year in YEARS {
        let costs: i64 = costs(months_of(&plan, year)).iter().map(|(_, cents)| cents).sum();
        let row = plan.annual[year as usize - 1];
        assert_eq!(costs, row.revenue - row.operating_ebitda, "year {year}");
    }
}

/// A figure of a row by the name that JSON has for it.
fn keys(row: &impl serde::Serialize) -> serde_json::Map<String, serde_json::Value> {
    let row = serde_json::to_value(row).expect("a row is JSON");
    row.as_object().cloned().expect("an object")
}

#[test]
fn each_part_of_the_statements_is_a_line_with_a_column() {
    let plan = demo();
    for year in YEARS {
        let row = &plan.annual[year as usize - 1];
        for (name, value) in keys(&row.lines).into_iter().chain(keys(&row.balance)) {
            // What an opening balance calls the loan is the balance of a loan that is paid back.
            let line = find(if name == "loan" { "loanBalance" } else { &name }).expect(&name);
            assert!(line.heading.is_some(), "{name} has no column");
            let read = line.value(&plan, When::Year(year)).map(Number::to_whole);
            assert_eq!(read, value.as_i64(), "{name} of year {year}");
        }
    }
}

#[test]
fn a_year_is_what_the_engine_says_of_it() {
    let plan = demo();
    let called = [
        ("revenue", "sales"),
        ("operatingEbitda", "ebitda"),
        ("ebitda", "ebitdaAfterStartup"),
        ("netIncome", "netProfit"),
        ("endingCash", "cash"),
    ];
    let mut compared = 0;
    for row in &plan.annual {
        for (key, value) in keys(row) {
            let name = called
                .iter()
                .find(|(theirs, _)| *theirs == key)
                .map_or(key.as_str(), |(_, ours)| ours);
            if let Some(line) = find(name).filter(|line| line.heading.is_some()) {
                let read = line.value(&plan, When::Year(row.year)).map(Number::to_whole);
                assert_eq!(read, value.as_i64(), "{key} of year {}", row.year);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 5 * 28);
}
