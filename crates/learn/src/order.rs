//! The order of moves near the end, learned from what moves cost the solver.
//!
//! Where some move refutes, that is, is good enough, the solver wants to try one first that does so
//! with few nodes. Such boards are met on walks like those of a proof: one side claims a result and
//! plays well, the other tries whatever is legal. Of every move the solver tells whether it refutes
//! and with how many nodes, and least squares tell how the replies, the parity and the border of
//! the board after a move predict that.
//!
//! Moves of one board are only compared with each other: what is predicted and what is found are
//! both taken relative to the mean of the board's moves, so that how hard the board is drops out.

use crate::label::{Source, positions_of, random_child};
use engine::{
    Control, Engine, Limits, Report,
    eval::Evaluator,
    ordering::{Look, N_WEIGHTS, ODD, Prover, REPLY, mirrored},
};
use othello::{Board, Move, Square, sample::SplitMix64};
use std::{ops::RangeInclusive, sync::atomic::AtomicBool};

/// Empty squares of the positions of games from which walks begin. From 14 on, with exact values,
/// the boards were too near to the bound: the weights took 6 % more nodes (22 empties).
const START_EMPTIES: u32 = 20;

/// Plies of the search that says what is claimed at the start.
const CLAIM_DEPTH: u32 = 8;

/// Plies of the search that finds the moves of the side with the claim, until the solver can.
const WALK_DEPTH: u32 = 2;

/// Empty squares of the boards that are learned from: fewer than the order is used with, too, which
/// makes the rare ways to fill a border less rare.
pub const EMPTIES: RangeInclusive<u32> = 7..=12;

/// A move that does not refute costs as much as one that does with twenty times as many nodes: the
/// search goes on with the next one then.
const FUTILE: f64 = 3.0;

/// Which boards to learn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderPlan {
    /// The share of games to take.
    pub share: f64,
    /// Walks from the position of each.
    pub walks: u32,
    /// Where chance comes from, together with the game's number.
    pub seed: u64,
}

/// A move, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tried {
    pub look: Look,
    /// Whether it is good enough.
    pub refutes: bool,
    /// What it took the solver to know.
    pub nodes: u32,
}

impl Tried {
    /// What is to be predicted: less is better.
    fn cost(&self) -> f64 {
        let futile = if self.refutes { 0.0 } else { FUTILE };
        f64::from(self.nodes).ln_1p() + futile
    }
}

/// A board where some move refutes, with all its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    pub n_empties: u32,
    pub moves: Vec<Tried>,
}

/// The samples of one game; they follow from it, its number and the plan. The engine is cleared.
pub fn sample_game<E: Evaluator>(
    engine: &mut Engine<E>,
    prover: &mut Prover,
    source: &Source,
    number: u64,
    plan: &OrderPlan,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut random = SplitMix64::new(plan.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    if random.unit_f64() < plan.share
        && let Some(board) = start_of(source)
    {
        engine.clear();
        // Final scores are even, nearly always.
        let score = look(engine, board, CLAIM_DEPTH).score;
        let value = 2 * (f64::from(score) / 200.0).round() as i32;
        for _ in 0..plan.walks {
            walk(engine, prover, board, value, &mut random, &mut samples);
        }
    }
    samples
}

/// Where the walks of a game begin.
fn start_of(source: &Source) -> Option<Board> {
    positions_of(&source.game)
        .into_iter()
        .map(|position| position.board)
        .find(|board| board.empties().len() == START_EMPTIES)
        .filter(|board| !board.legal_moves().is_empty())
}

/// What a search of some plies says of a board.
fn look<E: Evaluator>(engine: &mut Engine<E>, board: Board, depth: u32) -> Report {
    let limits = Limits {
        depth: Some(depth),
        exact_empties: 0,
        ..Limits::default()
    };
    let control = Control {
        now_ms: &|| 0,
        stop: &AtomicBool::new(false),
        observe: &mut |_| {},
    };
    engine.search(board, &limits, control)
}

/// One way through the tree that would prove on which side of a bound the value of the root lies.
/// Whose claim it is follows by chance; a claim that turns out to be wrong ends the walk.
fn walk<E: Evaluator>(
    engine: &mut Engine<E>,
    prover: &mut Prover,
    root: Board,
    value: i32,
    random: &mut SplitMix64,
    samples: &mut Vec<Sample>,
) {
    let mut is_claimed = random.below(2) == 0;
    // No score is beyond 64, so that nothing would have to be proven there.
    let mut alpha = (value - i32::from(is_claimed)).clamp(-64, 63);
    let mut board = root;
    while board.empties().len() >= *EMPTIES.start() && !board.is_game_over() {
        let next = if board.must_pass() {
            Some(board.swapped())
        } else if !is_claimed {
            Some(random_child(board, random))
        } else if EMPTIES.contains(&board.empties().len()) {
            let sample = try_all(prover, board, alpha);
            let refutation = any_refutation(&sample, board, random);
            // Of a single move, or where none refutes, nothing is learned.
            if sample.moves.len() > 1 && refutation.is_some() {
                samples.push(sample);
            }
            refutation
        } else {
            best_child(engine, board)
        };
        let Some(next) = next else { return };
        board = next;
        (alpha, is_claimed) = (-alpha - 1, !is_claimed);
    }
}

/// The board after what a small search takes for the best move.
fn best_child<E: Evaluator>(engine: &mut Engine<E>, board: Board) -> Option<Board> {
    let Some(Move::Place(square)) = look(engine, board, WALK_DEPTH).best() else {
        return None;
    };
    Some(board.play_unchecked(square, board.flips(square)))
}

/// The legal moves of a board and the boards after them.
fn moves_of(board: Board) -> impl Iterator<Item = (Square, Board)> {
    let legal = board.legal_moves().into_iter();
    legal.map(move |square| (square, board.play_unchecked(square, board.flips(square))))
}

/// Asks about every move whether it makes the score greater than `alpha`.
fn try_all(prover: &mut Prover, board: Board, alpha: i32) -> Sample {
    let tried = |(square, next)| {
        let answer = prover.ask(next, -alpha - 1);
        Tried {
            look: Look::at(board, square, next),
            refutes: !answer.is_above,
            nodes: answer.nodes.try_into().unwrap_or(u32::MAX),
        }
    };
    Sample {
        n_empties: board.empties().len(),
        moves: moves_of(board).map(tried).collect(),
    }
}

/// The board after one of the moves that refute, by chance.
fn any_refutation(sample: &Sample, board: Board, random: &mut SplitMix64) -> Option<Board> {
    let refuting: Vec<Board> = moves_of(board)
        .zip(&sample.moves)
        .filter_map(|((_, next), tried)| tried.refutes.then_some(next))
        .collect();
    let choice = random.below((refuting.len() as u32).max(1)) as usize;
    refuting.get(choice).copied()
}

/// How weights are fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderSettings {
    /// Strength of the pull of the border's weights towards zero, in moves.
    pub ridge: f64,
    /// Steps of conjugate gradients.
    pub iterations: usize,
}

/// Weights as they are fitted: those of the border in the order of the file, then the two of a reply
/// and of an odd quadrant.
type Weights = Vec<f64>;

const OF_REPLY: usize = N_WEIGHTS;
const OF_ODD: usize = N_WEIGHTS + 1;

fn predict(weights: &[f64], look: &Look) -> f64 {
    let border = look.border.iter().map(|&place| weights[usize::from(place)]);
    let odd = if look.is_odd { weights[OF_ODD] } else { 0.0 };
    border.sum::<f64>() + weights[OF_REPLY] * f64::from(look.replies) + odd
}

/// Adds to every weight, for every move, what `number` says about it relative to the mean of its
/// board.
fn gather(samples: &[Sample], number: impl Fn(&Tried) -> f64) -> Weights {
    let mut sums = vec![0.0; N_WEIGHTS + 2];
    let mut numbers = Vec::new();
    for Sample { moves, .. } in samples {
        numbers.clear();
        numbers.extend(moves.iter().map(&number));
        let mean = numbers.iter().sum::<f64>() / moves.len().max(1) as f64;
        for (Tried { look, .. }, number) in moves.iter().zip(&numbers) {
            let number = number - mean;
            for &place in &look.border {
                sums[usize::from(place)] += number;
            }
            sums[OF_REPLY] += number * f64::from(look.replies);
            sums[OF_ODD] += number * f64::from(u8::from(look.is_odd));
        }
    }
    sums
}

/// The diagonal of the normal equations, nearly: without the means, and never zero.
fn diagonal(samples: &[Sample], ridge: &[f64]) -> Weights {
    let mut diagonal: Weights = ridge.iter().map(|ridge| ridge + 1.0).collect();
    for Tried { look, .. } in samples.iter().flat_map(|sample| &sample.moves) {
        for &place in &look.border {
            diagonal[usize::from(place)] += 1.0;
        }
        diagonal[OF_REPLY] += f64::from(look.replies).powi(2);
        diagonal[OF_ODD] += f64::from(u8::from(look.is_odd));
    }
    diagonal
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Least squares by conjugate gradients, on one thread: the sums are the same every time.
fn solve(samples: &[Sample], settings: OrderSettings, observe: &mut dyn FnMut(usize)) -> Weights {
    let mut ridge = vec![settings.ridge; N_WEIGHTS];
    // What nearly every move tells about needs no pull.
    ridge.extend([0.0; 2]);
    let diagonal = diagonal(samples, &ridge);
    let conditioned = |residual: &[f64]| -> Weights {
        residual.iter().zip(&diagonal).map(|(r, d)| r / d).collect()
    };
    let mut weights = vec![0.0; ridge.len()];
    let mut residual = gather(samples, Tried::cost);
    let mut direction = conditioned(&residual);
    let mut energy = dot(&residual, &direction);
    for iteration in 1..=settings.iterations {
        if energy <= f64::MIN_POSITIVE {
            break;
        }
        let mut image = gather(samples, |tried| predict(&direction, &tried.look));
        for ((image, ridge), d) in image.iter_mut().zip(&ridge).zip(&direction) {
            *image += ridge * d;
        }
        let step = energy / dot(&direction, &image);
        for i in 0..weights.len() {
            weights[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        let next = conditioned(&residual);
        let next_energy = dot(&residual, &next);
        for (d, next) in direction.iter_mut().zip(next) {
            *d = next + next_energy / energy * *d;
        }
        energy = next_energy;
        observe(iteration);
    }
    weights
}

/// The weights of an order of moves, as the solver has them.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveOrder {
    weights: Vec<i8>,
    /// What an odd quadrant adds by the fit; the solver has [`ODD`] less, whatever it is.
    pub odd: f64,
}

/// Samples that say nothing: more replies do not make a move worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there are too few moves to learn their order from")]
pub struct TooFewMoves;

impl MoveOrder {
    /// Fits weights to samples. `observe` is told the number of each step.
    pub fn fit(
        samples: &[Sample],
        settings: OrderSettings,
        observe: &mut dyn FnMut(usize),
    ) -> Result<Self, TooFewMoves> {
        let fitted = solve(samples, settings, observe);
        let unit = fitted[OF_REPLY] / f64::from(REPLY);
        if unit.is_nan() || unit <= 0.0 {
            return Err(TooFewMoves);
        }
        let most = f64::from(i8::MAX);
        let weight = |place: u16| {
            let least = place.min(mirrored(place));
            let weight = fitted[usize::from(least)] / unit;
            weight.round().clamp(-most, most) as i8
        };
        Ok(Self {
            weights: (0..N_WEIGHTS as u16).map(weight).collect(),
            odd: fitted[OF_ODD] / unit,
        })
    }

    /// The contents of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.weights.iter().map(|&weight| weight as u8).collect()
    }

    /// The solver's key of a move; the least is tried first.
    fn key(&self, look: &Look) -> i32 {
        let weight = |&place: &u16| i32::from(self.weights[usize::from(place)]);
        let odd = if look.is_odd { ODD } else { 0 };
        REPLY * i32::from(look.replies) - odd + look.border.iter().map(weight).sum::<i32>()
    }
}

/// What orders of moves cost on the samples with one number of empty squares.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OrderCost {
    pub n_empties: u32,
    pub boards: usize,
    pub moves: usize,
    /// With the fewest replies first.
    pub by_replies: Spent,
    /// With the least key first.
    pub learned: Spent,
}

/// What it takes until a move refutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    pub nodes: u64,
    /// Boards whose first move refutes.
    pub at_once: usize,
}

impl Spent {
    fn add(&mut self, sample: &Sample, key: impl Fn(&Look) -> i32) {
        let mut order: Vec<&Tried> = sample.moves.iter().collect();
        order.sort_by_key(|tried| key(&tried.look));
        self.at_once += usize::from(order.first().is_some_and(|tried| tried.refutes));
        for tried in order {
            self.nodes += u64::from(tried.nodes);
            if tried.refutes {
                break;
            }
        }
    }
}

/// What the order costs against that by replies, for each number of empty squares.
pub fn costs(samples: &[Sample], order: &MoveOrder) -> Vec<OrderCost> {
    let cost = |n_empties| {
        let mut cost = OrderCost {
            n_empties,
            ..OrderCost::default()
        };
        for sample in samples.iter().filter(|it| it.n_empties == n_empties) {
            cost.boards += 1;
            cost.moves += sample.moves.len();
            cost.by_replies.add(sample, |look| look.replies.into());
            cost.learned.add(sample, |look| order.key(look));
        }
        cost
    };
    EMPTIES.map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::classic::Classic;
    use othello::Game;

    /// Full-width negamax without any pruning.
    fn negamax(board: Board) -> i32 {
        if board.is_game_over() {
            return board.final_score();
        }
        if board.must_pass() {
            return -negamax(board.swapped());
        }
        let scores = moves_of(board).map(|(_, next)| -negamax(next));
        scores.max().unwrap()
    }

    fn random_game(seed: u64) -> Source {
        let mut random = SplitMix64::new(seed);
        let mut game = Game::new();
        while !game.is_over() {
            let legal = game.position().board.legal_moves();
            let at = random.below(legal.len().max(1)) as usize;
            let square = legal.into_iter().nth(at);
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        Source {
            game,
            proven: None,
            held_out: false,
            values: Vec::new(),
        }
    }

    fn sampled(games: u64, plan: OrderPlan) -> Vec<Sample> {
        let mut engine = Engine::new(Classic::default(), 1, 1).unwrap();
        let mut prover = Prover::new();
        (0..games)
            .flat_map(|number| {
                let source = random_game(number);
                sample_game(&mut engine, &mut prover, &source, number, &plan)
            })
            .collect()
    }

    const PLAN: OrderPlan = OrderPlan {
        share: 1.0,
        walks: 3,
        seed: 1,
    };

    #[test]
    fn the_seed_decides_which_samples_there_are() {
        let samples = sampled(12, PLAN);
        assert_eq!(samples, sampled(12, PLAN));
        assert_ne!(samples, sampled(12, OrderPlan { seed: 2, ..PLAN }));
        for sample in &samples {
            assert!(EMPTIES.contains(&sample.n_empties));
            assert!(sample.moves.len() > 1, "there is a choice");
            assert!(sample.moves.iter().any(|tried| tried.refutes));
        }
        for n_empties in EMPTIES {
            assert!(samples.iter().any(|sample| sample.n_empties == n_empties));
        }
        assert!(sampled(12, OrderPlan { share: 0.0, ..PLAN }).is_empty());
    }

    #[test]
    fn moves_refute_where_negamax_says_so() {
        let mut prover = Prover::new();
        let boards = othello::sample::random_boards(9)
            .filter(|board| board.empties().len() == 8 && !board.legal_moves().is_empty());
        for board in boards.take(40) {
            let value = negamax(board);
            let sample = try_all(&mut prover, board, value - 1);
            for ((square, next), tried) in moves_of(board).zip(&sample.moves) {
                assert_eq!(tried.refutes, -negamax(next) >= value, "{board:?}");
                assert_eq!(tried.look, Look::at(board, square, next));
            }
            let mut random = SplitMix64::new(1);
            let found = any_refutation(&sample, board, &mut random);
            assert_eq!(-negamax(found.unwrap()), value, "{board:?}");
            let none = try_all(&mut prover, board, value);
            assert_eq!(any_refutation(&none, board, &mut random), None);
        }
    }

    const SETTINGS: OrderSettings = OrderSettings {
        ridge: 1e-3,
        iterations: 60,
    };

    /// A byte for some configurations, the same for mirror images.
    fn planted(place: u16) -> i32 {
        let least = place.min(mirrored(place));
        i32::from(least % 40) - 20
    }

    /// Moves whose cost is what the planted weights say, and a different constant for each board.
    fn synthetic() -> Vec<Sample> {
        // Few configurations, so that each is met often.
        let configurations: Vec<u16> = (0..60).map(|i| i * 431).collect();
        let mut random = SplitMix64::new(5);
        let mut tried = |base: f64| {
            let mut place = || configurations[random.below(60) as usize];
            let border = std::array::from_fn(|_| place()).map(|it: u16| it.min(mirrored(it)));
            let look = Look {
                replies: random.below(9) as u8,
                is_odd: random.below(2) == 0,
                border,
            };
            let sum: i32 = border.iter().map(|&place| planted(place)).sum();
            let odd = if look.is_odd { 5 } else { 0 };
            let key = f64::from(REPLY * i32::from(look.replies) - odd + sum);
            Tried {
                look,
                refutes: true,
                nodes: (base + key / 60.0).exp_m1().round() as u32,
            }
        };
        (0..4_000)
            .map(|number| Sample {
                n_empties: 8,
                moves: (0..6).map(|_| tried(f64::from(12 + number % 3))).collect(),
            })
            .collect()
    }

    #[test]
    fn planted_weights_are_found_again() {
        let samples = synthetic();
        let order = MoveOrder::fit(&samples, SETTINGS, &mut |_| {}).unwrap();
        assert!((order.odd + 5.0).abs() < 0.1, "{}", order.odd);
        // A constant in all weights changes no order: every move has eight of them.
        let met: Vec<u16> = samples
            .iter()
            .flat_map(|sample| sample.moves.iter().flat_map(|tried| tried.look.border))
            .collect();
        let found = |place: u16| i32::from(order.weights[usize::from(place)]);
        let shift = found(met[0]) - planted(met[0]);
        for place in met {
            assert!(
                (found(place) - planted(place) - shift).abs() <= 1,
                "{place}"
            );
        }
        let cost = costs(&samples, &order)[1];
        assert_eq!(
            (cost.n_empties, cost.boards, cost.moves),
            (8, 4_000, 24_000)
        );
        let least = |sample: &Sample| {
            sample
                .moves
                .iter()
                .map(|tried| u64::from(tried.nodes))
                .min()
        };
        let least: u64 = samples.iter().filter_map(least).sum();
        assert!(cost.learned.nodes < least + least / 50, "{cost:?} {least}");
        assert!(
            cost.by_replies.nodes > least + least / 5,
            "{cost:?} {least}"
        );
    }

    #[test]
    fn mirror_images_have_the_same_weight() {
        let order = MoveOrder::fit(&sampled(20, PLAN), SETTINGS, &mut |_| {}).unwrap();
        let bytes = order.to_bytes();
        assert_eq!(bytes.len(), N_WEIGHTS);
        assert!(bytes.iter().any(|&byte| byte != 0));
        for place in 0..N_WEIGHTS as u16 {
            let image = mirrored(place);
            assert_eq!(bytes[usize::from(place)], bytes[usize::from(image)]);
        }
    }

    #[test]
    fn nothing_is_learned_from_nothing() {
        let fitted = MoveOrder::fit(&[], SETTINGS, &mut |_| {});
        assert_eq!(fitted, Err(TooFewMoves));
    }

    #[test]
    fn nodes_are_counted_until_a_move_refutes() {
        let tried = |replies, refutes, nodes| Tried {
            look: Look {
                replies,
                is_odd: false,
                border: [0; 8],
            },
            refutes,
            nodes,
        };
        let sample = Sample {
            n_empties: 9,
            moves: vec![tried(3, true, 100), tried(1, false, 7), tried(2, true, 20)],
        };
        let mut spent = Spent::default();
        spent.add(&sample, |look| look.replies.into());
        assert_eq!((spent.nodes, spent.at_once), (27, 0));
        spent.add(&sample, |look| -i32::from(look.replies));
        assert_eq!((spent.nodes, spent.at_once), (127, 1));
    }
}
