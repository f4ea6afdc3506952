//! Whoever works: pulls jobs, does them, tells what came of them.
//!
//! Each lane does one job at a time on a thread of its own:
//!
//! 1. it asks the server for as many jobs as keep it busy for a moment, one if
//!    they are long, and checks each against its run ([`accept`]);
//! 2. while a job is in hand its lease is renewed, as long as the job makes
//!    progress ([`hand`]); a worker that is paused or cut off renews nothing,
//!    and the server hands the job to another one;
//! 3. the result is published under the job's name, and only when a server has
//!    it is the job done ([`post`]).
//!
//! Nothing listens here: every word goes out over one connection.

mod accept;
mod hand;
mod lane;
mod post;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use papan_core::StopToken;
use tokio::runtime::Handle;
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::sleep;

pub use hand::Pulse;

use crate::coordinator::runtime;
use crate::link::{Link, LinkError, QueueOptions, Teller};
use crate::names::{JOBS, WORKERS};
use crate::shelf::Shelf;
use crate::status::{WorkerStatus, take_leave, tell_of_worker};
use crate::wire::{Answer, Run, Task};
use hand::Hand;

/// Between two looks at the stop token, and for a server that is not there.
const LOOK_UP: Duration = Duration::from_millis(100);
const RETRY: Duration = Duration::from_secs(1);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Where the queue is.
    pub queue: QueueOptions,
    /// The worker's name, unlike every other's.
    pub name: String,
    /// Jobs at the same time.
    pub lanes: usize,
    /// A job that makes no progress for so long is left to another worker.
    pub patience: Duration,
    /// Goes home after so long without a job.
    pub idle: Option<Duration>,
    /// Where programs are kept.
    pub folder: PathBuf,
}

/// Why a job was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It cannot be done here; another worker may be able to.
    Declined(String),
    /// It went wrong.
    Failed(String),
}

/// What a job can use.
pub struct Desk<'a> {
    /// The id of the job's run.
    pub run_id: &'a str,
    /// The number of the lane, from 0.
    pub lane: usize,
    /// To be beaten whenever there is progress.
    pub pulse: &'a Pulse,
    /// Where programs are.
    pub shelf: &'a Shelf,
}

/// Does jobs. Called by all lanes at once.
pub trait Performer: Send + Sync {
    /// Does a job that its run names.
    fn perform(&self, run: &Run, task: &Task, desk: &Desk<'_>) -> Result<Answer, Trouble>;
}

/// What all lanes share.
struct Shop {
    name: String,
    link: Link,
    hand: Hand,
    runs: accept::Runs,
    shelf: Shelf,
    runtime: Handle,
    performer: Arc<dyn Performer>,
    lease: AtomicU64,
    done: AtomicU64,
    stop: StopToken,
    tell: Teller,
}

impl Shop {
    fn lease(&self) -> Duration {
        Duration::from_millis(self.lease.load(Ordering::Relaxed))
    }

    /// The workers' consumer, and what its lease is now.
    async fn consumer(&self) -> Result<Consumer<pull::Config>, async_nats::Error> {
        let consumer = self.link.js.get_consumer_from_stream::<pull::Config, _, _>(WORKERS, JOBS).await?;
        let lease = consumer.cached_info().config.ack_wait;
        self.lease.store(lease.as_millis().max(100) as u64, Ordering::Relaxed);
        Ok(consumer)
    }
}

/// Works until `stop` is set, or until there has been nothing to do for as long
/// as the options say. Gives the number of jobs done.
pub fn work(
    options: &WorkerOptions,
    performer: Arc<dyn Performer>,
    stop: &StopToken,
    tell: Teller,
) -> Result<u64, LinkError> {
    let runtime = runtime()?;
    let Some(link) = runtime.block_on(reach(options, stop, &tell))? else { return Ok(0) };
    let shop = Arc::new(Shop {
        name: options.name.clone(),
        hand: Hand::new(options.patience),
        runs: accept::Runs::default(),
        shelf: Shelf::new(link.clone(), runtime.handle().clone(), &options.folder),
        runtime: runtime.handle().clone(),
        link,
        performer,
        lease: AtomicU64::new(10_000),
        done: AtomicU64::new(0),
        stop: stop.clone(),
        tell,
    });
    let (results, to_post) = unbounded_channel();
    runtime.spawn(post::run(Arc::clone(&shop), to_post));
    runtime.spawn(hand::renew(Arc::clone(&shop)));
    let lanes = options.lanes.max(1);
    for number in 0..lanes {
        lane::start(&runtime, &shop, number, results.clone());
    }
    let (source, started) = (Arc::clone(&shop), Instant::now());
    runtime.spawn(tell_of_worker(shop.link.clone(), move || WorkerStatus {
        name: source.name.clone(),
        jobs: lanes,
        in_hand: source.hand.len(),
        done: source.done.load(Ordering::Relaxed),
        rate: 0.0,
        up: started.elapsed().as_secs(),
        gone: false,
    }));
    while !stop.is_stopped() && options.idle.is_none_or(|idle| shop.hand.idle() <= idle) {
        std::thread::sleep(LOOK_UP);
    }
    stop.stop();
    runtime.block_on(async {
        shop.hand.give_back().await;
        take_leave(&shop.link, &shop.name).await;
        let _ = shop.link.client.flush().await;
    });
    let done = shop.done.load(Ordering::Relaxed);
    runtime.shutdown_background();
    Ok(done)
}

/// Connects; waits for a server that is not there yet, `None` if stopped
/// meanwhile.
async fn reach(options: &WorkerOptions, stop: &StopToken, tell: &Teller) -> Result<Option<Link>, LinkError> {
    let began = Instant::now();
    let mut told = false;
    loop {
        match Link::connect(&options.queue, &options.name, tell).await {
            Ok(link) => return Ok(Some(link)),
            Err(error @ LinkError::Unreachable { .. }) => {
                if options.idle.is_some_and(|idle| began.elapsed() > idle) {
                    return Err(error);
                }
                if !std::mem::replace(&mut told, true) {
                    tell(&format!("{error}; trying on"));
                }
            }
            Err(error) => return Err(error),
        }
        if stop.is_stopped() {
            return Ok(None);
        }
        sleep(RETRY).await;
    }
}
