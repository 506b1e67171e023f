//! How much memory this computer has to give.

/// Megabytes that can be taken without pushing other programs out, as far as the system tells.
#[cfg(target_os = "linux")]
pub fn available_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let free = available_in(&text)?;
    // A container may have less than the machine.
    let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|text| text.trim().parse::<u64>().ok());
    Some(limit.map_or(free, |bytes| free.min(bytes >> 20)))
}

/// Megabytes that can be taken without pushing other programs out, as far as the system tells.
#[cfg(not(target_os = "linux"))]
pub fn available_mb() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    Some(system.available_memory() >> 20).filter(|&mb| mb > 0)
}

/// The line `MemAvailable:    1234 kB` of Linux, in megabytes.
#[cfg(target_os = "linux")]
fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes >> 10)
}

/// The largest table for a search: half of what is available, for the rest of the system wants
/// to live, too, and never less than a small one.
pub fn table_limit_mb(available_mb: u64) -> u32 {
    const LEAST_MB: u64 = 16;
    let half = (available_mb / 2).max(LEAST_MB);
    u32::try_from(half).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_computer_has_memory() {
        assert!(available_mb().is_some_and(|mb| mb > 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_linux_says_is_understood() {
        let text = "MemTotal:       16384000 kB\nMemFree: 1 kB\nMemAvailable:    2097152 kB\n";
        assert_eq!(available_in(text), Some(2_048));
        assert_eq!(available_in("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn tables_take_half_of_it() {
        assert_eq!(table_limit_mb(8_000), 4_000);
        assert_eq!(table_limit_mb(0), 16);
        assert_eq!(table_limit_mb(u64::MAX), u32::MAX);
    }
}
