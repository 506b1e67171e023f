//! Which games of a batch pass, an array at a time.

use crate::{columns::Cells, names::NumberSet};

/// Whether the game at each place of a batch passes.
pub(crate) type Mask = Vec<bool>;

/// Leaves the places that have a number of a set in one of the columns.
pub(crate) fn keep_marked(mask: &mut Mask, wanted: &[(&NumberSet, &Cells<u32>)]) {
    let mut marks = vec![false; mask.len()];
    for (set, cells) in wanted {
        set.mark(&mut marks, cells.all());
    }
    for (it, mark) in mask.iter_mut().zip(marks) {
        *it &= mark;
    }
}

/// Whether any place is left.
pub(crate) fn is_any(mask: &Mask) -> bool {
    // Without a way out of the loop, which would keep it from vector instructions.
    mask.iter().fold(false, |any, it| any | it)
}

/// Leaves the places whose cells pass.
pub(crate) fn keep<T>(mask: &mut Mask, cells: impl Iterator<Item = T>, passes: impl Fn(T) -> bool) {
    for (it, cell) in mask.iter_mut().zip(cells) {
        *it &= passes(cell);
    }
}
