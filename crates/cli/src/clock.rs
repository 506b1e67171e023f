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
    let second = seconds % 86_400;
    let (year, month, day) = app::calendar::date_of(seconds);
    format!(
        "{year:04}{month:02}{day:02}_{:02}{:02}{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
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
