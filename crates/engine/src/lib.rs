//! How a tree is pruned and a leaf is valued.
mod arch;
mod endgame;
pub mod eval;
mod search;
mod stability;
mod table;
#[cfg(test)]
mod testing;
pub use endgame::shallow::Shallow;
/// crude
pub fn solve<E: eval::Evaluator>(e: &E, mb: usize, board: othello::Board, verbose: bool) -> (i32, u64) {
    let t = table::Table::new(mb);
    search::root::solve(e, &t, board, verbose)
}
