//! What players count, for both sides of a position.

use othello::{Bitboard, Board, Position, Side, Square, SquareKind};
use std::{collections::HashMap, sync::Arc};

/// How much a unit of each feature counts when reasons are ranked, in centidiscs. The weights
/// explain moves; they do not drive the search.
pub mod weights {
    /// A legal move more than the other side.
    pub const MOBILITY: i32 = 80;
    /// A disc of the other side that touches an empty square.
    pub const POTENTIAL_MOBILITY: i32 = 20;
    /// A corner more than the other side.
    pub const CORNER: i32 = 900;
    /// A disc of full risk beside an empty corner.
    pub const X_C_RISK: i32 = -140;
    /// An own disc that touches an empty square.
    pub const FRONTIER: i32 = -18;
    /// A disc more than the other side, once the board is full.
    pub const DISC: i32 = 2;
    /// An odd region under control.
    pub const PARITY: i32 = 40;
    /// A disc that can never be flipped.
    pub const STABLE: i32 = 25;
    /// The largest of them: what weights are divided by when reasons are ranked.
    pub const MAX: i32 = CORNER;
}

/// What one side has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideFeatures {
    /// Legal moves, as if it were this side's turn.
    pub mobility: u32,
    /// Discs of the other side that touch an empty square: where moves may come from.
    pub potential_mobility: u32,
    /// Own discs that touch an empty square.
    pub frontier: u32,
    /// Own discs that provably can never be flipped.
    pub stable: u32,
    pub corners: u32,
    pub discs: u32,
    /// Odd regions that this side controls.
    pub parity: u32,
    /// Corners that this side can take within two plies: at once if it is its turn, else after at
    /// least one of the other side's moves.
    pub corner_access: Bitboard,
    /// Discs on X and C squares beside an empty corner, each by the share of its neighbours that
    /// are occupied, in hundredths.
    pub x_c_risk: u32,
}

/// A region of empty squares and who can hope to play last in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionFeature {
    /// Its squares, connected in any of the eight directions.
    pub squares: Bitboard,
    /// Who controls it: the only side that has a move there; else whoever plays last if both fill
    /// it in turn, which is the side to move in an odd region and the other in an even one.
    pub controller: Side,
}

impl RegionFeature {
    /// How many squares it has.
    pub const fn size(self) -> u32 {
        self.squares.len()
    }

    /// Whether that number is odd.
    pub const fn is_odd(self) -> bool {
        self.size() % 2 == 1
    }
}

/// All features of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features {
    /// Whose turn it is.
    pub to_move: Side,
    pub empties: u32,
    /// The empty regions, ordered by their lowest square.
    pub regions: Vec<RegionFeature>,
    sides: [SideFeatures; 2],
}

impl Features {
    /// Counts the features of a position.
    pub fn of(position: Position) -> Self {
        let regions = regions(position);
        let sides = Side::BOTH.map(|side| side_features(position, side, &regions));
        Self {
            to_move: position.side,
            empties: position.board.empties().len(),
            regions,
            sides,
        }
    }

    /// What one side has.
    pub const fn side(&self, side: Side) -> &SideFeatures {
        &self.sides[side.index()]
    }

    /// The weighted sum for one side in centidiscs: what the weights say by themselves.
    pub fn weighted(&self, side: Side) -> i32 {
        let (own, other) = (self.side(side), self.side(side.other()));
        let difference = |of: fn(&SideFeatures) -> u32| of(own) as i32 - of(other) as i32;
        let filled = 64 - self.empties as i32;
        weights::MOBILITY * difference(|s| s.mobility)
            + weights::POTENTIAL_MOBILITY * difference(|s| s.potential_mobility)
            + weights::CORNER * difference(|s| s.corners)
            + weights::X_C_RISK * difference(|s| s.x_c_risk) / 100
            + weights::FRONTIER * difference(|s| s.frontier)
            + weights::DISC * difference(|s| s.discs) * filled / 64
            + weights::PARITY * difference(|s| s.parity)
            + weights::STABLE * difference(|s| s.stable)
    }
}

/// How one side's features differ between two positions: those of one minus those of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SideDelta {
    pub mobility: i32,
    /// Discs of the other side that touch an empty square.
    pub potential_mobility: i32,
    /// Own discs that touch an empty square.
    pub frontier: i32,
    pub stable: i32,
    pub corners: i32,
    pub discs: i32,
    /// Odd regions under control.
    pub parity: i32,
    pub corner_access: i32,
    /// Risk on X and C squares, in hundredths.
    pub x_c_risk: i32,
}

impl SideFeatures {
    /// These features minus those of another position.
    pub fn minus(&self, other: &Self) -> SideDelta {
        let difference = |of: fn(&Self) -> u32| of(self) as i32 - of(other) as i32;
        SideDelta {
            mobility: difference(|s| s.mobility),
            potential_mobility: difference(|s| s.potential_mobility),
            frontier: difference(|s| s.frontier),
            stable: difference(|s| s.stable),
            corners: difference(|s| s.corners),
            discs: difference(|s| s.discs),
            parity: difference(|s| s.parity),
            corner_access: difference(|s| s.corner_access.len()),
            x_c_risk: difference(|s| s.x_c_risk),
        }
    }
}

/// Features already counted. Positions are compared whole, so that no collision of hashes can
/// lend one position the features of another.
#[derive(Debug, Default)]
pub struct FeatureCache {
    known: HashMap<Position, Arc<Features>>,
}

impl FeatureCache {
    /// A review of a long game with all its lines fits; beyond that, forgetting all is cheap.
    const CAPACITY: usize = 16_384;

    /// The features of a position, counted at most once as long as they are remembered.
    pub fn get(&mut self, position: Position) -> Arc<Features> {
        if let Some(features) = self.known.get(&position) {
            return Arc::clone(features);
        }
        if self.known.len() >= Self::CAPACITY {
            self.known.clear();
        }
        let features = Arc::new(Features::of(position));
        self.known.insert(position, Arc::clone(&features));
        features
    }
}

/// The board as one side sees it when it is its turn.
pub(crate) fn board_of(position: Position, side: Side) -> Board {
    if side == position.side {
        position.board
    } else {
        position.board.swapped()
    }
}

fn regions(position: Position) -> Vec<RegionFeature> {
    let moves = Side::BOTH.map(|side| board_of(position, side).legal_moves());
    let regions = position.board.regions();
    let feature = |squares: Bitboard| {
        let can_enter = moves.map(|moves| moves.intersects(squares));
        let by_parity = if squares.len() % 2 == 1 {
            position.side
        } else {
            position.side.other()
        };
        let controller = match can_enter {
            [true, false] => Side::Black,
            [false, true] => Side::White,
            _ => by_parity,
        };
        RegionFeature {
            squares,
            controller,
        }
    };
    regions.map(|region| feature(region.squares())).collect()
}

fn side_features(position: Position, side: Side, regions: &[RegionFeature]) -> SideFeatures {
    let board = board_of(position, side);
    SideFeatures {
        mobility: board.mobility(),
        potential_mobility: board.swapped().frontier().len(),
        frontier: board.frontier().len(),
        stable: board.stable_discs().len(),
        corners: (board.mover() & Bitboard::CORNERS).len(),
        discs: board.mover().len(),
        parity: regions
            .iter()
            .filter(|region| region.is_odd() && region.controller == side)
            .count() as u32,
        corner_access: corner_access(position, side),
        x_c_risk: x_c_risk(board),
    }
}

/// Corners that a side can take within two plies.
fn corner_access(position: Position, side: Side) -> Bitboard {
    let corners = |board: Board| board.legal_moves() & Bitboard::CORNERS;
    if side == position.side {
        return corners(position.board);
    }
    let legal = position.board.legal_moves();
    if legal.is_empty() {
        return corners(position.board.swapped());
    }
    legal.into_iter().fold(Bitboard::EMPTY, |found, square| {
        let next = position
            .board
            .play_unchecked(square, position.board.flips(square));
        found | corners(next)
    })
}

fn x_c_risk(board: Board) -> u32 {
    let beside = Bitboard::X_SQUARES | Bitboard::C_SQUARES;
    let endangered = |square: &Square| board.empties().contains(square.nearest_corner());
    (board.mover() & beside)
        .into_iter()
        .filter(endangered)
        .map(|square| {
            let around = square.bit().neighbours();
            100 * (around & board.occupied()).len() / around.len()
        })
        .sum()
}

/// The corner that a disc on this square endangers: for X and C squares.
pub(crate) fn endangered_corner(square: Square) -> Option<Square> {
    matches!(square.kind(), SquareKind::X | SquareKind::C).then(|| square.nearest_corner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::{Symmetry, sample::random_boards};

    #[test]
    fn the_start_position_is_even() {
        let features = Features::of(Position::START);
        let (black, white) = (features.side(Side::Black), features.side(Side::White));
        assert_eq!(black, white);
        assert_eq!((black.mobility, black.frontier), (4, 2));
        assert_eq!(features.weighted(Side::Black), 0);
        assert_eq!(features.regions.len(), 1);
        assert_eq!(features.regions[0].controller, Side::White);
    }

    #[test]
    fn features_do_not_depend_on_how_the_board_is_turned() {
        for (i, board) in random_boards(21).take(400).enumerate() {
            let position = Position {
                board,
                side: Side::BOTH[i % 2],
            };
            let features = Features::of(position);
            for symmetry in Symmetry::ALL {
                let image = Features::of(symmetry.position(position));
                for side in Side::BOTH {
                    let mut expected = *features.side(side);
                    expected.corner_access = symmetry.bitboard(expected.corner_access);
                    assert_eq!(*image.side(side), expected);
                    assert_eq!(image.weighted(side), features.weighted(side));
                }
            }
            let sum = features.weighted(Side::Black) + features.weighted(Side::White);
            // Two of the terms are rounded.
            assert!(sum.abs() <= 2, "{position} {sum}");
        }
    }

    #[test]
    fn a_corner_always_improves_the_weighted_sum() {
        for board in random_boards(22).filter(|b| !b.is_game_over()).take(2_000) {
            let position = Position {
                board,
                side: Side::Black,
            };
            for corner in board.legal_moves() & Bitboard::CORNERS {
                let before = Features::of(position);
                let after = Features::of(position.play(corner).unwrap());
                let gain = after.side(Side::Black).corners - before.side(Side::Black).corners;
                assert_eq!(gain, 1);
                assert!(after.side(Side::Black).stable > before.side(Side::Black).stable);
            }
        }
    }

    #[test]
    fn only_one_side_can_enter_means_that_it_controls() {
        let features = random_boards(23).take(3_000).flat_map(|board| {
            let position = Position {
                board,
                side: Side::White,
            };
            Features::of(position)
                .regions
                .into_iter()
                .map(move |region| (position, region))
        });
        let mut n_exclusive = 0;
        for (position, region) in features {
            let enters = |side| {
                board_of(position, side)
                    .legal_moves()
                    .intersects(region.squares)
            };
            match (enters(Side::Black), enters(Side::White)) {
                (true, false) => assert_eq!(region.controller, Side::Black),
                (false, true) => assert_eq!(region.controller, Side::White),
                _ => {
                    assert_eq!(region.controller == Side::White, region.is_odd());
                    continue;
                }
            }
            n_exclusive += 1;
        }
        assert!(n_exclusive > 100);
    }

    #[test]
    fn features_are_remembered() {
        let mut cache = FeatureCache::default();
        let first = cache.get(Position::START);
        assert!(Arc::ptr_eq(&first, &cache.get(Position::START)));
        assert_eq!(*first, Features::of(Position::START));
    }
}
