//! The games that the user keeps: files are read into the store, and questions are asked of it.
//!
//! `store` knows SQL and no file formats, `othello::notation` knows formats and no database; the
//! two meet here.

mod import;
mod query;

pub use import::{ImportProblem, ImportReport, Importing, LibraryError, import};
pub use query::{QueryError, parse_query};
pub use store::{
    Checked, Continuation, Explored, Filter, Found, GameId, Order, Page, Stats, Store, StoreError,
    StoredGame,
};

use game::{Record, Tags, UnpackError};

/// A stored game as a record, with its names as tags.
pub fn record_of(game: &StoredGame) -> Result<Record, UnpackError> {
    let mut record = match game.annotated.as_deref().and_then(annotated) {
        Some(record) => record,
        None => game.packed.replay()?,
    };
    let date = date_text(game.date);
    let elo = |elo: u16| (elo != 0).then(|| elo.to_string());
    let tags = [
        (Tags::EVENT, Some(game.event.clone())),
        (Tags::DATE, Some(date)),
        (Tags::BLACK, Some(game.black.clone())),
        (Tags::WHITE, Some(game.white.clone())),
        (Tags::BLACK_ELO, elo(game.black_elo)),
        (Tags::WHITE_ELO, elo(game.white_elo)),
    ];
    for (name, value) in tags {
        if let Some(value) = value.filter(|it| !it.is_empty()) {
            record.tags.set(name, &value);
        }
    }
    for (name, value) in &game.tags {
        record.tags.set(name, value);
    }
    Ok(record)
}

fn annotated(bytes: &[u8]) -> Option<Record> {
    let game = othello::notation::read_ggf(bytes).next()?.ok()?;
    Record::from_ggf(&game).ok().map(|it| it.0)
}

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
