//! Tells how far a solver is, on standard error.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use papan_core::solver::SolveProgress;
use papan_core::table::{Table, readable_margin};

use crate::output;

/// Between two changes of the line on a terminal.
const ON_TERMINAL: Duration = Duration::from_millis(250);
/// Between two lines in a log.
const IN_LOG: Duration = Duration::from_secs(10);

/// One line that changes on a terminal; elsewhere a new line now and then.
pub(super) struct ProgressLine {
    started: Instant,
    last: Cell<Instant>,
    terminal: bool,
}

impl ProgressLine {
    pub(super) fn new(started: Instant) -> Self {
        Self { started, last: Cell::new(started), terminal: io::stderr().is_terminal() }
    }

    pub(super) fn show(&self, table: &dyn Table, progress: &SolveProgress) {
        let pause = if self.terminal { ON_TERMINAL } else { IN_LOG };
        if self.last.get().elapsed() < pause {
            return;
        }
        self.last.set(Instant::now());
        let seconds = self.started.elapsed().as_secs_f64();
        let line = format!(
            "{seconds:.0} s  value {:+} to {:+}  {} nodes  {:.2} M/s  table {:.0} %",
            readable_margin(table, progress.lower),
            readable_margin(table, progress.upper),
            output::grouped(progress.nodes),
            progress.nodes as f64 / seconds / 1e6,
            100.0 * progress.table_use,
        );
        let mut err = io::stderr().lock();
        // Progress is a courtesy: a terminal that went away is no error.
        let _ = if self.terminal { write!(err, "\r\x1b[K{line}") } else { writeln!(err, "{line}") };
        let _ = err.flush();
    }

    pub(super) fn clear(&self) {
        if self.terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
