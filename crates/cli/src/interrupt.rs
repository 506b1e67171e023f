//! Ctrl-C: the first asks a long command to end with what it has, the second ends it.

use anyhow::Context as _;
use std::{
    process,
    sync::atomic::{AtomicBool, Ordering},
};

/// What a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C sets from now on.
pub(crate) fn flag() -> anyhow::Result<&'static AtomicBool> {
    static FLAG: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| {
        if FLAG.swap(true, Ordering::Relaxed) {
            #[expect(clippy::exit, reason = "whoever asks twice does not want to wait")]
            process::exit(INTERRUPTED);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(&FLAG)
}
