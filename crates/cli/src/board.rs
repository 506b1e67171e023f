//! `kibitz board`: a position and everything that the rules can tell about it.

pub(crate) mod draw;

use crate::position;
use othello::{Bitboard, Game, Position, Side};
use std::io::Write as _;

const EXAMPLES: &str = "\
Examples:
  kibitz board
  kibitz board f5d6c3d3c4
  kibitz board f5 d6 c3 --ascii
  kibitz board '---------------------------OX------XO--------------------------- X' --json

Colours are used on a terminal; NO_COLOR=1 turns them off.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// 64 squares and the side to move, or moves such as f5d6c3; nothing is the start position
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "ascii")]
    json: bool,
    /// Draw with X, O and plain lines
    #[arg(long)]
    ascii: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let game = position::parse(&args.position.join(" "))?;
    let facts = Facts::of(&game);
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&facts)?)?;
    } else {
        let glyphs = if args.ascii {
            draw::ASCII
        } else {
            draw::UNICODE
        };
        write!(out, "{}", draw::page(&game, &facts, glyphs))?;
    }
    Ok(())
}

/// What the command knows, in the shape of its JSON.
#[derive(Debug, serde::Serialize)]
struct Facts {
    board: String,
    /// The least of the eight images, with the same side to move.
    canonical: String,
    hash: String,
    side_to_move: &'static str,
    must_pass: bool,
    game_over: bool,
    outcome: Option<OutcomeFacts>,
    moves: Vec<String>,
    last_move: Option<String>,
    empties: u32,
    black: SideFacts,
    white: SideFacts,
    regions: Vec<RegionFacts>,
}

/// Empty squares are the winner's.
#[derive(Debug, serde::Serialize)]
struct OutcomeFacts {
    black: u32,
    white: u32,
    winner: Option<&'static str>,
}

/// One side's features, whichever side is to move.
#[derive(Debug, serde::Serialize)]
struct SideFacts {
    discs: u32,
    mobility: SquareSet,
    potential_mobility: SquareSet,
    frontier: SquareSet,
    stable: SquareSet,
    corners: SquareSet,
    x_squares: SquareSet,
    c_squares: SquareSet,
}

#[derive(Debug, serde::Serialize)]
struct RegionFacts {
    size: u32,
    odd: bool,
    squares: Vec<String>,
}

#[derive(Debug, serde::Serialize)]
struct SquareSet {
    count: u32,
    squares: Vec<String>,
}

impl Facts {
    fn of(game: &Game) -> Self {
        let position = game.position();
        let board = position.board;
        Self {
            board: position.to_string(),
            canonical: canonical(position).to_string(),
            hash: format!("{:#018x}", game.hash()),
            side_to_move: name(position.side),
            must_pass: board.must_pass(),
            game_over: game.is_over(),
            outcome: game.outcome().map(|outcome| OutcomeFacts {
                black: outcome.black,
                white: outcome.white,
                winner: outcome.winner().map(name),
            }),
            moves: game.moves().map(|it| it.to_string()).collect(),
            last_move: game.moves().next_back().map(|it| it.to_string()),
            empties: board.empties().len(),
            black: SideFacts::of(position, Side::Black),
            white: SideFacts::of(position, Side::White),
            regions: board
                .regions()
                .map(|region| RegionFacts {
                    size: region.size(),
                    odd: region.is_odd(),
                    squares: names(region.squares()),
                })
                .collect(),
        }
    }

    const fn side(&self, side: Side) -> &SideFacts {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}

impl SideFacts {
    fn of(position: Position, side: Side) -> Self {
        let board = if side == position.side {
            position.board
        } else {
            position.board.swapped()
        };
        let held = board.mover();
        Self {
            discs: held.len(),
            mobility: SquareSet::of(board.legal_moves()),
            potential_mobility: SquareSet::of(board.potential_moves()),
            frontier: SquareSet::of(board.frontier()),
            stable: SquareSet::of(board.stable_discs()),
            corners: SquareSet::of(held & Bitboard::CORNERS),
            x_squares: SquareSet::of(held & Bitboard::X_SQUARES),
            c_squares: SquareSet::of(held & Bitboard::C_SQUARES),
        }
    }
}

impl SquareSet {
    fn of(set: Bitboard) -> Self {
        Self {
            count: set.len(),
            squares: names(set),
        }
    }
}

fn canonical(position: Position) -> Position {
    Position {
        board: position.board.canonical().0,
        side: position.side,
    }
}

fn names(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}
