//! A tournament's queue that lies on other machines.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use papan_arena::tournament::{Job, Outcome, Queue, QueueError};

use crate::coordinator::{Conduct, Coordinator, Gauge, Taken};
use crate::wire::{Answer, Task, Work};

/// What is wrong with an outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Objection {
    /// It cannot be what came of its job.
    Impossible(String),
    /// It is not what the same bots play here: nothing of its worker counts.
    Forged(String),
}

/// Says what is wrong with an outcome that a worker of this name sent, if
/// anything is.
pub type Inspector = Box<dyn FnMut(&Job, &Outcome, &str) -> Result<(), Objection>>;

/// Plays the games of a tournament wherever there are workers.
pub struct NatsQueue {
    coordinator: Coordinator,
    inspect: Inspector,
    /// What has been offered and not settled: outcomes are held against it.
    jobs: HashMap<String, Job>,
    /// What came back before it was offered: an earlier coordinator gave it.
    early: HashMap<String, Taken>,
    ready: Vec<Taken>,
    distrusted: Vec<String>,
}

impl NatsQueue {
    /// A queue over a run of games; nothing is believed that `inspect` objects
    /// to.
    #[must_use]
    pub fn new(coordinator: Coordinator, inspect: Inspector) -> Self {
        Self {
            coordinator,
            inspect,
            jobs: HashMap::new(),
            early: HashMap::new(),
            ready: Vec::new(),
            distrusted: Vec::new(),
        }
    }

    /// Where to say how far it is.
    #[must_use]
    pub fn gauge(&self) -> Gauge {
        self.coordinator.gauge()
    }

    /// How each worker has done.
    #[must_use]
    pub fn conduct(&self) -> BTreeMap<String, Conduct> {
        self.coordinator.conduct()
    }

    /// Takes back what nobody has begun; see [`Coordinator::end`].
    pub fn end(self, over: bool) {
        self.coordinator.end(over);
    }

    /// The outcome that was taken, if it can be believed.
    fn believed(&mut self, taken: Taken) -> Option<Outcome> {
        let Taken { id, worker, answer } = taken;
        let job = self.jobs.get(&id)?;
        let objection = match answer {
            Answer::GivenUp { log } => return Some(Outcome::given_up(&id, &log.join("\n"))),
            Answer::Game(outcome) => match (self.inspect)(job, &outcome, &worker) {
                Ok(()) => return Some(Outcome { worker: Some(worker), ..*outcome }),
                Err(objection) => objection,
            },
            Answer::Samples(_) | Answer::Solved { .. } => Objection::Impossible("it is no game".to_owned()),
        };
        let reason = match objection {
            Objection::Impossible(reason) => reason,
            Objection::Forged(reason) => {
                if self.coordinator.bar(&worker) {
                    self.distrusted.push(worker.clone());
                }
                reason
            }
        };
        let task = Task::new(&id, Work::Game(Box::new(job.clone())));
        self.coordinator.refuse(&task, &worker, &reason);
        None
    }
}

impl Queue for NatsQueue {
    fn room(&self) -> usize {
        self.coordinator.room()
    }

    fn offer(&mut self, job: Job) -> Result<(), QueueError> {
        let id = job.id.clone();
        self.jobs.insert(id.clone(), job.clone());
        self.ready.extend(self.early.remove(&id));
        self.coordinator.offer(&Task::new(&id, Work::Game(Box::new(job)))).map_err(QueueError)
    }

    fn take(&mut self, wait: Duration) -> Result<Option<Outcome>, QueueError> {
        let taken = match self.ready.pop() {
            Some(taken) => taken,
            None => match self.coordinator.take(wait).map_err(QueueError)? {
                Some(taken) => taken,
                None => return Ok(None),
            },
        };
        if !self.jobs.contains_key(&taken.id) {
            self.early.insert(taken.id.clone(), taken);
            return Ok(None);
        }
        Ok(self.believed(taken))
    }

    fn settled(&mut self, ids: &[String]) {
        for id in ids {
            self.jobs.remove(id);
        }
        self.coordinator.settled(ids);
    }

    fn distrusted(&mut self) -> Vec<String> {
        std::mem::take(&mut self.distrusted)
    }

    fn forget(&mut self, ids: &[String]) {
        self.coordinator.forget(ids);
    }
}
