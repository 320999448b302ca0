//! The limit on memory if the user sets none.

use std::fs;

/// The share of what is free that a search may take: the rest of the program and other programs need
/// some too, and running out of memory would end the search without a result.
const SHARE: f64 = 0.8;

/// A limit that keeps the machine usable; none where the system does not tell what it has.
pub fn default_limit() -> Option<u64> {
    let free = fs::read_to_string("/proc/meminfo").ok();
    let free = free.and_then(|text| available(&text));
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    let limit = [free, group].into_iter().flatten().min()?;
    Some((limit as f64 * SHARE) as u64)
}

/// The bytes that Linux says are available.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_memory_is_read_off() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   1000 kB\nBuffers: 0 kB\n";
        assert_eq!(available(text), Some(1_024_000));
        assert_eq!(available("MemAvailable: much kB\n"), None);
        assert_eq!(available(""), None);
    }
}
