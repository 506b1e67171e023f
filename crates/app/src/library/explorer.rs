//! What games did in a position, as a player asks it: with the moves that lead there, the name of
//! the opening, the user's note, and a word of warning about moves that are popular and bad.

use super::{Library, LibraryError, QueryError, query::chess_words};
use coach::explain::Severity;
use game::{Kind, Move, Position, Score};
use store::{Continuation, Explored, Filter, OwnResults};

/// A move that every so many games have is popular.
const POPULAR_SHARE: f64 = 0.1;

/// Fewer games say nothing about what is popular.
const POPULAR_GAMES: u64 = 10;

/// Own games from which on their results are worth a sentence.
const OWN_GAMES: u64 = 3;

/// What is known about a position.
#[derive(Debug, Clone)]
pub struct Explorer {
    /// The position, after the pass that is due.
    pub position: Position,
    /// The moves that led there, as players write them.
    pub path: Vec<String>,
    /// The last of them.
    pub last: Option<Move>,
    /// The name of the opening that this is, or comes from.
    pub opening: Option<String>,
    pub explored: Explored,
    /// For each of the moves: a sentence about one that is often played and bad.
    pub warnings: Vec<Option<String>>,
    /// The user's note on the position.
    pub note: Option<String>,
    /// Where nobody played the position: how many moves back games are, and how many.
    pub back: Option<(usize, u64)>,
}

/// A place on the way of a game.
#[derive(Debug, Clone, Default)]
pub struct Way {
    /// Where it begins: a board, a FEN, or the usual start of a game if left out.
    pub start: Option<String>,
    /// The moves from there: `f5d6c3`, `e4 e5`, `1. e4 e5`.
    pub moves: String,
    /// Which game it is, where the start does not say it.
    pub kind: Option<Kind>,
}

impl Way {
    /// The positions on the way, the start first, and the moves between them.
    fn walk(&self) -> Result<(Vec<Position>, Vec<Move>), LibraryError> {
        let wrong = |text: &str, expected| {
            LibraryError::Query(QueryError::Value {
                word: text.chars().take(200).collect(),
                expected,
            })
        };
        let start = match &self.start {
            Some(text) => super::position(text)
                .ok_or_else(|| wrong(text, "a board, a FEN or moves from the start"))?,
            None => self.kind.unwrap_or(Kind::Othello).start(),
        };
        let moves = words(start.kind(), &self.moves);
        let (mut positions, mut actions) = (vec![start], Vec::new());
        for word in moves {
            let mut at = positions
                .last()
                .cloned()
                .unwrap_or_else(|| Kind::Othello.start());
            // A pass that must be made is made, whether or not it was written down.
            if let Some(pass) = at.forced()
                && at.parse_move(&word).is_err()
            {
                at = at.play(pass).map_err(|_| wrong(&word, "a legal move"))?;
            }
            let action = at
                .parse_move(&word)
                .map_err(|_| wrong(&word, "a legal move"))?;
            let after = at.play(action).map_err(|_| wrong(&word, "a legal move"))?;
            positions.push(after);
            actions.push(action);
        }
        Ok((positions, actions))
    }
}

/// The moves of a text. Those of Othello have two letters each and need no blanks.
fn words(kind: Kind, text: &str) -> Vec<String> {
    match kind {
        Kind::Chess => chess_words(text).map(str::to_owned).collect(),
        Kind::Othello => {
            let words = text.split([' ', ',', '\n']).filter(|it| !it.is_empty());
            let letters: Vec<char> = words.flat_map(str::chars).collect();
            letters.chunks(2).map(|it| it.iter().collect()).collect()
        }
    }
}

impl Library {
    /// What the games that pass a filter did in a position, with `n_games` of the newest and of the
    /// strongest.
    pub fn explorer(
        &self,
        way: &Way,
        filter: &Filter,
        n_games: usize,
    ) -> Result<Explorer, LibraryError> {
        let (positions, actions) = way.walk()?;
        let at = positions
            .last()
            .cloned()
            .unwrap_or_else(|| Kind::Othello.start());
        let position = match at.forced() {
            Some(pass) => at.play(pass).unwrap_or(at),
            None => at,
        };
        let reader = self.reader_for(filter);
        let explored = reader.explore(&position, filter, n_games)?;
        let mut back = None;
        if explored.all.games == 0 {
            for (steps, before) in positions.iter().rev().skip(1).enumerate() {
                let games = reader.explore(before, filter, 0)?.all.games;
                if games > 0 {
                    back = Some((steps + 1, games));
                    break;
                }
            }
        }
        let note = reader.note(&position)?.map(|it| it.text);
        drop(reader);
        let starts = positions.iter().zip(&actions);
        Ok(Explorer {
            path: starts.map(|(before, it)| san(before, *it)).collect(),
            last: actions.last().copied(),
            opening: self.opening_of(&positions),
            warnings: warnings(&explored, &position),
            explored,
            position,
            note,
            back,
        })
    }

    /// The latest named position of a way.
    fn opening_of(&self, positions: &[Position]) -> Option<String> {
        if let Some(opening) = positions.iter().rev().find_map(game::eco::name_of) {
            return Some(opening.title());
        }
        let openings = self.openings.as_ref()?;
        let mut found = None;
        for position in positions.iter().filter_map(Position::othello) {
            if let Some(opening) = openings.at(position) {
                found = Some(opening.title());
            }
        }
        found
    }
}

/// A move as players write it. A pass that was due before it is not a move of its own.
fn san(before: &Position, action: Move) -> String {
    match before.forced().and_then(|pass| before.play(pass).ok()) {
        Some(after) if action.kind() == Kind::Othello => after.san(action),
        _ => before.san(action),
    }
}

/// A sentence for each move that is popular and bad. What is bad is `coach`'s to say.
fn warnings(explored: &Explored, position: &Position) -> Vec<Option<String>> {
    let value = |it: &Continuation| it.value.as_ref().map(|it| it.score);
    let best = explored
        .moves
        .iter()
        .filter_map(|it| Some((value(it)?, it)))
        .max_by_key(|(score, _)| score.hundredths());
    let warning = |it: &Continuation| {
        let (best_score, best) = best?;
        let score = value(it)?;
        let loss = best_score.hundredths() - score.hundredths();
        let lost = f64::from(loss) / 100.0;
        let is_bad = match position.othello() {
            Some(othello) => {
                let empties = othello.board.empties().len();
                let severity = Severity::of_scores(best_score, score, empties, false);
                severity > Severity::Fine
            }
            // In pawns.
            None => lost >= 0.5,
        };
        let share = it.games as f64 / explored.all.games.max(1) as f64;
        if !is_bad || share < POPULAR_SHARE || it.games < POPULAR_GAMES {
            return None;
        }
        let better = best.action.map(|action| position.san(action))?;
        let amount = match position.kind() {
            Kind::Othello => Score::centi(loss).amount_of_discs(),
            Kind::Chess if loss >= Score::MATE_HUNDREDTHS / 2 => "far".to_owned(),
            Kind::Chess => format!("{lost:.1} pawns"),
        };
        let own = own_sentence(&it.own);
        Some(format!(
            "Often played, but {amount} worse than {better}.{own}"
        ))
    };
    explored.moves.iter().map(warning).collect()
}

/// ` You have lost 5 of 7 with it.`, if that is so.
fn own_sentence(own: &OwnResults) -> String {
    let known = own.won + own.drawn + own.lost;
    if known < OWN_GAMES || own.lost * 2 <= known {
        return String::new();
    }
    format!(" You have lost {} of {known} games with it.", own.lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_of_chess_is_read_as_players_write_it_and_has_its_opening() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(&folder.path().join("a.db")).unwrap();
        for moves in [
            "e4 e5 Nf3 Nc6 Bb5",
            "1. e4 e5 2. Nf3 Nc6 3.Bb5",
            "e2e4,e7e5 Nf3 Nc6 Bb5",
        ] {
            let way = Way {
                start: None,
                moves: moves.to_owned(),
                kind: Some(Kind::Chess),
            };
            let explorer = library.explorer(&way, &Filter::default(), 0).unwrap();
            assert_eq!(explorer.path, ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
            assert_eq!(explorer.opening.as_deref(), Some("C60 Ruy Lopez"));
        }
    }
}
