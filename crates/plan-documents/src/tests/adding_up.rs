//! A banker adds up every printed column.

use super::{Plan, cents, odd_plans, part, row, tables};
use crate::sheets;
use crate::sheets::{RowKind, Table};

/// Adds a column from its first line on and compares the sum with each total; it goes on from there, except where a total of parts is
/// told by `restarts`.
#[track_caller]
fn adds_up(table: &Table, what: &str) {
    for column in 1..table.columns.len() {
        let mut sum = 0;
        for row in &table.rows {
            let printed = &row.cells[column];
            match row.kind {
                RowKind::Line => sum += cents(printed),
                RowKind::Total => assert_eq!(sum, cents(printed), "{what}: {} in column {column}", row.cells[0]),
                RowKind::Group => {}
            }
        }
    }
}

/// The table without what stands behind a row.
fn until(table: &Table, last: &str) -> Table {
    let end = table.rows.iter().position(|row| row.cells[0] == last).expect(last);
    Table {
        rows: table.rows[..=end].to_vec(),
        ..table.clone()
    }
}

#[test]
fn statements_months_and_quarters_add_up_in_every_plan() {
    for (what, plan) in odd_plans() {
        let sheets = sheets(&plan.contents());
        adds_up(tables(part(&sheets, "Five years: profit and loss"))[0], what);
        // Cash at the beginning and the flow of the year give cash at the end.
        adds_up(tables(part(&sheets, "Five years: cash flow"))[0], what);
        adds_up(tables(part(&sheets, "Year 1 by month"))[0], what);
        for table in tables(part(&sheets, "Years 2 to 5 by quarter")) {
            adds_up(table, what);
        }
    }
}

#[test]
fn twelve_months_and_four_quarters_are_their_year() {
    for (what, plan) in odd_plans() {
        let sheets = sheets(&plan.contents());
        let years = tables(part(&sheets, "Five years: profit and loss"))[0];
        let months = tables(part(&sheets, "Year 1 by month"))[0];
        let quarters = tables(part(&sheets, "Years 2 to 5 by quarter"));
        for label in ["Sales", "Gross profit", "Contribution", "Operating profit (EBITDA)"] {
            let of_years = row(years, label);
            let (sum, months) = row(months, label).split_last().expect("a sum");
            assert_eq!(
                months.iter().map(|cell| cents(cell)).sum::<i64>(),
                cents(sum),
                "{what}: {label}"
            );
            assert_eq!(sum, &of_years[0], "{what}: {label}");
            for (at, table) in quarters.iter().enumerate() {
                for (year, cells) in row(table, label).chunks(5).enumerate() {
                    let quarters = cells[..4].iter().map(|cell| cents(cell)).sum::<i64>();
                    assert_eq!(quarters, cents(&cells[4]), "{what}: {label}");
                    assert_eq!(cells[4], of_years[1 + at * 2 + year], "{what}: {label}");
                }
            }
        }
    }
}

#[test]
fn sources_equal_uses_and_their_shares_are_a_hundred() {
    for (what, plan) in odd_plans() {
        let sheets = sheets(&plan.contents());
        let both = tables(part(&sheets, "Sources and uses of funds"));
        let totals = both.iter().map(|table| {
            let column = |at: usize| Table {
                columns: vec![table.columns[0].clone(), table.columns[at].clone()],
                rows: table
                    .rows
                    .iter()
                    .cloned()
                    .map(|mut row| {
                        row.cells = vec![row.cells[0].clone(), row.cells[at].clone()];
                        row
                    })
                    .collect(),
                ..(**table).clone()
            };
            adds_up(&column(1), what);
            let total = row(table, "Total");
            let shares = table
                .rows
                .iter()
                .filter(|row| row.kind == RowKind::Line)
                .map(|row| &row.cells[2]);
            let tenths = |share: &String| share.trim_end_matches('%').replace('.', "").parse::<i64>().unwrap_or(0);
            let sum: i64 = shares.map(tenths).sum();
            assert!(sum == 1_000 || total[1] == "–", "{what}: {sum}");
            cents(&total[0])
        });
        let totals: Vec<i64> = totals.collect();
        assert_eq!(totals[0], totals[1], "{what}");
    }
}

#[test]
fn the_balance_sheet_balances_and_its_parts_are_its_totals() {
    for (what, plan) in odd_plans() {
        let sheets = sheets(&plan.contents());
        let table = tables(part(&sheets, "Five years: balance sheet"))[0];
        let group = |first: &str, last: &str| {
            let begin = table.rows.iter().position(|row| row.cells[0] == first).expect(first);
            let mut one = until(table, last);
            one.rows.drain(..begin);
            adds_up(&one, what);
        };
        group("Ending cash", "Total assets");
        group("Accounts payable", "Total liabilities");
        group("Paid in by the owner", "Equity");
        assert_eq!(
            row(table, "Total assets"),
            row(table, "Liabilities and equity"),
            "{what}"
        );
        assert_eq!(table.columns.len(), 7);
    }
}

#[test]
fn the_loan_is_paid_down_to_what_is_still_owed() {
    for (what, plan) in odd_plans() {
        let sheets = sheets(&plan.contents());
        let found = tables(part(&sheets, "Loan schedule by year"));
        let Some(table) = found.first() else {
            assert_eq!(plan.projection.opening.loan, 0, "{what}");
            continue;
        };
        let mut owed = plan.projection.opening.loan;
        for line in table.rows.iter().filter(|row| row.kind == RowKind::Line) {
            let figures: Vec<i64> = line.cells[1..].iter().map(|cell| cents(cell)).collect();
            let [begin, interest, principal, payments, end] = figures[..] else {
                panic!("five figures")
            };
            assert_eq!(
                (begin, interest + principal, begin - principal),
                (owed, payments, end),
                "{what}"
            );
            owed = end;
        }
    }
}

#[test]
fn startup_costs_stand_beside_their_ranges() {
    let plan = Plan::demo();
    let sheets = sheets(&plan.contents());
    let table = tables(part(&sheets, "Startup costs beside the disclosed ranges (Item 7)"))[0];
    assert_eq!(
        row(table, "Build-out"),
        ["95,000.00", "210,000.00", "140,000.00", "within"]
    );
    assert_eq!(row(table, "Loan and guaranty fees"), ["–", "–", "6,500.00", ""]);
    assert_eq!(
        row(table, "Total of the rows with a range"),
        ["268,900.00", "514,500.00", "365,000.00", "within"]
    );
    assert_eq!(row(table, "Total startup costs")[2], "371,500.00");
}

#[test]
fn a_brand_without_item_7_has_two_columns_and_says_so() {
    let plans = odd_plans();
    let (_, plan) = plans
        .iter()
        .find(|(what, _)| *what == "a brand without Item 7")
        .expect("it");
    let sheets = sheets(&plan.contents());
    let startup = part(&sheets, "Startup costs beside the disclosed ranges (Item 7)");
    assert_eq!(tables(startup)[0].columns.len(), 2);
    assert!(format!("{:?}", startup.blocks).contains("made without disclosed ranges"));
}

#[test]
fn every_row_has_a_cell_for_each_column() {
    for (what, plan) in odd_plans() {
        for part in &sheets(&plan.contents()).parts {
            for table in tables(part) {
                assert!(!table.rows.is_empty(), "{what}: {}", part.title);
                for row in &table.rows {
                    assert_eq!(row.cells.len(), table.columns.len(), "{what}: {} {:?}", part.title, row);
                }
            }
        }
    }
}
