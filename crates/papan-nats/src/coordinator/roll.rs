//! What is known of those who work: how often each was right and wrong, and
//! who is no longer listened to.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

/// Results of one worker that may be refused before it is no longer listened
/// to.
const PATIENCE: u64 = 3;

/// A worker, as a coordinator knows it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Conduct {
    /// Results that were taken.
    pub taken: u64,
    /// Results that were refused.
    pub refused: u64,
    /// Is nothing more taken from it?
    pub barred: bool,
}

/// Everybody who has sent a result in a run.
#[derive(Default)]
pub(super) struct Roll {
    workers: BTreeMap<String, Conduct>,
    gave_up: HashMap<String, HashSet<String>>,
}

impl Roll {
    pub(super) fn is_barred(&self, worker: &str) -> bool {
        self.workers.get(worker).is_some_and(|conduct| conduct.barred)
    }

    pub(super) fn took(&mut self, worker: &str) {
        self.workers.entry(worker.to_owned()).or_default().taken += 1;
    }

    /// Notes a refused result; true if that was one too many.
    pub(super) fn refused(&mut self, worker: &str) -> bool {
        let conduct = self.workers.entry(worker.to_owned()).or_default();
        conduct.refused += 1;
        let now = conduct.refused >= PATIENCE && !conduct.barred;
        conduct.barred |= now;
        now
    }

    /// Nothing more is taken from it; false if that was so before.
    pub(super) fn bar(&mut self, worker: &str) -> bool {
        !std::mem::replace(&mut self.workers.entry(worker.to_owned()).or_default().barred, true)
    }

    /// A worker says that nobody can do a job. One that wants a game not to
    /// count could say so of any: where others work, too, one of them must say
    /// the same.
    pub(super) fn gives_up(&mut self, job: &str, worker: &str) -> bool {
        let others = self.workers.iter().any(|(name, conduct)| name != worker && conduct.taken > 0);
        let said = self.gave_up.entry(job.to_owned()).or_default();
        said.insert(worker.to_owned());
        !others || said.len() > 1
    }

    pub(super) fn workers(&self) -> BTreeMap<String, Conduct> {
        self.workers.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_heard_until_it_has_been_wrong_too_often() {
        let mut roll = Roll::default();
        roll.took("a");
        assert!(!roll.refused("a") && !roll.refused("a") && !roll.is_barred("a"));
        assert!(roll.refused("a"), "this one was too many");
        assert!(roll.is_barred("a") && !roll.refused("a") && !roll.bar("a") && roll.bar("b"));
    }

    #[test]
    fn one_worker_among_others_cannot_give_up_a_job() {
        let mut roll = Roll::default();
        assert!(roll.gives_up("x", "a"), "there is nobody else");
        roll.took("b");
        assert!(!roll.gives_up("y", "a") && !roll.gives_up("y", "a"));
        assert!(roll.gives_up("y", "b"));
    }
}
