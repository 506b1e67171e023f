//! What was built, and what it runs on.

use othello::tier::Tier;
use std::{env::consts, fmt, fs};

/// What was built; whoever built the program knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Build {
    pub version: &'static str,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kibitz {}", self.version)?;
        writeln!(f, "built for {} on {}", consts::ARCH, consts::OS)?;
        let kernels = if cfg!(portable_kernels) {
            "portable"
        } else if cfg!(target_feature = "avx2") {
            "AVX2"
        } else if cfg!(target_arch = "aarch64") {
            "NEON"
        } else {
            "portable"
        };
        writeln!(f, "kernels {kernels}, solver {}", Tier::current())?;
        let profile = if cfg!(debug_assertions) {
            "development"
        } else {
            "release"
        };
        writeln!(f, "profile {profile}")?;
        if let Some(system) = first_line("/proc/sys/kernel/osrelease") {
            writeln!(f, "kernel {system}")?;
        }
        if let Some(name) = field("/etc/os-release", "PRETTY_NAME", '=') {
            writeln!(f, "system {name}")?;
        }
        Ok(())
    }
}

/// Processor and memory, as far as the system tells without asking another program.
pub(super) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let or_unknown = |found: Option<String>| found.unwrap_or_else(|| "unknown".to_owned());
    format!(
        "processor {}\ncores {cores}\nmemory {}\nmemory available {}\n",
        or_unknown(field("/proc/cpuinfo", "model name", ':')),
        or_unknown(field("/proc/meminfo", "MemTotal", ':')),
        or_unknown(field("/proc/meminfo", "MemAvailable", ':')),
    )
}

fn first_line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.lines().next()?.trim().to_owned())
}

/// The value of the first line that begins with a name.
fn field(path: &str, name: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    let (_, value) = line.split_once(separator)?;
    Some(value.trim().trim_matches('"').to_owned())
}
