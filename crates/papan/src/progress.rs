//! A line on the terminal that says how far a search is, until it is done.

use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use papan_core::observer::Progress;

const TELL_EVERY: Duration = Duration::from_millis(150);

/// Runs `search`, which writes the progress that it is given. Where a person
/// looks at the errors' channel, the line stands there meanwhile.
pub(crate) fn shown<T>(search: impl FnOnce(&Progress) -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return search(&Progress::default());
    }
    let progress = Progress::watched();
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (is_done, started) = (is_done, Instant::now());
            while is_done.recv_timeout(TELL_EVERY) == Err(RecvTimeoutError::Timeout) {
                eprint!("\r{}\x1b[K", line(&progress, started.elapsed()));
                let _ = std::io::stderr().flush();
            }
            eprint!("\r\x1b[K");
        });
        let found = search(&progress);
        drop(done);
        found
    })
}

fn line(progress: &Progress, elapsed: Duration) -> String {
    let depth = progress.depth().map_or_else(String::new, |depth| format!("depth {depth}, "));
    format!("thinking: {depth}{} positions, {:.1} s", progress.nodes(), elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_known() {
        let progress = Progress::watched();
        progress.add_nodes(1200);
        assert_eq!(line(&progress, Duration::from_millis(250)), "thinking: 1200 positions, 0.2 s");
        progress.set_depth(7);
        assert_eq!(line(&progress, Duration::from_secs(3)), "thinking: depth 7, 1200 positions, 3.0 s");
    }
}
