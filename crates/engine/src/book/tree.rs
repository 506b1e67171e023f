//! A book that grows by searching: positions, what their searches found, and which come next.
//!
//! The way of growing is drop-out expansion: Lincke, *Strategies for the Automatic Construction of
//! Opening Books* (2001). A book is left where somebody plays a move that it does not have; the
//! likeliest such moves are searched first. How likely one is follows from the way to it: every
//! move costs [`STEP`], and what it gives away beside. The player who has the book gives nothing
//! away beyond [`MARGIN`], the opponent may play anything; a position counts for the player for whom
//! it is nearer. So the book is deep where play is good, and has answers to bad moves.
//!
//! Lincke looks for the best move outside of the book by a search of its own at every position.
//! Here one search values several moves at once, so that the best of those without a position in
//! the tree is always known, and so are the others that an opponent may play.
//!
//! Of symmetric positions one is in the tree, and all ways to a position lead to the same one. Every
//! move adds a disc, and a forced pass belongs to the move before it: going through the positions
//! by their number of discs meets all children before their parents, or after them.

use othello::{Position, Side, Square};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

/// What every move costs on the way to a position, in centidiscs: more makes a book that is broader
/// and less deep.
const STEP: u32 = 40;
/// How much worse than the best a move may be that the player with the book plays.
pub(super) const MARGIN: u32 = 60;
/// No position is worth more centidiscs.
pub(super) const MOST: i32 = 6_400;

/// How positions are searched and how far they may be from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// How deep a position is searched, for whoever searches; each position keeps its own depth.
    pub depth: u32,
    /// No position is further from the start than so many moves.
    pub plies: u32,
}

impl Recipe {
    /// The greatest depth, and the greatest number of moves: a game has no more.
    pub const MOST: u32 = 60;
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            depth: 14,
            plies: 30,
        }
    }
}

/// What a search found about a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// How deep it was.
    pub depth: u32,
    /// Moves with their scores in centidiscs for the side to move, in any order. A move that is not
    /// among them is not followed.
    pub moves: Vec<(Square, i32)>,
}

/// Why an answer has no place in a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// Neither the start nor one move away from the tree.
    #[error("no move leads there from a position of the book")]
    Apart,
    #[error("the position is there already")]
    Known,
    /// The search valued no move that can be played.
    #[error("none of its moves has a value")]
    Valueless,
}

/// Positions that were searched, joined by the moves between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    recipe: Recipe,
    source: String,
    /// In the order in which they came; the first is the start.
    pub(super) nodes: Vec<Node>,
    index: HashMap<Position, u32>,
    /// The moves that lead out of the tree, by the position that they lead to: a node, and which of
    /// its edges.
    open: HashMap<Position, Vec<(u32, u8)>>,
    /// Nodes by their number of discs, each list in the order of coming.
    by_discs: Vec<Vec<u32>>,
    /// So many nodes are what the positions after them were chosen by.
    pub(super) settled: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// The image that stands for all symmetric ones.
    pub(super) position: Position,
    /// A node with a move that leads here; the first node has none and names itself.
    pub(super) parent: u32,
    /// The move of the parent that leads here.
    pub(super) last: Square,
    pub(super) depth: u8,
    /// One for each legal move, in the order of squares.
    pub(super) edges: Vec<Edge>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) square: Square,
    /// What the search of its position says; `None` if it did not value the move.
    pub(super) estimate: Option<i16>,
    pub(super) end: End,
}

/// Where a move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Out of the tree.
    Open,
    Node(u32),
    /// To the end of the game.
    Over,
}

/// What the positions of a tree are worth, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values(pub(super) Vec<i32>);

impl Tree {
    /// A tree without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many positions were searched.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no position was searched yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How it was grown last.
    pub const fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// Who searched last; empty if nobody said.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Has later positions be searched like this. Those that are there stay.
    pub fn grow_by(&mut self, recipe: Recipe, source: &str) {
        self.recipe = recipe;
        source.clone_into(&mut self.source);
    }

    /// Which positions are searched next, the most urgent first; none if the tree is complete.
    ///
    /// Positions are chosen by the dozen, so that several can be searched at once. What is chosen
    /// follows from what was there when all of the last dozen were: neither who is faster nor an
    /// interruption changes it.
    pub fn plan(&mut self) -> Vec<Position> {
        loop {
            let mut planned = self.planned(self.settled);
            planned.retain(|it| !self.index.contains_key(it));
            if !planned.is_empty() || self.settled == self.len() {
                return planned;
            }
            self.settled = self.len();
        }
    }

    /// Adds what a search found about a position, whichever way the board is turned. It has to be
    /// the start, or one move away from the tree.
    pub fn add(&mut self, position: Position, answer: &Answer) -> Result<(), AddError> {
        let symmetry = position.board.canonical().1;
        let position = symmetry.position(position);
        if self.index.contains_key(&position) {
            return Err(AddError::Known);
        }
        let moves: Vec<(Square, i16)> = answer
            .moves
            .iter()
            .map(|&(square, score)| (symmetry.square(square), score.clamp(-MOST, MOST) as i16))
            .collect();
        let estimate = |square| moves.iter().find(|it| it.0 == square).map(|it| it.1);
        let legal = position.board.legal_moves();
        if legal.into_iter().all(|it| estimate(it).is_none()) {
            return Err(AddError::Valueless);
        }
        let (parent, last) = self.enter(position).ok_or(AddError::Apart)?;
        let id = self.len() as u32;
        let mut edges = Vec::with_capacity(legal.len() as usize);
        for square in legal {
            let next = onward(position, square);
            let end = match next.map(|it| self.index.get(&it)) {
                None => End::Over,
                Some(Some(&child)) => End::Node(child),
                Some(None) => End::Open,
            };
            if let (Some(next), End::Open) = (next, end) {
                let ways = self.open.entry(next).or_default();
                ways.push((id, edges.len() as u8));
            }
            edges.push(Edge {
                square,
                estimate: estimate(square),
                end,
            });
        }
        let discs = discs(position);
        if self.by_discs.len() <= discs {
            self.by_discs.resize(discs + 1, Vec::new());
        }
        self.by_discs[discs].push(id);
        self.nodes.push(Node {
            position,
            parent,
            last,
            depth: answer.depth.min(Recipe::MOST) as u8,
            edges,
        });
        Ok(())
    }

    /// Has the moves to a new position lead there, and gives the first of them; `None` if there is
    /// none.
    fn enter(&mut self, position: Position) -> Option<(u32, Square)> {
        let id = self.len() as u32;
        if self.is_empty() {
            let is_start = position == canonical(Position::START);
            let nowhere = (0, Square::from_low_bits(0));
            return is_start.then(|| {
                self.index.insert(position, id);
                nowhere
            });
        }
        let ways = self.open.remove(&position)?;
        for &(parent, edge) in &ways {
            self.nodes[parent as usize].edges[usize::from(edge)].end = End::Node(id);
        }
        self.index.insert(position, id);
        let &(parent, edge) = ways.first()?;
        let edge = self.nodes[parent as usize].edges[usize::from(edge)];
        Some((parent, edge.square))
    }

    /// Where a position is, if it is in the tree.
    pub(super) fn find(&self, position: Position) -> Option<usize> {
        let id = self.index.get(&canonical(position));
        id.map(|&id| id as usize)
    }

    /// What all positions are worth to the side to move: the best of their moves, where a move that
    /// leads to a position of the tree is worth what that position is.
    pub fn values(&self) -> Values {
        self.values_of(self.len())
    }

    /// The same as if only the first `n` positions were there.
    fn values_of(&self, n: usize) -> Values {
        let mut values = Values(vec![0; n]);
        for id in self.by_discs.iter().rev().flatten() {
            let id = *id as usize;
            if id < n {
                let edges = self.nodes[id].edges.iter();
                let best = edges.filter_map(|it| self.value(&values, id, it)).max();
                values.0[id] = best.unwrap_or(0);
            }
        }
        values
    }

    /// What a move of a node is worth to who makes it; `None` if nobody has looked.
    pub(super) fn value(&self, values: &Values, id: usize, edge: &Edge) -> Option<i32> {
        match edge.end {
            End::Node(child) if (child as usize) < values.0.len() => {
                let child = child as usize;
                let is_passed = self.nodes[child].position.side == self.nodes[id].position.side;
                let value = values.0[child];
                Some(if is_passed { value } else { -value })
            }
            _ => edge.estimate.map(i32::from),
        }
    }

    /// The positions that come after the first `n`.
    fn planned(&self, n: usize) -> Vec<Position> {
        if n == 0 {
            return vec![canonical(Position::START)];
        }
        let mut planned = Vec::new();
        let mut candidates = BinaryHeap::from(self.candidates(&self.values_of(n)));
        while planned.len() < dozen(n)
            && let Some(Reverse((_, id, edge))) = candidates.pop()
        {
            let node = &self.nodes[id as usize];
            let next = onward(node.position, node.edges[usize::from(edge)].square);
            // Several moves may lead to it; the cheapest came first.
            planned.extend(next.filter(|it| !planned.contains(it)));
        }
        planned
    }

    /// The moves out of a tree of as many positions as have values.
    fn candidates(&self, values: &Values) -> Vec<Reverse<Candidate>> {
        let n = values.0.len();
        let mut candidates = Vec::new();
        let mut costs = vec![Costs::UNREACHED; n];
        if let Some(start) = costs.first_mut() {
            *start = Costs([Some(0); 2]);
        }
        for &id in self.by_discs.iter().flatten() {
            let at = id as usize;
            if at >= n {
                continue;
            }
            let Node {
                position, edges, ..
            } = &self.nodes[at];
            let is_last = discs(*position) >= discs(Position::START) + self.recipe.plies as usize;
            for (i, edge) in edges.iter().enumerate() {
                let Some(value) = self.value(values, at, edge) else {
                    continue;
                };
                let loss = values.0[at].abs_diff(value);
                let through = costs[at].through(position.side, loss);
                match edge.end {
                    End::Node(child) if (child as usize) < n => {
                        costs[child as usize].lower(through);
                    }
                    End::Open | End::Node(_) if !is_last => {
                        let cost = through.least();
                        candidates.extend(cost.map(|cost| Reverse((cost, id, i as u8))));
                    }
                    _ => {}
                }
            }
        }
        candidates
    }
}

/// What it costs to come to a move out of the tree, whose it is, and which of its edges: the last
/// two are the last word among equals.
type Candidate = (u32, u32, u8);

/// What the cheapest way to a position costs if Black has the book, and if White has it; `None` if
/// the player with the book does not go there.
#[derive(Debug, Clone, Copy)]
struct Costs([Option<u32>; 2]);

impl Costs {
    const UNREACHED: Self = Self([None; 2]);

    /// The costs after a move of a side.
    fn through(self, side: Side, loss: u32) -> Self {
        let onward = |with_book: Side, cost: Option<u32>| {
            let is_played = side != with_book || loss <= MARGIN;
            cost.filter(|_| is_played)
                .map(|cost| cost.saturating_add(STEP).saturating_add(loss))
        };
        let [black, white] = self.0;
        Self([onward(Side::Black, black), onward(Side::White, white)])
    }

    /// Another way to the same position.
    fn lower(&mut self, other: Self) {
        for (cost, other) in self.0.iter_mut().zip(other.0) {
            *cost = [*cost, other].into_iter().flatten().min();
        }
    }

    fn least(self) -> Option<u32> {
        self.0.into_iter().flatten().min()
    }
}

/// How many positions are chosen at a time from a tree of `n`: few while the tree is small, so that
/// no bad move is among them for want of others.
fn dozen(n: usize) -> usize {
    (n / 8).clamp(1, 64)
}

fn discs(position: Position) -> usize {
    position.board.occupied().len() as usize
}

/// The image that stands for all symmetric ones.
pub(super) fn canonical(position: Position) -> Position {
    position.board.canonical().1.position(position)
}

/// Where a move leads, past a forced pass; `None` if the game is over there.
pub(super) fn onward(position: Position, square: Square) -> Option<Position> {
    following(position, square).map(canonical)
}

/// The same, turned as the position is.
pub(super) fn following(position: Position, square: Square) -> Option<Position> {
    let next = position.play(square).ok()?;
    if next.board.legal_moves().is_empty() {
        next.pass().ok()
    } else {
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::testing::{grow, grown, opinion};
    use othello::Symmetry;

    /// What a position is worth, found by going through everything below it.
    fn brute(tree: &Tree, position: Position) -> i32 {
        let answer = opinion(position);
        let score = |square: Square| {
            let next = following(position, square).filter(|&it| tree.find(it).is_some());
            if let Some(next) = next {
                let value = brute(tree, next);
                return Some(if next.side == position.side {
                    value
                } else {
                    -value
                });
            }
            let found = answer.moves.iter().find(|it| it.0 == square);
            found.map(|it| it.1)
        };
        let legal = position.board.legal_moves().into_iter();
        legal.filter_map(score).max().unwrap()
    }

    #[test]
    fn values_are_the_negamax_of_the_tree() {
        let tree = grown(400, 60);
        let values = tree.values();
        for (node, &value) in tree.nodes.iter().zip(&values.0) {
            assert_eq!(brute(&tree, node.position), value, "{}", node.position);
        }
    }

    #[test]
    fn a_tree_is_as_large_and_as_deep_as_asked() {
        let tree = grown(300, 8);
        assert_eq!(tree.len(), 300);
        assert!(tree.nodes.iter().all(|it| discs(it.position) <= 12));
        // Small enough to end by itself, and there is nothing to plan then.
        let mut small = grown(1_000_000, 3);
        assert!(small.len() < 100, "{}", small.len());
        assert_eq!(small.plan(), []);
        assert!(small.nodes.iter().any(|it| discs(it.position) == 7));
    }

    #[test]
    fn a_tree_does_not_depend_on_interruptions() {
        let whole = grown(350, 60);
        for step in [1, 7, 50, 349] {
            let mut tree = grown(step, 60);
            while tree.len() < 350 {
                let positions = (tree.len() + step).min(350);
                // What is planned is not kept: it is planned again after an interruption.
                tree.plan();
                grow(&mut tree, positions);
            }
            assert_eq!(tree, whole, "steps of {step}");
        }
    }

    #[test]
    fn transpositions_and_images_share_a_position() {
        let tree = grown(500, 60);
        let mut ways = vec![0; tree.len()];
        for node in &tree.nodes {
            for edge in &node.edges {
                let next = onward(node.position, edge.square);
                // A move leads into the tree if and only if its position is there.
                let found = next.and_then(|it| tree.find(it));
                match (edge.end, found) {
                    (End::Node(child), Some(found)) => {
                        assert_eq!(child as usize, found);
                        ways[found] += 1;
                    }
                    (End::Open, None) => {}
                    (End::Over, _) => assert_eq!(next, None),
                    other => panic!("{other:?}"),
                }
            }
        }
        // All four first moves are one.
        assert_eq!(tree.nodes[0].edges.len(), 4);
        assert_eq!(ways[1], 4);
        assert!(
            tree.nodes
                .iter()
                .all(|it| it.position == canonical(it.position))
        );
        let n_distinct = tree.index.len();
        assert_eq!(n_distinct, tree.len());
        let joined = ways.iter().skip(2).filter(|&&it| it > 1).count();
        assert!(joined > 20, "{joined}");
    }

    #[test]
    fn images_of_a_position_make_the_same_tree() {
        for symmetry in Symmetry::ALL {
            let mut tree = grown(0, 60);
            for _ in 0..60 {
                let position = symmetry.position(tree.plan()[0]);
                tree.add(position, &opinion(position)).unwrap();
            }
            assert_eq!(tree.nodes, grown(60, 60).nodes, "{symmetry:?}");
        }
    }

    #[test]
    fn an_answer_has_to_be_about_a_position_next_to_the_tree() {
        let mut tree = Tree::new();
        let start = Position::START;
        let after = |square: &str| start.play(square.parse().unwrap()).unwrap();
        let answer = |it| opinion(it);
        assert_eq!(
            tree.add(after("f5"), &answer(after("f5"))),
            Err(AddError::Apart)
        );
        let a1 = "a1".parse().unwrap();
        let useless = Answer {
            depth: 1,
            moves: vec![(a1, 10)],
        };
        assert_eq!(tree.add(start, &useless), Err(AddError::Valueless));
        assert!(tree.is_empty());
        tree.add(start, &answer(start)).unwrap();
        assert_eq!(tree.add(start, &answer(start)), Err(AddError::Known));
        tree.add(after("c4"), &answer(after("c4"))).unwrap();
        let known = tree.add(after("d3"), &answer(after("d3")));
        assert_eq!(known, Err(AddError::Known));
    }

    /// The opponent of the player with the book may do anything, but the player does not.
    #[test]
    fn the_player_with_the_book_gives_little_away() {
        let costs = Costs([Some(0); 2]);
        let bad = costs.through(Side::Black, 500);
        assert_eq!(bad.0, [None, Some(540)]);
        assert_eq!(bad.through(Side::White, MARGIN).least(), Some(640));
        assert_eq!(bad.through(Side::White, MARGIN + 1).least(), None);
        assert_eq!(bad.through(Side::Black, 500).least(), Some(1_080));
        let tree = grown(600, 60);
        let values = tree.values();
        let loss = |id: usize, edge: &Edge| {
            let value = tree.value(&values, id, edge)?;
            Some(values.0[id].abs_diff(value))
        };
        let followed = tree.nodes.iter().enumerate().flat_map(|(id, node)| {
            let edges = node.edges.iter();
            let inside = edges.filter(|it| matches!(it.end, End::Node(_)));
            inside.filter_map(move |it| loss(id, it))
        });
        let (good, bad): (Vec<u32>, Vec<u32>) = followed.partition(|&it| it <= MARGIN);
        assert!(
            good.len() > 300 && bad.len() > 30,
            "{} {}",
            good.len(),
            bad.len()
        );
    }
}
