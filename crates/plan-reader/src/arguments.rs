//! The arguments of `set_financial_field`: read from JSON text into types, never through a JSON tree or an f64.

use super::call_unit::CallUnit;
use super::convert;
use super::lex::{Period, Unit, Units, amounts};
use plan_model::clean::json_escapes;
use plan_model::extracted::Confidence;
use plan_model::field::{Field, Kind, lookup};
use plan_model::number::Number;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Beyond this many cents nothing is a value: ±10^13.
const LIMIT: i64 = 10_000_000_000_000;

/// Why a call is no value at all. The text is for the model, which may try again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is described by its message")]
pub enum ExtractionError {
    #[error("The arguments are not valid: {0}. Send one JSON object with path, value and confidence.")]
    Arguments(String),
    #[error("There is no field `{0}` in this plan. Use a name or a label from the list of fields.")]
    UnknownField(String),
    #[error("There is no field `{0}` in this plan. Did you mean {1}?")]
    MisspelledField(String, String),
    #[error("The value must be one number, such as 4200 or \"4,200.50\".")]
    NotANumber,
    #[error("The value is too large to be an amount of a plan.")]
    TooLarge,
    #[error("{0} is not counted in {1}. Use the unit and the period of the user's words, or leave them out.")]
    Unit(String, String),
}

/// As a model sends it. `field` is another name of `path`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct SetFinancialField<'a> {
    /// Name or label of the field.
    #[serde(alias = "field")]
    path: String,
    /// The number as the user said it: 4200 for $4,200, 6 for 6%. Their latest statement; a sum only with its parts in the quote.
    #[serde(borrow)]
    #[schemars(with = "i64", extend("type" = "number"))]
    value: &'a RawValue,
    /// What it counts; left out for the field's own unit.
    #[serde(default)]
    #[schemars(with = "Option<CallUnit>")]
    unit: Option<String>,
    /// How often the money falls due; left out for the field's own period.
    #[serde(default)]
    #[schemars(with = "Option<Period>")]
    period: Option<String>,
    /// high: stated exactly. tentative: about, maybe, a range. uncertain: conditional or unclear.
    #[serde(default)]
    #[schemars(with = "Confidence", required)]
    confidence: Option<String>,
    /// The user's own words with the number, verbatim, at most 200 characters.
    #[serde(default)]
    quote: Option<String>,
}

/// A call that names a field of this plan and a number.
#[derive(Debug)]
pub(crate) struct Call<'f> {
    pub field: &'f Field,
    /// As called, before any conversion.
    pub number: Decimal,
    pub unit: Option<CallUnit>,
    /// A unit that was said to be cents already.
    cents: bool,
    pub period: Option<Period>,
    pub confidence: Confidence,
    /// The words that the call says it is from.
    pub quote: Option<String>,
}

impl<'f> Call<'f> {
    /// Reads and checks the arguments.
    pub(crate) fn parse(arguments: &str, fields: &'f [Field]) -> Result<Self, ExtractionError> {
        let invalid = |error: &dyn std::fmt::Display| ExtractionError::Arguments(brief(&error.to_string()));
        let clean = json_escapes(arguments.as_bytes());
        if !arguments.trim_start().starts_with('{') {
            return Err(invalid(&"expected an object"));
        }
        let said: SetFinancialField<'_> = serde_json::from_slice(&clean).map_err(|error| invalid(&error))?;
        let field = lookup(fields, &said.path).map_err(|near| unknown(&said.path, &near))?;
        let value = value(said.value.get())?;
        let confidence = confidence(said.confidence.as_deref())
            .ok_or_else(|| invalid(&"confidence is high, tentative or uncertain"))?;
        let (unit, cents) = match said.unit.as_deref() {
            None | Some("") => (value.unit, false),
            Some(unit) => call_unit(unit)
                .ok_or_else(|| invalid(&"unit is dollars, percent, months, years, weeks, days, count or multiple"))?,
        };
        let period = match said.period.as_deref() {
            None | Some("") => None,
            Some(period) => Some(
                call_period(period)
                    .ok_or_else(|| invalid(&"period is once, weekly, biweekly, monthly, quarterly or annual"))?,
            ),
        };
        let call = Self {
            field,
            number: value.value,
            unit,
            cents,
            period,
            confidence,
            quote: said.quote.filter(|quote| !quote.trim().is_empty()),
        };
        let limit = Decimal::from(LIMIT);
        if call.number.abs() > limit || call.value()?.decimal().abs() > limit {
            Err(ExtractionError::TooLarge)
        } else {
            Ok(call)
        }
    }

    /// The call's value in the field's unit, by the unit and the period of the call, unrounded.
    pub(crate) fn value(&self) -> Result<Number, ExtractionError> {
        if self.cents && self.field.kind == Kind::Money {
            return Ok(Number::new(self.number));
        }
        let converted = convert::value(self.number, self.unit, self.period, self.field);
        let unit = |unit: CallUnit| format!("{unit:?}").to_lowercase();
        converted.ok_or_else(|| {
            let period = self.period.map(|period| format!("{period:?}").to_lowercase());
            let counted = self.unit.map(unit).or(period).unwrap_or_default();
            ExtractionError::Unit(self.field.label.to_string(), counted)
        })
    }
}

fn unknown(said: &str, near: &[&Field]) -> ExtractionError {
    if near.is_empty() {
        return ExtractionError::UnknownField(brief(said));
    }
    let names: Vec<_> = near.iter().map(|field| format!("`{}`", field.path)).collect();
    ExtractionError::MisspelledField(brief(said), names.join(" or "))
}

/// At most 80 visible characters of what was sent.
fn brief(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

struct CalledValue {
    value: Decimal,
    unit: Option<CallUnit>,
}

/// A JSON number, or a text such as "$4,200" or "4.2k".
fn value(raw: &str) -> Result<CalledValue, ExtractionError> {
    let plain = |number: Number| CalledValue {
        value: number.decimal(),
        unit: None,
    };
    if !raw.starts_with('"') {
        let number = raw.parse::<Number>().map_err(|_| too_large_or_none(raw))?;
        return Ok(plain(number));
    }
    let text: String = serde_json::from_str(raw).map_err(|_| ExtractionError::NotANumber)?;
    if text.len() > 64 {
        return Err(ExtractionError::NotANumber);
    }
    if let Ok(number) = text.parse::<Number>() {
        return Ok(plain(number));
    }
    let tokens = super::lex::tokens(&text);
    let read = amounts(&tokens, Units::english());
    let [said] = read.as_slice() else {
        return Err(ExtractionError::NotANumber);
    };
    let whole = said.from == 0 && said.to == tokens.len() && said.upper.is_none() && !said.colloquial;
    let unit = match said.unit {
        Unit::Money => Some(CallUnit::Dollars),
        Unit::Percent => Some(CallUnit::Percent),
        Unit::Months => Some(CallUnit::Months),
        Unit::Years => Some(CallUnit::Years),
        Unit::Weeks => Some(CallUnit::Weeks),
        Unit::Days => Some(CallUnit::Days),
        Unit::Multiple => Some(CallUnit::Multiple),
        Unit::Bare => None,
        Unit::Fraction | Unit::Foreign => return Err(ExtractionError::NotANumber),
    };
    if !whole {
        return Err(ExtractionError::NotANumber);
    }
    Ok(CalledValue {
        value: said.value,
        unit,
    })
}

/// A JSON number that no decimal holds is too large; everything else is none.
fn too_large_or_none(raw: &str) -> ExtractionError {
    if raw.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        ExtractionError::TooLarge
    } else {
        ExtractionError::NotANumber
    }
}

/// Missing confidence is not high.
fn confidence(text: Option<&str>) -> Option<Confidence> {
    match text.map(|text| text.trim().to_ascii_lowercase()).as_deref() {
        None | Some("tentative") => Some(Confidence::Tentative),
        Some("high") => Some(Confidence::High),
        Some("uncertain") => Some(Confidence::Uncertain),
        Some(_) => None,
    }
}

fn call_unit(text: &str) -> Option<(Option<CallUnit>, bool)> {
    let unit = match text.trim().to_ascii_lowercase().as_str() {
        "dollars" | "dollar" | "usd" | "$" | "money" => CallUnit::Dollars,
        "cents" => return Some((Some(CallUnit::Dollars), true)),
        "percent" | "%" | "percentage" => CallUnit::Percent,
        "decimal" | "number" => return Some((None, false)),
        "months" | "month" => CallUnit::Months,
        "weeks" | "week" => CallUnit::Weeks,
        "years" | "year" => CallUnit::Years,
        "days" | "day" => CallUnit::Days,
        "count" => CallUnit::Count,
        "multiple" | "x" => CallUnit::Multiple,
        _ => return None,
    };
    Some((Some(unit), false))
}

fn call_period(text: &str) -> Option<Period> {
    Some(match text.trim().to_ascii_lowercase().as_str() {
        "once" | "one-time" | "onetime" | "one_time" => Period::Once,
        "weekly" | "week" => Period::Weekly,
        "biweekly" | "bi-weekly" => Period::Biweekly,
        "monthly" | "month" => Period::Monthly,
        "quarterly" | "quarter" => Period::Quarterly,
        "annual" | "annually" | "yearly" | "year" => Period::Annual,
        _ => return None,
    })
}
