//! Opponents with the weaknesses that people have.
//!
//! A person searches like every level: the true scores are what they are. Then the person looks at
//! the moves as people do. Some moves look better than they are (many discs, an edge, a step next
//! to a corner), some are judged without the reply that spoils them, some are not looked at; what
//! remains is chosen with more or less care. Every weakness is a number, so that they mix.

use super::{Kind, Manner, Profile};
use crate::{Line, Report};
use othello::{Bitboard, Board, Move, Square, SquareKind, sample::SplitMix64};

/// What makes a person weak. Temptations say how many discs better than it is a move looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mind {
    /// How much of what it found counts, from 0 (plays by looks) to 1.
    pub trust: f64,
    /// For each disc that the move turns.
    pub discs: f64,
    /// For a move on the edge that is no corner.
    pub edges: f64,
    pub corners: f64,
    /// For a move diagonally next to an empty corner; half of it for one on the edge next to it.
    pub steps: f64,
    /// How often it overlooks what is wrong with a move.
    pub oversight: f64,
    /// How many moves it looks at: those that catch its eye.
    pub attention: usize,
    /// How many of the best moves it chooses among; strong players do not think of the others.
    pub candidates: usize,
    /// For a move into a region with an even number of empty squares where there is one into an
    /// odd region, among the last [`PARITY_EMPTIES`]: who gets the last move there it does not see.
    pub parity: f64,
    /// How freely it chooses among what looks alike, in discs, as [`super::Jitter::temperature`].
    pub temperature: f64,
    /// What is added to the temperature when the last square is left to fill, growing from
    /// nothing at [`FADE_EMPTIES`] empty squares.
    pub fade: f64,
    /// Never plays what its search found so many discs worse than the best, or more.
    pub worst: f64,
}

/// From so many empty squares on parity means something to those who see it.
pub const PARITY_EMPTIES: u32 = 20;

/// From so many empty squares on some lose the thread.
pub const FADE_EMPTIES: u32 = 20;

/// Nothing is too bad to be played.
const ANYTHING: f64 = 128.0;

const EVERY_MOVE: usize = super::ALL_MOVES;

/// A mind without a weakness.
const CLEAR: Mind = Mind {
    trust: 1.0,
    discs: 0.0,
    edges: 0.0,
    corners: 0.0,
    steps: 0.0,
    oversight: 0.0,
    attention: EVERY_MOVE,
    candidates: EVERY_MOVE,
    parity: 0.0,
    temperature: 0.0,
    fade: 0.0,
    worst: ANYTHING,
};

const fn person(name: &'static str, depth: u32, exact_empties: u32, mind: Mind) -> Profile {
    Profile {
        name,
        kind: Kind::Opponent,
        depth: Some(depth),
        time_ms: 1000,
        exact_empties,
        manner: Manner::Person(mind),
    }
}

/// The opponents, weakest first. Each has one weakness of its own and a little of its neighbours';
/// docs/LEVELS.md has what they are worth, as measured.
pub const OPPONENTS: [Profile; 13] = [
    person(
        "first_day",
        1,
        0,
        Mind {
            trust: 0.4,
            discs: 0.4,
            edges: 0.3,
            corners: 4.0,
            temperature: 3.0,
            fade: 25.0,
            ..CLEAR
        },
    ),
    person(
        "collector",
        1,
        0,
        Mind {
            trust: 0.16,
            discs: 0.6,
            edges: 1.0,
            corners: 5.0,
            temperature: 1.4,
            ..CLEAR
        },
    ),
    person(
        "edge_fan",
        1,
        0,
        Mind {
            trust: 0.3,
            discs: 0.2,
            edges: 3.5,
            corners: 6.0,
            temperature: 1.2,
            ..CLEAR
        },
    ),
    person(
        "stepper",
        2,
        0,
        Mind {
            trust: 0.45,
            discs: 0.2,
            edges: 1.5,
            corners: 4.0,
            steps: 3.0,
            temperature: 1.5,
            ..CLEAR
        },
    ),
    person(
        "hasty",
        2,
        0,
        Mind {
            edges: 0.3,
            corners: 2.0,
            oversight: 0.035,
            temperature: 0.8,
            ..CLEAR
        },
    ),
    person(
        "spotlight",
        2,
        0,
        Mind {
            trust: 0.9,
            edges: 0.5,
            corners: 2.0,
            oversight: 0.01,
            attention: 4,
            temperature: 1.1,
            worst: 10.0,
            ..CLEAR
        },
    ),
    person(
        "fader",
        3,
        0,
        Mind {
            temperature: 1.1,
            fade: 7.0,
            worst: 8.0,
            ..CLEAR
        },
    ),
    person(
        "club",
        4,
        0,
        Mind {
            parity: 5.0,
            temperature: 0.9,
            worst: 6.0,
            ..CLEAR
        },
    ),
    person(
        "tournament",
        5,
        0,
        Mind {
            parity: 1.0,
            temperature: 0.6,
            worst: 4.0,
            candidates: 8,
            ..CLEAR
        },
    ),
    person(
        "expert",
        6,
        10,
        Mind {
            temperature: 0.6,
            worst: 3.0,
            candidates: 6,
            ..CLEAR
        },
    ),
    person(
        "master",
        8,
        12,
        Mind {
            temperature: 0.35,
            worst: 2.5,
            candidates: 5,
            ..CLEAR
        },
    ),
    person(
        "champion",
        10,
        16,
        Mind {
            temperature: 0.1,
            worst: 2.0,
            candidates: 3,
            ..CLEAR
        },
    ),
    Profile {
        name: "full",
        kind: Kind::Opponent,
        depth: None,
        time_ms: 4000,
        exact_empties: 18,
        manner: Manner::BEST,
    },
];

/// A move as a person sees it.
struct Seen<'a> {
    line: &'a Line,
    /// By how many discs the search found it worse than the best.
    loss: f64,
    /// How many discs better than that it looks.
    lure: f64,
}

impl Mind {
    /// The move that the person plays; `None` if the report has none.
    pub(super) fn choose(
        &self,
        board: Board,
        report: &Report,
        random: &mut SplitMix64,
    ) -> Option<Move> {
        let mut seen = self.see(board, report);
        seen.truncate(self.candidates.max(1));
        seen.retain(|it| it.loss < self.worst);
        // The eye falls on moves that look good, whatever the search says.
        let mut seen: Vec<(f64, Seen<'_>)> = seen
            .into_iter()
            .map(|it| (it.lure + gumbel(random), it))
            .collect();
        seen.sort_by(|one, other| other.0.total_cmp(&one.0));
        seen.truncate(self.attention.max(1));
        let temperature = self.temperature_at(board.empties().len());
        let worth = |it: &Seen<'_>, random: &mut SplitMix64| {
            let is_overlooked = random.unit_f64() < self.oversight;
            let loss = if is_overlooked { 0.0 } else { it.loss };
            it.lure - self.trust * loss + temperature * gumbel(random)
        };
        let judged = seen.iter().map(|(_, it)| (worth(it, random), it.line));
        let (_, line) = judged.max_by(|one, other| one.0.total_cmp(&other.0))?;
        line.moves.first().copied()
    }

    fn see<'a>(&self, board: Board, report: &'a Report) -> Vec<Seen<'a>> {
        let best = super::best_score(&report.lines);
        let has_odd = self.parity > 0.0 && enters_odd_region(board);
        let see = |line: &'a Line| {
            let loss = f64::from(best - line.score) / 100.0;
            let square = line.moves.first().and_then(|action| action.square());
            let lure = square.map_or(0.0, |square| self.lure(board, square, has_odd));
            Seen { line, loss, lure }
        };
        report.lines.iter().map(see).collect()
    }

    /// What a move promises at first sight.
    fn lure(&self, board: Board, square: Square, has_odd: bool) -> f64 {
        let place = match square.kind() {
            SquareKind::Corner => self.corners,
            _ if Bitboard::EDGES.contains(square) => self.edges,
            _ => 0.0,
        };
        let is_open = board.empties().contains(square.nearest_corner());
        let step = match square.kind() {
            SquareKind::X if is_open => self.steps,
            SquareKind::C if is_open => self.steps / 2.0,
            _ => 0.0,
        };
        let is_blind = has_odd && !region_is_odd(board, square);
        let parity = if is_blind { self.parity } else { 0.0 };
        self.discs * f64::from(board.flips(square).len()) + place + step + parity
    }

    fn temperature_at(&self, n_empties: u32) -> f64 {
        let late = FADE_EMPTIES.saturating_sub(n_empties);
        self.temperature + self.fade * f64::from(late) / f64::from(FADE_EMPTIES)
    }
}

/// Whether parity means something here: near the end, with a move into an odd region.
fn enters_odd_region(board: Board) -> bool {
    board.empties().len() <= PARITY_EMPTIES
        && board
            .regions()
            .any(|region| region.is_odd() && region.squares().intersects(board.legal_moves()))
}

fn region_is_odd(board: Board, square: Square) -> bool {
    board
        .regions()
        .any(|region| region.is_odd() && region.squares().contains(square))
}

/// The greatest of values with such noise, times a temperature, is a softmax choice.
fn gumbel(random: &mut SplitMix64) -> f64 {
    // Never 0, of which there is no logarithm.
    let unit = (random.unit_f64() + f64::EPSILON).min(1.0 - f64::EPSILON);
    -(-unit.ln()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Selectivity, TableStats};
    use othello::sample::random_boards;

    /// A report on a board: its moves in their order, each a disc worse than the one before.
    fn report(board: Board) -> Report {
        report_in_steps(board, 100)
    }

    fn report_in_steps(board: Board, centidiscs: i32) -> Report {
        let lines: Vec<Line> = board
            .legal_moves()
            .into_iter()
            .enumerate()
            .map(|(at, square)| Line {
                score: -centidiscs * at as i32,
                bound: Bound::Exact,
                moves: vec![Move::Place(square)],
            })
            .collect();
        Report {
            score: 0,
            lines,
            bound: Bound::Exact,
            depth: 4,
            selectivity: Selectivity::FASTEST,
            solved: false,
            nodes: 1,
            time_ms: 0,
            cutoffs: 0,
            table: TableStats::default(),
        }
    }

    fn boards() -> impl Iterator<Item = Board> {
        random_boards(8).filter(|board| board.mobility() > 1)
    }

    fn minds() -> impl Iterator<Item = (Profile, Mind)> {
        OPPONENTS
            .into_iter()
            .filter_map(|level| match level.manner {
                Manner::Person(mind) => Some((level, mind)),
                _ => None,
            })
    }

    /// How often one of the moves that `is_wanted` names is chosen, over many boards and seeds.
    fn share(mind: &Mind, is_wanted: impl Fn(Board, Square) -> bool) -> f64 {
        let (mut wanted, mut all) = (0, 0);
        for (seed, board) in boards().take(4_000).enumerate() {
            let legal = board.legal_moves();
            let n_wanted = legal.into_iter().filter(|&it| is_wanted(board, it)).count();
            if n_wanted == 0 || n_wanted == legal.len() as usize {
                continue;
            }
            let mut random = SplitMix64::new(seed as u64);
            let chosen = mind.choose(board, &report(board), &mut random).unwrap();
            all += 1;
            wanted += u32::from(is_wanted(board, chosen.square().unwrap()));
        }
        assert!(all > 200, "{all} boards have a choice");
        f64::from(wanted) / f64::from(all)
    }

    #[test]
    fn choices_are_legal_and_replay_from_the_seed() {
        for (level, mind) in minds() {
            let mut differs = false;
            for (seed, board) in boards().take(300).enumerate() {
                let (one, other) = (seed as u64, seed as u64 + 1_000);
                let report = report_in_steps(board, 10);
                let choose = |seed| mind.choose(board, &report, &mut SplitMix64::new(seed));
                let chosen = choose(one).unwrap();
                assert!(board.legal_moves().contains(chosen.square().unwrap()));
                assert_eq!(choose(one), Some(chosen));
                differs |= choose(other) != Some(chosen);
            }
            assert!(differs, "{} has chance", level.name);
        }
    }

    #[test]
    fn the_stronger_half_never_throws_a_game_away() {
        for (level, mind) in minds().skip(OPPONENTS.len() / 2) {
            assert!(mind.worst <= 8.0, "{}", level.name);
            for (seed, board) in boards().take(3_000).enumerate() {
                let report = report(board);
                let mut random = SplitMix64::new(seed as u64);
                let chosen = mind.choose(board, &report, &mut random).unwrap();
                let at = report.lines.iter().position(|it| it.moves[0] == chosen);
                assert!((at.unwrap() as f64) < mind.worst, "{}", level.name);
            }
        }
    }

    #[test]
    fn temptations_tempt() {
        let plain = Mind {
            temperature: 1.0,
            ..CLEAR
        };
        let is_edge = |_: Board, square| {
            Bitboard::EDGES.contains(square) && !Bitboard::CORNERS.contains(square)
        };
        let is_corner = |_: Board, square| Bitboard::CORNERS.contains(square);
        let is_step = |board: Board, square: Square| {
            square.kind() == SquareKind::X && board.empties().contains(square.nearest_corner())
        };
        let is_greedy = |board: Board, square| {
            let most = board
                .legal_moves()
                .into_iter()
                .map(|it| board.flips(it).len());
            Some(board.flips(square).len()) == most.max()
        };
        let is_blind =
            |board: Board, square| enters_odd_region(board) && !region_is_odd(board, square);
        type Weakness<'a> = (&'a str, Mind, &'a dyn Fn(Board, Square) -> bool);
        let weaknesses: [Weakness<'_>; 5] = [
            (
                "edges",
                Mind {
                    edges: 4.0,
                    ..plain
                },
                &is_edge,
            ),
            (
                "corners",
                Mind {
                    corners: 4.0,
                    ..plain
                },
                &is_corner,
            ),
            (
                "steps",
                Mind {
                    steps: 4.0,
                    ..plain
                },
                &is_step,
            ),
            (
                "discs",
                Mind {
                    discs: 2.0,
                    ..plain
                },
                &is_greedy,
            ),
            (
                "parity",
                Mind {
                    parity: 4.0,
                    ..plain
                },
                &is_blind,
            ),
        ];
        for (name, weak, is_wanted) in weaknesses {
            let (without, with) = (share(&plain, is_wanted), share(&weak, is_wanted));
            assert!(with > without + 0.15, "{name}: {without} becomes {with}");
        }
    }

    #[test]
    fn oversight_attention_and_fading() {
        // The best move is the first in the order of squares.
        let is_best = |board: Board, square| board.legal_moves().first() == Some(square);
        assert!((share(&CLEAR, is_best) - 1.0).abs() < 1e-9);
        let hasty = Mind {
            oversight: 0.5,
            ..CLEAR
        };
        assert!(share(&hasty, is_best) < 0.8);
        let narrow = Mind {
            attention: 2,
            ..CLEAR
        };
        assert!(share(&narrow, is_best) < 0.7);
        let fading = Mind {
            fade: 20.0,
            ..CLEAR
        };
        let is_late = |board: Board| board.empties().len() < 10;
        let late = share(&fading, |board, square| {
            is_late(board) && is_best(board, square)
        });
        assert!(late < 0.8, "{late}");
        let early = share(&fading, |board, square| {
            !is_late(board) && is_best(board, square)
        });
        assert!(early > late);
        assert!((fading.temperature_at(FADE_EMPTIES)).abs() < 1e-9);
        assert!((fading.temperature_at(0) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn a_pass_is_a_pass() {
        let mut pass = report(Board::START);
        pass.lines.truncate(1);
        pass.lines[0].moves.insert(0, Move::Pass);
        for (_, mind) in minds() {
            let mut random = SplitMix64::new(3);
            assert_eq!(
                mind.choose(Board::START, &pass, &mut random),
                Some(Move::Pass)
            );
        }
    }
}
