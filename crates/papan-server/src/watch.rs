//! How far searches are, told at a steady pace while they wait and run:
//! whoever asked a bot sees that it is at work, also while it has no move to
//! tell or no thread to think on.

use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use papan_core::observer::Progress;
use papan_core::table::Thought;

/// Time between two reports.
const PACE: Duration = Duration::from_millis(100);

/// How far a search is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    /// Has no thread taken it up yet?
    pub(crate) waits: bool,
    /// The best move so far.
    pub(crate) best: Option<Thought>,
    /// The plies of look-ahead under way.
    pub(crate) depth: Option<u32>,
    /// Positions visited so far.
    pub(crate) nodes: u64,
    /// Since a thread took it up, or, while it waits, since it was asked for.
    pub(crate) elapsed: Duration,
}

impl Report {
    /// A search that has just been taken up.
    pub(crate) const fn begun() -> Self {
        Self { waits: false, best: None, depth: None, nodes: 0, elapsed: Duration::ZERO }
    }
}

/// Where reports go. It must not block: it is called on the thread that tells
/// of all searches.
pub(crate) type OnReport = Box<dyn FnMut(Report) + Send>;

struct Watch {
    waits: bool,
    since: Instant,
    best: Option<Thought>,
    /// Was `best` told?
    is_told: bool,
    told_at: Option<Instant>,
    is_over: bool,
    progress: Progress,
    tell: OnReport,
}

impl Watch {
    fn is_due(&self) -> bool {
        !self.is_over && self.told_at.is_none_or(|told_at| told_at.elapsed() >= PACE)
    }

    fn tell(&mut self) {
        self.told_at = Some(Instant::now());
        self.is_told = true;
        // The last best move may know of nodes that the threads have not told of yet.
        let nodes = self.progress.nodes().max(self.best.as_ref().map_or(0, |best| best.nodes));
        (self.tell)(Report {
            waits: self.waits,
            best: self.best.clone(),
            depth: self.progress.depth(),
            nodes,
            elapsed: self.since.elapsed(),
        });
    }
}

/// One search that is told of, until it is dropped.
pub(crate) struct Watched(Arc<Mutex<Watch>>);

impl Drop for Watched {
    /// Whoever tells of all searches may hold this one for a moment longer.
    fn drop(&mut self) {
        self.0.lock().expect("no holder panics").is_over = true;
    }
}

impl Watched {
    /// A thread has taken the search up.
    pub(crate) fn started(&self) {
        let mut watch = self.0.lock().expect("no holder panics");
        watch.waits = false;
        watch.since = Instant::now();
    }

    /// The search has a better move. Told at once, but not too often.
    pub(crate) fn better(&self, thought: Thought) {
        let mut watch = self.0.lock().expect("no holder panics");
        watch.best = Some(thought);
        watch.is_told = false;
        if watch.is_due() {
            watch.tell();
        }
    }

    /// The search is over: its last best move is told if it was not.
    pub(crate) fn finished(self) {
        let mut watch = self.0.lock().expect("no holder panics");
        if watch.best.is_some() && !watch.is_told {
            watch.tell();
        }
    }
}

/// All searches that wait or run.
#[derive(Default)]
pub(crate) struct Watches {
    list: Mutex<List>,
    changed: Condvar,
}

#[derive(Default)]
struct List {
    searches: Vec<Weak<Mutex<Watch>>>,
    closed: bool,
}

impl Watches {
    /// Tells `tell` of the search that writes `progress`, from now on.
    pub(crate) fn add(&self, progress: Progress, tell: OnReport) -> Watched {
        let watch = Arc::new(Mutex::new(Watch {
            waits: true,
            since: Instant::now(),
            best: None,
            is_told: true,
            told_at: None,
            is_over: false,
            progress,
            tell,
        }));
        self.list.lock().expect("no holder panics").searches.push(Arc::downgrade(&watch));
        self.changed.notify_one();
        Watched(watch)
    }

    /// Lets [`Watches::tell_all`] end.
    pub(crate) fn close(&self) {
        self.list.lock().expect("no holder panics").closed = true;
        self.changed.notify_one();
    }

    /// Tells of every search, again and again; sleeps while there is none.
    pub(crate) fn tell_all(&self) {
        while let Some(searches) = self.wait() {
            std::thread::sleep(PACE / 2);
            for search in searches {
                let mut watch = search.lock().expect("no holder panics");
                if watch.is_due() {
                    watch.tell();
                }
            }
        }
    }

    /// The searches there are, once there is one; nothing once closed.
    fn wait(&self) -> Option<Vec<Arc<Mutex<Watch>>>> {
        let mut list = self.list.lock().expect("no holder panics");
        loop {
            list.searches.retain(|search| search.strong_count() > 0);
            if list.closed {
                return None;
            }
            if !list.searches.is_empty() {
                return Some(list.searches.iter().filter_map(Weak::upgrade).collect());
            }
            list = self.changed.wait(list).expect("no holder panics");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use papan_core::Score;

    use super::*;

    fn thought(mv: &str) -> Thought {
        Thought { mv: mv.to_owned(), score: Score(1), depth: 2, nodes: 30 }
    }

    /// A search that is told of on a thread of its own, and what is told.
    fn watched() -> (Arc<Watches>, Watched, Progress, mpsc::Receiver<Report>) {
        let (watches, progress) = (Arc::new(Watches::default()), Progress::watched());
        let (tell, told) = mpsc::channel();
        let watched = watches.add(progress.clone(), Box::new(move |report| drop(tell.send(report))));
        let teller = Arc::clone(&watches);
        std::thread::spawn(move || teller.tell_all());
        (watches, watched, progress, told)
    }

    #[test]
    fn a_search_is_told_of_while_it_waits_and_while_it_has_no_move() {
        let (watches, watched, progress, told) = watched();
        let next = || told.recv_timeout(Duration::from_secs(20)).expect("reports come by themselves");
        assert!(next().waits && next().waits);
        watched.started();
        progress.add_nodes(7);
        progress.set_depth(3);
        let report = std::iter::repeat_with(next).find(|report| !report.waits).unwrap();
        let later = next();
        assert_eq!((later.best, later.nodes, later.depth), (None, 7, Some(3)));
        assert!(later.elapsed > report.elapsed);
        watches.close();
    }

    #[test]
    fn the_last_best_move_is_told_and_nothing_after_it() {
        let (watches, watched, _, told) = watched();
        watched.started();
        for mv in ["a1", "b1", "c1"] {
            watched.better(thought(mv));
        }
        watched.finished();
        let last = told.iter().last().expect("the channel closes with the search");
        assert_eq!((last.best, last.nodes), (Some(thought("c1")), 30));
        watches.close();
    }
}
