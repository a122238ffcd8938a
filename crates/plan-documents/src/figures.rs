//! Figures as a document writes them: dollars with cents, so that columns can be added up, in US notation in each language.

use crate::texts::Texts;
use plan_model::field::{Field, FieldRole, Kind, minus};
use plan_model::language::Language;
use plan_model::month::CalendarMonth;
use plan_model::number::Number;
use rust_decimal::Decimal;
use time::{Date, OffsetDateTime, UtcOffset};

/// `−1,234.50`.
pub(crate) fn amount(cents: i64) -> String {
    let (dollars, rest) = (cents.unsigned_abs() / 100, cents.unsigned_abs() % 100);
    let digits = dollars.to_string();
    let mut shown = String::from(if cents < 0 { "−" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    format!("{shown}.{rest:02}")
}

/// `−$1,234.50`, in a sentence.
pub(crate) fn dollars(cents: i64) -> String {
    let shown = amount(cents);
    match shown.strip_prefix('−') {
        Some(positive) => format!("−${positive}"),
        None => format!("${shown}"),
    }
}

/// `24.6%`, of a decimal.
pub(crate) fn percent(ratio: Number) -> String {
    let points = Number::new(ratio.decimal().saturating_mul(Decimal::ONE_HUNDRED));
    minus(&format!("{:.1}%", points.round(1).decimal()))
}

/// `1.25`; in words what covers nothing, and a dash where there is nothing to cover.
pub(crate) fn coverage(ratio: Option<Number>, texts: Texts) -> String {
    match ratio {
        None => "–".to_owned(),
        Some(ratio) if ratio <= Number::ZERO => texts.get("notCovered").to_owned(),
        Some(ratio) => format!("{:.2}", ratio.round(2).decimal()),
    }
}

/// Shares of a whole in tenths of a percent that add up to 100.0: what rounding down leaves goes to those that lost most by it.
pub(crate) fn shares(parts: &[i64]) -> Vec<String> {
    let whole: i128 = parts.iter().map(|part| i128::from((*part).max(0))).sum();
    if whole == 0 {
        return parts.iter().map(|_| "–".to_owned()).collect();
    }
    let scaled: Vec<i128> = parts.iter().map(|part| i128::from((*part).max(0)) * 1_000).collect();
    let mut tenths: Vec<i128> = scaled.iter().map(|part| part / whole).collect();
    let mut by_loss: Vec<usize> = (0..parts.len()).collect();
    by_loss.sort_by_key(|at| std::cmp::Reverse(scaled[*at] % whole));
    let missing = usize::try_from(1_000 - tenths.iter().sum::<i128>()).unwrap_or_default();
    for at in by_loss.into_iter().take(missing) {
        tenths[at] += 1;
    }
    tenths
        .iter()
        .map(|tenths| format!("{}.{}%", tenths / 10, tenths % 10))
        .collect()
}

/// A value of a field, with its unit.
pub(crate) fn value(field: &Field, value: Number, texts: Texts) -> String {
    let counted = |one: &str, many: &str| match value == Number::whole(1) {
        true => texts.get(one).to_owned(),
        false => texts.say(many, &[("count", &value.to_string())]),
    };
    match field.kind {
        Kind::Money => dollars(value.to_whole()),
        Kind::Percent => {
            let points = value.decimal().saturating_mul(Decimal::ONE_HUNDRED);
            minus(&format!("{}%", Number::new(points)))
        }
        Kind::Months if field.role == FieldRole::StartMonth => texts.say("month", &[("month", &value.to_string())]),
        Kind::Months => counted("month.1", "months.n"),
        Kind::Years => counted("year.1", "years.n"),
        Kind::Days => counted("day.1", "days.n"),
        Kind::Count => value.to_string(),
        Kind::Multiple => format!("{value}×"),
    }
}

/// `month 9`, or that there is none.
pub(crate) fn month(month: Option<u32>, texts: Texts) -> String {
    match month {
        Some(month) => texts.say("month", &[("month", &month.to_string())]),
        None => texts.get("never").to_owned(),
    }
}

const MONTHS_EN: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const MONTHS_ES: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

fn month_name(date: Date, texts: Texts) -> &'static str {
    let names = match texts.0 {
        Language::English => MONTHS_EN,
        Language::Spanish => MONTHS_ES,
    };
    names[usize::from(u8::from(date.month())) - 1]
}

/// The day in UTC, whatever zone a time was written in.
pub(crate) fn date(at: OffsetDateTime, texts: Texts) -> String {
    let date = at.to_offset(UtcOffset::UTC).date();
    let name = month_name(date, texts);
    match texts.0 {
        Language::English => format!("{name} {}, {}", date.day(), date.year()),
        Language::Spanish => format!("{} de {name} de {}", date.day(), date.year()),
    }
}

/// The day in UTC with digits only.
pub(crate) fn short_date(at: OffsetDateTime) -> String {
    let date = at.to_offset(UtcOffset::UTC).date();
    format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
}

/// `March 2027`.
pub(crate) fn month_of_year(month: CalendarMonth, texts: Texts) -> String {
    let date = month.first_day();
    let name = month_name(date, texts);
    match texts.0 {
        Language::English => format!("{name} {}", date.year()),
        Language::Spanish => format!("{name} de {}", date.year()),
    }
}

/// The head of a month's column: `3`, or `3, May 27` where the opening is known.
pub(crate) fn month_head(month: u32, opening: Option<CalendarMonth>, texts: Texts) -> String {
    let Some(opening) = opening else {
        return month.to_string();
    };
    let date = opening.of_plan(month).first_day();
    format!(
        "{month}, {} {:02}",
        &month_name(date, texts)[..3],
        date.year().rem_euclid(100)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::language::Language;
    use time::macros::datetime;

    const EN: Texts = Texts(Language::English);
    const ES: Texts = Texts(Language::Spanish);

    #[test]
    fn amounts_have_their_cents() {
        let shown = [0, 5, -1, 123_456_789, -100_000_000_000].map(amount);
        assert_eq!(shown, ["0.00", "0.05", "−0.01", "1,234,567.89", "−1,000,000,000.00"]);
        assert_eq!([dollars(420_000), dollars(-7)], ["$4,200.00", "−$0.07"]);
    }

    #[test]
    fn ratios_are_rounded_and_what_covers_nothing_is_said() {
        assert_eq!(percent(Number::millionths(246_299)), "24.6%");
        assert_eq!(percent(Number::millionths(-2_173_000)), "−217.3%");
        let shown = [Some(1_250_000), Some(0), Some(-3), None].map(|ratio| coverage(ratio.map(Number::millionths), EN));
        assert_eq!(shown, ["1.25", "not covered", "not covered", "–"]);
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(shares(&[1, 1, 1]), ["33.4%", "33.3%", "33.3%"]);
        assert_eq!(shares(&[28_000_000, 9_150_000]), ["75.4%", "24.6%"]);
        assert_eq!(shares(&[0, 0]), ["–", "–"]);
        assert_eq!(shares(&[]), Vec::<String>::new());
    }

    #[test]
    fn days_are_those_of_utc_in_the_readers_words() {
        let late = datetime!(2026-11-26 23:30 -5);
        assert_eq!(date(late, EN), "November 27, 2026");
        assert_eq!(date(late, ES), "27 de noviembre de 2026");
        assert_eq!(short_date(late), "2026-11-27");
        let opening = "2027-11".parse().ok();
        assert_eq!(month_head(1, opening, EN), "1, Nov 27");
        assert_eq!(month_head(15, opening, ES), "15, ene 29");
        assert_eq!(month_head(15, None, ES), "15");
    }
}
