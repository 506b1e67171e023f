//! GGF, the Generic Game Format of the GGS server and of NBoard.
//!
//! `(;GM[Othello]PB[..]PW[..]RE[+2.000]TY[8]BO[8 --- … --- *]B[F5//0.01]W[f6/-1.5/2.3];)`: a game
//! is a row of tags, and a move is a tag too. [`GgfGame`] keeps every tag as it was written and
//! gives typed views of the ones that matter, so that writing loses nothing but white space
//! between tags. Archives put the number of games in front, `2 (;…;)(;…;)` for a synchro pair;
//! that number is kept with the first game.
//!
//! A value ends at the next `]`; there are no escapes. A value that contains `(;GM[` can only be
//! one whose end is missing: reading starts again there, so that one broken game never swallows
//! the next.

mod error;
mod reading;
mod writing;

pub use error::GgfError;
pub use reading::{GgfReader, read_ggf};
pub use writing::GgfWriter;

use super::problem::play_recorded;
use super::{RawText, excerpt};
use crate::{Game, Move, Position, Side};
use std::num::NonZeroU32;

/// What can only be the beginning of a game, even inside a value.
const RESTART: &[u8; 5] = b"(;GM[";

/// A tag as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GgfTag {
    name: String,
    value: RawText,
}

impl GgfTag {
    /// A tag that can be written and read back.
    pub fn new(name: &str, value: impl Into<RawText>) -> Result<Self, GgfError> {
        let value = value.into();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(GgfError::Unwritable {
                text: excerpt(name),
            });
        }
        let closes = value.as_bytes().contains(&b']');
        let restarts = value
            .as_bytes()
            .windows(RESTART.len())
            .any(|window| window == RESTART);
        if closes || restarts {
            return Err(GgfError::Unwritable {
                text: excerpt(&value.to_str()),
            });
        }
        Ok(Self {
            name: name.to_owned(),
            value,
        })
    }

    /// `PB`, `RE`, `B`, …
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What stands in the brackets.
    pub const fn value(&self) -> &RawText {
        &self.value
    }
}

/// A move with what the player's program said about it, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GgfMove {
    /// The side that the tag names.
    pub side: Side,
    pub action: Move,
    /// The evaluation, for the side that moved.
    pub eval: Option<String>,
    /// The time used, in seconds or minutes:seconds.
    pub time: Option<String>,
}

/// A game: its tags in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GgfGame {
    /// The number that stood before the game: how many games begin here in an archive.
    pub count: Option<NonZeroU32>,
    /// All tags, moves among them.
    pub tags: Vec<GgfTag>,
}

impl GgfGame {
    /// The first value of a tag, as text.
    pub fn tag(&self, name: &str) -> Option<String> {
        let tag = self.tags.iter().find(|tag| tag.name == name)?;
        Some(tag.value.to_str().into_owned())
    }

    pub fn push(&mut self, name: &str, value: impl Into<RawText>) -> Result<(), GgfError> {
        self.tags.push(GgfTag::new(name, value)?);
        Ok(())
    }

    /// The name of a player: `PB` or `PW`.
    pub fn player(&self, side: Side) -> Option<String> {
        self.tag(["PB", "PW"][side.index()])
    }

    /// The rating of a player: `RB` or `RW`.
    pub fn rating(&self, side: Side) -> Option<f64> {
        parse_number(&self.tag(["RB", "RW"][side.index()])?)
    }

    /// The final disc difference for Black, komi included: `RE` without its reason.
    pub fn result(&self) -> Option<f64> {
        parse_number(self.tag("RE")?.split(':').next()?)
    }

    /// How the game ended if not by its last move: what follows the colon in `RE`, such as `r`
    /// (resigned) or `t` (time).
    pub fn result_reason(&self) -> Option<String> {
        let text = self.tag("RE")?;
        text.split_once(':').map(|(_, reason)| reason.to_owned())
    }

    /// Discs that Black gives for moving first: `KM`.
    pub fn komi(&self) -> Option<f64> {
        parse_number(&self.tag("KM")?)
    }

    /// The time control as written: `TI`.
    pub fn time(&self) -> Option<String> {
        self.tag("TI")
    }

    /// When the game was played, as written: `DT`.
    pub fn date(&self) -> Option<String> {
        self.tag("DT")
    }

    /// Where the game was played: `PC`.
    pub fn location(&self) -> Option<String> {
        self.tag("PC")
    }

    /// The start position: `BO`, or the usual one if there is none.
    pub fn start(&self) -> Result<Position, GgfError> {
        let Some(text) = self.tag("BO") else {
            return Ok(Position::START);
        };
        let text = text.trim_start();
        let size_end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (size, board) = text.split_at(size_end);
        if size != "8" {
            return Err(GgfError::BoardType {
                found: excerpt(size),
            });
        }
        board.parse().map_err(GgfError::Board)
    }

    /// The moves as written, in order.
    pub fn moves(&self) -> impl Iterator<Item = Result<GgfMove, GgfError>> {
        let written = self.tags.iter().filter_map(|tag| match &tag.name[..] {
            "B" => Some((Side::Black, &tag.value)),
            "W" => Some((Side::White, &tag.value)),
            _ => None,
        });
        written
            .enumerate()
            .map(|(i, (side, value))| parse_move(i + 1, side, &value.to_str()))
    }

    /// The game itself, replayed by the rules; a due pass need not have been written.
    pub fn game(&self) -> Result<Game, GgfError> {
        self.check_variant()?;
        let mut game = Game::from_position(self.start()?);
        for (i, written) in self.moves().enumerate() {
            let written = written?;
            play_turn(&mut game, i + 1, &written)?;
        }
        Ok(game)
    }

    /// Othello on 8×8. `TY` is such as `8`, `s8r20` or `8a`: prefixes, the size, a variant.
    fn check_variant(&self) -> Result<(), GgfError> {
        if let Some(found) = self.tag("GM").filter(|game| !is_othello(game)) {
            return Err(GgfError::OtherGame {
                found: excerpt(&found),
            });
        }
        match self.tag("TY") {
            Some(found) if board_size(&found) != "8" => Err(GgfError::BoardType {
                found: excerpt(&found),
            }),
            _ => Ok(()),
        }
    }
}

fn is_othello(game: &str) -> bool {
    game.trim().eq_ignore_ascii_case("othello") || game.trim().eq_ignore_ascii_case("reversi")
}

fn board_size(board_type: &str) -> &str {
    let from_size = board_type.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = from_size.find(|c: char| !c.is_ascii_digit());
    &from_size[..end.unwrap_or(from_size.len())]
}

fn parse_number(text: &str) -> Option<f64> {
    text.trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
}

/// `F5`, `F5/1.5` or `F5/1.5/0.01`.
fn parse_move(index: usize, side: Side, text: &str) -> Result<GgfMove, GgfError> {
    let mut parts = text.splitn(3, '/');
    let action = parts.next().unwrap_or_default().trim();
    let mut note = || {
        let part = parts.next()?.trim();
        (!part.is_empty()).then(|| part.to_owned())
    };
    Ok(GgfMove {
        side,
        action: action
            .parse()
            .map_err(|error| GgfError::Move { index, error })?,
        eval: note(),
        time: note(),
    })
}

/// Plays a move whose side is known: the other side's due pass comes first if it was not written.
fn play_turn(game: &mut Game, index: usize, written: &GgfMove) -> Result<(), GgfError> {
    if written.side != game.position().side {
        let passed = written.action != Move::Pass && game.play(Move::Pass).is_ok();
        if !passed {
            return Err(GgfError::Turn {
                index,
                text: written.action.to_string(),
                side: written.side,
            });
        }
    }
    Ok(play_recorded(game, index, written.action)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{At, Problem, ProblemKind, RECORD_BYTES_MAX};

    const GAME: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]\
        RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]KM[1.5]\
        BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
        B[d3//0.01]W[c5/-1.50/0.2]B[f6];)";

    fn read(text: &[u8]) -> Vec<Result<GgfGame, Problem>> {
        read_ggf(text).collect()
    }

    fn write(games: &[GgfGame]) -> Vec<u8> {
        let mut writer = GgfWriter::new(Vec::new());
        for game in games {
            writer.write(game).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn typed_views_of_a_game() {
        let game = read(GAME.as_bytes()).remove(0).unwrap();
        assert_eq!(game.player(Side::Black).as_deref(), Some("Saio1200"));
        assert_eq!(game.rating(Side::White), Some(2199.72));
        assert_eq!(game.result(), Some(0.0));
        assert_eq!(game.komi(), Some(1.5));
        assert_eq!(game.time().as_deref(), Some("05:00//02:00"));
        assert_eq!(game.start(), Ok(Position::START));
        let moves: Vec<_> = game.moves().map(Result::unwrap).collect();
        assert_eq!(moves[0].eval, None);
        assert_eq!(moves[0].time.as_deref(), Some("0.01"));
        assert_eq!(moves[1].eval.as_deref(), Some("-1.50"));
        assert_eq!(game.game().unwrap().transcript(), "d3c5f6");
        assert_eq!(write(&[game]), format!("{GAME}\n").into_bytes());
    }

    #[test]
    fn games_of_many_lines_and_many_games_of_a_line() {
        let text = format!("1 {GAME}\n2 {GAME}{GAME}\n{GAME} {GAME}\n");
        let spread = text.replace("]P", "] \n P");
        let games: Vec<_> = read(spread.as_bytes()).into_iter().flatten().collect();
        let counts: Vec<_> = games.iter().map(|game| game.count).collect();
        assert_eq!(
            counts,
            [NonZeroU32::new(1), NonZeroU32::new(2), None, None, None]
        );
        let expected = format!("1 {GAME}\n2 {GAME}{GAME}\n{GAME}\n{GAME}\n");
        assert_eq!(String::from_utf8(write(&games)).unwrap(), expected);
    }

    #[test]
    fn one_bad_game_never_costs_the_others() {
        for (bad, expected) in [
            ("(;GM[Othello]PB[open", "the game does not end; expected ;)"),
            ("(;GM[Othello]PB[x]", "the game does not end; expected ;)"),
            (
                "rubbish",
                "unexpected \"rubbish\"; expected a game that begins with (;",
            ),
            (
                "(;GM[Othello]?;)",
                "unexpected \"?\" at byte 13 of the game; expected a tag such as PB[name]",
            ),
        ] {
            let text = format!("{GAME}\n{bad}\n{GAME}\n{bad}");
            let games = read(text.as_bytes());
            let problems: Vec<_> = games.iter().filter_map(|g| g.as_ref().err()).collect();
            assert_eq!(games.len(), 4, "{bad}: {problems:?}");
            assert!(games[0].is_ok() && games[2].is_ok(), "{bad}");
            assert_eq!(problems[0].kind.to_string(), expected);
            assert_eq!(problems[0].place.at, At::Byte(GAME.len() as u64 + 1));
        }
    }

    #[test]
    fn a_game_over_the_limit_is_skipped() {
        let long = "x".repeat(RECORD_BYTES_MAX);
        let text = format!("(;GM[Othello]C[{long}];){GAME}(;C[{long}{GAME}");
        let games = read(text.as_bytes());
        let summary: Vec<_> = games
            .into_iter()
            .map(|game| game.map_err(|problem| problem.kind).map(|_| ()))
            .collect();
        let too_long = Err(ProblemKind::TooLong);
        assert_eq!(summary, [too_long.clone(), Ok(()), too_long, Ok(())]);
    }

    #[test]
    fn what_cannot_be_played_is_kept_and_explained() {
        let error = |from: &str, to: &str| {
            let game = read(GAME.replace(from, to).as_bytes()).remove(0).unwrap();
            game.game().unwrap_err().to_string()
        };
        assert_eq!(
            error("TY[8]", "TY[s10r28]"),
            "board type \"s10r28\" is not supported; expected 8x8"
        );
        assert_eq!(
            error("[Othello]", "[Amazons]"),
            "the game is \"Amazons\"; expected Othello"
        );
        assert!(error("BO[8 -", "BO[8 ?").starts_with("in BO: unexpected '?'"));
        assert!(error("B[f6]", "B[zz]").starts_with("move 3: \"zz\" is not a move"));
        assert_eq!(
            error("B[f6]", "W[f6]"),
            "move 3 (\"f6\") is by White; expected a move by Black"
        );
        assert!(error("B[f6]", "B[a1]").starts_with("move 3 (\"a1\") is not legal for Black"));
    }

    #[test]
    fn tags_that_cannot_be_written_are_refused() {
        assert!(GgfTag::new("C", "a ] b").is_err());
        assert!(GgfTag::new("C", "a (;GM[ b").is_err());
        assert!(GgfTag::new("", "x").is_err());
        assert!(GgfTag::new("C", "a (; b ;) [").is_ok());
    }
}
