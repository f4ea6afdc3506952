//! The cores that this process may use.

use std::num::NonZeroUsize;

/// How many games can run at the same time without sharing a core.
#[must_use]
pub fn count() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The numbers of the cores that this process may use; none where that is not
/// known.
#[cfg(all(target_os = "linux", feature = "processes"))]
#[must_use]
pub fn allowed() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

/// The cores of game number `number` of those that run at the same time, when
/// each side is to have one of its own, or both share one.
#[must_use]
pub fn of_game(number: usize, cores: &[usize], one_for_each_side: bool) -> [Option<usize>; 2] {
    match cores.len() {
        0 => [None; 2],
        count if one_for_each_side && count >= 2 => {
            let pair = number % (count / 2);
            [Some(cores[2 * pair]), Some(cores[2 * pair + 1])]
        }
        count => [Some(cores[number % count]), None],
    }
}

/// Binds this thread, and those that it starts, to these cores.
#[cfg(all(target_os = "linux", feature = "processes"))]
pub fn bind_this_thread(cores: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    // Where that is not allowed the thread runs anywhere.
    let _ = sched_setaffinity(None, &set);
}

/// The numbers of the cores that this process may use: not known here.
#[cfg(not(all(target_os = "linux", feature = "processes")))]
#[must_use]
pub fn allowed() -> Vec<usize> {
    Vec::new()
}

/// Threads run anywhere here.
#[cfg(not(all(target_os = "linux", feature = "processes")))]
pub fn bind_this_thread(_cores: &[usize]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_share_no_core_and_sides_only_if_they_may() {
        let cores = [0, 1, 4, 5, 6];
        assert_eq!(of_game(1, &cores, false), [Some(1), None]);
        assert_eq!(of_game(0, &cores, true), [Some(0), Some(1)]);
        assert_eq!(of_game(1, &cores, true), [Some(4), Some(5)]);
        assert_eq!(of_game(2, &cores, true), [Some(0), Some(1)]);
        assert_eq!(of_game(3, &[7], true), [Some(7), None], "no second one to be had");
        assert_eq!(of_game(0, &[], true), [None, None]);
    }
}
