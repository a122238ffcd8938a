//! The charts of plans of all kinds, in every language.

use super::{Language, break_even, cash, revenue_costs};
use crate::project;
use plan_model::brand::Brand;
use plan_model::field::FieldPath;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_model::outputs::Projection;
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

/// Every tag closes in order, with nothing but tags and text in between.
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
    in_language(projection, Language::English)
}

fn in_language(projection: &Projection, language: Language) -> [String; 3] {
    [cash, revenue_costs, break_even].map(|draw| draw(projection, language))
}

/// The texts of a chart that are in a language.
fn words(svg: &str) -> Vec<&str> {
    svg.split('>')
        .filter_map(|part| part.split_once('<'))
        .map(|(text, _)| text.trim())
        .filter(|text| !text.starts_with('@') && text.chars().filter(|c| c.is_alphabetic()).count() > 3)
        .collect()
}

#[test]
fn every_text_is_translated_and_filled() {
    for projection in [with(&[]), with(&[("operatingCosts.rentMonthly", 900_000)])] {
        let english = in_language(&projection, Language::English);
        let spanish = in_language(&projection, Language::Spanish);
        for (english, spanish) in english.iter().zip(&spanish) {
            assert_well_formed(spanish);
            let (english, spanish) = (words(english), words(spanish));
            assert_eq!(english.len(), spanish.len());
            for text in english.iter().chain(&spanish) {
                assert!(!text.contains(['{', '}']), "{text}");
            }
            for text in english {
                assert!(!spanish.contains(&text), "{text}");
            }
        }
    }
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
    assert!(cash.contains("Lowest: $34,221 in month 8"), "{cash}");
    assert!(costs.contains("Break-even: month 8"));
    assert!(owner.contains("Paid back: month 38") && !owner.contains("Break-even: month"));
}

#[test]
fn what_is_never_reached_is_said() {
    let projection = with(&[("operatingCosts.rentMonthly", 900_000)]);
    let [cash, costs, owner] = all(&projection);
    assert!(cash.contains("Lowest: \u{2212}$145,433 in month 60"), "{cash}");
    assert!(costs.contains("No break-even within 60 months"));
    assert!(owner.contains("Not paid back within 60 months"));
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
