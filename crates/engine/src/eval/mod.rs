//! What a position is worth without searching it.

pub mod classic;
pub mod hidden;
pub mod pattern;
pub mod shapes;
pub mod weights;

use crate::{
    analysis::{Control, Memory, Report},
    limits::Limits,
};
use othello::{Bitboard, Board, Square};
use std::sync::Arc;

/// An evaluation that the search is compiled for: no dynamic dispatch inside the tree.
pub trait Evaluator: Sync {
    /// What is carried along from node to node so that evaluating a leaf is cheap.
    type State: Clone + Send + Sync;

    /// The state of a board from scratch.
    fn root(&self, board: Board) -> Self::State;

    /// The state after a move, seen by the other side.
    fn play(&self, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// The state after a pass.
    fn pass(&self, state: &Self::State) -> Self::State;

    /// The value for the side to move, in centidiscs within ±6400.
    fn evaluate(&self, state: &Self::State, board: Board) -> i32;

    /// The value of `next`, the board after a move, without making its state.
    #[inline]
    fn evaluate_after(
        &self,
        state: &Self::State,
        square: Square,
        flips: Bitboard,
        next: Board,
    ) -> i32 {
        self.evaluate(&self.play(state, square, flips), next)
    }

    /// What [`Evaluator::evaluate_after`] says where that is near the window; further away anything
    /// on the same side of it will do.
    #[inline]
    fn evaluate_after_near(
        &self,
        state: &Self::State,
        square: Square,
        flips: Bitboard,
        next: Board,
        _window: (i32, i32),
    ) -> i32 {
        self.evaluate_after(state, square, flips, next)
    }

    /// What [`Evaluator::evaluate_after`] says, roughly and at less cost: enough to order moves by.
    #[inline]
    fn estimate_after(
        &self,
        state: &Self::State,
        square: Square,
        flips: Bitboard,
        next: Board,
    ) -> i32 {
        self.evaluate_after(state, square, flips, next)
    }

    /// Searches with this evaluation. An evaluation implements it with
    /// `search_with_this_evaluation!()` and not in the trait: the code of the tree, minutes of
    /// optimising, is then made in this crate and in none that uses an engine.
    #[doc(hidden)]
    fn search(
        &self,
        memory: &Memory,
        board: Board,
        limits: &Limits,
        control: Control<'_>,
    ) -> Report;
}

/// The body of [`Evaluator::search`] for an evaluation that is a type of its own.
macro_rules! search_with_this_evaluation {
    () => {
        fn search(
            &self,
            memory: &$crate::analysis::Memory,
            board: Board,
            limits: &$crate::limits::Limits,
            control: $crate::analysis::Control<'_>,
        ) -> $crate::analysis::Report {
            $crate::analysis::search(self, memory, board, limits, control)
        }
    };
}
use search_with_this_evaluation;

/// A shared or borrowed evaluator evaluates, too: many engines fit into one memory and one cache.
macro_rules! evaluate_through {
    ($pointer:ty, $($bound:tt)+) => {
        impl<E: $($bound)+> Evaluator for $pointer {
            type State = E::State;

            #[inline]
            fn root(&self, board: Board) -> Self::State {
                (**self).root(board)
            }

            #[inline]
            fn play(&self, state: &Self::State, square: Square, flips: Bitboard) -> Self::State {
                (**self).play(state, square, flips)
            }

            #[inline]
            fn pass(&self, state: &Self::State) -> Self::State {
                (**self).pass(state)
            }

            #[inline]
            fn evaluate(&self, state: &Self::State, board: Board) -> i32 {
                (**self).evaluate(state, board)
            }

            #[inline]
            fn evaluate_after(
                &self,
                state: &Self::State,
                square: Square,
                flips: Bitboard,
                next: Board,
            ) -> i32 {
                (**self).evaluate_after(state, square, flips, next)
            }

            #[inline]
            fn evaluate_after_near(
                &self,
                state: &Self::State,
                square: Square,
                flips: Bitboard,
                next: Board,
                window: (i32, i32),
            ) -> i32 {
                (**self).evaluate_after_near(state, square, flips, next, window)
            }

            #[inline]
            fn estimate_after(
                &self,
                state: &Self::State,
                square: Square,
                flips: Bitboard,
                next: Board,
            ) -> i32 {
                (**self).estimate_after(state, square, flips, next)
            }

            fn search(
                &self,
                memory: &Memory,
                board: Board,
                limits: &Limits,
                control: Control<'_>,
            ) -> Report {
                (**self).search(memory, board, limits, control)
            }
        }
    };
}
evaluate_through!(Arc<E>, Evaluator + Send);
evaluate_through!(&E, Evaluator);
