//! Positions from games, valued by the solver or a search.

use crate::data::{Labelled, Origin};
use engine::{Control, Engine, Limits, checksum::checksum, eval::Evaluator};
use othello::{Board, Game, Move, Position, Side, sample::SplitMix64};
use std::{ops::RangeInclusive, sync::atomic::AtomicBool};

/// What the files know of a game.
#[derive(Debug, Clone)]
pub struct Source {
    pub game: Game,
    /// A proven value for Black, in discs, of the position with so many empties.
    pub proven: Option<(u32, i8)>,
    /// Whether its positions are kept out of training.
    pub held_out: bool,
    /// What its players thought before each placement, for the side that made it; empty if unknown.
    pub values: Vec<Option<(i16, Origin)>>,
}

/// Which positions to take and how to value them.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// One position of each game for every number of empties in this range.
    pub empties: RangeInclusive<u32>,
    /// The share of positions that leave the game by a random move just before: search trees are
    /// full of moves that no tournament player makes.
    pub deviation: f64,
    /// Solve with at most so many empties.
    pub exact_empties: u32,
    /// Search to this depth otherwise; 0 takes only what is proven or can be solved.
    pub depth: u32,
    /// The share of games to take positions from.
    pub share: f64,
    /// Value positions of the game before the proven one by that one's value.
    pub from_later: bool,
    /// Take the values that the game's players noted.
    pub recorded: bool,
    /// Where chance comes from, together with the game's number.
    pub seed: u64,
}

impl Plan {
    /// All that the labels of so many games depend on, in one line.
    pub fn describe(&self, n_games: usize, held_out: &str, weights: Option<&[u8]>) -> String {
        let weights = weights.map_or_else(
            || "shipped".to_owned(),
            |bytes| format!("{:016x}", checksum(bytes)),
        );
        format!(
            "games {n_games} empties {}-{} deviation {} exact {} depth {} share {} later {} recorded {} seed {} \
             held-out {held_out} weights {weights}",
            self.empties.start(),
            self.empties.end(),
            self.deviation,
            self.exact_empties,
            self.depth,
            self.share,
            self.from_later,
            self.recorded,
            self.seed
        )
    }
}

/// How far a labelling has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is being labelled and how.
    pub plan: String,
    pub games: usize,
    /// Bytes of the data file with their positions.
    pub bytes: u64,
}

impl Progress {
    pub fn to_text(&self) -> String {
        let Self { plan, games, bytes } = self;
        format!("plan {plan}\ngames {games}\nbytes {bytes}\n")
    }

    /// Reads [`Progress::to_text`].
    pub fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut value = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix(' ');
        Some(Self {
            plan: value("plan")?.to_owned(),
            games: value("games")?.parse().ok()?,
            bytes: value("bytes")?.parse().ok()?,
        })
    }
}

/// A position to be valued, with its value if that is known already.
pub type Picked = (Board, Option<(i16, Origin)>);

/// The positions of one game that the plan takes.
pub fn pick(source: &Source, number: u64, plan: &Plan) -> Vec<Picked> {
    let mut random = SplitMix64::new(plan.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    if random.unit_f64() >= plan.share {
        return Vec::new();
    }
    let positions = positions_of(&source.game);
    let mut picked = Vec::new();
    for (index, pair) in positions.windows(2).enumerate() {
        let [before, after] = [pair[0], pair[1]];
        let n = after.board.empties().len();
        if !plan.empties.contains(&n) || before.board.empties().len() == n {
            continue;
        }
        let (board, value) = if random.unit_f64() < plan.deviation {
            (random_child(before.board, &mut random), None)
        } else {
            let proven = source.proven.and_then(|(empties, black)| {
                let origin = match n.cmp(&empties) {
                    std::cmp::Ordering::Equal => Origin::Exact,
                    std::cmp::Ordering::Greater if plan.from_later => Origin::Later,
                    _ => return None,
                };
                Some((for_mover(after, black), origin))
            });
            let recorded = source.values.get(index + 1).copied().flatten();
            (after.board, proven.or(recorded.filter(|_| plan.recorded)))
        };
        if !board.is_game_over() {
            picked.push((settled(board), value));
        }
    }
    picked
}

/// Seen by the side that can move.
fn settled(board: Board) -> Board {
    if board.must_pass() {
        board.swapped()
    } else {
        board
    }
}

fn for_mover(position: Position, black: i8) -> i16 {
    let sign = match position.side {
        Side::Black => 100,
        Side::White => -100,
    };
    // `settled` turns the board where the mover must pass.
    let turn = if position.board.must_pass() { -1 } else { 1 };
    i16::from(black) * sign * turn
}

fn positions_of(game: &Game) -> Vec<Position> {
    let mut replay = Game::from_position(game.start());
    let mut positions = vec![replay.position()];
    for action in game.moves() {
        // The moves come from a game, so they are legal.
        if replay.play(action).is_ok() && action != Move::Pass {
            positions.push(replay.position());
        }
    }
    positions
}

/// The position after a random move, or after the pass if there is none.
pub fn random_child(board: Board, random: &mut SplitMix64) -> Board {
    let legal = board.legal_moves();
    let choice = random.below(legal.len().max(1)) as usize;
    match legal.into_iter().nth(choice) {
        Some(square) => board.play_unchecked(square, board.flips(square)),
        None => board.swapped(),
    }
}

/// Values a picked position; `None` if the plan has no way to.
pub fn label<E: Evaluator>(
    engine: &mut Engine<E>,
    board: Board,
    known: Option<(i16, Origin)>,
    held_out: bool,
    plan: &Plan,
) -> Option<Labelled> {
    let labelled = |value: i32, origin| Labelled {
        board,
        value: value as i16,
        origin,
        held_out,
    };
    if let Some((value, origin)) = known {
        return Some(labelled(i32::from(value), origin));
    }
    let solve = board.empties().len() <= plan.exact_empties;
    if !solve && plan.depth == 0 {
        return None;
    }
    let limits = Limits {
        depth: (!solve).then_some(plan.depth),
        ..Limits::default()
    };
    let control = Control {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    let report = engine.search(board, &limits, control);
    let origin = if report.solved {
        Origin::Exact
    } else {
        Origin::Search(report.depth as u8)
    };
    Some(labelled(report.score, origin))
}
