//! How far a search is, for whoever looks at it from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

#[derive(Debug, Default)]
struct Counts {
    nodes: AtomicU64,
    depth: AtomicU32,
}

/// A board that every thread of a search writes on and that anyone who holds a
/// clone can read at any time: also before the search has a first move to
/// tell, and during a proof that tells nothing until its end.
///
/// Searches write where they look at the clock anyway. Unless it was made by
/// [`Progress::watched`], nobody reads it, and writing does nothing.
///
/// ```
/// use papan_core::observer::Progress;
///
/// let read = Progress::watched();
/// let written = read.clone();
/// written.set_depth(3);
/// written.add_nodes(512);
/// written.add_nodes(512);
/// assert_eq!((read.nodes(), read.depth()), (1024, Some(3)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress(Option<Arc<Counts>>);

/// The progress of a search that nobody looks at.
pub static UNWATCHED: Progress = Progress(None);

impl Progress {
    /// The progress of a search that someone will look at.
    #[must_use]
    pub fn watched() -> Self {
        Self(Some(Arc::default()))
    }

    /// Does anyone look at it?
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.0.is_some()
    }

    /// So many more positions were visited. Each thread adds its own.
    #[inline]
    pub fn add_nodes(&self, nodes: u64) {
        if let Some(counts) = &self.0 {
            counts.nodes.fetch_add(nodes, Relaxed);
        }
    }

    /// The search now looks so many plies ahead.
    #[inline]
    pub fn set_depth(&self, depth: u32) {
        if let Some(counts) = &self.0 {
            counts.depth.store(depth, Relaxed);
        }
    }

    /// Positions visited so far; fewer than the truth by what was visited
    /// since each thread's last look at the clock.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.0.as_ref().map_or(0, |counts| counts.nodes.load(Relaxed))
    }

    /// The plies of look-ahead under way, if the search goes by depth.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        self.0.as_ref().map(|counts| counts.depth.load(Relaxed)).filter(|&depth| depth > 0)
    }
}
