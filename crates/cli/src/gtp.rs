//! `kibitz gtp`: the Go Text Protocol on the standard input and output.

use crate::{
    failure,
    lines::next_line,
    opponent::{self, Opponent},
};
use app::{Pace, Player, Remaining, SearchPanicError};
use arena::protocol::gtp::{Clock, Command, Request, Response, Session, Step, Think};
use othello::Move;
use std::io::{self, BufRead, Write};

const EXAMPLES: &str = "\
Examples:
  kibitz gtp
  kibitz gtp --level elo_1400 --seed 7
  kibitz gtp --threads 1 --time-ms 500
  kibitz gtp --engine mcts --time-ms 500

Clocks come by time_settings and time_left. docs/PROTOCOLS.md has all commands.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    opponent: Opponent,
    /// Milliseconds per move where no clock is set
    #[arg(long, value_name = "T")]
    time_ms: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let per_move = |ms| Pace::Clock(Remaining::PerMove { ms });
    let configured = args.opponent.configured()?;
    // A program that asks by a protocol wants the engine, not a sparring partner.
    let mut engine = Engine {
        player: args.opponent.player(&configured, app::STRONGEST)?,
        without_clock: args.time_ms.map_or(args.opponent.pace(), per_move),
    };
    let mut session = Session::new("Kibitz", env!("CARGO_PKG_VERSION"));
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    Ok(talk(&mut session, &mut engine, input, output)?)
}

/// Who has the moves.
trait Brain {
    fn new_game(&mut self);
    fn choose(&mut self, think: &Think) -> Result<Move, SearchPanicError>;
}

struct Engine {
    player: Player,
    without_clock: Pace,
}

impl Brain for Engine {
    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn choose(&mut self, think: &Think) -> Result<Move, SearchPanicError> {
        let pace = pace(think.clock).unwrap_or(self.without_clock);
        let decision = opponent::decide(&mut self.player, think.position, pace)?;
        Ok(decision.action)
    }
}

/// Answers line after line until `quit` or the end of the input.
fn talk(
    session: &mut Session,
    brain: &mut impl Brain,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    while let Some(line) = next_line(&mut input)? {
        if is_new_game(&line) {
            brain.new_game();
        }
        let (response, is_last) = match session.receive(&line) {
            Step::Nothing => continue,
            Step::Answer(response) => (response, false),
            Step::Think(think) => (think_about(session, brain, &think), false),
            Step::Quit(response) => (response, true),
        };
        write!(output, "{response}")?;
        output.flush()?;
        if is_last {
            break;
        }
    }
    Ok(())
}

fn is_new_game(line: &str) -> bool {
    matches!(Request::parse(line), Ok(Some(request)) if request.command == Command::ClearBoard)
}

fn think_about(session: &mut Session, brain: &mut impl Brain, think: &Think) -> Response {
    match brain.choose(think) {
        Ok(action) => session.answer(think, action),
        Err(error) => {
            failure::complain(&error.to_string());
            Response {
                id: think.id,
                outcome: Err("the search failed".to_owned()),
            }
        }
    }
}

/// What a clock means for our time management; `None` if there is none.
fn pace(clock: Clock) -> Option<Pace> {
    let left = clock.left?;
    let period = clock.overtime.filter(|overtime| overtime.moves > 0);
    let control = if let (0, 0, Some(period)) = (left.time_ms, left.moves, period) {
        // The main time is used up, or so nearly that a runner which counts in seconds says so. It
        // is not lost yet: the first period has begun or begins with this move.
        Remaining::PerMove {
            ms: period.period_ms / u64::from(period.moves),
        }
    } else if left.moves == 0 {
        // Main time, and after it either byo-yomi or, in some runners' words, an increment. As an
        // increment it is right for both: no move spends more than is left of the main time.
        let increment_ms = clock.overtime.map_or(0, |overtime| {
            overtime.period_ms / u64::from(overtime.moves.max(1))
        });
        Remaining::Game {
            remaining_ms: left.time_ms,
            increment_ms,
        }
    } else {
        Remaining::PerMove {
            ms: left.time_ms / u64::from(left.moves),
        }
    };
    Some(Pace::Clock(control))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::protocol::gtp::{Overtime, TimeLeft};

    /// Plays the first legal move and fails where White is to move.
    #[derive(Default)]
    struct Fake {
        games: u32,
    }

    impl Brain for Fake {
        fn new_game(&mut self) {
            self.games += 1;
        }

        fn choose(&mut self, think: &Think) -> Result<Move, SearchPanicError> {
            let position = think.position;
            if position.side == othello::Side::White {
                return Err(SearchPanicError {
                    position,
                    seed: 1,
                    reason: "on purpose".to_owned(),
                });
            }
            Ok(position.board.legal_moves().first().unwrap().into())
        }
    }

    #[test]
    fn a_failed_search_is_an_error_and_the_conversation_goes_on() {
        let mut output = Vec::new();
        let mut fake = Fake::default();
        let input =
            b"1 genmove b\n2 genmove w\n\n# nothing\n3 clear_board\n4 name\n5 quit\n6 name\n";
        let mut session = Session::new("Kibitz", "0");
        talk(&mut session, &mut fake, &input[..], &mut output).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "=1 d3\n\n?2 the search failed\n\n=3\n\n=4 Kibitz\n\n=5\n\n"
        );
        assert_eq!(fake.games, 1);
    }

    #[test]
    fn clocks_become_time_controls() {
        let read = |time_ms, moves, overtime: Option<(u64, u32)>| {
            pace(Clock {
                left: Some(TimeLeft { time_ms, moves }),
                overtime: overtime.map(|(period_ms, moves)| Overtime { period_ms, moves }),
            })
        };
        let game = |remaining_ms, increment_ms| {
            Some(Pace::Clock(Remaining::Game {
                remaining_ms,
                increment_ms,
            }))
        };
        let per_move = |ms| Some(Pace::Clock(Remaining::PerMove { ms }));
        assert_eq!(pace(Clock::default()), None);
        assert_eq!(read(60_000, 0, None), game(60_000, 0));
        assert_eq!(read(60_000, 0, Some((2_000, 1))), game(60_000, 2_000));
        assert_eq!(read(60_000, 0, Some((9_000, 3))), game(60_000, 3_000));
        assert_eq!(read(4_000, 0, Some((2_000, 0))), game(4_000, 2_000));
        assert_eq!(read(0, 0, Some((2_000, 0))), game(0, 2_000));
        assert_eq!(read(0, 0, Some((2_000, 1))), per_move(2_000));
        assert_eq!(read(0, 0, Some((9_000, 3))), per_move(3_000));
        assert_eq!(read(0, 0, None), game(0, 0));
        assert_eq!(read(5_000, 1, Some((5_000, 1))), per_move(5_000));
        assert_eq!(read(9_000, 3, None), per_move(3_000));
    }
}
