//! `cargo xtask fuzz`: every fuzz target for some seconds, from the seeds in the repository.

use crate::{
    process::{command, root},
    steps::{Step, run},
};
use anyhow::{Context as _, bail};
use std::{fs, path::Path};

/// How long each target runs unless told otherwise.
const SECONDS: u32 = 30;

/// What a target may use: a parser that needs more for an input of a few kilobytes is broken.
const MEMORY_LIMIT_MB: u32 = 512;

/// Runs all targets, or those that are named. The first crash ends it with an error; its input is
/// in `fuzz/artifacts`.
pub(crate) fn fuzz(args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let (seconds, wanted) = read(args)?;
    let known = targets()?;
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) {
        bail!(
            "there is no fuzz target {unknown:?}; there are {}",
            known.join(", ")
        );
    }
    for target in known {
        if wanted.is_empty() || wanted.contains(&target) {
            fuzz_one(&target, seconds)?;
        }
    }
    Ok(())
}

/// `--seconds N` and names of targets.
fn read(mut args: impl Iterator<Item = String>) -> anyhow::Result<(u32, Vec<String>)> {
    let (mut seconds, mut wanted) = (SECONDS, Vec::new());
    while let Some(arg) = args.next() {
        if arg == "--seconds" {
            let text = args.next().context("--seconds needs a number")?;
            seconds = text
                .parse()
                .with_context(|| format!("--seconds {text:?} is not a whole number"))?;
        } else {
            wanted.push(arg);
        }
    }
    Ok((seconds, wanted))
}

/// The names of the targets, from their files.
fn targets() -> anyhow::Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "rs")
            && let Some(name) = path.file_stem().and_then(|it| it.to_str())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn fuzz_one(target: &str, seconds: u32) -> anyhow::Result<()> {
    let corpus = root().join("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
    // Through rustup's door: the repository's toolchain is a stable one, and the variable with
    // which cargo names itself to us would win over `+nightly`.
    let mut nightly = command(Path::new("cargo"));
    nightly
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN")
        .args(["+nightly", "fuzz", "run", target])
        .args([&corpus, &root().join("fuzz/seeds").join(target)])
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-rss_limit_mb={MEMORY_LIMIT_MB}"))
        .arg("-verbosity=0")
        .arg("-print_final_stats=1");
    println!("── fuzz {target}");
    run(Step::new("fuzz", nightly, "")).with_context(|| {
        format!(
            "target {target:?} failed. A crash's input is in fuzz/artifacts; without cargo-fuzz: \
             cargo install cargo-fuzz, and rustup toolchain install nightly"
        )
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_built_and_has_seeds() {
        let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("the fuzz crate");
        let targets = targets().expect("a folder of targets");
        assert!(targets.len() >= 19, "{targets:?}");
        for target in &targets {
            let bin = format!("[[bin]]\nname = \"{target}\"\n");
            assert!(manifest.contains(&bin), "{target} is not built");
            let seeds = root().join("fuzz/seeds").join(target);
            let n_seeds = fs::read_dir(&seeds).map_or(0, Iterator::count);
            assert!(n_seeds > 0, "{target} has no seeds");
        }
    }
}
