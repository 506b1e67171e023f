//! The chores of `web/`: packages, checks, pages, and the tests of the whole in a browser.

use crate::{
    process::{command, npm, root},
    steps::{Step, run},
};
use anyhow::{Context as _, bail};
use std::{
    env, fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Not `npm ci`: it refuses a lock file without the bindings of every foreign platform, and not
/// every registry has them all. The lock file is followed, and never written.
const INSTALL: &str = "install --no-save --no-audit --no-fund";
const BUILD: &str = "run build";

const NO_NPM: &str = "npm builds the page; it comes with Node, https://nodejs.org";

/// Names and places of a Chromium or of its sister; Playwright drives each of them alike. The shell
/// without windows needs 0.56 of the processor time of the whole browser for the same tests.
const BROWSERS: &[&str] = &[
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
];
/// Debian's packages of the first two; older releases have only the second.
const PACKAGES: [&str; 2] = ["chromium-headless-shell", "chromium"];
const BROWSER_PLACES: &[&str] = &[
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/// A command of npm in `web/`.
fn npm_step(name: &'static str, line: &str) -> Step {
    let mut npm = npm();
    npm.current_dir(root().join("web"));
    Step::new(name, npm, line)
}

/// What the program takes in: the packages, and the pages made with them.
pub(crate) fn pages() -> Vec<Step> {
    vec![
        npm_step("web packages", INSTALL),
        npm_step("web pages", BUILD),
    ]
}

/// Everything else that needs no program: types, lints and unit tests.
pub(crate) fn checks() -> Vec<Step> {
    vec![
        npm_step("web types", "run check"),
        npm_step("web lints and format", "run lint"),
        npm_step("web unit tests", "test"),
    ]
}

/// Only what the program takes in: the packages and the pages, if anything changed. A new page
/// means linking the program anew, which takes minutes.
pub(crate) fn build() -> anyhow::Result<()> {
    let web = root().join("web");
    // npm writes this file when it has installed everything.
    let installed = changed(&web.join("node_modules/.package-lock.json"));
    if installed.is_none() || installed < changed(&web.join("package-lock.json")) {
        run(npm_step("web packages", INSTALL)).context(NO_NPM)?;
    }
    let built = changed(&web.join("dist/index.html"));
    if built.is_none() || built < newest(&web)? {
        run(npm_step("web pages", BUILD)).context(NO_NPM)?;
    }
    Ok(())
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|it| it.modified()).ok()
}

/// When a source of the page was changed last: anything in `web/` that was not made there.
fn newest(folder: &Path) -> anyhow::Result<Option<SystemTime>> {
    const MADE: [&str; 2] = ["node_modules", "dist"];
    let mut latest = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if MADE.iter().any(|made| entry.file_name() == *made) {
            continue;
        }
        let this = if path.is_dir() {
            newest(&path)?
        } else {
            changed(&path)
        };
        latest = latest.max(this);
    }
    Ok(latest)
}

/// The program with its pages in a browser. The development build is enough: its engine is
/// optimised, and the integration tests of `cli` have built it. Asked for in any other way, its
/// dependencies would have other features and be built anew.
pub(crate) fn end_to_end(browser: &Path, target_dir: &Path) -> Step {
    let program = target_dir
        .join("debug")
        .join(format!("kibitz{}", env::consts::EXE_SUFFIX));
    npm_step("web end-to-end tests", "run e2e")
        .env("KIBITZ_CHROMIUM", browser)
        .env("KIBITZ_PROGRAM", program)
}

/// The browser of the end-to-end tests: `KIBITZ_CHROMIUM`, else the first that is installed, else
/// Debian's, if we may install it.
pub(crate) fn browser() -> anyhow::Result<PathBuf> {
    if let Some(path) = env::var_os("KIBITZ_CHROMIUM").map(PathBuf::from) {
        if !path.is_file() {
            bail!("KIBITZ_CHROMIUM is {}, which is no file", path.display());
        }
        return Ok(path);
    }
    if let Some(path) = installed() {
        return Ok(path);
    }
    if may_install() {
        println!("── no Chromium here; installing Debian's");
        let apt = |line: &str| -> anyhow::Result<bool> {
            let mut apt = command(Path::new("apt-get"));
            apt.args(line.split_whitespace());
            apt.env("DEBIAN_FRONTEND", "noninteractive");
            let status = apt.status().context("cannot start apt-get")?;
            Ok(status.success())
        };
        apt("update")?;
        for package in PACKAGES {
            if apt(&format!("install --yes --no-install-recommends {package}"))? {
                break;
            }
        }
    }
    installed().context(
        "the end-to-end tests need Chromium or Chrome: install it (Debian: apt-get install \
         chromium), or set KIBITZ_CHROMIUM to its path",
    )
}

fn installed() -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&paths).flat_map(|folder| {
        BROWSERS
            .iter()
            .map(move |name| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
    });
    on_path
        .chain(BROWSER_PLACES.iter().map(PathBuf::from))
        .find(|path| path.is_file())
}

/// Whether this is a Debian on which we are root.
fn may_install() -> bool {
    let is_root = command(Path::new("id"))
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    is_root && Path::new("/usr/bin/apt-get").is_file()
}
