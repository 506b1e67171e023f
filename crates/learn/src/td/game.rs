//! One game of the engine against itself, and what is remembered of it.

use super::{Layout, Settings};
use crate::playing::{GameFailure, Purpose, Searcher, chance, random_move, score_for_black};
use engine::{
    Report,
    eval::{Evaluator as _, pattern::Pattern},
};
use othello::{Board, Game, Move, Side};

/// A position of a game in which a side moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub board: Board,
    pub side: Side,
    /// What the search found it to be worth, in discs for the side to move; after a random move,
    /// what its evaluation says.
    pub value: f32,
    /// Where that value comes from: the end of the principal variation, or the position itself if
    /// the move was random or the game was solved.
    pub leaf: Board,
    /// Whose turn it is there.
    pub leaf_side: Side,
    /// The stage of the leaf.
    pub stage: u8,
}

/// A finished game: all that learning from it takes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// The positions in which a side moved, in order.
    pub positions: Vec<Position>,
    /// For each of them, the weights of its leaf.
    pub terms: Vec<u32>,
    /// Final score for Black, in discs.
    pub result: i32,
    /// Searches that a move was found by.
    pub searches: u64,
    /// Sum of their depths and their number: opening, midgame, endgame.
    pub depths: [(u64, u64); 3],
    /// Look-ups in the transposition table, and those that found something.
    pub probes: [u64; 2],
    /// What all searches took on the clock handed in.
    pub search_us: u64,
}

/// Plays the game with this number. What earlier games left in the engine's table is forgotten
/// first: a game depends on the weights, the settings and its number alone, unless a clock limits
/// its searches.
pub fn play(
    mut searcher: Searcher<'_, &Pattern>,
    settings: &Settings,
    number: u64,
) -> Result<History, GameFailure> {
    searcher.engine.clear();
    let mut random = chance(settings.seed, Purpose::SelfPlay, number);
    let epsilon = settings.epsilon.at(number);
    let mut history = History::default();
    let mut game = Game::new();
    while !game.is_over() {
        let position = game.position();
        let (board, side) = (position.board, position.side);
        if board.must_pass() {
            game.play(Move::Pass)
                .map_err(|_| GameFailure::IllegalMove)?;
            continue;
        }
        // Drawn even where it is not needed, so that settings change as little as possible.
        let explore = random.unit_f64() < epsilon;
        let ply = history.positions.len();
        let square = if explore || ply < settings.random_plies as usize {
            let value = searcher.engine.evaluate(board) as f32 / 100.0;
            history.push(board, side, value, (board, side));
            random_move(board, &mut random)
        } else {
            let started_us = (searcher.now_us)();
            let (report, square) = searcher.search(board)?;
            history.search_us += (searcher.now_us)().saturating_sub(started_us);
            history.count(ply, &report);
            let leaf = leaf(searcher.engine.evaluator(), board, &report)
                .map_or((board, side), |(leaf, turned)| {
                    (leaf, if turned { side.other() } else { side })
                });
            history.push(board, side, report.score as f32 / 100.0, leaf);
            Some(square)
        };
        let square = square.ok_or(GameFailure::NoMove)?;
        game.play(Move::Place(square))
            .map_err(|_| GameFailure::IllegalMove)?;
    }
    history.result = score_for_black(&game);
    Ok(history)
}

impl History {
    fn push(&mut self, board: Board, side: Side, value: f32, (leaf, leaf_side): (Board, Side)) {
        let stage = Layout::shipped().push_terms(leaf, &mut self.terms);
        self.positions.push(Position {
            board,
            side,
            value,
            leaf,
            leaf_side,
            stage: stage as u8,
        });
    }

    fn count(&mut self, ply: usize, report: &Report) {
        self.searches += 1;
        let phase = &mut self.depths[(ply / 20).min(2)];
        phase.0 += u64::from(report.depth);
        phase.1 += 1;
        self.probes[0] += report.table.probes;
        self.probes[1] += report.table.hits;
    }
}

/// Plies that are searched again where the table did not keep the principal variation. It never
/// keeps the last two; more are missing only if it overflowed.
const MISSING_PLIES: u32 = 3;

/// The end of the principal variation and whether it is the other side's turn there. Nothing if the
/// value is a final score, which no weight answers for.
fn leaf(pattern: &Pattern, board: Board, report: &Report) -> Option<(Board, bool)> {
    if report.solved || report.depth == 0 || report.depth >= board.empties().len() {
        return None;
    }
    let mut leaf = Leaf {
        board,
        turned: false,
    };
    let mut plies = report.depth;
    for &action in &report.lines.first()?.moves {
        if plies == 0 {
            break;
        }
        leaf = match action {
            Move::Place(square) => {
                plies -= 1;
                leaf.after(leaf.board.play(square).ok()?)
            }
            Move::Pass => leaf.after(leaf.board.swapped()),
        };
    }
    let (_, end) = best_leaf(pattern, leaf, plies.min(MISSING_PLIES), -6400, 6400);
    end.map(|leaf| (leaf.board, leaf.turned))
}

#[derive(Debug, Clone, Copy)]
struct Leaf {
    board: Board,
    turned: bool,
}

impl Leaf {
    const fn after(self, board: Board) -> Self {
        Self {
            board,
            turned: !self.turned,
        }
    }
}

/// Alpha-beta that tells the leaf its value comes from; none if that is the end of the game.
fn best_leaf(
    pattern: &Pattern,
    node: Leaf,
    plies: u32,
    mut alpha: i32,
    beta: i32,
) -> (i32, Option<Leaf>) {
    let board = node.board;
    let legal = board.legal_moves();
    if legal.is_empty() && board.swapped().legal_moves().is_empty() {
        return (100 * board.final_score(), None);
    }
    if plies == 0 {
        let value = pattern.evaluate(&pattern.root(board), board);
        return (value, Some(node));
    }
    if legal.is_empty() {
        let (value, leaf) = best_leaf(pattern, node.after(board.swapped()), plies, -beta, -alpha);
        return (-value, leaf);
    }
    let mut best = (i32::MIN, None);
    for square in legal {
        let child = node.after(board.play_unchecked(square, board.flips(square)));
        let (value, leaf) = best_leaf(pattern, child, plies - 1, -beta, -alpha);
        if -value > best.0 {
            best = (-value, leaf);
            alpha = alpha.max(-value);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{MoveLimit, Schedule};
    use engine::{Control, Engine};
    use othello::sample::random_boards;
    use std::sync::atomic::AtomicBool;

    fn settings(depth: u32, epsilon: f64) -> Settings {
        Settings {
            limit: MoveLimit::Depth(depth),
            epsilon: Schedule::new(vec![(0, epsilon)]).unwrap(),
            ..Settings::default()
        }
    }

    fn play_with(
        engine: &mut Engine<&Pattern>,
        settings: &Settings,
        number: u64,
        stop: bool,
    ) -> Result<History, GameFailure> {
        let stop = AtomicBool::new(stop);
        play(settings.searcher(engine, &|| 0, &stop), settings, number)
    }

    fn played(settings: &Settings, number: u64) -> History {
        let pattern = Pattern::shipped().unwrap();
        let mut engine = Engine::new(&pattern, 1, 1).unwrap();
        play_with(&mut engine, settings, number, false).unwrap()
    }

    #[test]
    fn games_are_whole_and_follow_from_their_number() {
        let settings = settings(2, 0.15);
        let game = played(&settings, 7);
        assert_eq!(game, played(&settings, 7));
        assert_ne!(game, played(&settings, 8));
        let n = game.positions.len();
        assert!((9..=60).contains(&n), "{n} moves");
        assert_eq!(game.terms.len(), n * Layout::shipped().n_terms());
        assert_eq!(game.positions[0].board, Board::START);
        let last = game.positions[n - 1];
        assert!(
            last.board.legal_moves().into_iter().any(|square| {
                let end = last.board.play(square).unwrap();
                let score = match last.side {
                    Side::Black => -end.final_score(),
                    Side::White => end.final_score(),
                };
                end.is_game_over() && score == game.result
            }),
            "the last move ends the game with its result"
        );
        for position in &game.positions {
            assert!(position.value.abs() <= 64.0);
        }
    }

    #[test]
    fn games_do_not_depend_on_what_the_engine_did_before() {
        let settings = settings(3, 0.1);
        let pattern = Pattern::shipped().unwrap();
        let mut engine = Engine::new(&pattern, 1, 1).unwrap();
        let mut again = |number| play_with(&mut engine, &settings, number, false).unwrap();
        let games: Vec<History> = (0..6).map(&mut again).collect();
        assert_eq!(again(0), games[0]);
        assert_eq!(played(&settings, 3), games[3]);
    }

    #[test]
    fn random_moves_have_the_position_itself_as_leaf() {
        let game = played(&settings(2, 1.0), 1);
        assert_eq!(game.searches, 0);
        let pattern = Pattern::shipped().unwrap();
        for position in &game.positions {
            assert_eq!(
                (position.leaf, position.leaf_side),
                (position.board, position.side)
            );
            let value = pattern.evaluate(&pattern.root(position.board), position.board);
            assert!((position.value - value as f32 / 100.0).abs() < 1e-6);
        }
    }

    /// Without pruning by prediction the value of a search is the evaluation at its leaf. A hidden
    /// layer, which no such learning has, may be left out where a value is far from the window.
    #[test]
    fn the_leaf_has_the_value_that_the_search_found() {
        let pattern = Pattern::shipped().unwrap().with_hidden(None);
        let mut engine = Engine::new(&pattern, 16, 1).unwrap();
        let (mut n_equal, mut n) = (0, 0);
        for board in random_boards(8).step_by(7) {
            if board.legal_moves().is_empty() || board.empties().len() < 12 {
                continue;
            }
            for depth in 1..=5 {
                engine.clear();
                let limits = engine::Limits {
                    depth: Some(depth),
                    selectivity: engine::Selectivity::EXACT,
                    ..engine::Limits::default()
                };
                let control = Control {
                    now_ms: &|| 0,
                    stop: &AtomicBool::new(false),
                    observe: &mut |_| {},
                };
                let report = engine.search(board, &limits, control);
                let Some((leaf, turned)) = leaf(&pattern, board, &report) else {
                    continue;
                };
                let value = pattern.evaluate(&pattern.root(leaf), leaf);
                n += 1;
                n_equal += usize::from(if turned { -value } else { value } == report.score);
            }
            if n > 1_000 {
                break;
            }
        }
        // A move from the table may belong to a deeper search of an earlier iteration.
        assert!(n_equal * 100 > n * 97, "{n_equal} of {n}");
    }

    #[test]
    fn a_stop_gives_the_game_up() {
        let pattern = Pattern::blank();
        let mut engine = Engine::new(&pattern, 1, 1).unwrap();
        let failure = play_with(&mut engine, &settings(4, 0.0), 1, true);
        assert_eq!(failure, Err(GameFailure::Stopped));
    }
}
