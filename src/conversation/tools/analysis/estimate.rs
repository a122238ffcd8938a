//! Multiplies what the franchisee gave: price × number × days, people × hours × wage. The product is shown with its factors and
//! proposed, never written: it is a number that nobody has said.

use crate::conversation::tools::arguments::{ToolError, parse, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::set_financial_field::propose;
use crate::conversation::tools::tool::{Run, Tool};
use plan_model::field::Base;
use plan_model::field::{Field, FieldRole, Kind, minus, show_cents};
use plan_model::inputs::SALES;
use plan_model::number::Number;
use plan_model::period::Period;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) static TOOL: Tool = Tool::new(
    "estimate",
    "Multiply factors that the franchisee gave, such as price, number and days, and propose the result; dollars as a share of sales.",
    Run::Read(run),
)
.schema(schema::<EstimateArguments>)
.example(r#"{"factors":[60,25,26],"path":"monthlyAuv"}"#)
.known_by(&[&["factors"]]);

/// More would be no estimate.
const MAX_FACTORS: usize = 8;

/// No product of a plan is larger, in dollars.
const LIMIT: i64 = 1_000_000_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EstimateArguments {
    #[schemars(with = "Vec<f64>")]
    factors: Vec<Number>,
    /// Field it is for
    #[serde(default)]
    path: Option<String>,
    /// What the product is per, if not the field's: day, week, month, year
    #[serde(default)]
    per: Option<Per>,
    /// Understood, and not in the schema: what is only supposed is not proposed.
    #[serde(default)]
    #[schemars(skip)]
    suppose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Per {
    Day,
    Week,
    Month,
    Year,
}

impl Per {
    /// In a year.
    fn per_year(self) -> Decimal {
        Decimal::from(match self {
            Self::Day => 365,
            Self::Week => 52,
            Self::Month => 12,
            Self::Year => 1,
        })
    }
}

fn run(ctx: &mut ToolContext, arguments: &str) -> Result<Value, ToolError> {
    let EstimateArguments {
        factors,
        path,
        per,
        suppose,
    } = parse(arguments)?;
    if !(1..=MAX_FACTORS).contains(&factors.len()) {
        return Err(ToolError(format!("Give 1 to {MAX_FACTORS} factors.")));
    }
    let product = product(&factors).ok_or_else(|| ToolError("The product is too large.".into()))?;
    let sum = match &factors[..] {
        [_] => amount(product),
        factors => format!("{} = {}", shown(factors), amount(product)),
    };
    let Some(path) = path else {
        return Ok(json!({"sum": sum, "product": amount(product), "note": "Nothing was changed."}));
    };
    let field = ctx.field(&path)?.clone();
    let is_share = field.kind == Kind::Percent && field.role == FieldRole::Share(Base::Sales);
    let of_sales =
        || share(ctx, product, per.unwrap_or(Per::Month)).ok_or_else(|| ToolError("There are no sales.".into()));
    let share = is_share.then(of_sales).transpose()?;
    let value = match &share {
        Some(share) => Some(share.value),
        None => value(&field, product, per),
    };
    let value = value
        .filter(|value| field.refusal(*value).is_none() && !is_far_off(&field, *value))
        .ok_or_else(|| ToolError(format!("That is no possible value of {}.", field.path)))?;
    if !suppose {
        propose(ctx, &field, value, &sum)?;
    }
    let mut result = json!({
        "sum": sum,
        "product": amount(product),
        "path": field.path,
        "value": field.kind.show(value),
        "status": if suppose { "supposed" } else { "proposed" },
        "note": if suppose { "Nothing was changed." } else { "It waits for the franchisee's yes." },
    });
    if let Some(share) = share {
        result["monthly"] = json!(amount(share.monthly));
        result["sales"] = json!(amount(share.sales));
    }
    Ok(result)
}

fn product(factors: &[Number]) -> Option<Decimal> {
    let product = factors
        .iter()
        .try_fold(Decimal::ONE, |product, factor| product.checked_mul(factor.decimal()))?;
    (product.abs() <= Decimal::from(LIMIT)).then_some(product)
}

/// More than ten times the usual: a number too many was multiplied.
fn is_far_off(field: &Field, value: Number) -> bool {
    let most = field
        .soft
        .and_then(|soft| soft.high.decimal().checked_mul(Decimal::TEN));
    most.is_some_and(|most| most > Decimal::ZERO && value.decimal() > most)
}

/// An amount of dollars as a part of established sales.
struct Share {
    value: Number,
    /// Dollars a month.
    monthly: Decimal,
    /// Of sales, as the plan has them or this turn names them.
    sales: Decimal,
}

/// `None` where there are no sales.
fn share(ctx: &ToolContext, product: Decimal, per: Per) -> Option<Share> {
    let mut said = ctx.candidates.iter().rev().map(|one| &one.decision);
    let said = said.find(|decision| decision.field.as_str() == SALES);
    let inputs = ctx.inputs_or_defaults();
    let planned = || inputs.get(SALES).map(|value| value.current_value);
    let cents = said.map(|decision| decision.value).or_else(planned)?;
    let sales = cents.decimal().checked_div(Decimal::ONE_HUNDRED)?;
    let monthly = product.checked_mul(per.per_year())?.checked_div(Decimal::from(12))?;
    Some(Share {
        value: Number::new(monthly.checked_div(sales)?).round(3),
        monthly,
        sales,
    })
}

/// The field's value: of a period converted.
fn value(field: &Field, product: Decimal, per: Option<Per>) -> Option<Number> {
    let own = match field.period {
        Some(Period::Monthly) => Per::Month,
        _ => Per::Year,
    };
    match field.kind {
        Kind::Money if field.period == Some(Period::Once) => {
            Some(Number::new(product.checked_mul(Decimal::ONE_HUNDRED)?).round(0))
        }
        Kind::Money => {
            let a_year = product.checked_mul(per.unwrap_or(own).per_year())?;
            let own = a_year.checked_div(own.per_year())?;
            Some(Number::new(own.checked_mul(Decimal::ONE_HUNDRED)?).round(0))
        }
        Kind::Count | Kind::Months | Kind::Days | Kind::Years => Some(Number::new(product).round(0)),
        Kind::Percent | Kind::Multiple => None,
    }
}

/// `60 × 25 × 26`
fn shown(factors: &[Number]) -> String {
    let shown: Vec<_> = factors.iter().map(ToString::to_string).collect();
    shown.join(" × ")
}

/// `$39,000`
fn amount(dollars: Decimal) -> String {
    let cents = dollars
        .checked_mul(Decimal::ONE_HUNDRED)
        .map_or(0, |cents| Number::new(cents).to_whole());
    minus(&show_cents(cents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_exact_and_those_that_are_too_large_are_none() {
        let factors = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| text.parse::<Number>().expect("a number"))
                .collect::<Vec<_>>()
        };
        let of = |texts: &[&str]| product(&factors(texts)).map(amount);
        assert_eq!(of(&["25", "60", "26"]).as_deref(), Some("$39,000"));
        assert_eq!(of(&["18.5", "35", "2"]).as_deref(), Some("$1,295"));
        assert_eq!(of(&["9999999999999999999999", "9999999999999999999999"]), None);
        assert_eq!(of(&["-79228162514264337593543950335", "1"]), None);
        assert_eq!(shown(&factors(&["25", "60.5"])), "25 × 60.5");
    }
}
