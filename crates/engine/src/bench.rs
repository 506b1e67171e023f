//! A fixed set of searches and their node count: one number that says whether the search is still
//! the same.
//!
//! On one thread the count depends on nothing but the code and the weights: not on the machine, its
//! speed, the instruction set or the build profile. A change that is meant to change nothing keeps
//! it; one that changes the search records the new one here and says it in its commit.

use crate::{Control, Engine, EngineError, Limits, Report, eval::pattern::Pattern};
use othello::{Board, Position};
use std::sync::atomic::AtomicBool;

/// The sum of the nodes of all [`CASES`]. After a change that is meant to change the search, run
/// `kibitz bench` and write the number that it prints here.
pub const FINGERPRINT: u64 = 11_483_973;

/// A position and how deep it is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// What it is called in the output.
    pub name: &'static str,
    /// The squares and the side to move.
    pub position: &'static str,
    /// Plies; the number of empty squares or more solves the position.
    pub depth: u32,
}

impl Case {
    pub fn board(&self) -> Board {
        self.position
            .parse::<Position>()
            .expect("the tests read every position")
            .board
    }
}

/// The start, midgames and endgames of self-play after random openings.
#[rustfmt::skip]
pub const CASES: [Case; 13] = [
    case("start",      18, "---------------------------OX------XO--------------------------- X"),
    case("opening a",  18, "---------------------O-O--XXXOO---XXXO----XX-O------------------ X"),
    case("opening b",  16, "-------------O-----X-O-----XXO---OOOOOO--XXXX------OXO-------X-- X"),
    case("midgame a",  16, "--X-------OX-----XXXXX----OOOOO----OOOO--OOOOOX-----O----------- X"),
    case("midgame b",  16, "-----------X------XXXX---XXXXO--O-XOOOO--OXOXO----OOXO---OOO---- X"),
    case("midgame c",  16, "--XX------XXOOO--XXXOXX---XOOXXX-XOOOOO--OOOOOX-----O----------- X"),
    case("midgame d",  16, "--OO----O-OOO---OOXOXXXOOOOOOXX--OOXXXX-O-OXXXX---O-X--X-------- X"),
    case("end of 20",  20, "--XXXXXX--XXOOX-OOOOOOX-OOXXXXOXOOOXOOXX-OOXOOXX---OO-----O----- X"),
    case("end of 19",  19, "XXXXXX--XXXOOX--XOOOOXXOXOOXOXX-XOXOXXX-OOOXXXX--OO-X--X-------- O"),
    case("end of 18 a", 18, "--O-XO---OOXOO--XXXOOO--XXOOOO--XOXXOOO-XOXXOOO-XOOXXO--XOOOOX-- X"),
    case("end of 18 b", 18, "O-OO----O-OXX---OXOXXX--OOXXOXX-OXOOXOXXOOOOOOO-O-OOOOX--OOOOO-- X"),
    case("end of 17",  17, "X-O-XO---XOXOO--XXXOOO--XXOOOO--XOXXOOO-XOXXOOO-XOOXXO--XOOOOX-- O"),
    case("end of 16",  16, "XXXO-----OOO--O--OXOOO--XXOOOOOOXXXXXXOXXXXXOO--XOOOXO--XOOOOOO- X"),
];

const fn case(name: &'static str, depth: u32, position: &'static str) -> Case {
    Case {
        name,
        position,
        depth,
    }
}

/// Small enough to be cleared in no time, large enough for these searches.
const HASH_MB: usize = 16;

/// The searcher of a bench: the shipped evaluation, and for each case a table without memory.
#[derive(Debug)]
pub struct Bench(Engine<Pattern>);

impl Bench {
    /// With one thread the node counts are always the same.
    ///
    /// # Panics
    ///
    /// If the shipped weights are damaged, which the tests would tell.
    pub fn new(threads: usize) -> Result<Self, EngineError> {
        let pattern = Pattern::shipped().expect("the shipped weights are sound");
        Ok(Self(Engine::new(pattern, HASH_MB, threads)?))
    }

    /// On one thread, with a table of eight entries: for measuring what a table is worth.
    ///
    /// # Panics
    ///
    /// If the shipped weights are damaged, which the tests would tell.
    pub fn without_table() -> Result<Self, EngineError> {
        let pattern = Pattern::shipped().expect("the shipped weights are sound");
        Ok(Self(Engine::without_table(pattern)?))
    }

    /// Searches one case. Nothing depends on time, so that no clock is needed.
    pub fn run(&mut self, case: &Case) -> Report {
        let limits = Limits {
            depth: Some(case.depth),
            ..Limits::default()
        };
        self.run_within(case, &limits)
    }

    /// Searches the position of a case with other limits, for comparing them.
    pub fn run_within(&mut self, case: &Case, limits: &Limits) -> Report {
        self.0.clear();
        let control = Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        };
        self.0.search(case.board(), limits, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_does_not_depend_on_those_before_it() {
        let [.., case, before] = CASES;
        let mut bench = Bench::new(1).unwrap();
        let alone = bench.run(&case).nodes;
        bench.run(&before);
        assert_eq!(bench.run(&case).nodes, alone);
    }

    #[test]
    fn cases_are_what_their_names_say() {
        for case in CASES {
            let board = case.board();
            assert!(!board.legal_moves().is_empty(), "{}", case.name);
            let n_empties = board.empties().len();
            if let Some(rest) = case.name.strip_prefix("end of ") {
                let named = rest.split_whitespace().next().unwrap();
                assert_eq!(
                    (named, case.depth),
                    (n_empties.to_string().as_str(), n_empties)
                );
            } else {
                assert!(case.depth < n_empties, "{}", case.name);
            }
        }
    }
}
