//! What is said, to whom, in which language.

use super::{NOON, Plan, odd_plans, part, row, tables};
use crate::contents::{Contents, Kind, Paper};
use crate::sheets;
use plan_model::language::Language;
use plan_model::story::Story;

fn all_text(contents: &Contents<'_>) -> String {
    serde_json::to_string(&sheets(contents)).expect("JSON")
}

#[test]
fn a_package_has_all_sections_in_the_lenders_order() {
    let plan = Plan::demo();
    let story = Story {
        team: Some("Six years of grooming.".into()),
        ..Story::default()
    };
    let contents = Contents {
        story: &story,
        ..plan.contents()
    };
    let sheets = sheets(&contents);
    let titles: Vec<&str> = sheets.parts.iter().map(|part| part.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Key results",
            "The business, in the owner's words",
            "Sources and uses of funds",
            "Startup costs beside the disclosed ranges (Item 7)",
            "Five years: profit and loss",
            "Five years: cash flow",
            "Five years: balance sheet",
            "Year 1 by month",
            "Years 2 to 5 by quarter",
            "Loan schedule by year",
            "What if",
            "Assumptions, with source and date",
            "Notes",
        ]
    );
}

#[test]
fn a_summary_has_the_request_the_results_and_the_five_years() {
    let plan = Plan::demo();
    let sheets = sheets(&plan.contents().of_kind(Kind::Summary));
    let titles: Vec<&str> = sheets.parts.iter().map(|part| part.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Key results",
            "Sources and uses of funds",
            "Five years: profit and loss",
            "Five years: cash flow",
            "What if",
            "Notes",
        ]
    );
    assert_eq!(
        sheets.cover.request[0],
        ["Loan amount", "$280,000.00"].map(str::to_owned)
    );
}

#[test]
fn the_figures_are_those_of_the_engine() {
    let plan = Plan::demo();
    let sheets = sheets(&plan.contents());
    let results = tables(part(&sheets, "Key results"));
    let result = |label| row(results[0], label)[0].as_str();
    assert_eq!(result("Total investment"), "$371,500.00");
    assert_eq!(result("Loan payment per month"), "$3,739.10");
    assert_eq!(result("Owner's share of the investment"), "24.6%");
    assert_eq!(result("Break-even month"), "month 9");
    assert_eq!(result("Lowest cash"), "$31,821.05");
    assert_eq!(result("Month of lowest cash"), "month 8");
    assert_eq!(result("Owner's cash paid back"), "month 41");
    assert_eq!(
        row(results[1], "Before the owner"),
        ["0.61", "1.70", "2.10", "2.21", "2.30"]
    );
    let after = plan
        .projection
        .annual
        .iter()
        .map(|year| year.dscr_after_owner.expect("a loan"));
    let after: Vec<String> = after.map(|ratio| format!("{:.2}", ratio.decimal())).collect();
    assert_eq!(row(results[1], "After the owner"), after);
    let years = tables(part(&sheets, "Five years: profit and loss"))[0];
    assert_eq!(row(years, "Sales")[0], "389,964.69");
    let cash = tables(part(&sheets, "Five years: cash flow"))[0];
    assert_eq!(row(cash, "Ending cash")[4], "129,802.67");
}

#[test]
fn payback_is_no_news_while_cash_is_below_zero() {
    for (what, plan) in odd_plans() {
        let sheets = sheets(&plan.contents());
        let results = tables(part(&sheets, "Key results"))[0];
        let has = |label: &str| results.rows.iter().any(|row| row.cells[0] == label);
        let is_negative = plan.projection.metrics.months_negative > 0;
        assert_eq!(has("Owner's cash paid back"), !is_negative, "{what}");
        assert_eq!(has("Months with cash below zero"), is_negative, "{what}");
    }
}

#[test]
fn of_loan_and_share_the_derived_one_says_what_it_follows_from() {
    let derived = |values: &[(&'static str, i64)]| {
        let plan = Plan::of(plan_model::brand::Brand::demo(), values);
        let sheets = sheets(&plan.contents());
        let assumptions = tables(part(&sheets, "Assumptions, with source and date"));
        let financing = assumptions
            .into_iter()
            .find(|table| table.caption.as_deref() == Some("Financing"))
            .expect("it");
        [
            row(financing, "Loan amount")[0].clone(),
            row(financing, "Owner share of total investment")[0].clone(),
        ]
    };
    assert_eq!(derived(&[]), ["$280,000.00", "follows from the loan amount"]);
    assert_eq!(
        derived(&[("financing.downPaymentPct", 300_000)]),
        ["$260,050.00, follows from the owner's share", "30%"]
    );
}

#[test]
fn values_say_whose_they_are_and_since_when() {
    let plan = Plan::of(
        plan_model::brand::Brand::demo(),
        &[("operatingCosts.rentMonthly", 420_000)],
    );
    let sheets = sheets(&plan.contents());
    let costs = tables(part(&sheets, "Assumptions, with source and date"))[1];
    assert_eq!(row(costs, "Rent per month"), ["$4,200.00", "Owner", "2026-10-27"]);
    assert_eq!(row(costs, "Royalty"), ["6%", "Brand default (Item 6)", ""]);
}

#[test]
fn months_carry_dates_where_the_opening_is_known() {
    let plan = Plan::demo();
    let contents = Contents {
        opening_month: "2027-03".parse().ok(),
        ..plan.contents()
    };
    let sheets = sheets(&contents);
    let heads = &tables(part(&sheets, "Year 1 by month"))[0].columns;
    assert_eq!(
        [&*heads[1].label, &heads[12].label, &heads[13].label],
        ["1, Mar 27", "12, Feb 28", "Year 1"]
    );
    assert!(
        sheets
            .cover
            .facts
            .contains(&["Planned opening", "March 2027"].map(str::to_owned))
    );
}

#[test]
fn a_spanish_document_has_no_english_sentence() {
    let plan = Plan::demo();
    let contents = Contents {
        language: Language::Spanish,
        paper: Paper::A4,
        ..plan.contents()
    };
    let text = all_text(&contents);
    for english in [
        "Sales", "Rent per", "month", "Year", "Owner", "Startup", "coverage", " the ", " of ",
    ] {
        assert!(!text.contains(english), "{english}");
    }
    assert!(text.contains("Estas proyecciones no son una declaración del franquiciador"));
}

#[test]
fn a_lender_is_never_addressed() {
    let plan = Plan::demo();
    let text = all_text(&plan.contents()).to_lowercase();
    for word in [" you ", " your ", " yours"] {
        assert!(!text.contains(word), "{word}");
    }
}

#[test]
fn what_people_write_is_data_and_is_cleaned() {
    let mut plan = Plan::demo();
    plan.name = format!("{}#set page(fill: red)\u{202E}\u{0}", "犬".repeat(100));
    let text = "#pagebreak() *bold* $x^2$ =SUM(A1) <script>\u{1B}[31m\r\nSecond \u{2066}line.";
    let story = Story {
        risks: Some(text.into()),
        market: Some(" \n\t".into()),
        ..Story::default()
    };
    let contents = Contents {
        story: &story,
        ..plan.contents()
    };
    let sheets = sheets(&contents);
    assert!(!sheets.head.contains(['\u{202E}', '\u{0}']), "{}", sheets.head);
    let told = &part(&sheets, "The business, in the owner's words").blocks;
    let shown = format!("{told:?}");
    assert!(
        shown.contains("#pagebreak() *bold* $x^2$ =SUM(A1) <script> [31m") && shown.contains("Second line."),
        "{shown}"
    );
    assert_eq!(told.len(), 1, "an empty text is not told");
}

#[test]
fn the_time_of_another_zone_is_the_same_moment() {
    let plan = Plan::demo();
    let here = all_text(&plan.contents());
    let made_at = NOON.to_offset(time::macros::offset!(+11));
    let there = Contents {
        made_at,
        updated_at: made_at,
        ..plan.contents()
    };
    assert_eq!(here, all_text(&there));
}
