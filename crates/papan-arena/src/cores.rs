//! The cores that this process may use.

use std::num::NonZeroUsize;

/// How many games can run at the same time without sharing a core.
#[must_use]
pub fn count() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The numbers of the cores that this process may use; none where that is not
/// known.
#[cfg(target_os = "linux")]
#[must_use]
pub fn allowed() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

/// Binds this thread, and those that it starts, to one core.
#[cfg(target_os = "linux")]
pub fn bind_this_thread(core: usize) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    set.set(core);
    // Where that is not allowed the thread runs anywhere.
    let _ = sched_setaffinity(None, &set);
}

/// The numbers of the cores that this process may use: not known here.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn allowed() -> Vec<usize> {
    Vec::new()
}

/// Threads run anywhere here.
#[cfg(not(target_os = "linux"))]
pub fn bind_this_thread(_core: usize) {}
