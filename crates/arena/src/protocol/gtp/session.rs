//! The engine's end of a conversation: the game between the lines.

use super::{Command, Request, Response, TimeSettings, move_text};
use othello::{Move, Position, Side, Square};

/// What a clock shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeLeft {
    pub time_ms: u64,
    /// For so many moves; 0 means for the rest of the game, but see [`Clock::overtime`].
    pub moves: u32,
}

/// Periods that begin when the main time is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Overtime {
    /// Time of a period.
    pub period_ms: u64,
    /// Moves that must be made in it; 0 if it is an increment.
    pub moves: u32,
}

/// The time that the side to move has: as told, less what it has used since ([`Session::spend`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Clock {
    /// What is left; `None` means that time is not limited.
    pub left: Option<TimeLeft>,
    /// What comes after. With one move a period, some runners mean an increment by it.
    pub overtime: Option<Overtime>,
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// The move will be made.
    Play,
    /// The move is only told.
    Advise,
}

/// A move is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Think {
    /// The number of the request.
    pub id: Option<u32>,
    /// Where; `position.side` has a legal move.
    pub position: Position,
    pub clock: Clock,
    pub purpose: Purpose,
}

/// What a line led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Nothing,
    Answer(Response),
    /// Search, then write what [`Session::answer`] makes of the move.
    Think(Think),
    /// Write this and end.
    Quit(Response),
}

/// The engine's end of a conversation.
#[derive(Debug, Clone)]
pub struct Session {
    name: String,
    version: String,
    position: Position,
    /// The positions before each `play` and `genmove`, for `undo`.
    before: Vec<Position>,
    time_settings: Option<TimeSettings>,
    /// What each side has left: as it was told last, less what it used since then.
    time_left: [Option<TimeLeft>; 2],
}

impl Session {
    /// A new conversation for an engine of this name and version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            position: Position::START,
            before: Vec::new(),
            time_settings: None,
            time_left: [None; 2],
        }
    }

    pub const fn position(&self) -> Position {
        self.position
    }

    /// Takes one line, without or with its line break.
    pub fn receive(&mut self, line: &str) -> Step {
        match Request::parse(line) {
            Ok(Some(request)) => self.obey(&request),
            Ok(None) => Step::Nothing,
            Err(bad) => Step::Answer(bad.into()),
        }
    }

    pub fn obey(&mut self, request: &Request) -> Step {
        let id = request.id;
        match &request.command {
            Command::GenMove(side) => self.choose(id, *side, Purpose::Play),
            Command::RegGenMove(side) => self.choose(id, *side, Purpose::Advise),
            Command::Quit => Step::Quit(Response {
                id,
                outcome: Ok(String::new()),
            }),
            command => Step::Answer(Response {
                id,
                outcome: self.reply(command).map_err(str::to_owned),
            }),
        }
    }

    /// What to write once the search has chosen: the move, which is made if it was asked for.
    pub fn answer(&mut self, think: &Think, action: Move) -> Response {
        let played = match think.purpose {
            Purpose::Play => self.play(think.position.side, action),
            Purpose::Advise => after(think.position, action).map(|_| ()),
        };
        Response {
            id: think.id,
            outcome: match played {
                Ok(()) => Ok(move_text(action)),
                // The client could do nothing with such a move.
                Err(_) => Err(format!("no legal move found ({})", move_text(action))),
            },
        }
    }

    /// Takes off what a side used for a move. Some runners tell the time now and then, or in whole
    /// seconds; between two readings this is the better account.
    pub fn spend(&mut self, side: Side, used_ms: u64) {
        let Clock {
            left: Some(left),
            overtime,
        } = self.clock(side)
        else {
            return;
        };
        let after = TimeLeft {
            time_ms: left.time_ms.saturating_sub(used_ms),
            moves: left.moves.saturating_sub(1),
        };
        let next = match overtime {
            // The last move of a period begins the next one.
            Some(period) if left.moves == 1 => TimeLeft {
                time_ms: period.period_ms,
                moves: period.moves,
            },
            Some(Overtime {
                period_ms,
                moves: 0,
            }) => TimeLeft {
                time_ms: after.time_ms.saturating_add(period_ms),
                ..after
            },
            _ => after,
        };
        self.time_left[side.index()] = Some(next);
    }

    /// What is answered at once.
    fn reply(&mut self, command: &Command) -> Result<String, &'static str> {
        match command {
            Command::ProtocolVersion => return Ok("2".to_owned()),
            Command::Name => return Ok(self.name.clone()),
            Command::Version => return Ok(self.version.clone()),
            Command::KnownCommand(name) => {
                return Ok(Command::NAMES.contains(&name.as_str()).to_string());
            }
            Command::ListCommands => return Ok(Command::NAMES.join("\n")),
            Command::ShowBoard => return Ok(diagram(self.position)),
            Command::ListGames => return Ok("Othello".to_owned()),
            Command::BoardSize(8) | Command::Komi(_) => {}
            Command::BoardSize(_) => return Err("unacceptable size"),
            Command::SetGame(name) if name.eq_ignore_ascii_case("othello") => {}
            Command::SetGame(_) => return Err("unsupported game"),
            Command::ClearBoard => self.clear_board(),
            Command::Play { side, action } => self.play(*side, *action)?,
            Command::Undo => self.position = self.before.pop().ok_or("cannot undo")?,
            Command::TimeSettings(settings) => {
                self.time_settings = Some(*settings);
                self.time_left = [None; 2];
            }
            Command::TimeLeft {
                side,
                time_ms,
                moves,
            } => {
                let told = TimeLeft {
                    time_ms: *time_ms,
                    moves: *moves,
                };
                let own = self.clock(*side).left;
                self.time_left[side.index()] = Some(told.refined_by(own));
            }
            Command::GenMove(_) | Command::RegGenMove(_) | Command::Quit => {}
        }
        Ok(String::new())
    }

    fn clear_board(&mut self) {
        self.position = Position::START;
        self.before.clear();
        // The settings hold for the next game, too; what the clocks showed does not.
        self.time_left = [None; 2];
    }

    fn play(&mut self, side: Side, action: Move) -> Result<(), &'static str> {
        let next = after(with_turn(self.position, side), action)?;
        self.before.push(self.position);
        self.position = next;
        Ok(())
    }

    fn choose(&mut self, id: Option<u32>, side: Side, purpose: Purpose) -> Step {
        let think = Think {
            id,
            position: with_turn(self.position, side),
            clock: self.clock(side),
            purpose,
        };
        if think.position.board.legal_moves().is_empty() {
            Step::Answer(self.answer(&think, Move::Pass))
        } else {
            Step::Think(think)
        }
    }

    fn clock(&self, side: Side) -> Clock {
        let told = self.time_left[side.index()];
        let Some(settings) = self.time_settings else {
            return Clock {
                left: told,
                overtime: None,
            };
        };
        let overtime = (settings.overtime_ms > 0).then_some(Overtime {
            period_ms: settings.overtime_ms,
            moves: settings.overtime_moves,
        });
        let main = (settings.main_ms > 0).then_some(TimeLeft {
            time_ms: settings.main_ms,
            moves: 0,
        });
        match overtime {
            // So the protocol says that there is no limit. Who tells the time all the same has one,
            // and means an increment.
            Some(Overtime { moves: 0, .. }) => Clock {
                left: told,
                overtime: overtime.filter(|_| told.is_some()),
            },
            Some(period) => Clock {
                left: told.or(main).or(Some(TimeLeft {
                    time_ms: period.period_ms,
                    moves: period.moves,
                })),
                overtime,
            },
            // All zeros mean a clock that was not set, not a game that is lost already.
            None => Clock {
                left: told.or(main),
                overtime: None,
            },
        }
    }
}

impl TimeLeft {
    /// A reading in whole seconds leaves up to a second open. Our own account says more if it lies
    /// within that second; otherwise it is the account that is wrong.
    fn refined_by(self, own: Option<Self>) -> Self {
        let is_whole = self.time_ms.is_multiple_of(1_000);
        let within = self.time_ms..self.time_ms.saturating_add(1_000);
        own.filter(|own| is_whole && own.moves == self.moves && within.contains(&own.time_ms))
            .unwrap_or(self)
    }
}

/// The same discs with this side to move.
fn with_turn(position: Position, side: Side) -> Position {
    if position.side == side {
        position
    } else {
        position.swapped()
    }
}

/// A pass is due for a side that has no move, also after the end of the game: some runners write the
/// two passes that end it.
fn after(position: Position, action: Move) -> Result<Position, &'static str> {
    match action {
        Move::Place(square) => position.play(square).map_err(|_| "illegal move"),
        Move::Pass if position.board.legal_moves().is_empty() => Ok(position.swapped()),
        Move::Pass => Err("illegal move"),
    }
}

/// The board with its rows and columns named, and whose turn it is.
fn diagram(position: Position) -> String {
    let mut text = "\n  a b c d e f g h".to_owned();
    for square in Square::all() {
        if square.file() == 0 {
            text.push('\n');
            text.push(char::from(b'1' + square.rank()));
        }
        text.push(' ');
        text.push(position.disc_at(square).map_or('.', Side::letter));
    }
    text.push('\n');
    text.push(position.side.letter());
    text.push_str(" to move");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Everything that is written, with the first legal move for every search.
    fn talk(session: &mut Session, lines: &str) -> String {
        let mut transcript = String::new();
        for line in lines.lines() {
            let response = match session.receive(line) {
                Step::Nothing => continue,
                Step::Answer(response) | Step::Quit(response) => response,
                Step::Think(think) => {
                    let first = think.position.board.legal_moves().first().unwrap();
                    session.answer(&think, Move::Place(first))
                }
            };
            transcript.push_str(&response.to_string());
        }
        transcript.replace("\n\n", "\n")
    }

    fn check(lines: &str, expected: &Expect) {
        expected.assert_eq(&talk(&mut Session::new("Kibitz", "0.1.0"), lines));
    }

    #[test]
    fn introductions() {
        check(
            "1 protocol_version\n2 name\n3 version\n4 known_command play\n5 known_command loadsgf\n\
             # a remark\n\n6 list_games\n7 set_game Othello\n8 set_game Go\n9 boardsize 8\n\
             10 boardsize 10\n11 komi 0\n12 loadsgf x.sgf\n13 quit",
            &expect![[r#"
                =1 2
                =2 Kibitz
                =3 0.1.0
                =4 true
                =5 false
                =6 Othello
                =7
                ?8 unsupported game
                =9
                ?10 unacceptable size
                =11
                ?12 unknown command
                =13
            "#]],
        );
    }

    #[test]
    fn a_game_begins() {
        check(
            "clear_board\nplay b f5\ngenmove w\nreg_genmove b\nplay b a1\nshowboard\nundo\nundo\n\
             undo\nshowboard",
            &expect![[r#"
                =
                =
                = f4
                = c3
                ? illegal move
                =
                  a b c d e f g h
                1 . . . . . . . .
                2 . . . . . . . .
                3 . . . . . . . .
                4 . . . O O O . .
                5 . . . X X X . .
                6 . . . . . . . .
                7 . . . . . . . .
                8 . . . . . . . .
                X to move
                =
                =
                ? cannot undo
                =
                  a b c d e f g h
                1 . . . . . . . .
                2 . . . . . . . .
                3 . . . . . . . .
                4 . . . O X . . .
                5 . . . X O . . .
                6 . . . . . . . .
                7 . . . . . . . .
                8 . . . . . . . .
                X to move
            "#]],
        );
    }

    #[test]
    fn passes_may_be_written_or_left_out() {
        // White to move has nothing; Black has c1, and then all discs.
        let mut session = Session::new("Kibitz", "0.1.0");
        session.position = format!("XO{} O", "-".repeat(62)).parse().unwrap();
        let dialogue = |lines: &str| talk(&mut session.clone(), lines);
        assert_eq!(dialogue("play b c1"), "=\n", "left out");
        assert_eq!(dialogue("play w pass\nplay b c1"), "=\n=\n", "written");
        assert_eq!(dialogue("genmove w\ngenmove b"), "= PASS\n= c1\n");
        assert_eq!(dialogue("reg_genmove w\ngenmove b"), "= PASS\n= c1\n");
        assert_eq!(dialogue("play b pass"), "? illegal move\n");
        assert_eq!(dialogue("play w c1"), "? illegal move\n");
        let over = "play b c1\ngenmove w\ngenmove b\nplay w pass\nplay b d1";
        assert_eq!(dialogue(over), "=\n= PASS\n= PASS\n=\n? illegal move\n");
        let mut undone = session.clone();
        talk(&mut undone, "play b c1\nundo");
        assert_eq!(undone.position(), session.position());
    }

    #[test]
    fn a_colour_may_move_twice() {
        let mut session = Session::new("Kibitz", "0.1.0");
        let twice = "play b f5\nplay w f6\nplay w c5\nplay w pass\nplay w a1";
        let answers = "=\n=\n=\n? illegal move\n? illegal move\n";
        assert_eq!(talk(&mut session, twice), answers);
        assert_eq!(session.position().side, Side::Black);
        let back = talk(&mut session, "undo\nundo\nundo\nundo");
        assert_eq!(back, "=\n=\n=\n? cannot undo\n");
        assert_eq!(session.position(), Position::START);
    }

    #[test]
    fn clocks_are_handed_on() {
        let clock = |lines: &str| {
            let mut session = Session::new("Kibitz", "0.1.0");
            talk(&mut session, lines);
            match session.receive("genmove b") {
                Step::Think(think) => think.clock,
                other => panic!("{other:?}"),
            }
        };
        let left = |time_ms, moves| Some(TimeLeft { time_ms, moves });
        assert_eq!(clock(""), Clock::default());
        assert_eq!(clock("time_settings 0 1 0"), Clock::default());
        assert_eq!(clock("time_settings 0 0 0"), Clock::default());
        assert_eq!(
            clock("time_settings 60 2 0\ntime_left b 31 0"),
            Clock {
                left: left(31_000, 0),
                overtime: Some(Overtime {
                    period_ms: 2_000,
                    moves: 0
                })
            }
        );
        assert_eq!(clock("time_settings 60 0 0").left, left(60_000, 0));
        assert_eq!(clock("time_settings 0 5 1").left, left(5_000, 1));
        assert_eq!(
            clock("time_settings 60 5 3\ntime_left b 12.5 0\ntime_left w 1 1"),
            Clock {
                left: left(12_500, 0),
                overtime: Some(Overtime {
                    period_ms: 5_000,
                    moves: 3
                })
            }
        );
        assert_eq!(clock("time_left b 9 0").left, left(9_000, 0));
        let next_game = "time_settings 60 0 0\ntime_left b 1 0\nclear_board";
        assert_eq!(clock(next_game).left, left(60_000, 0));
    }

    #[test]
    fn what_was_used_is_off_the_clock() {
        let mut session = Session::new("Kibitz", "0.1.0");
        let left = |session: &Session| {
            let left = session.clock(Side::Black).left?;
            Some((left.time_ms, left.moves))
        };
        session.spend(Side::Black, 100);
        assert_eq!(left(&session), None, "there is no clock");
        talk(&mut session, "time_settings 5 0 0");
        session.spend(Side::Black, 1_300);
        assert_eq!(left(&session), Some((3_700, 0)), "nobody has told the time");
        talk(&mut session, "time_left b 3 0");
        assert_eq!(
            left(&session),
            Some((3_700, 0)),
            "3 is 3.7 in whole seconds"
        );
        talk(&mut session, "time_left b 3.6 0");
        assert_eq!(left(&session), Some((3_600, 0)), "a fraction is exact");
        talk(&mut session, "time_left b 2 0");
        assert_eq!(left(&session), Some((2_000, 0)), "our account was wrong");
        talk(&mut session, "time_left b 0.7 0");
        session.spend(Side::Black, 100);
        talk(&mut session, "time_left b 0 0");
        assert_eq!(left(&session), Some((600, 0)), "the last second");
        session.spend(Side::Black, 9_000);
        assert_eq!(left(&session), Some((0, 0)));
        assert_eq!(session.clock(Side::White).left.unwrap().time_ms, 5_000);
        talk(&mut session, "clear_board");
        assert_eq!(left(&session), Some((5_000, 0)), "another game");
    }

    #[test]
    fn periods_and_increments_come_with_the_moves() {
        let mut session = Session::new("Kibitz", "0.1.0");
        let left = |session: &Session| {
            let left = session.clock(Side::White).left.unwrap();
            (left.time_ms, left.moves)
        };
        talk(&mut session, "time_settings 0 6 2");
        assert_eq!(left(&session), (6_000, 2));
        session.spend(Side::White, 2_000);
        assert_eq!(left(&session), (4_000, 1));
        session.spend(Side::White, 1_000);
        assert_eq!(left(&session), (6_000, 2), "the next period");
        talk(&mut session, "time_settings 60 2 0\ntime_left w 9 0");
        session.spend(Side::White, 500);
        assert_eq!(left(&session), (10_500, 0), "an increment of two seconds");
    }

    #[test]
    fn an_engine_that_errs_is_not_believed() {
        let mut session = Session::new("Kibitz", "0.1.0");
        let Step::Think(think) = session.receive("4 genmove b") else {
            panic!("a search is due");
        };
        let response = session.answer(&think, Move::Pass);
        assert_eq!(response.to_string(), "?4 no legal move found (PASS)\n\n");
        assert_eq!(session.position(), Position::START);
    }
}
