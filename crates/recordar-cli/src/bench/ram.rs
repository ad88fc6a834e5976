//! What this process has in RAM, where the system says so (Linux).

/// Bytes that it has now.
pub(crate) fn now() -> Option<u64> {
    field("self", "VmRSS:")
}

/// Bytes that another process has now.
pub(crate) fn of(process: u32) -> Option<u64> {
    field(&process.to_string(), "VmRSS:")
}

/// The most bytes that it had since it started, or since the peak was reset.
pub(crate) fn peak() -> Option<u64> {
    field("self", "VmHWM:")
}

/// Makes the peak what the process has now. False if the system cannot do that.
pub(crate) fn reset_peak() -> bool {
    // 5 means: only the peak (`man 5 proc_pid_clear_refs`).
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

fn field(process: &str, name: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}
