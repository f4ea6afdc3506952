//! Experiments under way: begun, watched, stopped, reported.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_core::StopToken;
use papan_lab::experiment::{Experiment, Progress, Results};
use serde::Serialize;

use crate::app::App;
use crate::error::ApiError;
use crate::ids;
use crate::lab::Watchdog;

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
    stop: StopToken,
}

/// The newest few experiments.
#[derive(Default)]
pub(crate) struct Experiments(Mutex<VecDeque<Arc<Entry>>>);

impl Experiments {
    /// Begins one; it goes on until it ends or is stopped.
    pub(crate) fn begin(app: &App, wanted: Experiment) -> Result<Standing, ApiError> {
        wanted.check()?;
        let permit = app.lab().begin()?;
        let standing =
            Standing { id: ids::game_id(), running: true, done: 0, of: wanted.pieces(), stopped: false, results: None };
        let entry = Arc::new(Entry { standing: Mutex::new(standing.clone()), stop: StopToken::new() });
        app.experiments().keep(&entry);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let _watch = Watchdog::after(LONGEST, entry.stop.clone());
            let tell = |Progress { done, of }: Progress| {
                let mut standing = entry.look();
                (standing.done, standing.of) = (done, of);
            };
            let outcome = wanted.run(&entry.stop, &tell);
            let mut standing = entry.look();
            standing.running = false;
            standing.results = outcome.ok().map(Arc::new);
            standing.stopped = standing.results.as_ref().is_none_or(|results| results.partial);
        });
        Ok(standing)
    }

    /// How one stands.
    pub(crate) fn find(&self, id: &str) -> Result<Standing, ApiError> {
        Ok(self.entry(id)?.look().clone())
    }

    /// Stops one.
    pub(crate) fn stop(&self, id: &str) -> Result<Standing, ApiError> {
        let entry = self.entry(id)?;
        entry.stop.stop();
        Ok(entry.look().clone())
    }

    fn entry(&self, id: &str) -> Result<Arc<Entry>, ApiError> {
        let all = self.0.lock().expect("no holder panics");
        let found = all.iter().find(|entry| entry.look().id == id);
        found.cloned().ok_or_else(ApiError::no_such_address)
    }

    /// The oldest one makes room, and ends if it still runs.
    fn keep(&self, entry: &Arc<Entry>) {
        let mut all = self.0.lock().expect("no holder panics");
        all.push_front(Arc::clone(entry));
        for old in all.iter().skip(KEPT) {
            old.stop.stop();
        }
        all.truncate(KEPT);
    }
}

impl Entry {
    fn look(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.standing.lock().expect("no holder panics")
    }
}
