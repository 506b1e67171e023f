//! The games that the user keeps: files are read into the store, and questions are asked of it.
//!
//! `store` knows SQL and no file formats, `othello::notation` knows formats and no database; the
//! two meet here.

mod convert;
mod explorer;
mod export;
mod html;
mod import;
mod insights;
mod intake;
mod listing;
mod many;
mod played;
mod query;
mod reading;
mod reviews;
mod shared;
mod unpack;

pub use convert::{record_of, result_text};
pub use explorer::{Explorer, Way};
pub use export::{ExportFormat, Exported, export, main_moves, moves_text, score_text};
pub use import::{
    ImportProblem, ImportReport, Importing, LibraryError, Progress, RecordPlace, Shelf, import,
};
pub use insights::{Bar, GamePoint, Insights};
pub use intake::Intake;
pub use listing::{ListedGame, Listing};
pub use many::{REVIEW_JOB, ReviewJob, ReviewJobError, ReviewStep, TERMINAL_JOB};
pub use played::PlayedGame;
pub use query::{QueryError, after_moves, parse_query, parse_saved, position};
pub(crate) use reviews::limits;
pub use reviews::{KeptReview, kept, line_key, maker, recalled, reports_of};
pub use shared::Library;
pub use store::{
    Analysis, Checked, Continuation, Event, Explored, Filter, Found, GameData, GameId, GameNote,
    JobId, JobStep, KeptJob, KeptMistake, KeptState, LineKey, NewGame, Note, Order, OwnResults,
    Page, Review, ReviewPart, ReviewedSide, Stats, Store, StoreError, StoredGame, Valued,
};

/// `1996.05.17`, `1996.05`, `1996`, or nothing: a stored date as text.
pub fn date_text(date: u32) -> String {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    match (year, month, day) {
        (0, _, _) => String::new(),
        (_, 0, _) => format!("{year}"),
        (_, _, 0) => format!("{year}.{month:02}"),
        _ => format!("{year}.{month:02}.{day:02}"),
    }
}

/// A date of a file as a number: year, month and day as far as they can be read.
fn date_number(text: &str) -> u32 {
    let mut parts = text
        .split(|letter: char| !letter.is_ascii_digit())
        .map(|part| part.parse::<u32>().unwrap_or(0));
    let year = parts.next().filter(|it| (1000..=9999).contains(it));
    let Some(year) = year else { return 0 };
    let month = parts.next().filter(|it| (1..=12).contains(it)).unwrap_or(0);
    let day = parts
        .next()
        .filter(|it| (1..=31).contains(it) && month != 0);
    10_000 * year + 100 * month + day.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_back() {
        for text in ["1996.05.17", "1996.05", "1996", ""] {
            assert_eq!(date_text(date_number(text)), text);
        }
        assert_eq!(date_number("2005-08-14 15:32:10 MDT"), 20_050_814);
        assert_eq!(date_number("1996.??.??"), 19_960_000);
        assert_eq!(date_number("1996.13.40"), 19_960_000);
        assert_eq!(date_number("soon"), 0);
    }
}
