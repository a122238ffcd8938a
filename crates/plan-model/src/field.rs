//! The field catalogue: paths with type, label, bounds and the words people use for them.
//!
//! The single source for validation, the tool's JSON Schema, the system prompt and `GET /api/fields`. Money bounds are in
//! cents, percent and multiple bounds in millionths, the rest are whole.

use super::number::Number;
use super::period::Period;
use super::text_enum::text_enum;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, de};
use std::{borrow::Cow, collections::HashMap, fmt, fmt::Write, sync::LazyLock};

mod lookup;
mod role;
mod row;
mod spanish;
mod table;

pub use lookup::lookup;
pub use role::{Base, FieldRole};
pub use spanish::{Words, spanish};

/// Prefix of the startup rows, the only ones a brand may drop or add to.
const STARTUP_PREFIX: &str = "startupCosts.";

/// The path of a value in a plan: `section.name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct FieldPath(Cow<'static, str>);

impl<'de> Deserialize<'de> for FieldPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Path;
        impl Visitor<'_> for Path {
            type Value = FieldPath;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the path of a field")
            }

            fn visit_str<E: de::Error>(self, path: &str) -> Result<FieldPath, E> {
                Ok(FieldPath::read(path))
            }
        }
        deserializer.deserialize_str(Path)
    }
}

impl FieldPath {
    /// Any path, known or not.
    pub fn new(path: impl Into<String>) -> Self {
        Self(Cow::Owned(path.into()))
    }

    /// As [`FieldPath::new`]. Nearly all paths that are read are the catalogue's own, and a plan has all of them.
    pub fn read(path: &str) -> Self {
        find(path).map_or_else(|| Self::new(path), |field| field.path.clone())
    }

    /// A path that is written in the code.
    pub const fn from_static(path: &'static str) -> Self {
        Self(Cow::Borrowed(path))
    }

    /// The path of a startup row.
    pub fn startup(slug: &str) -> Self {
        Self::new([STARTUP_PREFIX, slug].concat())
    }

    /// The slug of a startup row; `None` for any other field.
    pub fn startup_slug(&self) -> Option<&str> {
        self.0.strip_prefix(STARTUP_PREFIX)
    }

    /// `section.name`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the dot.
    pub fn section(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// The part behind the dot.
    pub fn name(&self) -> &str {
        self.0.split_once('.').map_or(&*self.0, |(_, name)| name)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for FieldPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for FieldPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

text_enum! {
    /// What a field counts in.
    pub enum Kind {
        /// Integer cents.
        Money = "money",
        /// A decimal: 5 % is 0.05; at most six digits.
        Percent = "percent",
        /// A whole number of things.
        Count = "count",
        /// Whole months.
        Months = "months",
        /// Whole days.
        Days = "days",
        /// Whole years.
        Years = "years",
        /// A decimal factor.
        Multiple = "multiple",
    }
}

impl Kind {
    /// Whether values have digits behind the point.
    pub const fn is_decimal(self) -> bool {
        matches!(self, Self::Percent | Self::Multiple)
    }

    /// A bound of the catalogue as a number.
    fn number(self, bound: i64) -> Number {
        if self.is_decimal() {
            Number::millionths(bound)
        } else {
            Number::whole(bound)
        }
    }

    /// A value as a person says it, with its unit: dollars, percent points, the kind's own.
    pub fn in_words(self, value: Number) -> (Number, &'static str) {
        let hundred = rust_decimal::Decimal::ONE_HUNDRED;
        let (said, unit) = match self {
            Self::Money => (value.decimal().checked_div(hundred), "dollars"),
            Self::Percent => (value.decimal().checked_mul(hundred), "percent"),
            kind => (Some(value.decimal()), kind.as_str()),
        };
        (said.map_or(value, Number::new), unit)
    }

    /// Shows a value to people: `$4,200`, `6.5%`, `18 months`.
    pub fn show(self, value: Number) -> String {
        match self {
            Self::Money => show_cents(value.to_whole()),
            Self::Percent => format!(
                "{}%",
                Number::new(value.decimal().saturating_mul(rust_decimal::Decimal::ONE_HUNDRED))
            ),
            Self::Count => value.to_string(),
            Self::Multiple => format!("{value}x"),
            Self::Months | Self::Days | Self::Years => {
                let unit = self.as_str();
                let unit = if value == Number::whole(1) {
                    &unit[..unit.len() - 1]
                } else {
                    unit
                };
                format!("{value} {unit}")
            }
        }
    }
}

/// `$1,234.50`, without cents where there are none.
pub fn show_cents(cents: i64) -> String {
    let (dollars, rest) = (cents.unsigned_abs() / 100, cents.unsigned_abs() % 100);
    let digits = dollars.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3 + 5);
    shown.push_str(if cents < 0 { "-$" } else { "$" });
    for (i, digit) in digits.bytes().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(char::from(digit));
    }
    if rest != 0 {
        let _ = write!(shown, ".{rest:02}");
    }
    shown
}

/// `−$646,419`: whole dollars, half away from zero, with the sign that lines up with digits.
pub fn show_dollars(cents: i64) -> String {
    let dollars = Number::new(rust_decimal::Decimal::new(cents, 2)).to_whole();
    minus(&show_cents(dollars.saturating_mul(100)))
}

/// A real minus sign instead of a hyphen.
pub fn minus(text: &str) -> String {
    text.replacen('-', "−", 1)
}

/// Inclusive limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The least.
    pub low: Number,
    /// The greatest.
    pub high: Number,
}

impl Bounds {
    /// Whether a value is within the limits.
    pub fn contains(&self, value: Number) -> bool {
        self.low <= value && value <= self.high
    }
}

/// One field as the catalogue or a brand describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What addresses it.
    pub path: FieldPath,
    /// What people read.
    pub label: Cow<'static, str>,
    /// What it counts in.
    pub kind: Kind,
    /// What it is to the plan.
    pub role: FieldRole,
    /// How often it falls due, for money; `Once` also for what is agreed one time, as the terms of a loan.
    pub period: Option<Period>,
    /// The field with the month from which it is paid, where there is one.
    pub start_month: Option<FieldPath>,
    /// The line of the projection that it is, by its name in `outputs`, where it is one.
    pub line: Option<&'static str>,
    /// Outside of it a value is warned about. `None` for startup rows: their range is the brand's Item 7 row.
    pub soft: Option<Bounds>,
    /// Where the franchisor discloses the figure, if it does: `Item 6` or `Item 7`.
    pub disclosed: Option<&'static str>,
    /// One of the values a plan is not complete without.
    pub core: bool,
    /// Whether the franchisee decides on it: not on sales, the franchisor's fees, tax, and what is only looked at.
    pub controlled: bool,
    /// How people call it.
    pub aliases: Vec<Cow<'static, str>>,
    /// One plain sentence on what the value means.
    pub help: Cow<'static, str>,
    /// What the brand proposes; `None` where it says nothing, and in the catalogue.
    pub default: Option<Number>,
}

impl Field {
    /// A value outside of it is refused (`docs/FINANCIAL-MODEL.md` 6.3).
    pub fn hard(&self) -> Bounds {
        let whole = |low, high| Bounds {
            low: Number::whole(low),
            high: Number::whole(high),
        };
        match self.kind {
            Kind::Money => whole(0, 10_000_000_000),
            Kind::Percent if self.is_growth() => Bounds {
                low: Number::millionths(-900_000),
                high: Number::whole(1),
            },
            Kind::Percent => whole(0, 1),
            Kind::Count | Kind::Months | Kind::Days | Kind::Years => whole(0, 1_200),
            Kind::Multiple => whole(0, 50),
        }
    }

    /// The label inside a sentence: without brackets and the base of a share, the first letter small unless it is an
    /// abbreviation.
    pub fn name_in_sentence(&self) -> String {
        let label = self.label.split(" (").next().unwrap_or_default();
        let aside = |(_, rest): &(&str, &str)| rest.starts_with(|c: char| c == '%' || c.is_ascii_digit());
        let label = label
            .split_once(", ")
            .filter(aside)
            .map_or(label, |(head, _)| head)
            .trim();
        let mut chars = label.chars();
        match (chars.next(), chars.next()) {
            (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
                first.to_lowercase().chain(label.chars().skip(1)).collect()
            }
            _ => label.to_owned(),
        }
    }

    /// Whether a figure of the projection follows from it: the numbers of staff and of locations are only noted.
    pub fn affects_results(&self) -> bool {
        self.controlled || self.kind != Kind::Count
    }

    /// A cost that the plan keeps as a share of sales and that people know in dollars: wages, goods.
    pub fn is_share_in_dollars(&self) -> bool {
        self.core && self.role == FieldRole::Share(Base::Sales)
    }

    /// Growth may be negative.
    pub fn is_growth(&self) -> bool {
        matches!(self.role, FieldRole::Growth(_))
    }

    /// Whether it is paid again and again, so that it can have been another amount before.
    pub fn is_paid_regularly(&self) -> bool {
        matches!(self.role, FieldRole::Payment | FieldRole::Minimum) && self.period.and_then(Period::per_year).is_some()
    }

    /// A startup row that the catalogue does not have; a brand describes it.
    pub fn custom_startup(slug: &str, label: &str) -> Self {
        Self {
            path: FieldPath::startup(slug),
            label: Cow::Owned(label.to_owned()),
            kind: Kind::Money,
            role: FieldRole::Payment,
            period: Some(Period::Once),
            start_month: None,
            line: None,
            soft: None,
            disclosed: Some("Item 7"),
            core: false,
            controlled: true,
            aliases: Vec::new(),
            help: Cow::Borrowed("One of this brand's own startup costs."),
            default: None,
        }
    }

    /// Why a value is refused, as a message for the person who sent it.
    pub fn refusal(&self, value: Number) -> Option<String> {
        let digits = if self.kind.is_decimal() { 6 } else { 0 };
        if value.scale() > digits {
            return Some(match self.kind {
                Kind::Money => "must be whole cents".to_owned(),
                Kind::Percent | Kind::Multiple => "must have at most 6 digits behind the point".to_owned(),
                _ => "must be a whole number".to_owned(),
            });
        }
        let hard = self.hard();
        (!hard.contains(value)).then(|| format!("must be between {} and {}", hard.low, hard.high))
    }
}

/// All fields, in the order people plan in.
pub fn catalogue() -> &'static [Field] {
    static CATALOGUE: LazyLock<Vec<Field>> = LazyLock::new(|| table::TABLE.iter().map(row::Row::field).collect());
    &CATALOGUE
}

/// The catalogue's field at `path`.
pub fn find(path: &str) -> Option<&'static Field> {
    static BY_PATH: LazyLock<HashMap<&str, &Field>> =
        LazyLock::new(|| catalogue().iter().map(|field| (field.path.as_str(), field)).collect());
    BY_PATH.get(path).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one place with the number of fields: a new one changes it here.
    #[test]
    fn the_catalogue_has_71_different_paths_15_of_them_core() {
        let paths: std::collections::HashSet<_> = catalogue().iter().map(|field| &field.path).collect();
        assert_eq!((catalogue().len(), paths.len()), (71, catalogue().len()));
        assert_eq!(catalogue().iter().filter(|field| field.core).count(), 15);
    }

    #[test]
    fn money_has_a_period_and_what_starts_later_has_the_field_of_its_month() {
        for field in catalogue() {
            assert!(field.kind != Kind::Money || field.period.is_some(), "{}", field.path);
            if let Some(start) = &field.start_month {
                let start = find(start.as_str()).expect("in the catalogue");
                assert_eq!(
                    (start.role, start.kind),
                    (FieldRole::StartMonth, Kind::Months),
                    "{}",
                    field.path
                );
            }
        }
        let starts = |field: &&Field| field.role == FieldRole::StartMonth;
        let partners = catalogue().iter().filter_map(|field| field.start_month.as_ref());
        assert_eq!(catalogue().iter().filter(starts).count(), partners.count());
    }

    #[test]
    fn each_year_of_growth_and_each_number_of_the_loan_is_one_field() {
        let count = |role: FieldRole| catalogue().iter().filter(|field| field.role == role).count();
        assert!((1..=5).all(|year| count(FieldRole::Growth(year)) == 1));
        assert!(
            [
                FieldRole::Loan,
                FieldRole::LoanTerm,
                FieldRole::InterestRate,
                FieldRole::Reserve
            ]
            .into_iter()
            .all(|role| count(role) == 1)
        );
    }

    #[test]
    fn every_field_has_a_label_and_one_sentence_of_help_of_its_own() {
        for field in catalogue() {
            assert!(!field.label.trim().is_empty(), "{} has no label", field.path);
            assert!(
                field.help.ends_with('.') && field.help.matches(". ").count() == 0,
                "the help of {} is not one sentence",
                field.path
            );
        }
        let helps: std::collections::HashSet<_> = catalogue().iter().map(|field| &field.help).collect();
        assert_eq!(helps.len(), catalogue().len());
    }

    #[test]
    fn soft_bounds_lie_within_the_hard_ones() {
        for field in catalogue() {
            if let Some(soft) = field.soft {
                assert!(
                    field.hard().contains(soft.low) && field.hard().contains(soft.high),
                    "{}",
                    field.path
                );
            }
        }
    }

    #[test]
    fn values_are_shown_the_way_people_write_them() {
        assert_eq!(Kind::Money.show(Number::whole(420_000)), "$4,200");
        assert_eq!(Kind::Money.show(Number::whole(-123_456_789)), "-$1,234,567.89");
        assert_eq!(Kind::Percent.show(Number::millionths(65_000)), "6.5%");
        assert_eq!(Kind::Months.show(Number::whole(1)), "1 month");
        assert_eq!(Kind::Multiple.show(Number::whole(3)), "3x");
        let dollars = [0, 49, 50, -49, -50, 123_456_789].map(show_dollars);
        assert_eq!(dollars, ["$0", "$0", "$1", "$0", "−$1", "$1,234,568"]);
    }

    #[test]
    fn a_value_that_cannot_stand_is_refused_in_words() {
        let rent = find("operatingCosts.rentMonthly").expect("in the catalogue");
        assert_eq!(rent.refusal(Number::whole(420_000)), None);
        assert_eq!(
            rent.refusal(Number::millionths(500_000)).as_deref(),
            Some("must be whole cents")
        );
        assert_eq!(
            rent.refusal(Number::whole(-1)).as_deref(),
            Some("must be between 0 and 10000000000")
        );
    }
}
