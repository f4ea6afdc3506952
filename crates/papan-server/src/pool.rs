//! The threads that bots think on: a fixed number, away from the sockets.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use papan_core::Budget;
use papan_core::observer::Progress;
use papan_core::table::{Table, TableBot, Thought};
use tokio::sync::oneshot;

use crate::error::ApiError;
use crate::messages::Found;
use crate::roster;
use crate::watch::{OnReport, Watched, Watches};

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads with one queue.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    arrived: Condvar,
    watches: Watches,
    /// Searches that run or wait.
    unfinished: AtomicUsize,
    waiting_limit: usize,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    closed: bool,
}

impl Pool {
    /// Engines recurse once per ply and keep arrays on the stack.
    const STACK: usize = 16 << 20;

    pub(crate) fn new(threads: usize, waiting_limit: usize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            arrived: Condvar::new(),
            watches: Watches::default(),
            unfinished: AtomicUsize::new(0),
            waiting_limit,
        });
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name(format!("papan-search-{number}"))
                .stack_size(Self::STACK)
                .spawn(move || shared.work())?;
        }
        let teller = Arc::clone(&shared);
        std::thread::Builder::new().name("papan-progress".to_owned()).spawn(move || teller.watches.tell_all())?;
        Ok(Self { shared })
    }

    /// How many searches run or wait.
    pub(crate) fn unfinished(&self) -> usize {
        self.shared.unfinished.load(Ordering::Relaxed)
    }

    /// Would another search not have to wait for too many?
    pub(crate) fn has_room(&self) -> bool {
        self.unfinished() < self.shared.waiting_limit
    }

    /// Runs `work` on a thread as soon as one is free; what it gives is lost
    /// only if it panics.
    pub(crate) fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> oneshot::Receiver<T> {
        let (done, answer) = oneshot::channel();
        self.shared.unfinished.fetch_add(1, Ordering::Relaxed);
        let shared = Arc::clone(&self.shared);
        self.shared.push(Box::new(move || {
            // Whatever happens in it, the thread goes on and the count is right.
            let found = catch_unwind(AssertUnwindSafe(work));
            shared.unfinished.fetch_sub(1, Ordering::Relaxed);
            if let Ok(found) = found {
                // Whoever no longer listens needs no answer.
                let _ = done.send(found);
            }
        }));
        answer
    }

    /// Runs `search` on a thread as soon as one is free. From now on and until
    /// it is done `on_report` hears several times a second how far it is.
    pub(crate) fn submit(&self, mut search: Search, on_report: OnReport) {
        search.budget.progress = Progress::watched();
        let watched = self.shared.watches.add(search.budget.progress.clone(), on_report);
        // The search tells of its end itself.
        drop(self.run(|| search.run(watched)));
    }

    /// As [`Pool::submit`], but false if too many wait already.
    pub(crate) fn try_submit(&self, search: Search, on_report: OnReport) -> bool {
        let room = self.has_room();
        if room {
            self.submit(search, on_report);
        }
        room
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.queue.lock().expect("no holder panics").closed = true;
        self.shared.arrived.notify_all();
        self.shared.watches.close();
    }
}

impl Shared {
    fn push(&self, job: Job) {
        self.queue.lock().expect("no holder panics").jobs.push_back(job);
        self.arrived.notify_one();
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            job();
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue.lock().expect("no holder panics");
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            queue = self.arrived.wait(queue).expect("no holder panics");
        }
    }
}

/// Who thinks.
pub(crate) enum Thinker {
    /// A bot that has sat here before.
    Seated(Box<dyn TableBot>),
    /// One to be made, by its name and options; making it may take a while.
    Named(String),
}

/// Gets the bot back with what it remembers (unless it failed), what it found
/// and how long that took.
pub(crate) type OnDone = Box<dyn FnOnce(Option<Box<dyn TableBot>>, Found, Duration) + Send>;

/// One question to a bot and where the answers go.
pub(crate) struct Search {
    pub(crate) table: Box<dyn Table>,
    pub(crate) thinker: Thinker,
    pub(crate) budget: Budget,
    /// Called when a thread takes the search up.
    pub(crate) on_start: Box<dyn FnOnce() + Send>,
    /// Called once at the end, whatever happens.
    pub(crate) on_done: OnDone,
}

impl Search {
    fn run(self, watched: Watched) {
        let Self { table, thinker, budget, on_start, on_done } = self;
        if budget.stop.is_stopped() {
            let bot = match thinker {
                Thinker::Seated(bot) => Some(bot),
                Thinker::Named(_) => None,
            };
            drop(watched);
            return on_done(bot, Found::Stopped, Duration::ZERO);
        }
        on_start();
        watched.started();
        let started = Instant::now();
        let mut watch = |thought: Thought| watched.better(thought);
        // A bot that panics must not take the thread or the game with it; its
        // state is thrown away.
        let search = AssertUnwindSafe(|| {
            let mut bot = match thinker {
                Thinker::Seated(bot) => bot,
                Thinker::Named(spec) => roster::bot(&table.spec(), &spec)?,
            };
            let choice = bot.choose_watched(&*table, &budget, &mut watch);
            Ok((bot, choice))
        });
        let answer = catch_unwind(search).unwrap_or_else(|_| Err(ApiError::bot_failed()));
        let elapsed = started.elapsed();
        watched.finished();
        match answer {
            Ok((bot, _)) if budget.stop.is_stopped() => on_done(Some(bot), Found::Stopped, elapsed),
            Ok((bot, choice)) => on_done(Some(bot), Found::Choice(choice), elapsed),
            Err(error) => on_done(None, Found::Failed(error), elapsed),
        }
    }
}
