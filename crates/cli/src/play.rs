//! `kibitz play`: a game against the engine in the terminal.

use crate::{
    adviser::Adviser,
    board::draw::{self, Glyphs},
    evaluation,
    explain::{self, More},
    failure,
    lines::next_line,
    opponent::{self, Opponent},
    position,
};
use app::{EngineChoice, People, Seat, review::Voice};
use arena::player::Failure;
use game::TimeControl;
use othello::{Game, Move, Position, Side, Square};
use std::io::{self, BufRead, Write};

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
hint         the best move, and what it is worth
why          why your last move was good or bad
why f5       what is good or bad about a move here
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
        adviser: args.opponent.adviser(&configured, &seat.player)?,
        seat,
        asks: usual.blunder_alert,
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

/// Where the game is played.
struct Table {
    game: Game,
    seat: Seat,
    adviser: Adviser,
    /// Whether moves that cost much are asked about.
    asks: bool,
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
    /// Of a move here, or else of the person's last one.
    Why(Option<Square>),
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
            "why" => Ok(Self::Why(None)),
            "help" | "?" => Ok(Self::Help),
            "board" => Ok(Self::Board),
            "moves" => Ok(Self::Moves),
            "quit" | "exit" | "q" => Ok(Self::Quit),
            word if let Some(of) = word.strip_prefix("why ") => {
                let square = of.trim().parse().map(|it| Self::Why(Some(it)));
                square.map_err(|_| "type why, or why and a move such as why f5".to_owned())
            }
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
            Input::Play(square) => {
                let before = self.game.position();
                match self.game.play(Move::Place(*square)) {
                    Ok(()) => {
                        writeln!(out)?;
                        self.draw(out)?;
                        self.ask_again(before, *square, out)
                    }
                    Err(error) => writeln!(out, "{error}"),
                }
            }
            Input::Pass => match self.game.play(Move::Pass) {
                Ok(()) => Ok(()),
                Err(error) => writeln!(out, "{error}"),
            },
            Input::Undo => self.step(Game::undo, "nothing to undo", out),
            Input::Redo => self.step(Game::redo, "nothing to redo", out),
            Input::Hint => self.hint(out),
            Input::Why(given) => self.why(*given, out),
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

    /// *Look again?*, if the move of a person against the engine costs much.
    fn ask_again(
        &mut self,
        before: Position,
        square: Square,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let is_against_engine = !self.people.play(before.side.other());
        if self.asks && is_against_engine && self.adviser.is_alarmed_by(before, square) {
            writeln!(
                out,
                "Look again? {square} costs much. undo takes it back, why says more."
            )?;
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        let position = self.game.position();
        let explanation = match self.adviser.explain(position, None) {
            Ok(explanation) => explanation,
            Err(error) => return no_answer(&error, out),
        };
        let best = &explanation.best;
        let sure = explanation.certainty.words(best.reach());
        writeln!(out, "{} is best ({sure}).", best.square)?;
        explain::print_as_good(out, &explanation)?;
        for candidate in std::iter::once(best).chain(&explanation.other) {
            let moves: Vec<String> = candidate.moves.iter().map(ToString::to_string).collect();
            writeln!(out, "{:>6}  {}", candidate.score, moves.join(" "))?;
        }
        let book = self.seat.player.book_moves(position);
        if book.is_empty() {
            return Ok(());
        }
        let book: Vec<String> = book.iter().map(ToString::to_string).collect();
        writeln!(out, "In the book: {}.", book.join(", "))
    }

    /// Explains a move here, or the last one that the person made.
    fn why(&mut self, given: Option<Square>, out: &mut impl Write) -> io::Result<()> {
        let (position, square) = match given {
            Some(square) => (self.game.position(), square),
            None => match self.last_move() {
                Some(found) => found,
                None => return writeln!(out, "You have not moved yet."),
            },
        };
        if !position.board.legal_moves().contains(square) {
            let error = position.play(square).map(|_| ()).err();
            let error = error.map_or_else(String::new, |it| it.to_string());
            return writeln!(out, "{error}");
        }
        match self.adviser.explain(position, Some(square)) {
            Ok(explanation) => {
                let explanation = explanation.spoken(self.voice());
                explain::print(out, &explanation, None, More::Unsaid)
            }
            Err(error) => no_answer(&error, out),
        }
    }

    /// The last move of a person, with the position before it.
    fn last_move(&self) -> Option<(Position, Square)> {
        let mut game = self.game.clone();
        while let Some(action) = game.undo() {
            let before = game.position();
            if let Some(square) = action.square()
                && self.people.play(before.side)
            {
                return Some((before, square));
            }
        }
        None
    }

    const fn voice(&self) -> Voice {
        match self.people {
            People::Black => Voice::You(Side::Black),
            People::White => Voice::You(Side::White),
            People::Both | People::Nobody => Voice::Colours,
        }
    }

    fn print_moves(&self, out: &mut impl Write) -> io::Result<()> {
        if self.game.ply() == 0 {
            return writeln!(out, "No moves were made.");
        }
        writeln!(out, "{}", self.game.transcript())
    }
}

fn no_answer(error: &dyn std::fmt::Display, out: &mut impl Write) -> io::Result<()> {
    failure::complain(&error.to_string());
    writeln!(out, "The engine failed; there is no answer.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_read() {
        assert_eq!(Input::parse("F5"), Ok(Input::Play("f5".parse().unwrap())));
        assert_eq!(Input::parse("Undo"), Ok(Input::Undo));
        assert_eq!(Input::parse("why"), Ok(Input::Why(None)));
        let f5 = "f5".parse().ok();
        assert_eq!(Input::parse("why F5"), Ok(Input::Why(f5)));
        assert!(Input::parse("why me").is_err());
        assert_eq!(
            Input::parse("z9\u{7}"),
            Err("\"z9\" is no move and no command; type a move such as f5, or help".to_owned())
        );
    }
}
