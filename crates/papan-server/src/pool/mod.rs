//! The threads that bots think on, away from the sockets: lanes that cannot
//! take each other's, one budget of memory, and turns for those who wait.

mod lane;
mod memory;
mod threads;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use papan_core::observer::Progress;
use papan_core::table::{Table, Thought};
use papan_core::{Budget, StopToken};
use tokio::sync::oneshot;

use self::lane::Job;
use self::memory::Held;
use self::threads::Shared;
use crate::error::ApiError;
use crate::limits::Limits;
use crate::messages::Found;
use crate::roster;
use crate::watch::{OnReport, Watched};

pub(crate) use self::lane::{Lane, Visitor};
pub(crate) use self::memory::{Memory, SeatedBot, usual_limit};
pub(crate) use self::threads::behind_others;

/// Where a piece of work goes and what it needs.
pub(crate) struct Ticket {
    pub(crate) lane: Lane,
    pub(crate) visitor: Visitor,
    /// Bytes that it holds while it runs.
    pub(crate) memory: u64,
    pub(crate) stop: StopToken,
}

/// The lanes.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

impl Pool {
    pub(crate) fn new(limits: &Limits) -> std::io::Result<Self> {
        Self::with_threads(limits, |lane| {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            if limits.search_threads == 0 { lane.threads(cores) } else { limits.search_threads }
        })
    }

    /// With so many threads for each lane.
    pub(crate) fn with_threads(limits: &Limits, threads: impl Fn(Lane) -> usize) -> std::io::Result<Self> {
        Ok(Self { shared: Shared::start(limits, Lane::ALL.map(threads))? })
    }

    /// How many searches run or wait.
    pub(crate) fn unfinished(&self) -> usize {
        self.shared.unfinished()
    }

    /// The memory that all searches share.
    pub(crate) fn memory(&self) -> &Arc<Memory> {
        self.shared.memory()
    }

    /// Would another search of this visitor not have to wait for too many?
    pub(crate) fn check_room(&self, lane: Lane, visitor: &Visitor) -> Result<(), ApiError> {
        self.shared.check_room(lane, visitor)
    }

    /// Runs `work` as soon as it is its turn; what it gives is lost only if it
    /// panics or is stopped before.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        ticket: Ticket,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, ApiError> {
        let Ticket { lane, visitor, memory, stop } = ticket;
        self.check_room(lane, &visitor)?;
        let (done, answer) = oneshot::channel();
        let token = stop.clone();
        let work = Box::new(move |_held: Option<Held>| {
            if token.is_unwanted() {
                return;
            }
            // Whatever happens in it, the thread goes on.
            if let Ok(found) = catch_unwind(AssertUnwindSafe(work)) {
                // Whoever no longer listens needs no answer.
                let _ = done.send(found);
            }
        });
        self.shared.push(lane, Job { visitor, memory, light: false, may_be_cut: false, stop, work });
        Ok(answer)
    }

    /// Runs `search` as soon as it is its turn. From now on and until it is
    /// done `on_report` hears several times a second how far it is.
    pub(crate) fn submit(&self, lane: Lane, visitor: Visitor, mut search: Search, on_report: OnReport) {
        search.budget.progress = Progress::watched();
        let watched = self.shared.watch(search.budget.progress.clone(), on_report);
        let (memory, light) = search.needs();
        let stop = search.budget.stop.clone();
        let work = Box::new(move |held: Option<Held>| search.run(held, watched));
        self.shared.push(lane, Job { visitor, memory, light, may_be_cut: true, stop, work });
    }

    /// As [`Pool::submit`], but refused if too many wait already.
    pub(crate) fn try_submit(
        &self,
        lane: Lane,
        visitor: Visitor,
        search: Search,
        on_report: OnReport,
    ) -> Result<(), ApiError> {
        self.check_room(lane, &visitor)?;
        self.submit(lane, visitor, search, on_report);
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// Who thinks.
pub(crate) enum Thinker {
    /// A bot that has sat here before.
    Seated(SeatedBot),
    /// One to be made, by its name and options; making it may take a while.
    Named(String),
}

/// Gets the bot back with what it remembers (unless it failed), what it found
/// and how long that took.
pub(crate) type OnDone = Box<dyn FnOnce(Option<SeatedBot>, Found, Duration) + Send>;

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
    /// The memory it has yet to get, and whether it is over in a moment.
    fn needs(&self) -> (u64, bool) {
        match &self.thinker {
            Thinker::Seated(bot) => (0, bot.light),
            // What is wrong with a name is said when the bot is made.
            Thinker::Named(spec) if roster::is_light(spec) => (0, true),
            Thinker::Named(spec) => {
                roster::check(&self.table.spec(), spec).map_or((0, true), |bot| (bot.memory, false))
            }
        }
    }

    /// Without memory only if nobody wants it any more.
    fn run(self, held: Option<Held>, watched: Watched) {
        let Self { table, thinker, budget, on_start, on_done } = self;
        let Some(held) = held.filter(|_| !budget.stop.is_unwanted()) else {
            let bot = match thinker {
                Thinker::Seated(bot) => Some(bot),
                Thinker::Named(_) => None,
            };
            drop(watched);
            return on_done(bot, Found::Stopped, Duration::ZERO);
        };
        on_start();
        watched.started();
        let started = Instant::now();
        let mut watch = |thought: Thought| watched.better(thought);
        // A bot that panics must not take the thread or the game with it; its
        // state is thrown away.
        let search = AssertUnwindSafe(|| {
            let mut seated = match thinker {
                Thinker::Seated(seated) => seated,
                Thinker::Named(spec) => {
                    let light = roster::is_light(&spec);
                    SeatedBot { bot: roster::bot(&table.spec(), &spec)?, light, _held: held }
                }
            };
            let choice = seated.bot.choose_watched(&*table, &budget, &mut watch);
            Ok((seated, choice))
        });
        let answer = catch_unwind(search).unwrap_or_else(|_| Err(ApiError::bot_failed()));
        let elapsed = started.elapsed();
        watched.finished();
        match answer {
            Ok((bot, _)) if budget.stop.is_unwanted() => on_done(Some(bot), Found::Stopped, elapsed),
            Ok((bot, choice)) => on_done(Some(bot), Found::Choice(choice), elapsed),
            Err(error) => on_done(None, Found::Failed(error), elapsed),
        }
    }
}
