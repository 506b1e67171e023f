//! What players do on purpose with an edge, a pair of squares, a region or two corners.

use super::{
    candidate::Candidate,
    claim::{Claim, Pair},
    compare::{Duel, Found},
    concepts::{EDGES, is_balanced, open_c, open_corners},
    events::{EVENT_PLIES, REGION_MAX, corners_taken, keeps, reaches},
    features::{board_of, endangered_corner},
};
use crate::Area;
use othello::{Bitboard, Move, Position, Side, Square, SquareKind};

/// Fewer discs on an edge that the opponent keeps for good are no sacrifice of that edge.
const SACRIFICE_DISCS: i32 = 3;
/// Fewer moves gained for them are no reason to give it up.
const SACRIFICE_MOVES: i32 = 4;

impl Duel<'_> {
    /// What players do with an edge, a pair of squares or two corners.
    pub(super) fn manoeuvres(&self, found: &mut Vec<Found>) {
        let (this, that, mover) = (self.this, self.that, self.mover);
        let own = |line: &Candidate| board_of(line.after(), mover);
        let mut push = |claim, squares, line, weight| {
            found.push(Found {
                claim,
                squares,
                line,
                weight,
            });
        };
        for edge in EDGES {
            let is_new = is_balanced(own(this), edge)
                && !is_balanced(self.root.board, edge)
                && !is_balanced(own(that), edge);
            if is_new {
                let discs = edge.squares() - Bitboard::CORNERS;
                push(Claim::BalancesEdge { edge }, discs, self.this_line(1), 200);
            }
        }
        if let Some((edge, again)) = self.edge_tempo() {
            let line = self.this_line(1);
            push(
                Claim::EdgeTempo { edge, again },
                this.square.bit(),
                line,
                180,
            );
        }
        if let Some(region) = self.pair_won(this)
            && self.pair_won(that).is_none()
            && !this.played_by(mover.other(), usize::MAX).intersects(region)
        {
            push(Claim::Swindle { region }, region, self.this_line(1), 420);
        }
        if let Some((given, taken, plies)) = self.corner_swap() {
            let is_trap = self.is_stoner_trap(given, taken);
            push(
                Claim::CornerSwap {
                    given,
                    taken,
                    is_trap,
                },
                given.bit() | taken.bit(),
                self.this_line(plies),
                560,
            );
        }
        if let Some((claim, squares, plies)) = self.edge_sacrifice() {
            push(claim, squares, self.this_line(plies), 430);
        }
        self.last_in_region(found);
    }

    /// The edge that the opponent gets on this line, and what the mover has for it: more moves in
    /// comparison with the opponent than on that line.
    fn edge_sacrifice(&self) -> Option<(Claim, Bitboard, usize)> {
        let (plies, here, there) = self.ends()?;
        let opponent = self.mover.other();
        let kept = |position: Position, edge: Area| {
            board_of(position, opponent).stable_discs() & edge.squares()
        };
        let discs_of = |edge: Area| Pair {
            this: kept(here, edge).len() as i32,
            that: kept(there, edge).len() as i32,
        };
        let edge = EDGES.into_iter().max_by_key(|&it| discs_of(it).lead())?;
        let discs = discs_of(edge);
        let moves = |side: Side| Pair {
            this: board_of(here, side).mobility() as i32,
            that: board_of(there, side).mobility() as i32,
        };
        let (own, theirs) = (moves(self.mover), moves(opponent));
        let is_paid = own.lead() - theirs.lead() >= SACRIFICE_MOVES && own.this > theirs.this;
        // What the opponent could take before, or gets in the end anyway, is not given up.
        let could = open_corners(self.root.board.swapped()).intersects(edge.squares());
        let owned = |line: &Candidate| (line.end().discs(opponent) & edge.squares()).len() as i32;
        let is_given = !could && owned(self.this) - owned(self.that) >= SACRIFICE_DISCS;
        (discs.lead() >= SACRIFICE_DISCS && is_given && is_paid).then(|| {
            let claim = Claim::EdgeSacrifice {
                plies,
                edge,
                discs,
                own,
                theirs,
            };
            (claim, kept(here, edge), plies)
        })
    }

    /// The edge on which this move gains a move: the opponent cannot answer there.
    fn edge_tempo(&self) -> Option<(Area, bool)> {
        let square = self.this.square;
        let after = self.this.after();
        let is_beside_corner = endangered_corner(square)
            .is_some_and(|corner| self.root.board.empties().contains(corner));
        let is_edge = |square: Square| Bitboard::EDGES.contains(square);
        let is_plain = is_edge(square) && !Bitboard::CORNERS.contains(square);
        if !is_plain || is_beside_corner || is_edge(self.that.square) || after.board.must_pass() {
            return None;
        }
        let edge = EDGES
            .into_iter()
            .find(|edge| edge.squares().contains(square))?;
        let squares = edge.squares();
        let can = |side| board_of(after, side).legal_moves().intersects(squares);
        let is_open = after.board.empties().intersects(squares);
        (is_open && !can(self.mover.other())).then(|| (edge, can(self.mover)))
    }

    /// The region of two squares of which a move takes one and the mover alone can take the other.
    fn pair_won(&self, line: &Candidate) -> Option<Bitboard> {
        let mut regions = self.root.board.regions().map(|region| region.squares());
        let pair = regions.find(|it| it.len() == 2 && it.contains(line.square))?;
        let rest = pair - line.square.bit();
        let after = line.after();
        let can = |side| board_of(after, side).legal_moves().intersects(rest);
        (!after.board.is_game_over() && can(self.mover) && !can(self.mover.other())).then_some(pair)
    }

    /// A corner that the opponent takes on this line, one that the mover takes there, and the plies that
    /// show both.
    fn corner_swap(&self) -> Option<(Square, Square, usize)> {
        let (given, first) = corners_taken(self.this, self.mover.other())
            .into_iter()
            .next()?;
        let (taken, second) = corners_taken(self.this, self.mover).into_iter().next()?;
        let plies = first.max(second);
        let is_new = corners_taken(self.that, self.mover).is_empty()
            && reaches(self.that, plies)
            && second > 1
            && !open_corners(self.root.board.swapped()).contains(given)
            && !keeps(self.that, self.mover, taken);
        is_new.then_some((given, taken, plies))
    }

    fn is_stoner_trap(&self, given: Square, taken: Square) -> bool {
        let square = self.this.square;
        let is_x = square.kind() == SquareKind::X && square.nearest_corner() == given;
        let theirs = self.root.board.swapped();
        let is_five = |edge: &Area| {
            let has_both = edge.squares().contains(given) && edge.squares().contains(taken);
            has_both
                && open_c(theirs, *edge).is_some_and(|open| given.bit().dilated().contains(open))
        };
        is_x && EDGES.iter().any(is_five)
    }

    /// Regions that the mover fills last on this line, and the opponent on that one.
    fn last_in_region(&self, found: &mut Vec<Found>) {
        if !(self.this.is_complete() && self.that.is_complete()) {
            return;
        }
        let last = |line: &Candidate, region: Bitboard| {
            if line.end().board.empties().intersects(region) {
                return None;
            }
            let inside = |action: &Move| action.square().is_some_and(|it| region.contains(it));
            let ply = line.moves.iter().rposition(inside)?;
            Some((line.position_after(ply).side, ply + 1))
        };
        for region in self.root.board.regions().map(|region| region.squares()) {
            let (Some((here, plies)), Some((there, _))) =
                (last(self.this, region), last(self.that, region))
            else {
                continue;
            };
            // The parity of a region that neither move enters is decided elsewhere.
            let is_entered = region.contains(self.this.square) || region.contains(self.that.square);
            let is_won = here == self.mover && there != self.mover;
            if (2..=REGION_MAX).contains(&region.len()) && is_entered && is_won {
                found.push(Found {
                    claim: Claim::LastInRegion { region },
                    squares: region,
                    line: self.this_line(plies),
                    weight: if plies <= EVENT_PLIES { 320 } else { 140 },
                });
            }
        }
    }
}
