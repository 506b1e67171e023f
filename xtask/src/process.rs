//! Starting other programs, always from the root of the repository.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The cargo that started us, so that the toolchain stays the same.
pub(crate) fn cargo() -> Command {
    let path = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    command(Path::new(&path))
}

/// On Windows npm is a script, and only found under its full name.
pub(crate) fn npm() -> Command {
    command(Path::new(if cfg!(windows) { "npm.cmd" } else { "npm" }))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the rule is for the product; chores are all about starting programs"
)]
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir
        .parent()
        .expect("xtask is a folder of the repository")
        .to_owned()
}
