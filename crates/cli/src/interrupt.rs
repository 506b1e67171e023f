//! Ctrl-C and a friendly kill: the first asks a command to end well, the second ends it.

use anyhow::Context as _;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A flag that an interrupt sets. To be asked for once.
pub(crate) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let ours = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if ours.swap(true, Ordering::Relaxed) {
            leave();
        }
    })
    .context("cannot listen for interrupts")?;
    Ok(flag)
}

#[expect(
    clippy::exit,
    reason = "who asks twice does not want to wait; files are replaced in one step"
)]
pub(crate) fn leave() {
    std::process::exit(130);
}
