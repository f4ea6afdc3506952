//! The threads that bots think on: a fixed number, away from the sockets.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use papan_core::Budget;
use papan_core::table::{Table, TableBot, Thought};

use crate::error::ApiError;
use crate::messages::Found;
use crate::roster;

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads with one queue.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    arrived: Condvar,
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
        Ok(Self { shared })
    }

    /// How many searches run or wait.
    pub(crate) fn unfinished(&self) -> usize {
        self.shared.unfinished.load(Ordering::Relaxed)
    }

    /// Runs `search` on a thread as soon as one is free.
    pub(crate) fn submit(&self, search: Search) {
        self.shared.unfinished.fetch_add(1, Ordering::Relaxed);
        let shared = Arc::clone(&self.shared);
        self.shared.push(Box::new(move || {
            // Whatever happens in it, the thread goes on and the count is right.
            let _ = catch_unwind(AssertUnwindSafe(|| search.run()));
            shared.unfinished.fetch_sub(1, Ordering::Relaxed);
        }));
    }

    /// As [`Pool::submit`], but false if too many wait already.
    pub(crate) fn try_submit(&self, search: Search) -> bool {
        let room = self.unfinished() < self.shared.waiting_limit;
        if room {
            self.submit(search);
        }
        room
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.queue.lock().expect("no holder panics").closed = true;
        self.shared.arrived.notify_all();
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
    /// Called with a better move and the time so far, a few times a second.
    pub(crate) on_thought: Box<dyn FnMut(Thought, Duration) + Send>,
    /// Called once at the end, whatever happens.
    pub(crate) on_done: OnDone,
}

impl Search {
    /// Thoughts come at most this often.
    const PACE: Duration = Duration::from_millis(100);

    fn run(self) {
        let Self { table, thinker, budget, on_start, mut on_thought, on_done } = self;
        if budget.stop.is_stopped() {
            let bot = match thinker {
                Thinker::Seated(bot) => Some(bot),
                Thinker::Named(_) => None,
            };
            return on_done(bot, Found::Stopped, Duration::ZERO);
        }
        on_start();
        let started = Instant::now();
        let mut told: Option<Instant> = None;
        let mut watch = |thought: Thought| {
            if told.is_none_or(|told| told.elapsed() >= Self::PACE) {
                told = Some(Instant::now());
                on_thought(thought, started.elapsed());
            }
        };
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
        match answer {
            Ok((bot, _)) if budget.stop.is_stopped() => on_done(Some(bot), Found::Stopped, elapsed),
            Ok((bot, choice)) => on_done(Some(bot), Found::Choice(choice), elapsed),
            Err(error) => on_done(None, Found::Failed(error), elapsed),
        }
    }
}
