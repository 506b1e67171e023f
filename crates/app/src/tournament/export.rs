//! Games of a tournament as records and as text, with what their players thought.

use super::{GameLine, PairLine, Settings};
use crate::calendar::date_of;
use game::{Kind, Record, Score, Side, Tags, pgn};
use othello::notation::Format;
use std::fmt::Write as _;

/// A game with its tags, the players' values and times, and how it ended. In chess these are
/// comments as all runners write them (`+0.31/12 0.520s`), in Othello the fields of GGF. `None` if
/// the log was edited and has a move that is not legal.
pub fn game_record(settings: &Settings, pair: &PairLine, number: usize) -> Option<Record> {
    let game = pair.games.get(number)?;
    let kind = settings.kind();
    let mut record = game.record(kind)?;
    set_tags(&mut record, settings, pair, number, game);
    let nodes: Vec<game::NodeId> = record.main_line().collect();
    let mut steps = game.steps.iter();
    let last = nodes.last().copied();
    for node in nodes.into_iter().skip(game.opening_plies) {
        let mover = record
            .node(node)?
            .parent()
            .and_then(|it| record.position(it));
        if mover?.forced().is_some() {
            continue;
        }
        let Some(step) = steps.next() else {
            break;
        };
        let note = record.note_mut(node)?;
        match kind {
            Kind::Chess => {
                let mut text = match step.score {
                    Some(score) => format!("{}/{}", value(score), step.depth.unwrap_or(0)),
                    None => String::new(),
                };
                let gap = if text.is_empty() { "" } else { " " };
                let seconds = (step.thinking_ms / 1000, step.thinking_ms % 1000);
                write!(text, "{gap}{}.{:03}s", seconds.0, seconds.1).ok()?;
                note.comment = Some(text);
            }
            Kind::Othello => {
                note.eval = step.score.map(|score| score.to_string());
                let (whole, rest) = (step.thinking_ms / 1000, step.thinking_ms % 1000);
                note.time = Some(format!("{whole}.{rest:03}"));
            }
        }
    }
    if let (Kind::Chess, Some(note)) = (kind, last.and_then(|last| record.note_mut(last))) {
        let end = ending(settings, pair, game);
        note.comment = Some(match note.comment.take() {
            Some(text) => format!("{text}, {end}"),
            None => end,
        });
    }
    Some(record)
}

/// `+0.31`, `-12.00`, `+M3`.
fn value(score: Score) -> String {
    match score.mate() {
        Some(moves) if moves > 0 => format!("+M{moves}"),
        Some(moves) => format!("-M{}", moves.unsigned_abs()),
        None => format!("{:+.2}", score.units()),
    }
}

/// Why the game ended, with names.
fn ending(settings: &Settings, pair: &PairLine, game: &GameLine) -> String {
    let name = |side: Side| {
        let at = usize::from(side != game.first);
        &settings.engines[pair.pairing.players[at]].name
    };
    match (game.outcome.winner, game.detail.is_empty()) {
        (Some(winner), false) => format!("{} {}", name(winner.other()), game.detail),
        (Some(winner), true) => format!("{} wins: {}", name(winner), game.reason),
        (None, _) => format!("draw: {}", game.reason),
    }
}

fn set_tags(
    record: &mut Record,
    settings: &Settings,
    pair: &PairLine,
    number: usize,
    game: &GameLine,
) {
    let [a, b] = pair
        .pairing
        .players
        .map(|player| settings.engines[player].name.as_str());
    let (black, white) = match game.first {
        Side::Black => (a, b),
        Side::White => (b, a),
    };
    let (year, month, day) = date_of(pair.seconds);
    let round = format!("{}.{}", pair.pairing.number + 1, number + 1);
    let tags = &mut record.tags;
    tags.set(Tags::EVENT, &settings.name);
    tags.set(Tags::SITE, "Kibitz");
    tags.set(Tags::DATE, &format!("{year:04}.{month:02}.{day:02}"));
    tags.set(Tags::ROUND, &round);
    tags.set(Tags::WHITE, white);
    tags.set(Tags::BLACK, black);
    let [first, second] = pair.pairing.players.map(|it| settings.time_of(it));
    let (black_time, white_time) = match game.first {
        Side::Black => (first, second),
        Side::White => (second, first),
    };
    if black_time == white_time {
        set_time(tags, Tags::TIME_CONTROL, white_time);
    } else {
        set_time(tags, "WhiteTimeControl", white_time);
        set_time(tags, "BlackTimeControl", black_time);
    }
    tags.set("PlyCount", &game.n_plies().to_string());
    tags.set(Tags::TERMINATION, game.reason.termination().name());
}

fn set_time(tags: &mut Tags, tag: &str, time: Option<&str>) {
    if let Some(time) = time {
        tags.set(tag, time);
    }
}

/// A game as text: PGN for chess; for Othello GGF, or the transcript alone.
pub fn write_game(record: &Record, is_transcript: bool) -> String {
    if record.start().kind() == Kind::Chess {
        return pgn::write(record).unwrap_or_default();
    }
    let format = if is_transcript {
        Format::Transcript
    } else {
        Format::Ggf
    };
    let mut out = Vec::new();
    if let Ok((notation, _)) = record.to_notation()
        && notation.write_text(format, &mut out).is_ok()
    {
        return String::from_utf8_lossy(&out).into_owned();
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_runners_write_them() {
        assert_eq!(value(Score::centi(31)), "+0.31");
        assert_eq!(value(Score::centi(-1_200)), "-12.00");
        assert_eq!(value(Score::mate_in(3)), "+M3");
        assert_eq!(value(Score::mated_in(2)), "-M2");
    }
}
