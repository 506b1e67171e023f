//! Days and months as the services count them: seconds since 1970, in UTC.

use crate::calendar::date_of;
use std::str::FromStr;

const DAY: i64 = 86_400;

/// A month of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Month {
    pub(super) year: i64,
    /// From 1 to 12.
    pub(super) month: i64,
}

impl Month {
    /// The month in which a second lies.
    pub(super) fn of(seconds: i64) -> Self {
        let (year, month, _) = date_of(seconds.max(0) as u64);
        Self {
            year: year as i64,
            month: month as i64,
        }
    }

    /// The first second of the month, counted from 1970.
    pub(super) const fn start(self) -> i64 {
        first_day(self.year, self.month, 1) * DAY
    }

    pub(super) const fn next(self) -> Self {
        if self.month == 12 {
            Self {
                year: self.year + 1,
                month: 1,
            }
        } else {
            Self {
                year: self.year,
                month: self.month + 1,
            }
        }
    }
}

/// Days from 1970 to a day.
const fn first_day(year: i64, month: i64, day: i64) -> i64 {
    let (year, march_month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * march_month + 2) / 5 + day - 1;
    era * 146_097 + 365 * of_era + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day from which on games are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    pub(super) seconds: i64,
}

/// The text is no day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a day or a month, such as 2024-03-15 or 2024-03")]
pub struct SinceError;

impl FromStr for Since {
    type Err = SinceError;

    fn from_str(text: &str) -> Result<Self, SinceError> {
        let parts: Option<Vec<i64>> = text.trim().split('-').map(|it| it.parse().ok()).collect();
        let (year, month, day) = match parts.as_deref() {
            Some([year, month]) => (*year, *month, 1),
            Some([year, month, day]) => (*year, *month, *day),
            _ => return Err(SinceError),
        };
        let is_date = (1970..=9999).contains(&year) && (1..=12).contains(&month);
        if !is_date || !(1..=31).contains(&day) {
            return Err(SinceError);
        }
        let first = Month { year, month };
        let seconds = first.start() + (day - 1) * DAY;
        if seconds >= first.next().start() {
            return Err(SinceError);
        }
        Ok(Self { seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_calendars_do() {
        let seconds = |text: &str| text.parse::<Since>().map(|it| it.seconds);
        assert_eq!(seconds("1970-01").unwrap(), 0);
        assert_eq!(seconds("2000-03-01").unwrap(), 951_868_800);
        assert_eq!(seconds("2024-02-29").unwrap(), 1_709_164_800);
        for text in [
            "2023-02-29",
            "2024-13",
            "2024",
            "x",
            "2024-00-01",
            "2024-1-1-1",
        ] {
            seconds(text).unwrap_err();
        }
        // Every day of sixty years lies in the month that counting gives.
        let mut month = Month {
            year: 1970,
            month: 1,
        };
        for day in 0..22_000 {
            let at = day * DAY;
            if at >= month.next().start() {
                month = month.next();
            }
            assert_eq!(Month::of(at), month);
            assert_eq!(Month::of(at + DAY - 1), month);
        }
        assert!(month.year >= 2030);
    }
}
