//! A lane: asks for jobs on the network's threads, does them on its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{sleep, timeout};

use super::accept::{Accepted, accept, note};
use super::post::Finished;
use super::{Desk, Shop, Trouble};
use crate::wire::LogEvent;

/// A lane asks for jobs for so long ahead, so that it need not wait for each.
const AHEAD_US: u64 = 300_000;
/// And for so many at most.
const MOST_AHEAD: u64 = 100;

/// How long a question waits at the server for a job.
const WAIT: Duration = Duration::from_secs(3);

/// Between two attempts while no server answers, and after a job that cannot be
/// done here: somebody else may be quicker to take it.
const RETRY: Duration = Duration::from_millis(300);
const STEP_BACK: Duration = Duration::from_secs(3);

/// What the two halves of a lane share.
#[derive(Default)]
struct Load {
    /// Jobs that are not done yet.
    jobs: AtomicUsize,
    /// What a job takes of late, in microseconds.
    usual_us: AtomicU64,
    declined: AtomicUsize,
    lighter: Notify,
}

impl Load {
    /// How many jobs keep the lane busy.
    fn target(&self) -> usize {
        match self.usual_us.load(Ordering::Relaxed) {
            // Nothing is known yet.
            0 => 1,
            usual => (AHEAD_US / usual).clamp(1, MOST_AHEAD) as usize,
        }
    }

    fn note(&self, took: Duration) {
        let (old, new) = (self.usual_us.load(Ordering::Relaxed), took.as_micros().max(1) as u64);
        let usual = if old == 0 { new } else { (7 * old + new) / 8 };
        self.usual_us.store(usual.max(1), Ordering::Relaxed);
    }
}

pub(super) fn start(runtime: &Runtime, shop: &Arc<Shop>, number: usize, results: UnboundedSender<Finished>) {
    let load = Arc::new(Load::default());
    let (jobs, incoming) = mpsc::channel();
    let lane = Lane { shop: Arc::clone(shop), number, load: Arc::clone(&load), results };
    thread::spawn(move || lane.work(&incoming));
    runtime.spawn(fetch(Arc::clone(shop), load, jobs));
}

/// Keeps the lane busy.
async fn fetch(shop: Arc<Shop>, load: Arc<Load>, jobs: Sender<Accepted>) {
    let mut told = false;
    loop {
        match shop.consumer().await {
            Ok(consumer) => {
                told = false;
                if pull(&shop, &load, &jobs, &consumer).await.is_err() {
                    return;
                }
            }
            Err(_) if !std::mem::replace(&mut told, true) => (shop.tell)("waiting for a queue"),
            Err(_) => {}
        }
        sleep(RETRY).await;
    }
}

/// Pulls until something is wrong with the server; an error when it is time to
/// go.
async fn pull(shop: &Shop, load: &Load, jobs: &Sender<Accepted>, consumer: &Consumer<pull::Config>) -> Result<(), ()> {
    // The lease may have been changed meanwhile.
    let asked = Instant::now();
    while asked.elapsed() < 10 * WAIT {
        while load.jobs.load(Ordering::Acquire) > load.target() / 2 {
            load.lighter.notified().await;
        }
        if load.declined.swap(0, Ordering::AcqRel) > 0 {
            sleep(STEP_BACK).await;
        }
        if shop.stop.is_stopped() {
            return Err(());
        }
        let wanted = load.target().saturating_sub(load.jobs.load(Ordering::Acquire)).max(1);
        let batch = consumer.batch().max_messages(wanted).expires(WAIT).messages();
        let Ok(Ok(mut batch)) = timeout(2 * WAIT, batch).await else { return Ok(()) };
        loop {
            match timeout(WAIT + Duration::from_secs(1), batch.next()).await {
                Ok(Some(Ok(message))) => {
                    if let Some(job) = accept(shop, message).await {
                        load.jobs.fetch_add(1, Ordering::AcqRel);
                        jobs.send(job).map_err(|_| ())?;
                    }
                }
                Ok(None) => break,
                Ok(Some(Err(_))) | Err(_) => return Ok(()),
            }
        }
    }
    Ok(())
}

struct Lane {
    shop: Arc<Shop>,
    number: usize,
    load: Arc<Load>,
    results: UnboundedSender<Finished>,
}

impl Lane {
    fn work(&self, incoming: &Receiver<Accepted>) {
        while let Ok(job) = incoming.recv() {
            if self.shop.stop.is_stopped() {
                return;
            }
            let started = Instant::now();
            let result = self.perform(&job);
            self.load.note(started.elapsed());
            if matches!(result, Err(Trouble::Declined(_))) {
                self.load.declined.fetch_add(1, Ordering::AcqRel);
            }
            let finished = Finished { job, result };
            self.load.jobs.fetch_sub(1, Ordering::AcqRel);
            self.load.lighter.notify_one();
            if self.results.send(finished).is_err() {
                return;
            }
        }
    }

    fn perform(&self, job: &Accepted) -> Result<crate::wire::Answer, Trouble> {
        job.pulse.beat();
        let shop = &self.shop;
        if job.delivery > 1 {
            // Whoever had it before was not heard of again: if it kills us too,
            // the log says who had it.
            shop.runtime.block_on(note(shop, job, LogEvent::Begun, "begun"));
        }
        let desk = Desk { run_id: &job.run_id, lane: self.number, pulse: &job.pulse, shelf: &shop.shelf };
        catch_unwind(AssertUnwindSafe(|| shop.performer.perform(&job.run, &job.task, &desk)))
            .unwrap_or_else(|_| Err(Trouble::Failed("the worker itself failed".to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_jobs_are_fetched_ahead_and_long_ones_are_not() {
        let load = Load::default();
        assert_eq!(load.target(), 1, "nothing is known yet");
        load.note(Duration::from_micros(100));
        assert_eq!(load.target(), MOST_AHEAD as usize);
        for _ in 0..60 {
            load.note(Duration::from_secs(60));
        }
        assert_eq!(load.target(), 1);
    }
}
