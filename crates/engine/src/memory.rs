//! Memory that the process holds.

/// How many bytes of memory this process holds, by what the system says; nothing where it does not.
#[cfg(target_os = "linux")]
pub fn resident_bytes() -> Option<usize> {
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = sizes.split_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(rustix::param::page_size())
}

/// How many bytes of memory this process holds, by what the system says; nothing where it does not.
#[cfg(not(target_os = "linux"))]
pub fn resident_bytes() -> Option<usize> {
    None
}
