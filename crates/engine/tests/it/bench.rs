//! The fingerprint of the search, which every build must share.

use engine::bench::{Bench, CASES, FINGERPRINT};

#[test]
fn the_search_is_the_recorded_one() {
    let mut bench = Bench::new(1).unwrap();
    let nodes: u64 = CASES.iter().map(|case| bench.run(case).nodes).sum();
    assert_eq!(
        nodes, FINGERPRINT,
        "the search has changed. If it was meant to: `cargo xtask run -- bench` prints \
         `Bench: {nodes}`; write that number to FINGERPRINT in crates/engine/src/bench.rs and say \
         it in the commit. If another build of the same code agrees with FINGERPRINT: an \
         instruction set gives other results, which is a bug"
    );
}
