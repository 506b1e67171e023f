//! `kibitz gtp`: the Go Text Protocol on the standard input and output.

use crate::{
    clock::Stopwatch,
    failure,
    lines::next_line,
    opponent::{self, Opponent},
};
use arena::{
    player::{Failure, Player},
    protocol::gtp::{Clock, Command, Request, Response, Session, Step, Think},
};
use game::TimeControl;
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
    let configured = args.opponent.configured()?;
    // A program that asks by a protocol wants the engine, not a sparring partner.
    let mut seat = args.opponent.seat(&configured, app::STRONGEST)?;
    let per_move = |ms| TimeControl::PerMove { ms };
    let without_clock = args.time_ms.map_or(TimeControl::Unlimited, per_move);
    let mut session = Session::new("Kibitz", env!("CARGO_PKG_VERSION"));
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    Ok(talk(&mut session, &mut seat, without_clock, input, output)?)
}

/// Answers line after line until `quit` or the end of the input.
fn talk(
    session: &mut Session,
    player: &mut dyn Player,
    without_clock: TimeControl,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    while let Some(line) = next_line(&mut input)? {
        if is_new_game(&line) {
            player.new_game();
        }
        let (response, is_last) = match session.receive(&line) {
            Step::Nothing => continue,
            Step::Answer(response) => (response, false),
            Step::Think(think) => (think_about(session, player, without_clock, &think), false),
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

fn think_about(
    session: &mut Session,
    player: &mut dyn Player,
    without_clock: TimeControl,
    think: &Think,
) -> Response {
    let time = time_control(think.clock).unwrap_or(without_clock);
    let watch = Stopwatch::start();
    let asked = opponent::ask(player, think.position, time);
    session.spend(think.position.side, watch.elapsed().as_millis() as u64);
    match asked.and_then(|it| it.action.othello().ok_or(Failure::NoAnswer)) {
        Ok(action) => session.answer(think, action),
        Err(failure) => {
            failure::complain(&format!("the engine {failure}"));
            Response {
                id: think.id,
                outcome: Err("the search failed".to_owned()),
            }
        }
    }
}

/// What a clock gives for the moves from now on; `None` if there is none.
fn time_control(clock: Clock) -> Option<TimeControl> {
    let left = clock.left?;
    let period = clock.overtime.filter(|overtime| overtime.moves > 0);
    Some(
        if let (0, 0, Some(period)) = (left.time_ms, left.moves, period) {
            // The main time is used up, or so nearly that a runner which counts in seconds says so. It
            // is not lost yet: the first period has begun or begins with this move.
            TimeControl::PerMove {
                ms: period.period_ms / u64::from(period.moves),
            }
        } else if left.moves == 0 {
            // Main time, and after it either byo-yomi or, in some runners' words, an increment. As an
            // increment it is right for both: no move spends more than is left of the main time.
            let increment_ms = clock.overtime.map_or(0, |overtime| {
                overtime.period_ms / u64::from(overtime.moves.max(1))
            });
            TimeControl::Game {
                initial_ms: left.time_ms,
                increment_ms,
                period_moves: None,
            }
        } else {
            TimeControl::PerMove {
                ms: left.time_ms / u64::from(left.moves),
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{
        player::{Choice, Situation},
        protocol::gtp::{Overtime, TimeLeft},
    };

    /// Plays the first legal move and fails where White is to move.
    #[derive(Default)]
    struct Fake {
        games: u32,
    }

    impl Player for Fake {
        fn new_game(&mut self) {
            self.games += 1;
        }

        fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure> {
            let position = situation.position.othello();
            let position = position.ok_or(Failure::NoAnswer)?;
            assert!(position.side == othello::Side::Black, "on purpose");
            let first = position.board.legal_moves().first().unwrap();
            Ok(Choice::silent(first))
        }
    }

    #[test]
    fn a_failed_search_is_an_error_and_the_conversation_goes_on() {
        let mut output = Vec::new();
        let mut fake = Fake::default();
        let input =
            b"1 genmove b\n2 genmove w\n\n# nothing\n3 clear_board\n4 name\n5 quit\n6 name\n";
        let mut session = Session::new("Kibitz", "0");
        let unlimited = TimeControl::Unlimited;
        talk(&mut session, &mut fake, unlimited, &input[..], &mut output).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "=1 d3\n\n?2 the search failed\n\n=3\n\n=4 Kibitz\n\n=5\n\n"
        );
        assert_eq!(fake.games, 1);
    }

    #[test]
    fn clocks_become_time_controls() {
        let read = |time_ms, moves, overtime: Option<(u64, u32)>| {
            time_control(Clock {
                left: Some(TimeLeft { time_ms, moves }),
                overtime: overtime.map(|(period_ms, moves)| Overtime { period_ms, moves }),
            })
        };
        let game = |initial_ms, increment_ms| {
            Some(TimeControl::Game {
                initial_ms,
                increment_ms,
                period_moves: None,
            })
        };
        let per_move = |ms| Some(TimeControl::PerMove { ms });
        assert_eq!(time_control(Clock::default()), None);
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
