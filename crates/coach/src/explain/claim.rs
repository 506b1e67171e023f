//! What can be said about one move in comparison with another, as data and in words.

use crate::Area;
use game::{Reach, Score};
use othello::{Bitboard, Side, Square};
use std::fmt;

/// The same count after the move that a claim speaks for and after the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pair {
    /// After the move that the claim speaks for.
    pub this: i32,
    /// After the move that it is compared with.
    pub that: i32,
}

impl Pair {
    /// How much more it is after the move that the claim speaks for.
    pub const fn lead(self) -> i32 {
        self.this - self.that
    }
}

/// Where on the board, in words: a region's place by its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zone {
    TopLeft,
    Top,
    TopRight,
    Left,
    Centre,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
}

impl Zone {
    /// Where most of a set of squares lies.
    pub fn of(squares: Bitboard) -> Self {
        let third = |coordinate: fn(Square) -> u8| {
            let sum: u32 = squares.into_iter().map(|s| u32::from(coordinate(s))).sum();
            // Thirds of 0..=7, compared without division: mean < 7/3, mean > 14/3.
            match (3 * sum, squares.len()) {
                (low, n) if low < 7 * n => 0,
                (high, n) if high > 14 * n => 2,
                _ => 1,
            }
        };
        const ZONES: [[Zone; 3]; 3] = [
            [Zone::TopLeft, Zone::Top, Zone::TopRight],
            [Zone::Left, Zone::Centre, Zone::Right],
            [Zone::BottomLeft, Zone::Bottom, Zone::BottomRight],
        ];
        ZONES[third(Square::rank)][third(Square::file)]
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TopLeft => "top-left",
            Self::Top => "top",
            Self::TopRight => "top-right",
            Self::Left => "left",
            Self::Centre => "centre",
            Self::Right => "right",
            Self::BottomLeft => "bottom-left",
            Self::Bottom => "bottom",
            Self::BottomRight => "bottom-right",
        })
    }
}

/// What a reply does beside standing on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    /// It is on an edge, and the opponent has the discs from the first square to the last one there,
    /// three or more in a row, the reply among them; where the lines end, it still has all of them,
    /// and at least two of them are not its own after the better move.
    HoldsEdge { first: Square, last: Square },
    /// The mover cannot play on these squares any more, two to four of them, nor with its next turn; it
    /// could right after that move, and can after this move and its reply.
    TakesMoves { squares: Bitboard },
    /// It leaves the mover fewer moves than it has after this move and its reply, by two at least.
    LeavesMoves { moves: Pair },
    /// None of the discs that it flips touches an empty square.
    IsQuiet,
}

/// What becomes of the opponent's one strong reply to the worse move after the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// The opponent cannot play there right after the better move. `for_good`: nor has it the square
    /// where the better line ends.
    Shut { for_good: bool },
    /// The better move stands there.
    Taken,
    /// It would cost the opponent so many discs in comparison with its best reply there. The mover's
    /// best answer, if it cannot answer so after the worse move.
    Fails { discs: i32, answer: Option<Square> },
}

/// Something that is true of a move, *this*, and not of the one that it is compared with, *that*.
///
/// Counts of moves that belong to the side which is not to move are made as if it were its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Fact: nothing else is legal.
    OnlyMove { square: Square },
    /// Fact: with best play to the end, proven, the game ends with these disc differences for the
    /// side to move.
    EndsBetter { discs: Pair, that: Square },
    /// Fact: this move takes a corner, that move does not, nor has the mover the corner where that line
    /// ends.
    TakesCorner { corner: Square },
    /// Fact: whatever the reply, the corner can be taken next; after that move it cannot.
    SecuresCorner { corner: Square },
    /// Fact: that move is on the X square of an empty corner and lets the opponent take the
    /// corner at once, which was shut before; this move does not let it.
    AvoidsXTrap { that: Square, corner: Square },
    /// Fact: that move lets the opponent take a corner at once that was shut before; this move does
    /// not.
    KeepsCornerShut {
        that: Square,
        corner: Square,
        /// Who could take it.
        taker: Side,
    },
    /// Fact: after this move the opponent can take a corner that was shut before and stays shut after that
    /// move; where the lines end, it has the corner in both.
    GivenAnyway { corner: Square, taker: Side },
    /// Fact: the opponent could take the corner if it were its turn; after that move it still can,
    /// after this move it cannot.
    ShutsCorner {
        this: Square,
        that: Square,
        corner: Square,
        taker: Side,
    },
    /// Fact: on that move's line the opponent takes a corner with this ply, the eighth or an earlier
    /// one; on this move's line it does not within eight plies.
    LosesCorner {
        that: Square,
        corner: Square,
        taker: Side,
        plies: usize,
    },
    /// Fact: on this move's line the mover takes a corner with this ply, the seventh or an earlier
    /// one; on that move's line it does not within eight plies.
    WinsCorner {
        this: Square,
        corner: Square,
        plies: usize,
    },
    /// Fact: where the lines end, equally far on, the opponent has a corner on that move's line, and not
    /// on this one's. `is_won`: there the mover has it.
    CornerInTheEnd {
        corner: Square,
        opponent: Side,
        is_won: bool,
    },
    /// Fact: whatever the reply to this move, the mover can take a corner next, not always the same;
    /// now it can take none, and after that move a reply prevents it.
    EveryReplyGivesCorner { mover: Side, opponent: Side },
    /// Fact: on the line of one of the two moves a side has to pass within eight plies, on the other
    /// line it has not: the opponent on this move's line, or the mover on that move's.
    MustPass {
        who: Side,
        after: Square,
        plies: usize,
    },
    /// Fact: this move leaves the opponent one legal reply, that move at least three.
    OnlyReply { opponent: Side, reply: Square },
    /// Fact: after that move and its reply only the opponent can play in what is left of a region of
    /// at most 12 squares; after this move and its reply the mover can.
    KeepsAccess {
        region: Bitboard,
        mover: Side,
        that: Square,
    },
    /// Fact: both lines go to the end; the mover makes the last move of this one, the opponent of
    /// that one.
    LastMove { mover: Side, that: Square },
    /// Fact: that move is quiet, on a square that only the mover can play on now; the opponent cannot
    /// play there after this move, and after the reply only the mover can.
    KeepsFreeMove { that: Square, opponent: Side },
    /// Fact: on that move's line the opponent plays on this move's square with the eighth ply or an
    /// earlier one.
    TakesSquareFirst {
        this: Square,
        that: Square,
        opponent: Side,
        plies: usize,
        /// What it does there with the second ply.
        deed: Option<Deed>,
    },
    /// Fact: after this move the opponent cannot play on that move's square, and after each of its
    /// replies the mover can. After that move and its reply the mover cannot play on this move's square
    /// any more, nor does it later on that line. `is_taken`: the reply stands there.
    CannotWait {
        this: Square,
        that: Square,
        opponent: Side,
        is_taken: bool,
        /// What the reply does there.
        deed: Option<Deed>,
    },
    /// Fact: on that move's line the opponent plays on a square, which is no corner, with the eighth ply
    /// or an earlier one, and the mover could not play there at its turns before that; on this move's
    /// line the mover does within ten plies.
    LosesSquare {
        square: Square,
        opponent: Side,
        plies: usize,
        /// What the opponent does there with the second ply.
        deed: Option<Deed>,
    },
    /// Fact: on this move's line the mover plays on that move's square, too; on that move's line the
    /// opponent plays on this move's square, or, if the mover gets both soon, at least the mover never does.
    /// All within ten plies.
    GetsBoth {
        this: Square,
        that: Square,
        opponent: Side,
        /// With which ply of this line the mover plays there.
        follows: usize,
        /// With which ply of that line the opponent does.
        taken: Option<usize>,
        /// What the opponent does there with the second ply.
        deed: Option<Deed>,
    },
    /// Fact: that move takes a corner; the opponent cannot take it right after this move, and on this
    /// move's line the mover takes it with this ply, the ninth or an earlier one.
    CornerCanWait { corner: Square, plies: usize },
    /// Fact: on the line of one of the two moves a side plays between two discs of the other on an edge
    /// with the eighth ply or an earlier one, and has the square where the line ends; on the other line
    /// it has it neither after eight plies nor in the end. The opponent does so on that move's line, or
    /// the mover on this one's.
    WedgeLater {
        who: Side,
        after: Square,
        square: Square,
        edge: Area,
        plies: usize,
    },
    /// Fact: after so many plies of one line, seven at most, a side is to move and has no safe move; at
    /// its turns on the other line within eight plies it always has one. The mover on that move's line,
    /// or the opponent on this one's.
    OutOfSafeMoves {
        who: Side,
        after: Square,
        plies: usize,
    },
    /// Fact: squares, two to four of them, on which the mover can play now and after this move and its
    /// reply, but neither after that move and its reply nor with its next turn there. After that reply it
    /// has fewer moves than after this one.
    LosesMoves {
        that: Square,
        squares: Bitboard,
        mover: Side,
    },
    /// Fact: squares, two to five of them and no corners, on which the opponent could play if it were its
    /// turn now, and can after that move, but not after this one; it plays on none of them within eight
    /// plies of this line. After that move it has more replies than after this one.
    ClosesSquares {
        that: Square,
        squares: Bitboard,
        opponent: Side,
    },
    /// Fact: both lines go to the end, and these discs, one to eight, are the mover's there after this
    /// move and the opponent's after that one.
    DiscsInTheEnd { squares: Bitboard },
    /// Fact: on this move's line the mover plays on that move's square within eight plies, and after no
    /// reply the opponent has played there or made it impossible. `is_gone`:
    /// after that move and its reply the mover cannot play on this move's square any more. Otherwise
    /// the opponent can play on this move's square right after that move.
    ComesFirst {
        this: Square,
        that: Square,
        is_gone: bool,
        opponent: Side,
    },
    /// Fact: squares, two to five of them and no corners, on which the opponent can play after that
    /// move, but not after this one, nor before the moves if it had been its turn. After that move it
    /// has more replies than after this one.
    OpensSquares {
        that: Square,
        squares: Bitboard,
        opponent: Side,
    },
    /// Fact: the expected reply to that move is a square on which the opponent cannot play right after
    /// this move, and does not play within eight plies. `is_opened`: nor could it before that move, if it had been its turn.
    DeniesReply {
        that: Square,
        reply: Square,
        opponent: Side,
        is_opened: bool,
        deed: Option<Deed>,
    },
    /// Fact: that move's expected reply, no corner, is worth so many discs more than any other reply, as
    /// far as was looked: two when proven, three otherwise.
    StrongReply {
        that: Square,
        reply: Square,
        discs: i32,
        /// How far the replies were looked at.
        reach: Reach,
        deed: Option<Deed>,
        fate: Fate,
    },
    /// Fact: after that move the mover has a wall of so many discs, after this one it has none: at
    /// least four in a row or column inside of the edges, all squares along one side empty. At least
    /// two of them are new, and that move leaves the mover more discs at the frontier than this one.
    AvoidsWall { that: Square, discs: u32 },
    /// Fact: that move leaves the mover five discs on an edge beside one C square, with the other C
    /// square and both corners empty; it was not so before, and is not so after this move.
    AvoidsUnbalancedEdge {
        that: Square,
        edge: Area,
        open: Square,
    },
    /// Fact: this move leaves the mover six discs on an edge between two empty corners; it was not so
    /// before, and is not so after that move.
    BalancesEdge { edge: Area },
    /// Fact: this move is on an edge, away from empty corners, and the opponent cannot play on that edge
    /// next, though it has empty squares; that move is on no edge.
    EdgeTempo {
        edge: Area,
        /// Whether the mover could play there once more.
        again: bool,
    },
    /// Fact: this move is in a region of two squares, the opponent cannot play on the other one next, and
    /// the mover could; that move does not do so.
    Swindle { region: Bitboard },
    /// Fact: on this move's line the opponent takes one corner and the mover another one within eight
    /// plies; on that move's line the mover takes none.
    CornerSwap {
        given: Square,
        taken: Square,
        /// Whether the move is on the X square of the first corner, beside a five of the opponent with
        /// the open C there, and the other corner is at the end of that edge: a Stoner trap.
        is_trap: bool,
    },
    /// Count: after so many plies of both lines the opponent has at least three discs more on an edge
    /// that can never be flipped than on that line, and the mover is better off in moves by at least
    /// four and has more of them than the opponent.
    EdgeSacrifice {
        plies: usize,
        edge: Area,
        /// The opponent's stable discs on the edge.
        discs: Pair,
        /// How many moves the mover has.
        own: Pair,
        /// How many moves the opponent has.
        theirs: Pair,
    },
    /// Fact: both lines go to the end; in a region of at most 12 squares the mover makes the last move
    /// of this one, the opponent of that one.
    LastInRegion { region: Bitboard },
    /// Fact: this move stands on an edge between two discs of the opponent there; that move does not.
    Wedge {
        this: Square,
        edge: Area,
        opponent: Side,
    },
    /// Fact: that move is on an X or C square beside an empty corner, this one is not, and the opponent
    /// has the corner at the end of that move's line, but not at the end of this one's.
    StaysAwayFromCorner { that: Square, corner: Square },
    /// Fact: the opponent has no reply to this move, but has one to that move.
    NoReply { opponent: Side },
    /// Fact: none of the discs that this move flips touches an empty square afterwards; at least
    /// one of those that that move flips does.
    Quiet {
        square: Square,
        /// How many discs it flips.
        flips: u32,
    },
    /// Fact: a region with an odd number of empty squares still has one, as one region, when the
    /// mover's next turn comes along the line; after that move and its line's reply the number is
    /// even. The side to move is the mover both times.
    KeepsOddRegion {
        /// The region's empty squares before the move.
        region: Bitboard,
        /// How many of them are left.
        left: Pair,
    },
    /// Count: more own moves and fewer replies, both at once.
    OpensMoves {
        /// Own moves gained in comparison with that move.
        own_gain: u32,
        /// Replies taken away in comparison with that move.
        reply_cut: u32,
    },
    /// Count: replies of the opponent.
    FewerReplies {
        opponent: Side,
        /// How many replies it has.
        replies: Pair,
        that: Square,
    },
    /// Count: moves of the mover, as if it were its turn again.
    MoreMoves {
        mover: Side,
        /// How many moves it has.
        moves: Pair,
        that: Square,
    },
    /// Count: moves of the mover after the reply, when it is its turn.
    MovesAfterReply {
        mover: Side,
        moves: Pair,
        that: Square,
    },
    /// Count: legal moves of each side at its turns, added up over so many plies of both lines.
    MovesAlong {
        plies: usize,
        mover: Side,
        own: Pair,
        theirs: Pair,
        that: Square,
    },
    /// Count: safe moves of the mover after the reply: those after which the opponent can take no
    /// corner that it could not have taken before, and which are on no X square of an empty corner.
    SafeMoves {
        mover: Side,
        safe: Pair,
        that: Square,
    },
    /// Count: safe replies of the opponent.
    SafeReplies {
        opponent: Side,
        safe: Pair,
        that: Square,
    },
    /// Count: provably stable discs of one side on one edge after so many plies of both lines.
    EdgeLater {
        plies: usize,
        edge: Area,
        owner: Side,
        discs: Pair,
        that: Square,
        /// Those of the line that has more of them.
        squares: Bitboard,
    },
    /// Count: provably stable discs of the mover, this turn.
    MoreStable {
        /// How many are added by the move.
        gain: Pair,
    },
    /// Count: the mover's discs that touch an empty square.
    SmallerFrontier {
        /// How many there are.
        discs: Pair,
        that: Square,
    },
    /// Count: moves of both sides at the end of both lines, cut to the same number of plies.
    MobilityLater {
        /// Plies of each line, the moves themselves included.
        plies: usize,
        mover: Side,
        own: Pair,
        theirs: Pair,
    },
    /// Count: corners at the end of both lines.
    CornersLater {
        /// Plies of each line.
        plies: usize,
        mover: Side,
        own: Pair,
        theirs: Pair,
    },
    /// Count: provably stable discs at the end of both lines.
    StableLater {
        /// Plies of each line.
        plies: usize,
        mover: Side,
        /// The mover's stable discs.
        own: Pair,
        /// The opponent's stable discs.
        theirs: Pair,
    },
    /// Count: discs that touch an empty square at the end of both lines.
    FrontierLater {
        /// Plies of each line.
        plies: usize,
        mover: Side,
        /// The mover's frontier discs.
        own: Pair,
        /// The opponent's frontier discs.
        theirs: Pair,
    },
    /// Model: what the evaluation attributes to an area, at the ends of both lines.
    ModelPrefers {
        area: Area,
        /// How much more it is worth there, for the mover.
        by: Score,
    },
}
