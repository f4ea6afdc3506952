//! The lab's searches: run once, kept for a while, looked at piece by piece.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use papan_core::table::{Table, TableBot};
use papan_core::{Budget, StopToken};
use papan_lab::runs::Run;
use papan_lab::tree::SearchTrace;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;
use crate::roster;

/// Positions kept of a tree, about 50 bytes each; Tic-tac-toe's whole minimax
/// tree has 549,946.
const KEPT_POSITIONS: usize = 600_000;
/// Entries kept of each kind of another search.
const KEPT_ENTRIES: usize = 20_000;
/// Searches of each kind that are kept.
const KEPT_SEARCHES: usize = 6;
/// Searches that run at the same time.
const RUNNING: usize = 2;
/// How long a search waits for its turn before it is refused.
const PATIENCE: Duration = Duration::from_secs(3);
/// A lab search that takes longer is stopped, and shown as far as it came.
const LONGEST: Duration = Duration::from_secs(20);

/// Which search: the same question gives the same search, since everything
/// random has a seed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Question {
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) position: Option<String>,
    pub(crate) bot: String,
    #[serde(default)]
    pub(crate) depth: Option<u32>,
}

/// A search in numbers alone.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Counts {
    nodes: u64,
    leaves: u64,
    cuts: u64,
    seconds: f64,
    /// Was it stopped before its end?
    stopped: bool,
}

/// The newest few answers.
struct Shelf<T>(Mutex<VecDeque<(Question, Arc<T>)>>);

impl<T> Shelf<T> {
    fn find(&self, question: &Question) -> Option<Arc<T>> {
        let mut shelf = self.0.lock().expect("no holder panics");
        let place = shelf.iter().position(|(known, _)| known == question)?;
        let found = shelf.remove(place)?;
        let answer = Arc::clone(&found.1);
        shelf.push_front(found);
        Some(answer)
    }

    fn keep(&self, question: Question, answer: &Arc<T>) {
        let mut shelf = self.0.lock().expect("no holder panics");
        shelf.push_front((question, Arc::clone(answer)));
        shelf.truncate(KEPT_SEARCHES);
    }
}

/// The lab.
pub(crate) struct Lab {
    traces: Shelf<SearchTrace>,
    runs: Shelf<Run>,
    running: Arc<Semaphore>,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self {
            traces: Shelf(Mutex::default()),
            runs: Shelf(Mutex::default()),
            running: Arc::new(Semaphore::new(RUNNING)),
        }
    }

    /// Waits a little until another search or experiment may begin. Call it
    /// away from the sockets.
    pub(crate) fn begin(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let asked = Instant::now();
        loop {
            match Arc::clone(&self.running).try_acquire_owned() {
                Ok(permit) => return Ok(permit),
                Err(_) if asked.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
                Err(_) => return Err(ApiError::busy()),
            }
        }
    }

    /// Counts what a search does, and keeps none of it.
    pub(crate) fn counts(&self, question: &Question) -> Result<Counts, ApiError> {
        let _permit = self.begin()?;
        search(question, |table, bot, budget| {
            let started = Instant::now();
            let (choice, tally) = bot.choose_tallied(&*table, budget);
            Counts {
                nodes: choice.nodes,
                leaves: tally.leaves(),
                cuts: tally.cuts,
                seconds: started.elapsed().as_secs_f64(),
                stopped: budget.stop.is_stopped(),
            }
        })
    }

    /// A tree search, run now or known already.
    pub(crate) fn trace(&self, question: &Question) -> Result<Arc<SearchTrace>, ApiError> {
        if let Some(known) = self.traces.find(question) {
            return Ok(known);
        }
        let _permit = self.begin()?;
        // Another request for the same search may have run while this one waited.
        if let Some(known) = self.traces.find(question) {
            return Ok(known);
        }
        let trace = search(question, |table, bot, budget| {
            SearchTrace::run(&*table, &question.bot, bot, budget, KEPT_POSITIONS)
        })?;
        if !trace.is_tree() {
            return Err(ApiError::no_tree());
        }
        let trace = Arc::new(trace);
        self.traces.keep(question.clone(), &trace);
        Ok(trace)
    }

    /// A local, genetic or Monte Carlo search, run now or known already.
    pub(crate) fn run(&self, question: &Question) -> Result<Arc<Run>, ApiError> {
        if let Some(known) = self.runs.find(question) {
            return Ok(known);
        }
        let _permit = self.begin()?;
        let run = search(question, |table, bot, budget| Run::new(table, &question.bot, bot, budget, KEPT_ENTRIES))?;
        let run = Arc::new(run);
        self.runs.keep(question.clone(), &run);
        Ok(run)
    }
}

/// Runs a search that is stopped when it takes too long. A time limit in the
/// budget would do more than that: bots deepen step by step under one, and the
/// counts would no longer be those of the plain search.
fn search<T>(
    question: &Question,
    run: impl FnOnce(Box<dyn Table>, &mut dyn TableBot, &Budget) -> T,
) -> Result<T, ApiError> {
    let table = roster::table(&question.game, question.position.as_deref().filter(|text| !text.is_empty()))?;
    if table.is_over() {
        return Err(ApiError::game_over());
    }
    let mut bot = roster::bot(&table.spec(), &question.bot)?;
    let stop = StopToken::new();
    let budget = Budget { depth: question.depth, stop: stop.clone(), ..Budget::default() };
    let _watch = Watchdog::after(LONGEST, stop);
    Ok(run(table, &mut *bot, &budget))
}

/// Stops a search after a while, unless it is dropped before.
pub(crate) struct Watchdog {
    /// Dropping it wakes the thread.
    _done: std::sync::mpsc::Sender<()>,
}

impl Watchdog {
    pub(crate) fn after(time: Duration, stop: StopToken) -> Self {
        let (done, waiting) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            if waiting.recv_timeout(time) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                stop.stop();
            }
        });
        Self { _done: done }
    }
}
