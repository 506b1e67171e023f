//! Looking at a whole game: a first look at every position for the graph, then every move compared with
//! the best one. What is said about the game is `coach`'s.

use crate::{
    Analyst, Limits,
    explain::{StoppedError, Witness},
};
use coach::explain::{ExplainError, Explainer, winning_chances};
use game::{Control, Reach, Report, Score, Side};
use othello::{Game, Move, Position, Square};

pub use coach::{
    Voice,
    review::{Answers, GameReview, JudgedMove, MistakeOrder, Phase, Tally},
};

/// A first look at sixty positions takes two seconds.
const FIRST_LOOK_DEPTH: u32 = 12;
const FIRST_LOOK_NODES: u64 = 250_000;
const FIRST_LOOK_SOLVES: u32 = 14;

/// What a position is worth at a first look. It says too little to judge a move by.
pub fn first_look(analyst: &mut Analyst, position: Position, control: Control<'_>) -> Report {
    let limits = Limits {
        depth: Some(FIRST_LOOK_DEPTH),
        nodes: Some(FIRST_LOOK_NODES),
        exact_empties: FIRST_LOOK_SOLVES,
        ..Limits::default()
    };
    analyst.search(position, &limits, control)
}

/// The value of one position of a reviewed game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphPoint {
    pub black: Score,
    /// Black's chances to win, from 0 to 1.
    pub chances: f64,
    pub reach: Reach,
    /// Whether the move that led there was judged, not only looked at.
    pub is_judged: bool,
}

impl GraphPoint {
    /// From the score of the side to move.
    pub fn new(position: Position, score: Score, reach: Reach, is_judged: bool) -> Self {
        let empties = position.board.empties().len();
        let black = score.seen_by(Side::Black, position.side);
        Self {
            black,
            chances: winning_chances(black, empties, reach.solved),
            reach,
            is_judged,
        }
    }
}

/// The moves of a game without passes, each with the position before it.
pub fn placements(game: &Game) -> Vec<(Position, Square)> {
    let mut replay = Game::from_position(game.start());
    let mut placed = Vec::new();
    for action in game.moves() {
        if let Move::Place(square) = action {
            placed.push((replay.position(), square));
        }
        // The moves of a game are legal.
        if replay.play(action).is_err() {
            break;
        }
    }
    placed
}

/// Judges every move of a game, from the last to the first: what is solved at the end helps with the
/// moves before. `progress` is told how many are done.
pub fn judge_game(
    game: &Game,
    witness: &mut Witness<'_>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<JudgedMove>, ExplainError<StoppedError>> {
    let placed = placements(game);
    let mut explainer = Explainer::new();
    let mut judged = Vec::new();
    for (place, &(position, square)) in placed.iter().enumerate().rev() {
        judged.push(JudgedMove {
            number: place as u32 + 1,
            position,
            judgement: explainer.judge(witness, position, square)?,
        });
        progress(judged.len());
    }
    judged.reverse();
    Ok(judged)
}
