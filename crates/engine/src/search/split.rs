//! Young brothers wait: once a node's first move is searched, the others go to idle threads.
//!
//! Feldmann, *Game Tree Search on Massively Parallel Systems* (1993). The work stealing is
//! rayon's; a refutation cancels the brothers that are still running.

use super::{
    Worker,
    moves::{Candidates, take_best},
    tree::{Found, Reductions},
};
use crate::eval::Evaluator;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// A flag that also hears its ancestors.
#[derive(Debug)]
pub(super) struct Cancel<'p> {
    flag: AtomicBool,
    parent: Option<&'p Self>,
}

impl Cancel<'_> {
    /// Whether this split or one it is part of was given up.
    pub(super) fn is_set(&self) -> bool {
        let mut at = Some(self);
        while let Some(cancel) = at {
            if cancel.flag.load(Ordering::Relaxed) {
                return true;
            }
            at = cancel.parent;
        }
        false
    }
}

/// Whether the brothers' work outweighs handing it out.
#[inline]
pub(super) const fn pays(depth: u32, to_the_end: bool, n_left: usize) -> bool {
    n_left > 0 && depth >= if to_the_end { 15 } else { 7 }
}

/// Searches all remaining moves, in order, on whatever threads are free.
pub(super) fn search_rest<E: Evaluator>(
    worker: &mut Worker<'_, E>,
    state: &E::State,
    mut candidates: Candidates,
    depth: u32,
    mut reductions: Reductions,
    found: Found,
    beta: i32,
) -> Found {
    let cancel = Cancel {
        flag: AtomicBool::new(false),
        parent: worker.cancel,
    };
    let shared = worker.shared;
    let (level, probing) = (worker.level, worker.probing);
    let history = &worker.history;
    let found = Mutex::new(found);
    rayon::scope_fifo(|scope| {
        while let Some(child) = take_best(&mut candidates) {
            let (cancel, found) = (&cancel, &found);
            let reduction = if reductions.not_for > 0 {
                reductions.not_for -= 1;
                0
            } else {
                reductions.plies
            };
            scope.spawn_fifo(move |_| {
                if cancel.is_set() {
                    return;
                }
                let so_far = *found.lock().unwrap_or_else(PoisonError::into_inner);
                let mut helper = Worker::helper(shared, cancel, level, probing, history.clone());
                let value = helper.reduced_value(state, &child, depth, reduction, so_far, beta);
                let aborted = helper.aborted;
                helper.retire();
                if !aborted {
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    if found.take(child.square, value, beta) {
                        cancel.flag.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    // Brothers that were cancelled by our own refutation are no loss; by an ancestor's or by the
    // stop flag they make this node meaningless.
    worker.look();
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
