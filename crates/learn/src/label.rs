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
    /// Take the values that the game's players noted, each with this share of what was found a move
    /// later (λ of temporal differences).
    pub recorded: Option<f64>,
    /// What searched values lack.
    pub shift: Shift,
    /// Where chance comes from, together with the game's number.
    pub seed: u64,
}

/// What is added to searched values, in centidiscs, with an odd and with an even number of empty
/// squares.
///
/// A shallow search undervalues the last move of the game, which the side to move has with an odd
/// number, and values that are learned hand the error on to the next searches. Solving some hundred
/// positions tells how much it is; docs/TRAINING.md has what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shift {
    pub odd: i16,
    pub even: i16,
}

impl Shift {
    fn of(self, board: Board) -> i32 {
        i32::from(if board.empties().len() % 2 == 1 {
            self.odd
        } else {
            self.even
        })
    }
}

impl Plan {
    /// All that the labels of so many games depend on, in one line.
    pub fn describe(&self, n_games: usize, held_out: &str, weights: Option<&[u8]>) -> String {
        let weights = weights.map_or_else(
            || "shipped".to_owned(),
            |bytes| format!("{:016x}", checksum(bytes)),
        );
        let recorded = self
            .recorded
            .map_or_else(|| "none".to_owned(), |lambda| lambda.to_string());
        format!(
            "games {n_games} empties {}-{} deviation {} exact {} depth {} share {} later {} recorded {recorded} \
             shift {},{} seed {} held-out {held_out} weights {weights}",
            self.empties.start(),
            self.empties.end(),
            self.deviation,
            self.exact_empties,
            self.depth,
            self.share,
            self.from_later,
            self.shift.odd,
            self.shift.even,
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
    let recorded = plan.recorded.map_or_else(Vec::new, |lambda| {
        recorded_values(source, &positions, lambda)
    });
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
            let recorded = recorded.get(index + 1).copied().flatten();
            (after.board, proven.or(recorded))
        };
        if !board.is_game_over() {
            picked.push((settled(board), value));
        }
    }
    picked
}

/// What the players of a game thought before each placement, from the last to the first mixed with
/// what they thought a move later.
///
/// Later values know more, until somebody errs, and each is searched for the other side, so that a
/// search which is too low for whoever has the move is not learned as it is. Of 800 positions with
/// 20 empty squares, searched to depth 6 by the players, values as noted were wrong by 3.10 discs,
/// with a share of 0.5 by 2.66, 0.7 by 2.47, 0.8 by 2.45, 0.9 by 2.66. Nothing is mixed across a
/// random move.
fn recorded_values(
    source: &Source,
    positions: &[Position],
    lambda: f64,
) -> Vec<Option<(i16, Origin)>> {
    let mut later: Option<(f64, Side)> = None;
    let mut values = source.values.clone();
    for (value, position) in values.iter_mut().zip(positions).rev() {
        // Where the mover must pass, the other side made the placement.
        let side = if position.board.must_pass() {
            position.side.other()
        } else {
            position.side
        };
        later = value.as_mut().map(|(noted, origin)| {
            let mut mixed = f64::from(*noted);
            if *origin != Origin::Exact
                && let Some((after, whose)) = later
            {
                let after = if whose == side { after } else { -after };
                mixed += lambda * (after - mixed);
                *noted = mixed.round() as i16;
            }
            (mixed, side)
        });
    }
    values
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

/// The start of a game and what each placement led to.
pub(crate) fn positions_of(game: &Game) -> Vec<Position> {
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
    let labelled = |value: i32, origin| {
        let lacks = match origin {
            Origin::Search(_) => plan.shift.of(board),
            Origin::Exact | Origin::Later => 0,
        };
        Labelled {
            board,
            value: (value + lacks).clamp(-6400, 6400) as i16,
            origin,
            held_out,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::classic::Classic;
    use othello::notation::parse_transcript;

    fn source(game: Game, values: Vec<Option<(i16, Origin)>>) -> Source {
        Source {
            game,
            proven: None,
            held_out: false,
            values,
        }
    }

    /// A game of random moves to its end, with every placement valued by `value`.
    fn valued(seed: u64, value: impl Fn(Side) -> (i16, Origin)) -> (Source, bool) {
        let mut random = SplitMix64::new(seed);
        let mut game = Game::from_position(Position::START);
        let (mut values, mut has_pass) = (Vec::new(), false);
        while !game.is_over() {
            let Position { board, side } = game.position();
            let legal = board.legal_moves();
            let at = random.below(legal.len().max(1)) as usize;
            if let Some(square) = legal.into_iter().nth(at) {
                values.push(Some(value(side)));
                game.place(square).unwrap();
            } else {
                has_pass = true;
                game.play(Move::Pass).unwrap();
            }
        }
        (source(game, values), has_pass)
    }

    fn mixed(source: &Source, lambda: f64) -> Vec<Option<(i16, Origin)>> {
        recorded_values(source, &positions_of(&source.game), lambda)
    }

    #[test]
    fn players_who_agree_stay_as_they_are() {
        let value = |side| match side {
            Side::Black => (700, Origin::Search(6)),
            Side::White => (-700, Origin::Search(6)),
        };
        let mut n_with_pass = 0;
        for seed in 0..40 {
            let (source, has_pass) = valued(seed, value);
            n_with_pass += u32::from(has_pass);
            assert_eq!(mixed(&source, 0.7), source.values, "seed {seed}");
        }
        assert!(n_with_pass > 0);
    }

    #[test]
    fn searched_values_are_shifted_and_proven_ones_are_not() {
        let plan = Plan {
            empties: 0..=60,
            deviation: 0.0,
            exact_empties: 0,
            depth: 0,
            share: 1.0,
            from_later: false,
            recorded: None,
            shift: Shift {
                odd: 130,
                even: -40,
            },
            seed: 1,
        };
        let mut engine = Engine::new(Classic::default(), 1, 1).unwrap();
        let mut value_of = |transcript: &str, known| {
            let board = parse_transcript(transcript).unwrap().position().board;
            label(&mut engine, board, Some(known), false, &plan)
                .unwrap()
                .value
        };
        assert_eq!(value_of("f5", (200, Origin::Search(6))), 330);
        assert_eq!(value_of("f5d6", (200, Origin::Search(6))), 160);
        assert_eq!(value_of("f5", (6390, Origin::Search(6))), 6400);
        assert_eq!(value_of("f5", (200, Origin::Exact)), 200);
        assert_eq!(value_of("f5", (200, Origin::Later)), 200);
    }

    #[test]
    fn a_value_takes_its_share_of_the_next_one() {
        let searched = |value| Some((value, Origin::Search(6)));
        let game = parse_transcript("f5d6c3d3c4").unwrap();
        let values = vec![
            searched(100),
            None,
            searched(-40),
            searched(300),
            Some((200, Origin::Exact)),
        ];
        let source = source(game, values);
        assert_eq!(mixed(&source, 0.0), source.values);
        // The last but one takes half of −200, the one before it half of what that becomes;
        // nothing reaches over the move that no search chose.
        let expected = vec![
            searched(100),
            None,
            searched(-45),
            searched(50),
            Some((200, Origin::Exact)),
        ];
        assert_eq!(mixed(&source, 0.5), expected);
    }
}
