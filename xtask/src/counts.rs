//! `cargo xtask counts`: instructions per call of the kernels, counted by valgrind's callgrind.
//! Counts repeat to the last digit on a busy machine, where times do not.

use crate::process::{cargo, command, root};
use anyhow::{Context as _, bail, ensure};
use std::path::Path;

const KERNELS: [&str; 5] = [
    "legal_moves",
    "flips",
    "stable_discs",
    "evaluate_from_scratch",
    "evaluate_moves",
];

/// Two runs of different length: their difference has no start-up in it.
const FEW: u64 = 10 * 1024;
const MANY: u64 = 20 * 1024;

/// Builds the example and prints a table.
pub(crate) fn counts() -> anyhow::Result<()> {
    let built = cargo()
        .args([
            "build",
            "--release",
            "--package",
            "engine",
            "--example",
            "kernels",
        ])
        .status()?;
    ensure!(built.success(), "the kernels example does not build");
    let loop_cost = per_call("nothing")?;
    println!("{:24}{:>12}", "kernel", "instructions");
    for kernel in KERNELS {
        println!("{kernel:24}{:12.1}", per_call(kernel)? - loop_cost);
    }
    println!("per call; flips include one legal_moves, evaluate_moves has all moves of a board");
    Ok(())
}

fn per_call(kernel: &str) -> anyhow::Result<f64> {
    let difference = instructions(kernel, MANY)? - instructions(kernel, FEW)?;
    Ok(difference as f64 / (MANY - FEW) as f64)
}

fn instructions(kernel: &str, calls: u64) -> anyhow::Result<i64> {
    let output = command(Path::new("valgrind"))
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(root().join("target/release/examples/kernels"))
        .args([kernel, &calls.to_string()])
        .output()
        .context("valgrind is needed for counting instructions")?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{kernel} under valgrind failed:\n{text}");
    }
    let collected = text
        .lines()
        .find_map(|line| line.split("Collected : ").nth(1));
    collected
        .and_then(|count| count.trim().parse().ok())
        .with_context(|| format!("valgrind printed no count:\n{text}"))
}
