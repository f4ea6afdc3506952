//! The queue of one process: threads that play.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use papan_core::StopToken;

use super::job::{Job, Outcome, Place, Supplier, perform_until};
use super::queue::{Queue, QueueError};
use crate::cores;

/// How a process plays.
#[derive(Clone, Debug, Default)]
pub struct Workplace {
    /// Games at the same time.
    pub jobs: usize,
    /// Binds each game to a core of its own, so that none takes another's time.
    pub bind: bool,
    /// Gives each side of a game a core of its own.
    pub ponder: bool,
    /// Where the standard error of outside programs is kept.
    pub stderr_folder: Option<PathBuf>,
}

/// Threads of this process that play the games. When it is dropped, games
/// under way are given up: nobody would hear of them.
pub struct Workers {
    jobs: Sender<Job>,
    outcomes: Receiver<Result<Outcome, String>>,
    threads: usize,
    under_way: usize,
    stop: StopToken,
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Workers {
    /// Starts the threads.
    #[must_use]
    pub fn start(supplier: &Arc<dyn Supplier>, workplace: &Workplace) -> Self {
        let (jobs, incoming) = mpsc::channel();
        let (done, outcomes) = mpsc::channel();
        let incoming = Arc::new(Mutex::new(incoming));
        let cores = cores::allowed();
        let stop = StopToken::new();
        for number in 0..workplace.jobs.max(1) {
            let bind = workplace.bind || workplace.ponder;
            let cores = if bind { cores::of_game(number, &cores, workplace.ponder) } else { [None; 2] };
            let worker = Worker {
                supplier: Arc::clone(supplier),
                incoming: Arc::clone(&incoming),
                done: done.clone(),
                cores,
                stderr_folder: workplace.stderr_folder.clone(),
                stop: stop.clone(),
            };
            thread::spawn(move || worker.work());
        }
        Self { jobs, outcomes, threads: workplace.jobs.max(1), under_way: 0, stop }
    }
}

struct Worker {
    supplier: Arc<dyn Supplier>,
    incoming: Arc<Mutex<Receiver<Job>>>,
    done: Sender<Result<Outcome, String>>,
    cores: [Option<usize>; 2],
    stderr_folder: Option<PathBuf>,
    stop: StopToken,
}

impl Worker {
    fn work(&self) {
        let [core, second_core] = self.cores;
        let own: Vec<usize> = self.cores.into_iter().flatten().collect();
        if !own.is_empty() {
            cores::bind_this_thread(&own);
        }
        loop {
            let job = self.incoming.lock().map(|incoming| incoming.recv());
            let Ok(Ok(job)) = job else { return };
            let place = Place { stderr_folder: self.stderr_folder.as_deref(), core, second_core };
            let outcome = catch_unwind(AssertUnwindSafe(|| perform_until(&job, &*self.supplier, place, &self.stop)))
                .unwrap_or_else(|_| Err(format!("game {}: the arena itself failed", job.id)));
            if self.done.send(outcome).is_err() {
                return;
            }
        }
    }
}

impl Queue for Workers {
    /// One more than there are threads: none waits for its next game.
    fn room(&self) -> usize {
        (2 * self.threads).saturating_sub(self.under_way)
    }

    fn offer(&mut self, job: Job) -> Result<(), QueueError> {
        self.under_way += 1;
        self.jobs.send(job).map_err(|_| QueueError("nobody plays any more".to_owned()))
    }

    fn take(&mut self, wait: Duration) -> Result<Option<Outcome>, QueueError> {
        match self.outcomes.recv_timeout(wait) {
            Ok(outcome) => {
                self.under_way -= 1;
                outcome.map(Some).map_err(QueueError)
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(QueueError("nobody plays any more".to_owned())),
        }
    }
}
