//! The one real clock of the program; everything below is handed one or needs none.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Measures how long something takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "the terminal is where real time enters; libraries take a clock"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// The time as seconds since 1970, for whatever is kept with its date.
pub(crate) fn seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// The date and time in UTC, as file names have it: `20261116_003015`.
pub(crate) fn stamp() -> String {
    stamp_of(seconds())
}

fn stamp_of(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date_of(days as i64);
    format!(
        "{year:04}{month:02}{day:02}_{:02}{:02}{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// The Gregorian date of a day since 1970-01-01. Years begin in March here, so that the day that
/// comes and goes is the last one.
const fn date_of(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let day_of_era = day.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + (month <= 2) as i64;
    (year, month, day_of_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::stamp_of;

    #[test]
    fn stamps_are_dates_and_times() {
        assert_eq!(stamp_of(0), "19700101_000000");
        assert_eq!(stamp_of(951_782_399), "20000228_235959");
        assert_eq!(stamp_of(951_782_400), "20000229_000000");
        assert_eq!(stamp_of(1_704_067_199), "20231231_235959");
        assert_eq!(stamp_of(1_794_789_015), "20261116_003015");
    }
}
