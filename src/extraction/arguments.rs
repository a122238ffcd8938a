//! The arguments of `set_financial_field`: read from JSON text into types, never through a JSON tree or an f64.

use super::amount;
use super::convert;
use super::scan::Scan;
use super::unit::{Period, Unit};
use crate::model::clean::json_escapes;
use crate::model::extracted::Confidence;
use crate::model::field::{Field, Kind};
use crate::model::number::Number;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Beyond this many cents nothing is a value: ±10^13.
const LIMIT: i64 = 10_000_000_000_000;

/// Why a call is no value at all. The text is for the model, which may try again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractionError {
    #[error("The arguments are not valid: {0}. Send one JSON object with path, value and confidence.")]
    Arguments(String),
    #[error("There is no field `{0}` in this plan. Use one of the paths of the schema.")]
    UnknownField(String),
    #[error("There is no field `{0}` in this plan. Did you mean `{1}`?")]
    MisspelledField(String, String),
    #[error("The value must be one number, such as 4200 or \"4,200.50\".")]
    NotANumber,
    #[error("The value is too large to be an amount of a plan.")]
    TooLarge,
}

/// As a model sends it. `field` is another name of `path`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SetFinancialField<'a> {
    /// Which line of the plan.
    #[serde(alias = "field")]
    path: String,
    /// The number as the user said it: 4200 for $4,200, 6 for 6%.
    #[serde(borrow)]
    #[schemars(with = "i64", extend("type" = "number"))]
    value: &'a RawValue,
    /// What the number counts. Leave out for the field's own unit.
    #[serde(default)]
    #[schemars(with = "Option<CallUnit>")]
    unit: Option<String>,
    /// How often the amount falls due, for money only. Leave out for the field's own period.
    #[serde(default)]
    #[schemars(with = "Option<Period>")]
    period: Option<String>,
    /// high: stated exactly. tentative: about, maybe, a range. uncertain: conditional or unclear.
    #[serde(default)]
    #[schemars(with = "Confidence", required)]
    confidence: Option<String>,
    /// The user's own words, at most 200 characters.
    #[serde(default)]
    #[expect(
        dead_code,
        reason = "the schema asks for it; evidence is looked for in what was really said"
    )]
    quote: Option<String>,
}

/// Units a call may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum CallUnit {
    Dollars,
    Percent,
    Months,
    Years,
    Days,
    Count,
    Multiple,
}

/// A call that names a field of this plan and a number.
#[derive(Debug)]
pub struct Call<'f> {
    pub field: &'f Field,
    pub index: usize,
    pub value: Decimal,
    pub unit: Option<CallUnit>,
    /// A unit that was said to be cents already.
    pub cents: bool,
    pub period: Option<Period>,
    pub confidence: Confidence,
}

impl<'f> Call<'f> {
    /// Reads and checks the arguments.
    pub fn parse(arguments: &str, fields: &'f [Field]) -> Result<Self, ExtractionError> {
        let invalid = |error: &dyn std::fmt::Display| ExtractionError::Arguments(brief(&error.to_string()));
        let clean = json_escapes(arguments.as_bytes());
        if !arguments.trim_start().starts_with('{') {
            return Err(invalid(&"expected an object"));
        }
        let said: SetFinancialField<'_> = serde_json::from_slice(&clean).map_err(|error| invalid(&error))?;
        let path = said.path.trim();
        let index = fields
            .iter()
            .position(|field| field.path.as_str() == path)
            .ok_or_else(|| unknown(path, fields))?;
        let value = value(said.value.get())?;
        let confidence = confidence(said.confidence.as_deref())
            .ok_or_else(|| invalid(&"confidence is high, tentative or uncertain"))?;
        let (unit, cents) = match said.unit.as_deref() {
            None | Some("") => (value.unit, false),
            Some(unit) => call_unit(unit)
                .ok_or_else(|| invalid(&"unit is dollars, percent, months, years, days, count or multiple"))?,
        };
        let period = match said.period.as_deref() {
            None | Some("") => value.period,
            Some(period) => Some(
                call_period(period)
                    .ok_or_else(|| invalid(&"period is once, weekly, biweekly, monthly, quarterly or annual"))?,
            ),
        };
        let call = Self {
            field: &fields[index],
            index,
            value: value.value,
            unit,
            cents,
            period,
            confidence,
        };
        let standard = call.readings().first().copied().unwrap_or_default();
        let limit = Decimal::from(LIMIT);
        if call.value.abs() > limit || standard.decimal().abs() > limit {
            Err(ExtractionError::TooLarge)
        } else {
            Ok(call)
        }
    }

    /// Every value of the field that the call can mean; the one that its own words say first.
    pub fn readings(&self) -> Vec<Number> {
        let mut out = match self.field.kind {
            Kind::Money => self.money(),
            Kind::Percent => self.percent(),
            Kind::Months if self.unit == Some(CallUnit::Years) => vec![self.times(12), self.times(1)],
            Kind::Months => vec![self.times(1), self.times(12)],
            Kind::Years | Kind::Days | Kind::Count | Kind::Multiple => vec![self.times(1)],
        };
        let mut seen = Vec::with_capacity(out.len());
        out.retain(|value| {
            !seen.contains(value) && {
                seen.push(*value);
                true
            }
        });
        out
    }

    fn times(&self, factor: i64) -> Number {
        Number::new(self.value.checked_mul(Decimal::from(factor)).unwrap_or(Decimal::MAX))
    }

    fn money(&self) -> Vec<Number> {
        let dollars = |period| convert::cents(self.value, period, self.field);
        let as_cents = Some(Number::new(self.value)).filter(|cents| cents.is_whole());
        let mut out = Vec::with_capacity(8);
        if self.cents {
            out.extend(as_cents);
        }
        out.extend(dollars(self.period).or_else(|| dollars(None)));
        out.extend(dollars(None));
        let periods = [
            Period::Weekly,
            Period::Biweekly,
            Period::Monthly,
            Period::Quarterly,
            Period::Annual,
        ];
        out.extend(periods.into_iter().filter_map(|period| dollars(Some(period))));
        out.extend(as_cents);
        if out.is_empty() { vec![self.times(100)] } else { out }
    }

    fn percent(&self) -> Vec<Number> {
        let points = Number::new(self.value / Decimal::ONE_HUNDRED);
        let decimal = Number::new(self.value);
        let as_points =
            self.unit == Some(CallUnit::Percent) || (self.value.abs() > Decimal::ONE && self.unit.is_none());
        if as_points {
            vec![points, decimal]
        } else {
            vec![decimal, points]
        }
    }
}

fn unknown(path: &str, fields: &[Field]) -> ExtractionError {
    let name = |path: &str| path.rsplit('.').next().unwrap_or_default().to_lowercase();
    let wanted = name(path);
    let near = fields
        .iter()
        .find(|field| !wanted.is_empty() && name(field.path.as_str()) == wanted);
    match near {
        Some(field) => ExtractionError::MisspelledField(brief(path), field.path.as_str().to_owned()),
        None => ExtractionError::UnknownField(brief(path)),
    }
}

/// At most 80 visible characters of what was sent.
fn brief(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

struct Value {
    value: Decimal,
    unit: Option<CallUnit>,
    period: Option<Period>,
}

/// A JSON number, or a text such as "$4,200" or "4.2k a month".
fn value(raw: &str) -> Result<Value, ExtractionError> {
    let plain = |number: Number| Value {
        value: number.decimal(),
        unit: None,
        period: None,
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
    let scan = Scan::new(&text);
    let amounts = amount::amounts(&scan, &[]);
    let [said] = amounts.as_slice() else {
        return Err(ExtractionError::NotANumber);
    };
    if said.upper.is_some() || !said.doubts.is_none() {
        return Err(ExtractionError::NotANumber);
    }
    let period = said
        .period
        .or_else(|| super::unit::period_at(&scan, said.next).and_then(|(period, _)| period.ok()));
    let unit = match said.unit {
        Unit::Money => Some(CallUnit::Dollars),
        Unit::Percent => Some(CallUnit::Percent),
        Unit::Months | Unit::MonthNumber => Some(CallUnit::Months),
        Unit::Years => Some(CallUnit::Years),
        Unit::Days => Some(CallUnit::Days),
        Unit::Count => Some(CallUnit::Count),
        Unit::Multiple => Some(CallUnit::Multiple),
        Unit::Bare => None,
        Unit::Weeks | Unit::Other => return Err(ExtractionError::NotANumber),
    };
    Ok(Value {
        value: said.value,
        unit,
        period,
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
