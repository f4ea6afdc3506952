//! What a worker can do.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use papan_nats::{Answer, Blob, Desk, Performer, Plan, Run, Task, Trouble, Work};

use super::games::{House, Stage};
use super::{solving, training};

/// Runs whose bots and weights are kept.
const MOST_RUNS: usize = 16;

/// Does jobs of every kind.
pub(crate) struct AllHands {
    house: House,
    stages: Kept<Stage>,
    weights: Kept<training::Scorer>,
}

impl AllHands {
    pub(crate) fn new(house: House) -> Self {
        Self { house, stages: Kept::default(), weights: Kept::default() }
    }
}

impl Performer for AllHands {
    fn perform(&self, run: &Run, task: &Task, desk: &Desk<'_>) -> Result<Answer, Trouble> {
        match (&task.work, &run.plan) {
            (Work::Game(job), Plan::Games { .. }) => {
                let stage = self.stages.get(desk.run_id, || Stage::new(run, &self.house))?;
                stage.play(job, desk, &self.house).map(|outcome| Answer::Game(Box::new(outcome)))
            }
            (work @ (Work::SelfPlay { .. } | Work::Label { .. }), Plan::Samples { weights, seed }) => {
                let scorer = self.weights.get(desk.run_id, || training::Scorer::fetch(weights.as_deref(), desk))?;
                let bytes = scorer.samples(work, *seed, &mut || desk.pulse.beat()).map_err(Trouble::Failed)?;
                Ok(Answer::Samples(Blob(bytes)))
            }
            (Work::SolveMove { mv }, Plan::Solve { game, position, table_mb }) => {
                self.house.caps.table(*table_mb)?;
                solving::solve_move(game, position, mv, *table_mb, desk)
            }
            _ => Err(Trouble::Failed("a job of another kind than its run".to_owned())),
        }
    }
}

/// What was made for each run of late.
struct Kept<T>(Mutex<HashMap<String, Arc<T>>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// Lanes that come at the same time wait for the first, which makes it.
    fn get(&self, run: &str, make: impl FnOnce() -> Result<T, Trouble>) -> Result<Arc<T>, Trouble> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(run) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(make()?);
        if kept.len() >= MOST_RUNS {
            kept.clear();
        }
        kept.insert(run.to_owned(), Arc::clone(&made));
        Ok(made)
    }
}
