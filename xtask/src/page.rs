//! Building the page that the program carries inside.

use crate::process::{npm, root};
use anyhow::{Context as _, bail};
use std::{fs, path::Path, time::SystemTime};

/// Fetches the packages if they changed, and builds `web/dist`. Without a `web/` folder there is
/// nothing to build.
pub(crate) fn build() -> anyhow::Result<()> {
    let web = root().join("web");
    if !web.join("package.json").exists() {
        return Ok(());
    }
    // npm writes this file when it has installed everything.
    let installed = changed(&web.join("node_modules").join(".package-lock.json"));
    if installed.is_none() || installed < changed(&web.join("package-lock.json")) {
        // As in the tests: the lock file is followed and never written.
        run(&web, &["install", "--no-save", "--no-audit", "--no-fund"])?;
    }
    run(&web, &["run", "build"])
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|it| it.modified()).ok()
}

fn run(web: &Path, args: &[&str]) -> anyhow::Result<()> {
    let status =
        npm().current_dir(web).args(args).status().context(
            "cannot start npm, which builds the page; install Node from https://nodejs.org",
        )?;
    if !status.success() {
        bail!("npm {} failed: {status}", args.join(" "));
    }
    Ok(())
}
