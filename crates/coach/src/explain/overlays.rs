//! What can be drawn over a board: heat, regions, arrows, previews. Pure counting, no search.

use super::events::REGION_MAX;
use super::features::{Features, board_of};
use othello::{Bitboard, Board, Position, Side, Square};

/// With more legal moves than this only the most promising ones are looked at.
const CANDIDATES_MAX: usize = 10;

/// What a move flips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovePreview {
    pub square: Square,
    /// The discs that it turns.
    pub flips: Bitboard,
}

/// How many moves the mover has after a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MobilityHeat {
    pub square: Square,
    /// The mover's moves after it, as if it were its turn again.
    pub mobility: u32,
    pub replies: u32,
    /// From 0, the least mobility of the moves shown, to 1, the most; 1 if all are equal.
    pub intensity: f64,
}

/// A region of empty squares and who would move last in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParityRegion {
    pub squares: Bitboard,
    /// Whether their number is odd.
    pub odd: bool,
    /// Who can hope to play last in it.
    pub controller: Side,
    /// Squares of an odd region where the side to move can enter now: the region's parity is
    /// decided by who does.
    pub must_move_soon: Bitboard,
}

/// How likely a disc keeps its colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StabilityHeat {
    pub square: Square,
    /// 1 for a disc that provably can never be flipped; otherwise 0.2 for each of its four lines
    /// along which it cannot be flipped as things stand: an estimate.
    pub permanence: f64,
}

/// What a move does to a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tension {
    /// The side can take it after the move and could not before.
    Opens,
    /// The side could have taken it and cannot after the move.
    Closes,
}

/// A move that opens or closes a corner within two plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CornerArrow {
    pub from: Square,
    pub corner: Square,
    /// For whom, if it were that side's turn before and after the move.
    pub side: Side,
    pub tension: Tension,
}

/// Everything to draw over a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlays {
    /// Whether only some of the legal moves were looked at: label it "approximate".
    pub approximate: bool,
    /// What each legal move flips; always all of them.
    pub previews: Vec<MovePreview>,
    /// Mobility after each move.
    pub mobility: Vec<MobilityHeat>,
    pub parity: Vec<ParityRegion>,
    pub stability: Vec<StabilityHeat>,
    /// Moves that open or close corners.
    pub corners: Vec<CornerArrow>,
}

impl Overlays {
    /// Counts everything for a position.
    pub fn of(position: Position) -> Self {
        let board = position.board;
        let previews: Vec<MovePreview> = board
            .legal_moves()
            .into_iter()
            .map(|square| MovePreview {
                square,
                flips: board.flips(square),
            })
            .collect();
        let approximate = previews.len() > CANDIDATES_MAX;
        let candidates = most_promising(board, &previews);
        Self {
            approximate,
            mobility: mobility(board, &candidates),
            corners: corners(position, &candidates),
            parity: parity(position),
            stability: stability(position),
            previews,
        }
    }
}

fn after(board: Board, preview: &MovePreview) -> Board {
    board.play_unchecked(preview.square, preview.flips)
}

/// Corners first, then the fewest replies; at most [`CANDIDATES_MAX`], in the order of the board.
fn most_promising(board: Board, previews: &[MovePreview]) -> Vec<MovePreview> {
    let mut ordered = previews.to_vec();
    ordered.sort_by_cached_key(|preview| {
        let corner = Bitboard::CORNERS.contains(preview.square);
        (!corner, after(board, preview).mobility())
    });
    ordered.truncate(CANDIDATES_MAX);
    ordered.sort_by_key(|preview| preview.square);
    ordered
}

fn mobility(board: Board, candidates: &[MovePreview]) -> Vec<MobilityHeat> {
    let counted: Vec<(Square, u32, u32)> = candidates
        .iter()
        .map(|preview| {
            let next = after(board, preview);
            (preview.square, next.swapped().mobility(), next.mobility())
        })
        .collect();
    let least = counted.iter().map(|&(_, own, _)| own).min().unwrap_or(0);
    let most = counted.iter().map(|&(_, own, _)| own).max().unwrap_or(0);
    let intensity = |own: u32| match most - least {
        0 => 1.0,
        range => f64::from(own - least) / f64::from(range),
    };
    counted
        .into_iter()
        .map(|(square, mobility, replies)| MobilityHeat {
            square,
            mobility,
            replies,
            intensity: intensity(mobility),
        })
        .collect()
}

/// Regions that are small enough for their parity to decide who plays last in them.
fn parity(position: Position) -> Vec<ParityRegion> {
    let legal = position.board.legal_moves();
    let regions = Features::of(position).regions;
    regions
        .into_iter()
        .filter(|region| region.squares.len() <= REGION_MAX)
        .map(|region| ParityRegion {
            squares: region.squares,
            odd: region.is_odd(),
            controller: region.controller,
            must_move_soon: if region.is_odd() {
                region.squares & legal
            } else {
                Bitboard::EMPTY
            },
        })
        .collect()
}

fn stability(position: Position) -> Vec<StabilityHeat> {
    let mut heat = Vec::new();
    for side in Side::BOTH {
        let board = board_of(position, side);
        let stable = board.stable_discs();
        for square in board.mover() {
            let permanence = if stable.contains(square) {
                1.0
            } else {
                0.2 * f64::from(safe_lines(board, square))
            };
            heat.push(StabilityHeat { square, permanence });
        }
    }
    heat.sort_by_key(|disc| disc.square);
    heat
}

/// Lines along which a disc of the mover cannot be flipped by the opponent's next move: of the two
/// ends that its run of own discs has on the line, one is empty and the other an opponent's disc
/// wherever it can be.
fn safe_lines(board: Board, square: Square) -> u32 {
    const AXES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let safe = |&(file, rank): &(i8, i8)| {
        let ends = [
            run_end(board, square, file, rank),
            run_end(board, square, -file, -rank),
        ];
        let [one, other] = ends;
        !matches!(
            (one, other),
            (RunEnd::Empty, RunEnd::Opponent) | (RunEnd::Opponent, RunEnd::Empty)
        )
    };
    AXES.iter().filter(|axis| safe(axis)).count() as u32
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunEnd {
    Border,
    Empty,
    Opponent,
}

/// What stands behind the run of the mover's discs in one direction.
fn run_end(board: Board, square: Square, file_step: i8, rank_step: i8) -> RunEnd {
    let mut at = square;
    loop {
        let file = at.file().checked_add_signed(file_step);
        let rank = at.rank().checked_add_signed(rank_step);
        let next = file
            .zip(rank)
            .and_then(|(file, rank)| Square::at(file, rank));
        match next {
            None => return RunEnd::Border,
            Some(next) if board.mover().contains(next) => at = next,
            Some(next) if board.opponent().contains(next) => return RunEnd::Opponent,
            Some(_) => return RunEnd::Empty,
        }
    }
}

fn corners(position: Position, candidates: &[MovePreview]) -> Vec<CornerArrow> {
    let mut arrows = Vec::new();
    let open = |board: Board| board.legal_moves() & Bitboard::CORNERS;
    for preview in candidates {
        let next = after(position.board, preview);
        let sides = [
            (position.side, position.board, next.swapped()),
            (position.side.other(), position.board.swapped(), next),
        ];
        for (side, before, after) in sides {
            // A corner that the move itself takes is neither opened nor closed.
            let taken = preview.square.bit();
            let (was, is) = (open(before) - taken, open(after));
            let mut push = |corners: Bitboard, tension| {
                arrows.extend(corners.into_iter().map(|corner| CornerArrow {
                    from: preview.square,
                    corner,
                    side,
                    tension,
                }));
            };
            push(is - was, Tension::Opens);
            push(was - is, Tension::Closes);
        }
    }
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::random_boards;

    fn positions(n: usize) -> impl Iterator<Item = Position> {
        random_boards(31).take(n).map(|board| Position {
            board,
            side: Side::White,
        })
    }

    #[test]
    fn many_moves_make_overlays_approximate_and_few_do_not() {
        let mut seen = [0; 2];
        for position in positions(3_000) {
            let overlays = Overlays::of(position);
            let n_legal = position.board.mobility() as usize;
            assert_eq!(overlays.previews.len(), n_legal);
            assert_eq!(overlays.approximate, n_legal > 10);
            assert_eq!(overlays.mobility.len(), n_legal.min(10));
            seen[usize::from(overlays.approximate)] += 1;
            let taken = position.board.legal_moves() & Bitboard::CORNERS;
            let shown: Bitboard = overlays.mobility.iter().map(|heat| heat.square).collect();
            assert!(taken.is_subset(shown), "corners are never left out");
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn heat_is_normalised_for_each_position() {
        for position in positions(1_000) {
            let heat = Overlays::of(position).mobility;
            assert!(heat.iter().all(|h| (0.0..=1.0).contains(&h.intensity)));
            let most = heat.iter().max_by_key(|h| h.mobility);
            assert!(most.is_none_or(|h| (h.intensity - 1.0).abs() < 1e-9));
        }
    }

    #[test]
    fn small_regions_are_all_there_and_only_odd_ones_are_urgent() {
        for position in positions(1_000) {
            let regions = Overlays::of(position).parity;
            let all = regions
                .iter()
                .fold(Bitboard::EMPTY, |all, region| all | region.squares);
            let small = position.board.regions().map(|region| region.squares());
            let small = small.filter(|squares| squares.len() <= REGION_MAX);
            let expected = small.fold(Bitboard::EMPTY, |all, squares| all | squares);
            assert_eq!(all, expected);
            for region in regions {
                assert_eq!(region.odd, region.squares.len() % 2 == 1);
                assert!(region.odd || region.must_move_soon.is_empty());
                let legal = position.board.legal_moves();
                assert!(region.must_move_soon.is_subset(region.squares & legal));
            }
        }
    }

    #[test]
    fn only_what_can_be_flipped_next_is_called_flippable() {
        for position in positions(2_000) {
            let heat = Overlays::of(position).stability;
            assert_eq!(heat.len() as u32, position.board.occupied().len());
            for side in Side::BOTH {
                // What one move of the opponent can flip.
                let opponent = board_of(position, side.other());
                let endangered = opponent
                    .legal_moves()
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, square| all | opponent.flips(square));
                for disc in heat
                    .iter()
                    .filter(|disc| board_of(position, side).mover().contains(disc.square))
                {
                    let flippable = disc.permanence < 0.79;
                    assert_eq!(flippable, endangered.contains(disc.square), "{position}");
                }
            }
        }
    }

    #[test]
    fn arrows_say_what_a_move_changes() {
        let mut n_arrows = 0;
        for position in positions(2_000) {
            for arrow in Overlays::of(position).corners {
                n_arrows += 1;
                let next = position.play(arrow.from).unwrap();
                let can =
                    |p: Position| board_of(p, arrow.side).legal_moves().contains(arrow.corner);
                let expected = match arrow.tension {
                    Tension::Opens => (false, true),
                    Tension::Closes => (true, false),
                };
                assert_eq!((can(position), can(next)), expected);
            }
        }
        assert!(n_arrows > 1_000);
    }
}
