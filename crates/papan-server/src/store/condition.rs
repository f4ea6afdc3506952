//! Whether the file may be written to.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by whoever writes and whoever finds damage.
#[derive(Clone, Default)]
pub(super) struct Condition(Arc<AtomicBool>);

impl Condition {
    pub(super) fn is_read_only(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// From now on the file is only read. Said once, on the terminal: whoever
    /// runs the server has to act.
    pub(super) fn found_damaged(&self, path: &Path, what: &str) {
        if !self.0.swap(true, Ordering::Relaxed) {
            let path = path.display();
            eprintln!("papan: {path}: the file is damaged ({what}); games are shown, and nothing is written to it");
        }
    }
}
