//! Experiments: begun, watched, stopped, reported. Each goes on while somebody
//! listens.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use papan_core::StopToken;
use papan_lab::experiment::{Experiment, Progress, Results};
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::app::App;
use crate::audience::{Audience, News, Work};
use crate::error::ApiError;
use crate::lab::Watchdog;
use crate::pool::{Lane, Pool, Ticket, Visitor};
use crate::{ids, roster};

/// Experiments that are kept, whether they still run or not.
const KEPT: usize = 8;
/// One that runs longer, pauses left out, is stopped.
const LONGEST: Duration = Duration::from_secs(600);

/// How an experiment stands.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Standing {
    pub(crate) id: String,
    pub(crate) running: bool,
    /// Will it go on as soon as somebody listens and there is room?
    pub(crate) waiting: bool,
    /// Parts that are done, and in all.
    pub(crate) done: usize,
    pub(crate) of: usize,
    /// Was it stopped before its end? Then the results are those of the parts
    /// that were done.
    pub(crate) stopped: bool,
    /// Once it is over.
    #[serde(serialize_with = "shared")]
    pub(crate) results: Option<Arc<Results>>,
}

fn shared<S: serde::Serializer>(results: &Option<Arc<Results>>, serializer: S) -> Result<S::Ok, S::Error> {
    results.as_deref().serialize(serializer)
}

/// One experiment.
struct Entry {
    wanted: Experiment,
    state: Mutex<State>,
    audience: Audience,
}

struct State {
    standing: Standing,
    /// What it goes on from.
    so_far: Option<Results>,
    /// How long it has run.
    spent: Duration,
    /// Of the run under way.
    stop: StopToken,
    /// Is it stopped only until somebody listens again?
    pausing: bool,
}

/// The newest few experiments.
#[derive(Default)]
pub(crate) struct Experiments(Mutex<VecDeque<Arc<Entry>>>);

/// The memory that its bots take: two sit at a board at once.
fn memory(wanted: &Experiment) -> Result<u64, ApiError> {
    let game = roster::table(&wanted.game, None)?.spec();
    wanted.bots.iter().try_fold(0, |most: u64, bot| Ok(most.max(2 * roster::check(&game, bot)?.memory)))
}

/// What came of a run, and how long it took.
type Ran = Result<(Results, Duration), ApiError>;

/// Runs an experiment, from `so_far` on if it has run before; it ends with the
/// token, or after `longest`.
pub(crate) fn run(
    pool: &Pool,
    visitor: Visitor,
    (wanted, so_far): (Experiment, Option<Results>),
    longest: Duration,
    stop: StopToken,
    tell: impl Fn(Progress) + Sync + Send + 'static,
) -> Result<oneshot::Receiver<Ran>, ApiError> {
    wanted.check()?;
    let ticket = Ticket { lane: Lane::Long, visitor, memory: memory(&wanted)?, stop: stop.clone() };
    pool.run(ticket, move || {
        let (_watch, began) = (Watchdog::after(longest, stop.clone()), Instant::now());
        Ok((wanted.go_on(so_far, &stop, &tell)?, began.elapsed()))
    })
}

impl Experiments {
    /// Lays one out; it runs while somebody listens, until it ends or is
    /// stopped.
    pub(crate) fn begin(app: &App, visitor: &Visitor, wanted: Experiment) -> Result<Standing, ApiError> {
        wanted.check()?;
        memory(&wanted)?;
        app.services().pool.check_room(Lane::Long, visitor)?;
        let (id, of) = (ids::game_id(), wanted.pieces());
        let standing = Standing { id, running: false, waiting: true, done: 0, of, stopped: false, results: None };
        let state = State {
            standing: standing.clone(),
            so_far: None,
            spent: Duration::ZERO,
            stop: StopToken::new(),
            pausing: false,
        };
        let entry = Entry { wanted, state: Mutex::new(state), audience: Audience::default() };
        app.experiments().make_room()?;
        app.experiments().all().push_front(Arc::new(entry));
        Ok(standing)
    }

    /// How one stands.
    pub(crate) fn find(&self, id: &str) -> Result<Standing, ApiError> {
        Ok(self.entry(id)?.state().standing.clone())
    }

    /// Stops one; what is done is kept.
    pub(crate) fn stop(&self, id: &str) -> Result<Standing, ApiError> {
        let entry = self.entry(id)?;
        let mut state = entry.state();
        state.pausing = false;
        if state.standing.running {
            state.stop.enough();
        } else if state.standing.waiting {
            state.end();
        }
        entry.audience.notify();
        Ok(state.standing.clone())
    }

    /// One to be listened to; it runs for `visitor` when it runs.
    pub(crate) fn follow(app: &App, visitor: Visitor, id: &str) -> Result<Arc<dyn Work>, ApiError> {
        let entry = app.experiments().entry(id)?;
        Ok(Arc::new(Followed { app: app.clone(), visitor, entry, runtime: Handle::current() }))
    }

    fn entry(&self, id: &str) -> Result<Arc<Entry>, ApiError> {
        let found = self.all().iter().find(|entry| entry.state().standing.id == id).cloned();
        found.ok_or_else(ApiError::no_such_address)
    }

    /// The oldest that is over makes room, else the oldest at rest that nobody
    /// listens to; the others are left alone.
    fn make_room(&self) -> Result<(), ApiError> {
        let mut all = self.all();
        if all.len() < KEPT {
            return Ok(());
        }
        let is_over = |entry: &Arc<Entry>| entry.state().standing.is_over();
        let at_rest = |entry: &Arc<Entry>| entry.audience.is_empty() && !entry.state().standing.running;
        let oldest = all.iter().rposition(is_over).or_else(|| all.iter().rposition(at_rest));
        all.remove(oldest.ok_or_else(ApiError::busy)?);
        Ok(())
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Arc<Entry>>> {
        self.0.lock().expect("no holder panics")
    }
}

impl Standing {
    const fn is_over(&self) -> bool {
        !self.running && !self.waiting
    }
}

impl Entry {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder panics")
    }

    /// A part is done.
    fn tell(&self, Progress { done, of }: Progress) {
        let mut state = self.state();
        (state.standing.done, state.standing.of) = (done, of);
        self.audience.notify();
    }
}

impl State {
    /// It will not go on.
    fn end(&mut self) {
        self.standing.waiting = false;
        self.standing.results = self.so_far.take().map(Arc::new);
        self.standing.stopped = self.standing.results.as_ref().is_none_or(|results| results.partial);
    }

    /// A run is over; one that was stopped before its turn came has nothing.
    fn ran(&mut self, found: Option<(Results, Duration)>) {
        if let Some((results, time)) = found {
            self.so_far = Some(results);
            self.spent += time;
        }
        self.standing.running = false;
        let whole = self.so_far.as_ref().is_some_and(|results| !results.partial);
        if std::mem::take(&mut self.pausing) && !whole {
            self.standing.waiting = true;
        } else {
            self.end();
        }
    }
}

/// An experiment that is listened to.
struct Followed {
    app: App,
    /// Who came first.
    visitor: Visitor,
    entry: Arc<Entry>,
    runtime: Handle,
}

impl Work for Followed {
    fn audience(&self) -> &Audience {
        &self.entry.audience
    }

    fn go_on(&self) -> bool {
        let mut state = self.entry.state();
        if !state.standing.waiting {
            return false;
        }
        let (told, ended, stop) = (Arc::clone(&self.entry), Arc::clone(&self.entry), StopToken::new());
        let what = (self.entry.wanted.clone(), state.so_far.clone());
        let left = LONGEST.saturating_sub(state.spent);
        let tell = move |progress| told.tell(progress);
        let Ok(results) = run(&self.app.services().pool, self.visitor.clone(), what, left, stop.clone(), tell) else {
            return true;
        };
        (state.standing.waiting, state.standing.running, state.stop) = (false, true, stop);
        self.runtime.spawn(async move {
            let found = results.await.ok().and_then(Result::ok);
            ended.state().ran(found);
            ended.audience.notify();
        });
        false
    }

    fn pause(&self) {
        let mut state = self.entry.state();
        if state.standing.running && !state.stop.is_stopped() {
            state.pausing = true;
            state.stop.stop();
        }
    }

    fn news(&self) -> News {
        let standing = self.entry.state().standing.clone();
        let over = standing.is_over();
        News { state: serde_json::to_string(&standing).expect("every standing is JSON").into(), over }
    }
}
