//! `kibitz perft --pack`: both generators over positions with recorded counts.

use anyhow::ensure;
use othello::{PERFT_PACK_SHA256, PerftCase};
use sha2::{Digest as _, Sha256};
use std::io::Write;

/// What both generators counted.
#[derive(Debug, serde::Serialize)]
struct Counted {
    name: &'static str,
    position: String,
    /// For depth 1 and on.
    nodes: Vec<u64>,
}

/// The answer with `--json`.
#[derive(Debug, serde::Serialize)]
struct Answer {
    positions: Vec<Counted>,
    sha256: String,
}

/// Prints the counts and their SHA-256. The first count that differs from the record, or between
/// the generators, ends it with an error.
pub(super) fn run(out: &mut impl Write, json: bool) -> anyhow::Result<()> {
    let mut digest = Sha256::new();
    let mut positions = Vec::new();
    for case in othello::perft_pack() {
        let counted = count(&case)?;
        for nodes in &counted.nodes {
            digest.update(format!("{nodes}\n"));
        }
        if !json {
            writeln!(out, "{}  {}", counted.position, counted.name)?;
            let nodes: Vec<_> = counted.nodes.iter().map(u64::to_string).collect();
            writeln!(out, "  {}", nodes.join(" "))?;
            out.flush()?;
        }
        positions.push(counted);
    }
    let sha256: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let n_positions = positions.len();
    if json {
        let answer = Answer {
            positions,
            sha256: sha256.clone(),
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        writeln!(out, "sha256 {sha256}")?;
    }
    ensure!(
        sha256 == PERFT_PACK_SHA256,
        "the SHA-256 of the counts is {sha256}; recorded is {PERFT_PACK_SHA256}"
    );
    if !json {
        writeln!(
            out,
            "{n_positions} positions: both generators agree with the record"
        )?;
    }
    Ok(())
}

fn count(case: &PerftCase) -> anyhow::Result<Counted> {
    let board = case.position.board;
    let mut nodes = Vec::new();
    for (depth, recorded) in (1..).zip(case.counts) {
        let fast = othello::perft(board, depth);
        let reference = othello::perft_reference(board, depth);
        ensure!(
            fast == recorded && reference == recorded,
            "{:?} at depth {depth}: the fast generator counts {fast}, the reference {reference}; \
             recorded is {recorded}",
            case.name
        );
        nodes.push(fast);
    }
    Ok(Counted {
        name: case.name,
        position: case.position.to_string(),
        nodes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_differs_is_told_with_its_position_and_depth() {
        let mut case = othello::perft_pack()[0];
        case.counts[2] += 1;
        let error = count(&case).unwrap_err().to_string();
        assert_eq!(
            error,
            "\"the start\" at depth 3: the fast generator counts 56, the reference 56; recorded is 57"
        );
    }
}
