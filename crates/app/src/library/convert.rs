//! Games of files as games of the database, and back as records.

use super::{date_number, date_text};
use game::{AnnotationError, Kind, Outcome, Packed, Record, Side, Tags, Termination, pgn::PgnGame};
use othello::notation::{self, GgfGame};
use std::borrow::Cow;
use store::{GameData, NewGame, StoredGame};

/// A game of an Othello file; the reason if it cannot be replayed.
pub(super) fn othello_game(record: &notation::Record, source: &str) -> Result<NewGame, String> {
    let mut game = GameData::new(Packed::from(&record.game));
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    game.black = text(&record.players[0]);
    game.white = text(&record.players[1]);
    game.event = text(&record.event);
    game.date = record.date.as_deref().map_or(0, date_number);
    game.source = source.to_owned();
    let by_rules = record
        .game
        .outcome()
        .map(|it| it.score_for(othello::Side::Black));
    let score = record.result.map(|it| it / 100).or(by_rules);
    game.score = score.map(|it| it.clamp(-64, 64) as i8);
    let elo = |text: &Option<String>| text.as_deref().map_or(0, elo_number);
    game.black_elo = elo(&record.ratings[0]);
    game.white_elo = elo(&record.ratings[1]);
    let time = record.time.iter();
    game.tags = time
        .map(|it| (Tags::TIME_CONTROL.to_owned(), it.clone()))
        .collect();
    let is_annotated = record
        .notes
        .iter()
        .any(|it| it.eval.is_some() || it.time.is_some());
    if is_annotated || record.comment.is_some() || !record.candidates.is_empty() {
        let (record, _) = Record::from_notation(record);
        game.packed = Packed::from(&record);
        game.annotated = record.annotations();
    }
    NewGame::new(game).map_err(|error| error.to_string())
}

/// A game of a GGF file; the reason if it is none. Tags that the fields do not give back letter by
/// letter are kept as well, and how the game ended.
pub(super) fn ggf_game(from: &GgfGame, source: &str) -> Result<NewGame, String> {
    let (record, _) = Record::from_ggf(from).map_err(|error| error.to_string())?;
    let tag = |name| record.tags.get(name).unwrap_or_default();
    let mut game = GameData::new(Packed::from(&record));
    game.black = tag(Tags::BLACK).to_owned();
    game.white = tag(Tags::WHITE).to_owned();
    game.event = tag(Tags::EVENT).to_owned();
    game.date = date_number(tag(Tags::DATE));
    game.black_elo = elo_number(tag(Tags::BLACK_ELO));
    game.white_elo = elo_number(tag(Tags::WHITE_ELO));
    game.source = source.to_owned();
    let score = record.outcome.and_then(|it| it.black_centidiscs);
    game.score = score.map(|it| (it / 100).clamp(-64, 64) as i8);
    for (name, value) in record.tags.iter() {
        let given_back = match name {
            Tags::BLACK | Tags::WHITE | Tags::EVENT => Some(value.to_owned()),
            Tags::DATE => Some(date_text(game.date)),
            Tags::BLACK_ELO => Some(game.black_elo.to_string()),
            Tags::WHITE_ELO => Some(game.white_elo.to_string()),
            _ => None,
        };
        if given_back.is_none_or(|it| it != value) {
            game.tags.push((name.to_owned(), value.to_owned()));
        }
    }
    let termination = record.outcome.map(|it| it.termination);
    if let Some(
        told @ (Termination::Resignation | Termination::TimeForfeit | Termination::Abandoned),
    ) = termination
    {
        let tag = (Tags::TERMINATION.to_owned(), told.name().to_owned());
        game.tags.push(tag);
    }
    game.annotated = record.annotations();
    NewGame::new(game).map_err(|error| error.to_string())
}

fn elo_number(text: &str) -> u16 {
    let number = text.trim().parse::<f64>().unwrap_or(0.0);
    number.clamp(0.0, f64::from(u16::MAX)) as u16
}

/// A game of a PGN file. Tags that the fields do not give back letter by letter are kept as well.
pub(super) fn pgn_game(from: PgnGame, source: &str) -> NewGame {
    let mut game = GameData::new(from.packed);
    game.source = source.to_owned();
    game.annotated = from.annotations;
    game.score = from.outcome.map(|it| match it.winner {
        None => 0,
        Some(Side::White) => 1,
        Some(Side::Black) => -1,
    });
    for (name, value) in from.tags.iter() {
        let known = if value == "?" { "" } else { value };
        match name {
            Tags::WHITE => known.clone_into(&mut game.white),
            Tags::BLACK => known.clone_into(&mut game.black),
            Tags::EVENT => known.clone_into(&mut game.event),
            Tags::DATE => game.date = date_number(value),
            Tags::WHITE_ELO => game.white_elo = elo_number(value),
            Tags::BLACK_ELO => game.black_elo = elo_number(value),
            _ => {}
        }
        if given_back(&game, name).is_none_or(|it| it != value) {
            game.tags.push((name.to_owned(), value.to_owned()));
        }
    }
    NewGame::with_footprints(game, &from.prints)
}

/// What the fields of a chess game say for a tag when it is written; `None` if they say nothing.
fn given_back<'a>(game: &'a GameData, name: &str) -> Option<Cow<'a, str>> {
    let name_text = |text: &'a str| Cow::Borrowed(if text.is_empty() { "?" } else { text });
    let elo = |elo: u16| (elo != 0).then(|| Cow::Owned(elo.to_string()));
    let start = game.packed.start.as_ref();
    match name {
        Tags::WHITE => Some(name_text(&game.white)),
        Tags::BLACK => Some(name_text(&game.black)),
        Tags::EVENT => Some(name_text(&game.event)),
        Tags::SITE | Tags::ROUND => Some(Cow::Borrowed("?")),
        Tags::DATE => Some(Cow::Owned(pgn_date(game.date))),
        Tags::WHITE_ELO => elo(game.white_elo),
        Tags::BLACK_ELO => elo(game.black_elo),
        Tags::RESULT => Some(Cow::Borrowed(result_text(game.winner()))),
        Tags::FEN => start.map(|it| Cow::Owned(it.to_string())),
        Tags::SET_UP => start.map(|_| Cow::Borrowed("1")),
        _ => None,
    }
}

/// `1-0`, or what PGN writes for the others.
pub fn result_text(winner: Option<Option<Side>>) -> &'static str {
    match winner {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(Side::White)) => "1-0",
        Some(Some(Side::Black)) => "0-1",
    }
}

/// `1996.05.??`, as PGN writes dates.
fn pgn_date(date: u32) -> String {
    let part = |number: u32, digits: usize| match number {
        0 => "?".repeat(digits),
        number => format!("{number:0digits$}"),
    };
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    format!("{}.{}.{}", part(year, 4), part(month, 2), part(day, 2))
}

/// A stored game as a record, with its names as tags.
pub fn record_of(game: &StoredGame) -> Result<Record, AnnotationError> {
    let mut record = match game.annotated.as_deref() {
        // Version 1 of the database kept Othello's annotations as GGF.
        Some(bytes) if bytes.starts_with(b"(") => match ggf(bytes) {
            Some(record) => record,
            None => game.packed.replay()?,
        },
        Some(bytes) => game.packed.annotated(bytes)?,
        None => game.packed.replay()?,
    };
    let date = match game.packed.kind {
        Kind::Othello => date_text(game.date),
        Kind::Chess if game.date == 0 => String::new(),
        Kind::Chess => pgn_date(game.date),
    };
    let elo = |elo: u16| (elo != 0).then(|| elo.to_string());
    let tags = [
        (Tags::EVENT, Some(game.event.clone())),
        (Tags::DATE, Some(date)),
        (Tags::WHITE, Some(game.white.clone())),
        (Tags::BLACK, Some(game.black.clone())),
        (Tags::WHITE_ELO, elo(game.white_elo)),
        (Tags::BLACK_ELO, elo(game.black_elo)),
    ];
    for (name, value) in tags {
        if let Some(value) = value.filter(|it| !it.is_empty()) {
            record.tags.set(name, &value);
        }
    }
    for (name, value) in &game.tags {
        record.tags.set(name, value);
    }
    let termination = record.tags.get(Tags::TERMINATION);
    let termination = termination.and_then(|it| it.parse().ok());
    match (game.packed.kind, game.score) {
        (Kind::Othello, Some(score)) if record.outcome.is_none() => {
            let centidiscs = 100 * i32::from(score);
            let termination = termination.unwrap_or(Termination::Adjudication);
            record.outcome = Some(Outcome::counted(centidiscs, termination));
        }
        (Kind::Othello, _) => {}
        (Kind::Chess, _) => {
            let termination = termination.unwrap_or(Termination::Normal);
            let outcome = |winner| Outcome::decided(winner, termination);
            record.outcome = game.winner().map(outcome);
        }
    }
    Ok(record)
}

fn ggf(bytes: &[u8]) -> Option<Record> {
    let game = notation::read_ggf(bytes).next()?.ok()?;
    Record::from_ggf(&game).ok().map(|it| it.0)
}
