//! How many files and connections the system lets this process have open.

/// What files, threads and their pipes may need beside the connections.
const KEPT_FOR_FILES: usize = 192;

/// Raises the soft limit to the hard one; gives how many descriptors are left
/// for connections.
#[cfg(unix)]
pub(super) fn for_connections() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let granted = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    left(granted.map_or(usize::MAX, |granted| usize::try_from(granted).unwrap_or(usize::MAX)))
}

#[cfg(not(unix))]
pub(super) fn for_connections() -> usize {
    usize::MAX
}

/// Files come first; with very few descriptors each gets half.
#[cfg(unix)]
fn left(granted: usize) -> usize {
    granted.saturating_sub(KEPT_FOR_FILES).max(granted / 2)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_are_left_room() {
        assert_eq!([left(64), left(256), left(1024), left(usize::MAX)], [32, 128, 832, usize::MAX - KEPT_FOR_FILES]);
    }
}
