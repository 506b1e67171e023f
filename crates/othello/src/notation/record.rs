//! One shape for a game from any format, and the way into each of them.
//!
//! What a format has no place for is lost on the way there, and nothing else:
//!
//! | format     | keeps                                                                     |
//! |------------|---------------------------------------------------------------------------|
//! | board      | the last position                                                         |
//! | transcript | start position and moves                                                  |
//! | OBF        | the last position, its scored moves, the comment                          |
//! | GGF        | everything but scored moves; the comment as `C`                           |
//! | WTHOR      | moves from the usual start, result in whole discs, names that have numbers|

use super::{
    GgfError, GgfGame, ObfEntry, ScoredMove, WthorError, WthorGame, WthorPlayers, WthorTournaments,
};
use crate::{Game, Move, Position, Side};

/// A game, or a position, with what is known about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Start position and moves.
    pub game: Game,
    /// Names of Black and White.
    pub players: [Option<String>; 2],
    /// Ratings of Black and White, as text: servers disagree on digits.
    pub ratings: [Option<String>; 2],
    /// The tournament or place.
    pub event: Option<String>,
    /// The date as the file has it; perhaps only the year.
    pub date: Option<String>,
    /// The time control, as the file has it.
    pub time: Option<String>,
    /// Black's final score in centidiscs, as the file has it; the moves may say otherwise.
    pub result: Option<i32>,
    /// What was said about each move, passes included; shorter or empty if nothing was.
    pub notes: Vec<MoveNote>,
    /// What is known about the moves of the last position.
    pub candidates: Vec<ScoredMove>,
    pub comment: Option<String>,
}

/// What a file says about a move, as written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveNote {
    /// The evaluation, for the side that moved.
    pub eval: Option<String>,
    pub time: Option<String>,
}

/// A record that a format cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("cannot be written as GGF: {0}")]
    Ggf(#[from] GgfError),
    #[error("cannot be written as WTHOR: {0}")]
    Wthor(#[from] WthorError),
}

/// Names for the numbers of WTHOR games. Unknown numbers have no name.
#[derive(Debug, Clone, Default)]
pub struct WthorDirectory {
    /// The `.jou` file, if there is one.
    pub players: WthorPlayers,
    /// The `.trn` file, if there is one.
    pub tournaments: WthorTournaments,
}

impl From<Game> for Record {
    fn from(game: Game) -> Self {
        Self {
            game,
            ..Self::default()
        }
    }
}

impl From<Position> for Record {
    fn from(position: Position) -> Self {
        Game::from_position(position).into()
    }
}

/// A record can hold all that an OBF entry says.
impl From<ObfEntry> for Record {
    fn from(entry: ObfEntry) -> Self {
        Self {
            game: Game::from_position(entry.position),
            candidates: entry.moves,
            comment: entry.comment.map(|comment| {
                let text = comment.strip_prefix(['%', '#']).unwrap_or(&comment);
                text.trim().to_owned()
            }),
            ..Self::default()
        }
    }
}

/// Keeps players, ratings, place, date, time control, result, comment, moves with their notes;
/// loses other tags, such as the komi and the kind of random start, and the reason of the result.
impl TryFrom<&GgfGame> for Record {
    type Error = GgfError;

    fn try_from(ggf: &GgfGame) -> Result<Self, Self::Error> {
        let game = ggf.game()?;
        let notes = notes_of(ggf, &game)?;
        let centidiscs = |discs: f64| (discs * 100.0).round() as i32;
        Ok(Self {
            game,
            players: Side::BOTH.map(|side| ggf.player(side)),
            ratings: ["RB", "RW"].map(|name| ggf.tag(name)),
            event: ggf.location(),
            date: ggf.date(),
            time: ggf.time(),
            result: ggf.result().map(centidiscs),
            notes,
            candidates: Vec::new(),
            comment: ggf.tag("C"),
        })
    }
}

/// One note for each move that was played; passes that were not written have none.
fn notes_of(ggf: &GgfGame, game: &Game) -> Result<Vec<MoveNote>, GgfError> {
    let mut written = ggf.moves().peekable();
    let mut notes = Vec::new();
    for action in game.moves() {
        let note = match written.next_if(|next| next.as_ref().is_ok_and(|w| w.action == action)) {
            Some(next) => {
                let next = next?;
                MoveNote {
                    eval: next.eval,
                    time: next.time,
                }
            }
            None => MoveNote::default(),
        };
        notes.push(note);
    }
    let silent = notes.iter().all(|note| *note == MoveNote::default());
    Ok(if silent { Vec::new() } else { notes })
}

impl Record {
    /// A game of a WTHOR file of this year. Loses the theoretical score.
    pub fn from_wthor(
        wthor: &WthorGame,
        year: u16,
        directory: &WthorDirectory,
    ) -> Result<Self, WthorError> {
        let name = |number| directory.players.name(number).map(Into::into);
        let tournament = directory.tournaments.name(wthor.tournament);
        Ok(Self {
            game: wthor.game()?,
            players: [name(wthor.black), name(wthor.white)],
            event: tournament.map(Into::into),
            date: (year != 0).then(|| year.to_string()),
            result: Some((2 * i32::from(wthor.black_score) - 64) * 100),
            ..Self::default()
        })
    }

    /// A GGF game with the tags in their usual order. Scored moves are lost.
    pub fn to_ggf(&self) -> Result<GgfGame, RecordError> {
        let mut ggf = GgfGame::default();
        ggf.push("GM", "Othello")?;
        let tags = [
            ("PC", &self.event),
            ("DT", &self.date),
            ("PB", &self.players[0]),
            ("PW", &self.players[1]),
            ("RB", &self.ratings[0]),
            ("RW", &self.ratings[1]),
            ("TI", &self.time),
        ];
        for (name, value) in tags {
            if let Some(value) = value {
                ggf.push(name, &value[..])?;
            }
        }
        ggf.push("TY", "8")?;
        if let Some(result) = self.result {
            ggf.push("RE", format!("{:+.3}", f64::from(result) / 100.0))?;
        }
        let board = self.game.start().to_string().replace('X', "*");
        ggf.push("BO", format!("8 {board}"))?;
        if let Some(comment) = &self.comment {
            ggf.push("C", &comment[..])?;
        }
        self.push_moves(&mut ggf)?;
        Ok(ggf)
    }

    fn push_moves(&self, ggf: &mut GgfGame) -> Result<(), RecordError> {
        let mut side = self.game.start().side;
        for (i, action) in self.game.moves().enumerate() {
            let action = match action {
                Move::Place(square) => square.to_string().to_ascii_uppercase(),
                Move::Pass => "PA".to_owned(),
            };
            let note = self.notes.get(i).cloned().unwrap_or_default();
            let text = match (&note.eval, &note.time) {
                (None, None) => action,
                (Some(eval), None) => format!("{action}/{eval}"),
                (eval, Some(time)) => {
                    format!("{action}/{}/{time}", eval.as_deref().unwrap_or_default())
                }
            };
            ggf.push(["B", "W"][side.index()], text)?;
            side = side.other();
        }
        Ok(())
    }

    /// The last position with its scored moves and the comment; the game itself is lost.
    pub fn to_obf(&self) -> ObfEntry {
        ObfEntry {
            position: self.game.position(),
            moves: self.candidates.clone(),
            comment: self.comment.as_deref().map(obf_comment),
        }
    }

    /// A WTHOR game: the directory gives the numbers; a name that it does not have becomes 0.
    /// Loses ratings, dates, notes and fractions of discs.
    pub fn to_wthor(&self, directory: &WthorDirectory) -> Result<WthorGame, RecordError> {
        let mut wthor = WthorGame::from_game(&self.game)?;
        if let Some(result) = self.result {
            let discs = (f64::from(result) / 200.0 + 32.0).round();
            wthor.black_score = discs.clamp(0.0, 64.0) as u8;
        }
        let number = |name: &Option<String>| {
            let name = name.as_deref()?;
            directory.players.number(name)
        };
        wthor.black = number(&self.players[0]).unwrap_or(0);
        wthor.white = number(&self.players[1]).unwrap_or(0);
        let event = self.event.as_deref();
        wthor.tournament = event
            .and_then(|name| directory.tournaments.number(name))
            .unwrap_or(0);
        Ok(wthor)
    }
}

/// A comment on one line.
fn obf_comment(comment: &str) -> String {
    let words: Vec<_> = comment.split_whitespace().collect();
    format!("% {}", words.join(" ")).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_transcript, read_ggf};

    fn record() -> Record {
        Record {
            game: parse_transcript("f5d6c3").unwrap(),
            players: [Some("Ann".to_owned()), Some("Bob".to_owned())],
            ratings: [Some("2000.5".to_owned()), None],
            event: Some("Club".to_owned()),
            date: Some("2026".to_owned()),
            time: Some("05:00".to_owned()),
            result: Some(-250),
            notes: vec![
                MoveNote::default(),
                MoveNote {
                    eval: Some("1.5".to_owned()),
                    time: Some("0.1".to_owned()),
                },
                MoveNote::default(),
            ],
            candidates: Vec::new(),
            comment: Some("well played".to_owned()),
        }
    }

    #[test]
    fn ggf_keeps_a_record() {
        let ggf = record().to_ggf().unwrap();
        let mut bytes = Vec::new();
        ggf.write_to(&mut bytes).unwrap();
        assert_eq!(
            str::from_utf8(&bytes).unwrap(),
            "(;GM[Othello]PC[Club]DT[2026]PB[Ann]PW[Bob]RB[2000.5]TI[05:00]TY[8]RE[-2.500]\
             BO[8 ---------------------------O*------*O--------------------------- *]\
             C[well played]B[F5]W[D6/1.5/0.1]B[C3];)"
        );
        let again = read_ggf(&bytes[..]).next().unwrap().unwrap();
        assert_eq!(Record::try_from(&again).unwrap(), record());
    }

    #[test]
    fn wthor_keeps_what_it_has_a_place_for() {
        let directory = WthorDirectory {
            players: WthorPlayers {
                names: vec!["???".into(), "Bob".into()],
                ..WthorPlayers::default()
            },
            tournaments: WthorTournaments {
                names: vec!["Other".into(), "Club".into()],
                ..WthorTournaments::default()
            },
        };
        let wthor = record().to_wthor(&directory).unwrap();
        assert_eq!((wthor.black, wthor.white, wthor.tournament), (0, 1, 1));
        assert_eq!(wthor.black_score, 31);
        let again = Record::from_wthor(&wthor, 2026, &directory).unwrap();
        assert_eq!(again.game, record().game);
        assert_eq!(again.result, Some(-200));
        assert_eq!(again.players[1].as_deref(), Some("Bob"));
        assert_eq!(again.event.as_deref(), Some("Club"));
    }

    #[test]
    fn obf_keeps_the_position_its_moves_and_the_comment() {
        let line = "---------------------------OX------XO--------------------------- X; F5:+1; % x";
        let entry: ObfEntry = line.parse().unwrap();
        let record = Record::from(entry.clone());
        assert_eq!(record.comment.as_deref(), Some("x"));
        assert_eq!(record.to_obf(), entry);
    }
}
