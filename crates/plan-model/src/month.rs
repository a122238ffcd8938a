//! A month of the calendar, such as the one in which a business opens.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use time::{Date, Month};

/// A month of a year between 2000 and 2100; as text `2027-03`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CalendarMonth {
    year: i32,
    month: Month,
}

/// A text that names no such month.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a month from 2000-01 to 2100-12, as \"2027-03\"")]
pub struct NoMonth;

impl CalendarMonth {
    /// The month of a date.
    pub const fn of(date: Date) -> Self {
        Self {
            year: date.year(),
            month: date.month(),
        }
    }

    /// Its first day.
    pub fn first_day(self) -> Date {
        Date::from_calendar_date(self.year, self.month, 1).unwrap_or(Date::MIN)
    }

    /// The month of the calendar that is this month of a plan, which opens in `self` with its month 1.
    #[must_use]
    pub fn of_plan(self, month: u32) -> Self {
        let later = i32::try_from(month.saturating_sub(1)).unwrap_or(i32::MAX);
        let since = i32::from(u8::from(self.month)).saturating_sub(1).saturating_add(later);
        let month = u8::try_from(since.rem_euclid(12)).unwrap_or_default().saturating_add(1);
        Self {
            year: self.year.saturating_add(since.div_euclid(12)),
            month: Month::try_from(month).unwrap_or(self.month),
        }
    }
}

impl fmt::Display for CalendarMonth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, u8::from(self.month))
    }
}

impl FromStr for CalendarMonth {
    type Err = NoMonth;

    fn from_str(text: &str) -> Result<Self, NoMonth> {
        let digits = |text: &str, count: usize| {
            let are = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
            are.then(|| text.parse::<u16>().ok()).flatten().ok_or(NoMonth)
        };
        let (year, month) = text.split_once('-').ok_or(NoMonth)?;
        let year = digits(year, 4)?;
        let month = u8::try_from(digits(month, 2)?).map_err(|_| NoMonth)?;
        let month = Month::try_from(month).map_err(|_| NoMonth)?;
        match year {
            2000..=2100 => Ok(Self {
                year: i32::from(year),
                month,
            }),
            _ => Err(NoMonth),
        }
    }
}

impl Serialize for CalendarMonth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CalendarMonth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_read_and_counted_on() {
        let march: CalendarMonth = "2027-03".parse().expect("a month");
        assert_eq!(march.to_string(), "2027-03");
        assert_eq!(march.first_day().to_string(), "2027-03-01");
        assert_eq!(CalendarMonth::of(march.first_day()), march);
        for (months, later) in [(1, "2027-03"), (10, "2027-12"), (11, "2028-01"), (60, "2032-02")] {
            assert_eq!(march.of_plan(months).to_string(), later, "{months}");
        }
    }

    #[test]
    fn what_is_no_month_is_refused() {
        for text in [
            "",
            "2027",
            "2027-3",
            "2027-13",
            "2027-00",
            "1999-12",
            "2101-01",
            "2027-03-01",
            "+027-03",
            "２０２７-03",
        ] {
            assert_eq!(text.parse::<CalendarMonth>(), Err(NoMonth), "{text}");
        }
    }
}
