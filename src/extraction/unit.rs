//! What a number counts: currency before it, unit and period behind it.

use super::numeral::Numeral;
use super::scan::Scan;
use super::vocabulary::{is_counted, is_foreign_dollar, is_measure, names_nothing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a span of words counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Nothing was said.
    Bare,
    Money,
    /// Points: `6.5` in "6.5%".
    Percent,
    Months,
    Years,
    Weeks,
    Days,
    Count,
    Multiple,
    /// "month 13", "the 13th month".
    MonthNumber,
    /// Hours, square feet, dogs: never a value of a plan.
    Other,
}

/// How often an amount of money falls due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum Period {
    Once,
    Weekly,
    Biweekly,
    Monthly,
    Quarterly,
    Annual,
}

/// A unit with where its words end.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub unit: Unit,
    pub next: usize,
    pub foreign: bool,
    /// Hundredths of the unit: cents, basis points.
    pub hundredth: bool,
    /// "4,200 mo": the period stands directly behind the number.
    pub period: Option<Period>,
}

impl Found {
    const fn new(unit: Unit, next: usize) -> Self {
        Self {
            unit,
            next,
            foreign: false,
            hundredth: false,
            period: None,
        }
    }
}

/// A currency before the number: its first token, and whether it is another country's.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    pub first: usize,
    pub foreign: bool,
}

/// The currency sign or code directly before token `i`.
#[must_use]
pub fn currency_before(scan: &Scan, i: usize) -> Option<Sign> {
    let before = i.checked_sub(1)?;
    match scan.mark(before) {
        Some('$') => {
            let joined = scan.is_joined(before);
            let code = if joined { scan.word_before(before) } else { "" };
            let foreign = is_foreign_dollar(code);
            let first = if foreign || matches!(code, "us" | "usd") {
                before - 1
            } else {
                before
            };
            Some(Sign { first, foreign })
        }
        Some('€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₪' | '฿' | '₫' | '₴' | '₱' | '₦' | '¤') => {
            Some(Sign {
                first: before,
                foreign: true,
            })
        }
        Some(_) => None,
        None => match scan.word(before) {
            "usd" => Some(Sign {
                first: before,
                foreign: false,
            }),
            "eur" | "gbp" | "cad" | "aud" | "mxn" | "jpy" | "inr" | "chf" | "nzd" | "cny" | "rs" => Some(Sign {
                first: before,
                foreign: true,
            }),
            _ => None,
        },
    }
}

/// The unit behind a number.
#[must_use]
pub fn after(scan: &Scan, numeral: &Numeral, money: bool) -> Found {
    let i = numeral.next;
    let tied = scan.is_tie(i);
    let at = i + usize::from(tied);
    match scan.mark(i) {
        Some('%') => return Found::new(Unit::Percent, i + 1),
        Some('¢') => {
            return Found {
                hundredth: true,
                ..Found::new(Unit::Money, i + 1)
            };
        }
        Some('×') => return Found::new(Unit::Multiple, i + 1),
        Some('$') if scan.is_joined(i) => return Found::new(Unit::Money, i + 1),
        Some('€' | '£' | '¥' | '₹' | '₱') => {
            return Found {
                foreign: true,
                ..Found::new(Unit::Money, i + 1)
            };
        }
        _ => {}
    }
    if let Some(found) = money_word(scan, at) {
        return found;
    }
    if let Some(found) = percent_word(scan, at) {
        return found;
    }
    if money {
        return Found {
            period: dangling_period(scan, numeral, at),
            ..Found::new(Unit::Money, i)
        };
    }
    if let Some(period) = dangling_period(scan, numeral, at).filter(|_| !tied) {
        return Found {
            period: Some(period),
            ..Found::new(Unit::Money, i)
        };
    }
    other_word(scan, at, i)
}

fn money_word(scan: &Scan, at: usize) -> Option<Found> {
    let money = Found::new(Unit::Money, at + 1);
    match scan.word(at) {
        "dollars" | "dollar" | "bucks" | "buck" | "usd" | "dollers" | "dolars" => Some(money),
        "us" | "american" if matches!(scan.word(at + 1), "dollars" | "dollar") => Some(Found { next: at + 2, ..money }),
        "cents" | "cent" => Some(Found {
            hundredth: true,
            ..money
        }),
        "euros" | "euro" | "eur" | "pounds" | "pound" | "quid" | "gbp" | "pesos" | "peso" | "mxn" | "cad" | "aud"
        | "yen" | "jpy" | "rupees" | "rupee" | "inr" | "francs" | "chf" | "loonies" | "yuan" | "rmb" | "won"
        | "reais" | "rubles" | "nzd" | "kr" | "kronor" => Some(Found { foreign: true, ..money }),
        "canadian" | "australian" | "mexican" | "hong" | "singapore" | "zealand" | "new"
            if foreign_dollars(scan, at) =>
        {
            Some(Found { foreign: true, ..money })
        }
        _ => None,
    }
}

fn foreign_dollars(scan: &Scan, at: usize) -> bool {
    scan.word(at) != "new" && (at + 1..at + 3).any(|i| matches!(scan.word(i), "dollars" | "dollar" | "pesos" | "bucks"))
        || scan.follows(at, &["new", "zealand", "dollars"])
        || scan.word(at) == "canadian"
}

fn percent_word(scan: &Scan, at: usize) -> Option<Found> {
    let percent = Found::new(Unit::Percent, at + 1);
    match (scan.word(at), scan.word(at + 1)) {
        ("percent" | "pct" | "percents" | "precent" | "persent", _) => Some(percent),
        ("per", "cent") | ("percentage", "points" | "point") => Some(Found {
            next: at + 2,
            ..percent
        }),
        ("basis", "points" | "point") => Some(Found {
            next: at + 2,
            hundredth: true,
            ..percent
        }),
        ("bps" | "bp", _) => Some(Found {
            hundredth: true,
            ..percent
        }),
        ("points" | "point", _) => Some(percent),
        _ => None,
    }
}

/// "$4,200 month", "4200 mo": too large for a duration, so the word is the period.
fn dangling_period(scan: &Scan, numeral: &Numeral, at: usize) -> Option<Period> {
    let period = match scan.word(at) {
        "month" | "mo" | "mth" | "monthly" => Period::Monthly,
        "year" | "yr" | "yearly" => Period::Annual,
        "week" | "wk" => Period::Weekly,
        _ => return None,
    };
    (numeral.value >= rust_decimal::Decimal::from(400)).then_some(period)
}

fn other_word(scan: &Scan, at: usize, bare: usize) -> Found {
    let unit = match scan.word(at) {
        "months" | "month" | "mo" | "mos" | "mths" | "mth" => Unit::Months,
        "years" | "year" | "yr" | "yrs" => Unit::Years,
        "weeks" | "week" | "wks" | "wk" => Unit::Weeks,
        "days" | "day" => Unit::Days,
        "x" | "times" => Unit::Multiple,
        word if is_counted(word) || (matches!(word, "full" | "part") && scan.word(at + 1).starts_with("time")) => {
            return Found::new(Unit::Count, bare);
        }
        "ish" => return Found::new(Unit::Bare, bare),
        word if is_measure(word) => Unit::Other,
        word if scan.is_joined(at) && !word.is_empty() && at == bare => Unit::Other,
        word if is_thing(scan, at, word) => Unit::Other,
        _ => return Found::new(Unit::Bare, bare),
    };
    Found::new(unit, at + 1)
}

/// A plural behind a bare number names what it counts.
fn is_thing(scan: &Scan, at: usize, word: &str) -> bool {
    let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.contains('\'');
    plural && !scan.is_joined(at) && !names_nothing(word)
}

/// A period that begins at `i`: `/month`, `a month`, `per year`, `monthly`, `every two weeks`. `Err` is a period no plan knows
/// (per hour, per square foot, every other month); both give the first token behind it.
pub fn period_at(scan: &Scan, i: usize) -> Option<(Result<Period, Other>, usize)> {
    if let Some(period) = adverb(scan.word(i)) {
        return Some((period, i + 1));
    }
    if matches!(scan.word(i), "bi" | "semi") && scan.is_tie(i + 1) {
        let biweekly = scan.word(i) == "bi" && scan.word(i + 2) == "weekly";
        return Some((if biweekly { Ok(Period::Biweekly) } else { Err(Other) }, i + 3));
    }
    if scan.word(i) == "twice" {
        return Some((Err(Other), i + 1));
    }
    let preposition = scan.mark(i) == Some('/') || matches!(scan.word(i), "a" | "an" | "per" | "each" | "every" | "p");
    if !preposition {
        return None;
    }
    let every = scan.word(i) == "every";
    let at = i + 1 + usize::from(matches!(scan.word(i + 1), "single"));
    match (scan.word(at), scan.word(at + 1)) {
        ("two", "weeks") | ("other", "week") if every => Some((Ok(Period::Biweekly), at + 2)),
        ("three", "months") if every => Some((Ok(Period::Quarterly), at + 2)),
        ("two" | "three" | "other" | "four" | "six" | "few", _) if every => Some((Err(Other), at + 2)),
        ("month" | "mo" | "mth" | "mon", _) => Some((Ok(Period::Monthly), at + 1)),
        ("year" | "yr" | "annum" | "y" | "annual", _) => Some((Ok(Period::Annual), at + 1)),
        ("week" | "wk" | "w", _) => Some((Ok(Period::Weekly), at + 1)),
        ("quarter" | "qtr" | "q", _) if scan.word(at + 1) != "million" && scan.word(at + 1) != "percent" => {
            Some((Ok(Period::Quarterly), at + 1))
        }
        ("fortnight", _) => Some((Ok(Period::Biweekly), at + 1)),
        ("m", _) if scan.mark(i) == Some('/') => Some((Ok(Period::Monthly), at + 1)),
        (
            "day" | "hour" | "hr" | "h" | "square" | "sq" | "sqft" | "sf" | "foot" | "ft" | "dog" | "pet" | "head"
            | "person" | "employee" | "groom" | "piece" | "visit" | "appointment" | "customer" | "client" | "mile"
            | "unit" | "night" | "shift" | "transaction" | "swipe",
            _,
        ) => Some((Err(Other), at + 1)),
        _ if scan.mark(i) == Some('/') || matches!(scan.word(i), "per") => {
            (!scan.word(at).is_empty()).then_some((Err(Other), at + 1))
        }
        _ => None,
    }
}

/// A period that is none of a plan's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other;

fn adverb(word: &str) -> Option<Result<Period, Other>> {
    Some(match word {
        "monthly" | "mthly" => Ok(Period::Monthly),
        "yearly" | "annually" | "annual" => Ok(Period::Annual),
        "weekly" => Ok(Period::Weekly),
        "biweekly" | "fortnightly" => Ok(Period::Biweekly),
        "quarterly" => Ok(Period::Quarterly),
        "hourly" | "daily" | "nightly" | "semiannual" | "semiannually" | "bimonthly" | "semimonthly" | "apiece" => {
            Err(Other)
        }
        _ => return None,
    })
}
