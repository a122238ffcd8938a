//! The file as a whole, and the formulas that lead from sheet to sheet.

use super::layout::column_name;
use super::*;
use crate::lines::find;
use crate::project;
use plan_model::brand::Brand;
use plan_model::language::Language;

fn with_book<T>(test: impl FnOnce(&Book<'_>) -> T) -> T {
    let brand = Brand::demo();
    let (fields, inputs) = (brand.fields(), FinancialInputs::from_brand(&brand));
    let projection = project(&inputs, &brand);
    test(&Book {
        plan: "=cmd|' /C calc'!A0 & more",
        owner: "=1+1",
        version: 7,
        opening: None,
        fields: &fields,
        inputs: &inputs,
        cases: &[("Sales 10% lower".to_owned(), projection.metrics)],
        projection: &projection,
        as_of: OffsetDateTime::UNIX_EPOCH + time::Duration::days(20_000),
        labels: Labels::ENGLISH,
    })
}

#[test]
fn the_same_plan_makes_the_same_file_in_each_language() {
    with_book(|book| {
        let file = workbook(book).expect("writes");
        assert!(file.starts_with(b"PK"));
        assert_eq!(file, workbook(book).expect("writes"));
        let labels = Labels {
            language: Language::Spanish,
            ..Labels::ENGLISH
        };
        let spanish = workbook(&Book { labels, ..*book }).expect("writes");
        assert_ne!(file, spanish);
    });
}

#[test]
fn formulas_name_the_rows_of_their_year_and_move_with_the_date() {
    let formula = |layout: &Layout<'_>, name: &str, year: u32| layout.over_months(find(name).expect("a line"), year);
    with_book(|book| {
        let layout = Layout::new(book);
        assert_eq!(formula(&layout, "sales", 1), "=SUM(Months!C2:C13)");
        assert_eq!(formula(&layout, "sales", 5), "=SUM(Months!C50:C61)");
        assert_eq!(formula(&layout, "beginningCash", 2), "=Months!AR14");
        assert_eq!(formula(&layout, "cash", 2), "=Months!AS25");
        let dated = Book {
            opening: "2027-03".parse().ok(),
            ..*book
        };
        assert_eq!(formula(&Layout::new(&dated), "sales", 1), "=SUM(Months!D2:D13)");
    });
    let names = [25, 26, 41].map(column_name);
    assert_eq!(names, ["Z", "AA", "AP"]);
}

#[test]
fn a_plan_of_nothing_makes_a_file() {
    with_book(|book| {
        let nothing = FinancialInputs::default();
        let empty = Book {
            inputs: &nothing,
            fields: &[],
            cases: &[],
            ..*book
        };
        assert!(workbook(&empty).is_ok());
    });
}
