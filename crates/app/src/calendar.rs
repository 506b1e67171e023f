//! Days of the calendar.

/// The Gregorian date of a second since 1970, in UTC: year, month and day, counted in years that
/// begin in March, so that the day of a leap year stands last.
pub const fn date_of(seconds: u64) -> (u64, u64, u64) {
    let day = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (day / 146_097, day % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + (month <= 2) as u64;
    (year, month, day_of_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_around_leap_years_have_their_dates() {
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(951_782_399), (2000, 2, 28));
        assert_eq!(date_of(951_782_400), (2000, 2, 29));
        assert_eq!(date_of(951_868_800), (2000, 3, 1));
        assert_eq!(date_of(1_794_789_015), (2026, 11, 16));
        assert_eq!(date_of(1_798_761_599), (2026, 12, 31));
    }
}
