//! Reading ahead: a thread of its own takes in lines while the engine thinks, so that some can interrupt it.

use super::lines::next_line;
use std::io::BufRead;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// A search goes on for so long whatever comes in: who sends a whole script at once still gets sensible answers.
const LEAST_SEARCH: Duration = Duration::from_millis(300);
/// How often an interrupting line looks whether it may interrupt.
const GLANCE: Duration = Duration::from_millis(5);

/// What the reading thread and the answering thread share.
#[derive(Default)]
pub(super) struct Desk {
    /// Set to end the search that may be interrupted.
    pub(super) stop: AtomicBool,
    /// When that search began, if there is one.
    searching: Mutex<Option<Instant>>,
    /// Lines that have been answered.
    answered: AtomicUsize,
}

impl Desk {
    /// Runs a search that may be interrupted.
    pub(super) fn interruptible<T>(&self, search: impl FnOnce(&AtomicBool) -> T) -> T {
        self.stop.store(false, SeqCst);
        self.set_searching(Some(Instant::now()));
        let found = search(&self.stop);
        self.set_searching(None);
        found
    }

    fn set_searching(&self, since: Option<Instant>) {
        if let Ok(mut searching) = self.searching.lock() {
            *searching = since;
        }
    }

    /// Says that one more line has been answered.
    pub(super) fn done(&self) {
        self.answered.fetch_add(1, SeqCst);
    }

    /// Says that nothing will be answered any more, so that no line waits for its answer.
    pub(super) fn close(&self) {
        self.answered.store(usize::MAX / 2, SeqCst);
    }

    /// Passes on all lines up to one that `ends`. After a line that `interrupts`, a search that is running is ended,
    /// and no more is read until that line has been answered.
    pub(super) fn read_ahead(
        &self,
        mut input: impl BufRead,
        lines: &Sender<String>,
        interrupts: impl Fn(&str) -> bool,
        ends: impl Fn(&str) -> bool,
    ) {
        let mut passed_on = 0;
        while let Ok(Some(line)) = next_line(&mut input) {
            let (interrupts, ends) = (interrupts(&line), ends(&line));
            if lines.send(line).is_err() || ends {
                break;
            }
            passed_on += 1;
            while interrupts && self.answered.load(SeqCst) < passed_on {
                let since = self.searching.lock().ok().and_then(|since| *since);
                if since.is_some_and(|since| since.elapsed() >= LEAST_SEARCH) {
                    self.stop.store(true, SeqCst);
                }
                thread::sleep(GLANCE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn an_interrupting_line_ends_the_search_before_it() {
        let desk = Desk::default();
        thread::scope(|scope| {
            let (send, lines) = channel();
            let desk = &desk;
            scope.spawn(move || {
                desk.read_ahead(
                    b"hint\nping\nend\nmore".as_slice(),
                    &send,
                    |line| line == "ping",
                    |line| line == "end",
                );
            });
            assert_eq!(lines.recv().as_deref(), Ok("hint"));
            // Ends only because the line after it interrupts.
            desk.interruptible(|stop| {
                while !stop.load(SeqCst) {
                    thread::sleep(GLANCE);
                }
            });
            desk.done();
            assert_eq!(lines.recv().as_deref(), Ok("ping"));
            desk.done();
            assert_eq!(lines.recv().as_deref(), Ok("end"));
            assert!(lines.recv().is_err(), "nothing is read after the end");
        });
    }
}
