//! Checks a brand's document as a whole and lists everything that is wrong with it.

use super::{Brand, CostClass, StartupCost};
use crate::error::FieldError;
use crate::field::{FieldPath, Kind};
use crate::outputs::CostLines;
use crate::{clean, field};
use std::collections::HashSet;

const MAX_ROWS: usize = 40;
const MAX_LABEL_CHARS: usize = 120;
const MAX_DESCRIPTION_CHARS: usize = 500;
const MAX_ITEM19_CHARS: usize = 4_000;
const MAX_ALIASES: usize = 20;
const MAX_ALIAS_CHARS: usize = 60;
const MAX_HELP_CHARS: usize = 300;

/// Every error of the document, by JSON path; empty where it may be stored.
pub fn validate(brand: &Brand) -> Vec<FieldError> {
    let mut errors = Vec::new();
    line(&mut errors, "name", &brand.name, 1, MAX_LABEL_CHARS);
    let slug = |slug: &str| {
        !slug.is_empty()
            && slug.len() <= 60
            && slug
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    if !slug(&brand.slug) {
        errors.push(FieldError::new(
            "slug",
            "must be 1 to 60 lower-case letters, digits and dashes",
        ));
    }
    parameters(&mut errors, brand);
    template(&mut errors, brand);
    if let Some(item19) = &brand.item19.text {
        text(&mut errors, "item19.text", item19, 1, MAX_ITEM19_CHARS);
    }
    errors
}

fn text(errors: &mut Vec<FieldError>, at: &str, value: &str, min: usize, max: usize) {
    let count = value.trim().chars().count();
    if count < min || count > max {
        errors.push(FieldError::new(at, format!("must have {min} to {max} characters")));
    }
    if value
        .chars()
        .any(|c| clean::is_invisible(c) || (c.is_control() && c != '\n'))
    {
        errors.push(FieldError::new(at, "must not contain control or invisible characters"));
    }
}

/// A name: the model and people read it among others, where a second line would look like something of its own.
fn line(errors: &mut Vec<FieldError>, at: &str, value: &str, min: usize, max: usize) {
    text(errors, at, value, min, max);
    if value.contains(['\n', '\u{2028}', '\u{2029}']) {
        errors.push(FieldError::new(at, "must be on one line"));
    }
}

/// The brand's further names and its sentence about a field.
fn description(errors: &mut Vec<FieldError>, at: &str, aliases: &[String], help: Option<&String>) {
    if aliases.len() > MAX_ALIASES {
        let message = format!("must have at most {MAX_ALIASES} entries");
        errors.push(FieldError::new(format!("{at}.aliases"), message));
    }
    for (nth, alias) in aliases.iter().enumerate() {
        let at = format!("{at}.aliases[{nth}]");
        line(errors, &at, alias, 1, MAX_ALIAS_CHARS);
    }
    if let Some(help) = help {
        text(errors, &format!("{at}.help"), help, 1, MAX_HELP_CHARS);
    }
}

fn parameters(errors: &mut Vec<FieldError>, brand: &Brand) {
    let wanted = field::catalogue()
        .iter()
        .filter(|field| field.path.startup_slug().is_none());
    for field in wanted {
        if !brand.parameters.contains_key(&field.path) {
            errors.push(FieldError::new(format!("parameters.{}", field.path), "is required"));
        }
    }
    for (path, parameter) in &brand.parameters {
        let at = format!("parameters.{path}");
        match field::find(path.as_str()).filter(|_| path.startup_slug().is_none()) {
            None => errors.push(FieldError::new(&at, "is not a field of the catalogue")),
            Some(field) => {
                if let Some(refusal) = field.refusal(parameter.value) {
                    errors.push(FieldError::new(format!("{at}.value"), refusal));
                }
            }
        }
        line(errors, &format!("{at}.label"), &parameter.label, 1, MAX_LABEL_CHARS);
        text(
            errors,
            &format!("{at}.description"),
            &parameter.description,
            0,
            MAX_DESCRIPTION_CHARS,
        );
        description(errors, &at, &parameter.aliases, parameter.help.as_ref());
    }
}

fn template(errors: &mut Vec<FieldError>, brand: &Brand) {
    if brand.startup_cost_template.len() > MAX_ROWS {
        errors.push(FieldError::new(
            "startupCostTemplate",
            format!("must have at most {MAX_ROWS} rows"),
        ));
    }
    let mut slugs = HashSet::new();
    for (index, row) in brand.startup_cost_template.iter().enumerate() {
        let at = format!("startupCostTemplate[{index}]");
        if !is_row_slug(&row.slug) {
            errors.push(FieldError::new(
                format!("{at}.slug"),
                "must be 2 to 40 letters and digits, the first a lower-case letter",
            ));
        }
        if !slugs.insert(&row.slug) {
            errors.push(FieldError::new(format!("{at}.slug"), "must occur once"));
        }
        line(errors, &format!("{at}.label"), &row.label, 1, MAX_LABEL_CHARS);
        description(errors, &at, &row.aliases, row.help.as_ref());
        for (name, cents) in [
            ("defaultAmount", Some(row.default_amount)),
            ("item7Low", row.item7_low),
            ("item7High", row.item7_high),
        ] {
            if cents.is_some_and(|cents| !(0..=10_000_000_000).contains(&cents)) {
                errors.push(FieldError::new(
                    format!("{at}.{name}"),
                    "must be between 0 and 10000000000",
                ));
            }
        }
        match (row.item7_low, row.item7_high) {
            (Some(low), Some(high)) if low > high => {
                errors.push(FieldError::new(format!("{at}.item7High"), "must not be below item7Low"));
            }
            (Some(_), None) | (None, Some(_)) => {
                errors.push(FieldError::new(&at, "needs both item7Low and item7High, or neither"));
            }
            _ => {}
        }
        covered_months(errors, &at, row);
    }
}

/// What the row covers of recurring costs, and what it pays ahead.
fn covered_months(errors: &mut Vec<FieldError>, at: &str, row: &StartupCost) {
    if row.class == CostClass::Prepaid && row.derives.len() != 1 {
        errors.push(FieldError::new(
            format!("{at}.derives"),
            "must have one entry for the class prepaid",
        ));
    }
    for (nth, derives) in row.derives.iter().enumerate() {
        let at = format!("{at}.derives[{nth}]");
        if !(1..=12).contains(&derives.months) {
            errors.push(FieldError::new(format!("{at}.months"), "must be between 1 and 12"));
        }
        if !is_recurring_money(&derives.field) {
            errors.push(FieldError::new(
                format!("{at}.field"),
                "must be a money field of the catalogue that is no startup row",
            ));
        }
        let most = if row.class == CostClass::Deposit {
            derives.months
        } else {
            0
        };
        if !(0..=most).contains(&derives.prepaid) {
            errors.push(FieldError::new(
                format!("{at}.prepaid"),
                "must be between 0 and months for the class deposit, and 0 for any other",
            ));
        }
        let pays_ahead = row.class == CostClass::Prepaid || derives.prepaid != 0;
        if pays_ahead && (nth > 0 || row.derives.len() != 1) {
            errors.push(FieldError::new(format!("{at}.prepaid"), "must be the only entry"));
        }
        if pays_ahead && CostLines::default().paid_monthly(&derives.field).is_none() {
            errors.push(FieldError::new(
                format!("{at}.field"),
                "must be a cost that is paid each month",
            ));
        }
    }
}

fn is_row_slug(slug: &str) -> bool {
    let mut bytes = slug.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_lowercase())
        && (2..=40).contains(&slug.len())
        && bytes.all(|b| b.is_ascii_alphanumeric())
}

fn is_recurring_money(path: &FieldPath) -> bool {
    field::find(path.as_str()).is_some_and(|field| field.kind == Kind::Money && path.startup_slug().is_none())
}
