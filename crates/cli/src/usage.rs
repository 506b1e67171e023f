//! What this process has used of the machine, where the system tells.

use std::fs;

/// Processor time and memory so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Usage {
    /// Seconds of all threads.
    pub(crate) cpu_seconds: f64,
    /// The most memory at any time, in megabytes.
    pub(crate) peak_mb: f64,
}

impl Usage {
    /// As of now; nothing on systems without `/proc`.
    pub(crate) fn now() -> Option<Self> {
        Self::parse(
            &fs::read_to_string("/proc/self/stat").ok()?,
            &fs::read_to_string("/proc/self/status").ok()?,
        )
    }

    fn parse(stat: &str, status: &str) -> Option<Self> {
        /// Linux counts in hundredths of a second on every machine that we build for.
        const TICKS_PER_SECOND: f64 = 100.0;
        // The program's name is in parentheses and may contain anything.
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut ticks = rest.split(' ').skip(11).map(str::parse::<f64>);
        let cpu = ticks.next()?.ok()? + ticks.next()?.ok()?;
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"))?;
        Some(Self {
            cpu_seconds: cpu / TICKS_PER_SECOND,
            peak_mb: peak.trim().parse::<f64>().ok()? / 1024.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Usage;

    #[test]
    fn the_systems_own_words_are_understood() {
        let stat = "42 (a b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 1 0 5 6 7";
        let status = "Name:\tx\nVmPeak:\t  9999 kB\nVmHWM:\t  2048 kB\n";
        assert_eq!(
            Usage::parse(stat, status),
            Some(Usage {
                cpu_seconds: 2.0,
                peak_mb: 2.0
            })
        );
        assert_eq!(Usage::parse("", ""), None);
    }
}
