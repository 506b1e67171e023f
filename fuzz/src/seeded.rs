//! A law held against the seeds of its fuzz target, and against damaged copies of them, in the
//! ordinary tests.

use std::{fs, path::Path};

/// Holds a law against every seed of a target and against so many damaged copies, or as many as
/// `KIBITZ_DAMAGED` says: for long runs where there is no fuzzer.
pub(crate) fn hold(law: fn(&[u8]), target: &str, n_damaged: usize) {
    // Every crate of the workspace stands as deep as the others.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let entries = fs::read_dir(&folder).expect("every target has a folder of seeds");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no seeds in {}", folder.display());
    let seeds: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| fs::read(path).expect("a readable seed"))
        .collect();
    seeds.iter().for_each(|seed| law(seed));
    let wanted = std::env::var("KIBITZ_DAMAGED").ok();
    let n_damaged = wanted.and_then(|it| it.parse().ok()).unwrap_or(n_damaged);
    let mut chance = Chance(1);
    for round in 0..n_damaged {
        law(&chance.damaged(&seeds[round % seeds.len()]));
    }
}

/// What means something in the formats, or nothing in any.
const SIGNS: &[u8] = b"\"[]{},:=\n0-9e.\0\xff";

/// Reproducible chance: SplitMix64, written out because not every crate may use `othello`.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// Bytes changed, taken out, doubled or cut off.
    fn damaged(&mut self, seed: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(16)).min(bytes.len());
            match self.below(5) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
                3 => bytes.insert(at, SIGNS[self.below(SIGNS.len())]),
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = self.next() as u8;
                    }
                }
            }
        }
        bytes
    }
}
