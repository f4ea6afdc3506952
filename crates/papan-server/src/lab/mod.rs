//! The lab's searches: run once for all who ask at the same time, kept for a
//! while, looked at piece by piece. A search ends when the last who asked for
//! it has left.

mod shelf;

use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use papan_core::table::{Table, TableBot};
use papan_core::{Budget, StopToken};
use papan_lab::runs::Run;
use papan_lab::tree::SearchTrace;
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, watch};

use self::shelf::Shelf;
use crate::error::ApiError;
use crate::pool::{Lane, Pool, Ticket, Visitor};
use crate::roster;
use crate::routes::StopOnDrop;

/// Positions kept of a tree, about 50 bytes each; Tic-tac-toe's whole minimax
/// tree has 549,946.
const KEPT_POSITIONS: usize = 600_000;
/// Entries kept of each kind of another search.
const KEPT_ENTRIES: usize = 20_000;
/// Bytes that the record of a search may take while it is made.
const RECORD: u64 = 60 * KEPT_POSITIONS as u64;
/// A lab search that takes longer is stopped, and shown as far as it came.
const LONGEST: Duration = Duration::from_secs(20);
/// Looks at finished searches at the same time; others wait without a thread.
const LOOKING: usize = 2;

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

/// What is wanted of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Counts,
    Tree,
    Run,
}

#[derive(Clone)]
enum Answer {
    Counts(Counts),
    Tree(Arc<SearchTrace>),
    Run(Arc<Run>),
}

type Outcome = Option<Result<Answer, ApiError>>;

/// A search under way; it stops when the last who waits for it drops this.
struct Asked {
    outcome: watch::Receiver<Outcome>,
    _stop: StopOnDrop,
}

/// Answers that are kept.
struct Shelves {
    trees: Shelf<SearchTrace>,
    runs: Shelf<Run>,
}

/// The lab.
pub(crate) struct Lab {
    shelves: Arc<Shelves>,
    asked: Mutex<Vec<(Kind, Question, Weak<Asked>)>>,
    looking: Semaphore,
}

impl Lab {
    pub(crate) fn new() -> Self {
        let shelves = Shelves { trees: Shelf::default(), runs: Shelf::default() };
        Self { shelves: Arc::new(shelves), asked: Mutex::default(), looking: Semaphore::new(LOOKING) }
    }

    /// Counts what a search does, and keeps none of it.
    pub(crate) async fn counts(&self, pool: &Pool, visitor: Visitor, question: Question) -> Result<Counts, ApiError> {
        match self.ask(pool, visitor, Kind::Counts, question).await? {
            Answer::Counts(counts) => Ok(counts),
            _ => Err(ApiError::bot_failed()),
        }
    }

    /// A tree search, run now or known already.
    pub(crate) async fn tree(
        &self,
        pool: &Pool,
        visitor: Visitor,
        question: Question,
    ) -> Result<Arc<SearchTrace>, ApiError> {
        match self.ask(pool, visitor, Kind::Tree, question).await? {
            Answer::Tree(trace) => Ok(trace),
            _ => Err(ApiError::bot_failed()),
        }
    }

    /// A local, genetic or Monte Carlo search, run now or known already.
    pub(crate) async fn run(&self, pool: &Pool, visitor: Visitor, question: Question) -> Result<Arc<Run>, ApiError> {
        match self.ask(pool, visitor, Kind::Run, question).await? {
            Answer::Run(run) => Ok(run),
            _ => Err(ApiError::bot_failed()),
        }
    }

    /// Draws or lists what was found, away from the sockets. Whoever has to
    /// wait for that takes no thread meanwhile.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        view: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let _permit = self.looking.acquire().await.map_err(|_| ApiError::busy())?;
        tokio::task::spawn_blocking(view).await.unwrap_or_else(|_| Err(ApiError::busy()))
    }

    async fn ask(&self, pool: &Pool, visitor: Visitor, kind: Kind, question: Question) -> Result<Answer, ApiError> {
        if let Some(known) = self.shelves.find(kind, &question) {
            return Ok(known);
        }
        let asked = self.asked(pool, visitor, kind, question)?;
        let mut outcome = asked.outcome.clone();
        let found = outcome.wait_for(Option::is_some).await;
        found.ok().and_then(|found| found.clone()).unwrap_or_else(|| Err(ApiError::bot_failed()))
    }

    /// The search that answers the question: one under way, or a new one.
    fn asked(&self, pool: &Pool, visitor: Visitor, kind: Kind, question: Question) -> Result<Arc<Asked>, ApiError> {
        let mut all = self.asked.lock().expect("no holder panics");
        all.retain(|(.., asked)| asked.strong_count() > 0);
        let same = all.iter().find(|(known, same, _)| *known == kind && *same == question);
        if let Some(asked) = same.and_then(|(.., asked)| asked.upgrade()) {
            return Ok(asked);
        }
        let table = roster::table(&question.game, question.position.as_deref().filter(|text| !text.is_empty()))?;
        if table.is_over() {
            return Err(ApiError::game_over());
        }
        let memory =
            roster::check(&table.spec(), &question.bot)?.memory + if kind == Kind::Counts { 0 } else { RECORD };
        let stop = StopToken::new();
        let (tell, outcome) = watch::channel(None);
        let ticket = Ticket { lane: Lane::Lab, visitor, memory, stop: stop.clone() };
        let (shelves, same, token) = (Arc::clone(&self.shelves), question.clone(), stop.clone());
        drop(pool.run(ticket, move || {
            let found = search(kind, &same, table, &token);
            if let Ok(answer) = &found
                && !token.is_unwanted()
            {
                shelves.keep(same, answer);
            }
            let _ = tell.send(Some(found));
        })?);
        let asked = Arc::new(Asked { outcome, _stop: StopOnDrop(stop) });
        all.push((kind, question, Arc::downgrade(&asked)));
        Ok(asked)
    }
}

impl Shelves {
    fn find(&self, kind: Kind, question: &Question) -> Option<Answer> {
        match kind {
            Kind::Counts => None,
            Kind::Tree => self.trees.find(question).map(Answer::Tree),
            Kind::Run => self.runs.find(question).map(Answer::Run),
        }
    }

    fn keep(&self, question: Question, answer: &Answer) {
        match answer {
            Answer::Counts(_) => {}
            Answer::Tree(trace) => self.trees.keep(question, trace, trace.kept() as usize),
            Answer::Run(run) => self.runs.keep(question, run, KEPT_ENTRIES),
        }
    }
}

/// Runs a search that is stopped when it takes too long. A time limit in the
/// budget would do more than that: bots deepen step by step under one, and the
/// counts would no longer be those of the plain search.
fn search(kind: Kind, question: &Question, table: Box<dyn Table>, stop: &StopToken) -> Result<Answer, ApiError> {
    let mut bot = roster::bot(&table.spec(), &question.bot)?;
    let budget = Budget { depth: question.depth, stop: stop.clone(), ..Budget::default() };
    let _watch = Watchdog::after(LONGEST, stop.clone());
    match kind {
        Kind::Counts => Ok(Answer::Counts(counted(&*table, &mut *bot, &budget))),
        Kind::Tree => {
            let trace = SearchTrace::run(&*table, &question.bot, &mut *bot, &budget, KEPT_POSITIONS);
            if trace.is_tree() { Ok(Answer::Tree(Arc::new(trace))) } else { Err(ApiError::no_tree()) }
        }
        Kind::Run => Ok(Answer::Run(Arc::new(Run::new(table, &question.bot, &mut *bot, &budget, KEPT_ENTRIES)))),
    }
}

fn counted(table: &dyn Table, bot: &mut dyn TableBot, budget: &Budget) -> Counts {
    let started = Instant::now();
    let (choice, tally) = bot.choose_tallied(table, budget);
    Counts {
        nodes: choice.nodes,
        leaves: tally.leaves(),
        cuts: tally.cuts,
        seconds: started.elapsed().as_secs_f64(),
        stopped: budget.stop.is_stopped(),
    }
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
                stop.enough();
            }
        });
        Self { _done: done }
    }
}
