//! A tournament's queue that lies on other machines.

use std::time::Duration;

use papan_arena::tournament::{Job, Outcome, Queue, QueueError};

use crate::coordinator::{Coordinator, Gauge};
use crate::wire::{Answer, Task, Work};

/// Plays the games of a tournament wherever there are workers.
pub struct NatsQueue(Coordinator);

impl NatsQueue {
    /// A queue over a run of games.
    #[must_use]
    pub fn new(coordinator: Coordinator) -> Self {
        Self(coordinator)
    }

    /// Where to say how far it is.
    #[must_use]
    pub fn gauge(&self) -> Gauge {
        self.0.gauge()
    }

    /// Takes back what nobody has begun; see [`Coordinator::end`].
    pub fn end(self, over: bool) {
        self.0.end(over);
    }
}

impl Queue for NatsQueue {
    fn room(&self) -> usize {
        self.0.room()
    }

    fn offer(&mut self, job: Job) -> Result<(), QueueError> {
        let id = job.id.clone();
        self.0.offer(&Task::new(&id, Work::Game(Box::new(job)))).map_err(QueueError)
    }

    fn take(&mut self, wait: Duration) -> Result<Option<Outcome>, QueueError> {
        let Some((id, answer)) = self.0.take(wait).map_err(QueueError)? else { return Ok(None) };
        Ok(Some(match answer {
            Answer::Game(outcome) => *outcome,
            Answer::GivenUp { log } => Outcome::given_up(&id, &log.join("\n")),
            Answer::Samples(_) | Answer::Solved { .. } => {
                Outcome::given_up(&id, "a worker answered with something else than a game")
            }
        }))
    }

    fn settled(&mut self, ids: &[String]) {
        self.0.settled(ids);
    }
}
