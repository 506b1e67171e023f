//! `kibitz play`: a game against the engine in the terminal.

use crate::{
    board::draw::{self, Glyphs},
    clock::Stopwatch,
    evaluation, failure,
    lines::next_line,
    opponent::{self, Opponent},
    position,
};
use app::{Control, EngineChoice, Pace, People, Seat};
use arena::player::Failure;
use game::TimeControl;
use othello::{Game, Move, Square};
use std::{
    io::{self, BufRead, Write},
    sync::atomic::AtomicBool,
};

const EXAMPLES: &str = "\
Examples:
  kibitz play
  kibitz play --level elo_800 --side white
  kibitz play --moves f5d6c3 --side both        both sides are yours; hint helps
  kibitz play --side none --seed 7              the engine against itself
  kibitz play --engine mcts                     against the Monte Carlo search

At the prompt, type a move such as f5, or help.";

const HELP: &str = "\
f5           play a move; passes are made for you
hint         what the engine thinks of the best moves
undo, redo   take your last move back, or make it again
board        draw the board
moves        print the game so far
quit         leave";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    opponent: Opponent,
    /// Which side is yours; without it, what the configuration says, else black
    #[arg(long, value_name = "SIDE", value_parser = evaluation::people())]
    side: Option<People>,
    /// Begin here: 64 squares and the side to move
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Begin after these moves
    #[arg(long, value_name = "M", conflicts_with = "position")]
    moves: Option<String>,
    /// Draw with X, O and plain lines
    #[arg(long)]
    ascii: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let configured = args.opponent.configured()?;
    let usual = configured.config.play;
    let seat = args.opponent.seat(&configured, usual.level)?;
    let text = args.position.as_deref().or(args.moves.as_deref());
    let mut table = Table {
        game: position::parse(text.unwrap_or_default())?,
        seat,
        people: args.side.unwrap_or(usual.people),
        glyphs: if args.ascii {
            draw::ASCII
        } else {
            draw::UNICODE
        },
    };
    let mut out = anstream::stdout().lock();
    table.play(io::stdin().lock(), &mut out)?;
    Ok(out.flush()?)
}

/// Hints look so deep, whatever the level: a weak opponent may have a strong adviser.
const HINT_DEPTH: u32 = 12;
const HINT_LINES: usize = 3;

/// Where the game is played.
struct Table {
    game: Game,
    seat: Seat,
    people: People,
    glyphs: Glyphs,
}

/// What a person typed.
#[derive(Debug, PartialEq, Eq)]
enum Input {
    Play(Square),
    Pass,
    Undo,
    Redo,
    Hint,
    Help,
    Board,
    Moves,
    Quit,
}

impl Input {
    fn parse(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "pass" | "ps" => Ok(Self::Pass),
            "undo" | "u" => Ok(Self::Undo),
            "redo" | "r" => Ok(Self::Redo),
            "hint" => Ok(Self::Hint),
            "help" | "?" => Ok(Self::Help),
            "board" => Ok(Self::Board),
            "moves" => Ok(Self::Moves),
            "quit" | "exit" | "q" => Ok(Self::Quit),
            word => word.parse().map(Self::Play).map_err(|_| {
                let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
                format!("{shown:?} is no move and no command; type a move such as f5, or help")
            }),
        }
    }
}

impl Table {
    /// Plays to the end of the game, or until the person leaves.
    fn play(&mut self, mut input: impl BufRead, out: &mut impl Write) -> io::Result<()> {
        let (level, seed) = (self.seat.player.profile().name, self.seat.player.seed());
        let search = match self.seat.player.engine() {
            EngineChoice::AlphaBeta => "",
            EngineChoice::Mcts { .. } => "Monte Carlo search, ",
        };
        writeln!(
            out,
            "Level {level}, {search}seed {seed}; help lists what you can type.\n"
        )?;
        self.draw(out)?;
        while !self.game.is_over() {
            let side = self.game.position().side;
            if self.game.position().board.must_pass() {
                self.make(Move::Pass);
                writeln!(out, "{side} has no move and passes.")?;
            } else if !self.people.play(side) {
                if !self.engine_moves(out)? {
                    break;
                }
            } else {
                write!(out, "{side}> ")?;
                out.flush()?;
                let Some(line) = next_line(&mut input)? else {
                    // The prompt's line is still open.
                    writeln!(out)?;
                    break;
                };
                match Input::parse(line.trim()) {
                    _ if line.trim().is_empty() => {}
                    Ok(Input::Quit) => break,
                    Ok(wish) => self.obey(&wish, out)?,
                    Err(problem) => writeln!(out, "{problem}")?,
                }
            }
        }
        // The last board that was drawn has the result below it.
        self.print_moves(out)
    }

    fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", draw::diagram(&self.game, self.glyphs))
    }

    /// Makes a move that is known to be legal.
    fn make(&mut self, action: Move) {
        self.game.play(action).expect("the caller has checked it");
    }

    /// Whether the engine could move.
    fn engine_moves(&mut self, out: &mut impl Write) -> io::Result<bool> {
        let position = self.game.position();
        let asked = opponent::ask(&mut self.seat, position, TimeControl::Unlimited);
        let choice = asked.and_then(|it| it.action.othello().ok_or(Failure::NoAnswer));
        let action = match choice {
            Ok(action) => action,
            Err(failure) => {
                failure::complain(&format!("the engine {failure}"));
                writeln!(out, "The engine failed; the game ends here.")?;
                return Ok(false);
            }
        };
        self.make(action);
        writeln!(out, "{} plays {action}.\n", position.side)?;
        self.draw(out)?;
        Ok(true)
    }

    fn obey(&mut self, wish: &Input, out: &mut impl Write) -> io::Result<()> {
        match wish {
            Input::Play(square) => match self.game.play(Move::Place(*square)) {
                Ok(()) => {
                    writeln!(out)?;
                    self.draw(out)
                }
                Err(error) => writeln!(out, "{error}"),
            },
            Input::Pass => match self.game.play(Move::Pass) {
                Ok(()) => Ok(()),
                Err(error) => writeln!(out, "{error}"),
            },
            Input::Undo => self.step(Game::undo, "nothing to undo", out),
            Input::Redo => self.step(Game::redo, "nothing to redo", out),
            Input::Hint => self.hint(out),
            Input::Help => writeln!(out, "{HELP}"),
            Input::Board => self.draw(out),
            Input::Moves => self.print_moves(out),
            Input::Quit => Ok(()),
        }
    }

    /// Goes back or forth to where a person has a choice; stays if there is no such place.
    fn step(
        &mut self,
        step: fn(&mut Game) -> Option<Move>,
        otherwise: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut game = self.game.clone();
        while step(&mut game).is_some() {
            let position = game.position();
            let has_choice = !position.board.legal_moves().is_empty();
            if has_choice && self.people.play(position.side) {
                self.game = game;
                return self.draw(out);
            }
        }
        writeln!(out, "{otherwise}")
    }

    fn hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        let watch = Stopwatch::start();
        let control = Control {
            now_ms: &|| watch.elapsed().as_millis() as u64,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        };
        let position = self.game.position();
        let pace = Pace::Depth(HINT_DEPTH);
        let report = match self
            .seat
            .player
            .analyse(position, HINT_LINES, pace, control)
        {
            Ok(report) => report,
            Err(error) => {
                failure::complain(&error.to_string());
                return writeln!(out, "The engine failed; there is no hint.");
            }
        };
        let book = self.seat.player.book_moves(position);
        for line in &report.lines {
            let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
            let first = line.moves.first().copied().and_then(game::Move::othello);
            let is_known = first
                .and_then(Move::square)
                .is_some_and(|it| book.contains(&it));
            let mark = if is_known { "  (book)" } else { "" };
            writeln!(out, "{:>6}  {}{mark}", line.score, moves.join(" "))?;
        }
        Ok(())
    }

    fn print_moves(&self, out: &mut impl Write) -> io::Result<()> {
        if self.game.ply() == 0 {
            return writeln!(out, "No moves were made.");
        }
        writeln!(out, "{}", self.game.transcript())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_read() {
        assert_eq!(Input::parse("F5"), Ok(Input::Play("f5".parse().unwrap())));
        assert_eq!(Input::parse("Undo"), Ok(Input::Undo));
        assert_eq!(
            Input::parse("z9\u{7}"),
            Err("\"z9\" is no move and no command; type a move such as f5, or help".to_owned())
        );
    }
}
