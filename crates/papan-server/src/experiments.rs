//! Experiments under way: begun, watched, stopped, reported.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use papan_core::StopToken;
use papan_lab::experiment::{Experiment, Progress, Results};
use serde::Serialize;
use tokio::sync::oneshot;

use crate::app::App;
use crate::error::ApiError;
use crate::lab::Watchdog;
use crate::pool::{Lane, Pool, Ticket, Visitor};
use crate::{ids, roster};

/// Experiments that are kept, whether they still run or not.
const KEPT: usize = 8;
/// One that takes longer is stopped.
const LONGEST: Duration = Duration::from_secs(600);

/// How an experiment stands.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Standing {
    pub(crate) id: String,
    pub(crate) running: bool,
    /// Parts that are done, and in all.
    pub(crate) done: usize,
    pub(crate) of: usize,
    /// Was it stopped before its end? Then the results are those of the parts
    /// that were done.
    pub(crate) stopped: bool,
    #[serde(serialize_with = "shared")]
    pub(crate) results: Option<Arc<Results>>,
}

fn shared<S: serde::Serializer>(results: &Option<Arc<Results>>, serializer: S) -> Result<S::Ok, S::Error> {
    results.as_deref().serialize(serializer)
}

/// One experiment.
struct Entry {
    standing: Mutex<Standing>,
    /// When someone last asked how it stands.
    seen: Mutex<Instant>,
    stop: StopToken,
}

/// The newest few experiments.
#[derive(Default)]
pub(crate) struct Experiments(Mutex<VecDeque<Arc<Entry>>>);

/// The memory that its bots take: two sit at a board at once.
fn memory(wanted: &Experiment) -> Result<u64, ApiError> {
    let game = roster::table(&wanted.game, None)?.spec();
    wanted.bots.iter().try_fold(0, |most: u64, bot| Ok(most.max(2 * roster::check(&game, bot)?.memory)))
}

/// Runs an experiment that ends with the token, or after `longest`.
pub(crate) fn run(
    pool: &Pool,
    visitor: Visitor,
    wanted: Experiment,
    longest: Duration,
    stop: StopToken,
    tell: impl Fn(Progress) + Sync + Send + 'static,
) -> Result<oneshot::Receiver<Result<Results, ApiError>>, ApiError> {
    wanted.check()?;
    let ticket = Ticket { lane: Lane::Long, visitor, memory: memory(&wanted)?, stop: stop.clone() };
    pool.run(ticket, move || {
        let _watch = Watchdog::after(longest, stop.clone());
        Ok(wanted.run(&stop, &tell)?)
    })
}

impl Experiments {
    /// Begins one; it goes on until it ends, is stopped, or nobody has asked
    /// for it for a while.
    pub(crate) fn begin(app: &App, visitor: Visitor, wanted: Experiment) -> Result<Standing, ApiError> {
        let of = wanted.pieces();
        let standing = Standing { id: ids::game_id(), running: true, done: 0, of, stopped: false, results: None };
        let (stop, seen) = (StopToken::new(), Mutex::new(Instant::now()));
        let entry = Arc::new(Entry { standing: Mutex::new(standing.clone()), seen, stop: stop.clone() });
        let told = Arc::clone(&entry);
        let tell = move |Progress { done, of }: Progress| {
            let mut standing = told.look();
            (standing.done, standing.of) = (done, of);
        };
        app.experiments().make_room()?;
        let results = run(&app.services().pool, visitor, wanted, LONGEST, stop, tell)?;
        app.experiments().all().push_front(Arc::clone(&entry));
        tokio::spawn(async move {
            // Stopped before its turn came, it has no results.
            let results = results.await.ok().and_then(Result::ok);
            let mut standing = entry.look();
            standing.running = false;
            standing.results = results.map(Arc::new);
            standing.stopped = standing.results.as_ref().is_none_or(|results| results.partial);
        });
        Ok(standing)
    }

    /// How one stands.
    pub(crate) fn find(&self, id: &str) -> Result<Standing, ApiError> {
        Ok(self.entry(id)?.look().clone())
    }

    /// Stops one; what is done is kept.
    pub(crate) fn stop(&self, id: &str) -> Result<Standing, ApiError> {
        let entry = self.entry(id)?;
        entry.stop.enough();
        Ok(entry.look().clone())
    }

    /// Stops those that nobody has asked for since `then`.
    pub(crate) fn stop_unwatched(&self, then: Instant) {
        for entry in self.all().iter() {
            if *entry.seen.lock().expect("no holder panics") < then {
                entry.stop.enough();
            }
        }
    }

    fn entry(&self, id: &str) -> Result<Arc<Entry>, ApiError> {
        let found = self.all().iter().find(|entry| entry.look().id == id).cloned();
        let entry = found.ok_or_else(ApiError::no_such_address)?;
        *entry.seen.lock().expect("no holder panics") = Instant::now();
        Ok(entry)
    }

    /// The oldest that is over makes room; those that run are left alone.
    fn make_room(&self) -> Result<(), ApiError> {
        let mut all = self.all();
        if all.len() < KEPT {
            return Ok(());
        }
        let oldest = all.iter().rposition(|entry| !entry.look().running).ok_or_else(ApiError::busy)?;
        all.remove(oldest);
        Ok(())
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Arc<Entry>>> {
        self.0.lock().expect("no holder panics")
    }
}

impl Entry {
    fn look(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().expect("no holder panics")
    }
}
