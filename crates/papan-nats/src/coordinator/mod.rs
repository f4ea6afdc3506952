//! Whoever wants something done: gives out jobs, takes in results, each once.
//!
//! A job is published under its id, which the server takes only once while the
//! job is there; a result is held by the server until it is stored here. So
//! nothing is lost or counted twice, whoever is killed when:
//!
//! 1. killed before a job is published: the next coordinator publishes it;
//! 2. killed after that: the next one finds the job in the stream, or its
//!    result;
//! 3. killed before a result is stored: the server still has it;
//! 4. killed between storing it and letting go of it: it comes again, its id is
//!    known, and it changes nothing.

mod audit;
mod ledger;
mod publish;
mod results;
mod roll;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use bytes::Bytes;
use futures_util::TryStreamExt as _;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::link::{Link, LinkError, QueueOptions, Teller};
use crate::names::{JOBS, RESULTS, RUNS, STATUS, Topic, run_and_job};
use crate::status;
use crate::streams::{Durability, patiently, set_up};
use crate::wire::{Answer, MOST_JOB, Plan, Run, Task};
use ledger::Ledger;
pub use roll::Conduct;
use roll::Roll;

/// How a run is coordinated.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Jobs that are out at the same time, at most.
    pub ahead: usize,
    /// How durable the queue is, if it is to be made.
    pub durability: Durability,
}

/// A run under way.
pub struct Coordinator {
    shared: Arc<Shared>,
    outgoing: UnboundedSender<publish::Outgoing>,
    releases: UnboundedSender<Vec<Acker>>,
    answers: Receiver<Taken>,
    ahead: usize,
    // Last, so that everything else is gone when it stops.
    runtime: Runtime,
}

/// A result that is of a job of this run, and who sent it.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The job's id.
    pub id: String,
    /// The worker, as the server knows it.
    pub worker: String,
    /// What it answered.
    pub answer: Answer,
}

/// How long a job whose result was refused rests before it is handed out again.
const REST: Duration = Duration::from_secs(1);

/// What the tasks in the background share.
struct Shared {
    link: Link,
    run: String,
    /// Tells this process from an earlier one with the same run.
    life: String,
    durability: Durability,
    plan: Plan,
    manifest: Bytes,
    ledger: Mutex<Ledger<Acker>>,
    roll: Mutex<Roll>,
    outgoing: UnboundedSender<publish::Outgoing>,
    /// Tells jobs that are handed out again from each other.
    republished: AtomicU32,
    last_arrival: Mutex<Instant>,
    done: AtomicU64,
    total: AtomicU64,
    tell: Teller,
}

/// Tells those who look on how far a run is.
#[derive(Clone)]
pub struct Gauge(Arc<Shared>);

impl Gauge {
    /// So many of so many are done.
    pub fn set(&self, done: u64, total: u64) {
        self.0.done.store(done, Ordering::Relaxed);
        self.0.total.store(total, Ordering::Relaxed);
    }
}

impl Shared {
    fn ledger(&self) -> MutexGuard<'_, Ledger<Acker>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn roll(&self) -> MutexGuard<'_, Roll> {
        self.roll.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that a result was refused, and counts it against its worker.
    fn note_refusal(&self, job: &str, worker: &str, reason: &str) {
        (self.tell)(&format!("refused: the result for job {job} from {worker}: {reason}; it is handed out again"));
        if self.roll().refused(worker) {
            (self.tell)(&format!("nothing more is taken from {worker}: too many of its results were refused"));
        }
    }

    /// Hands a job out again that is out, as far as we know.
    fn hand_out_again(&self, id: &str) {
        let Some((payload, again)) = self.ledger().again(id) else { return };
        let _ = self.outgoing.send(publish::Outgoing { id: id.to_owned(), payload, again, after: REST });
    }
}

impl Coordinator {
    /// Announces a run, and takes up what an earlier coordinator of the same
    /// run has left.
    pub fn begin(options: &QueueOptions, terms: Terms, run: &Run, tell: Teller) -> Result<Self, LinkError> {
        let runtime = runtime()?;
        let link = runtime.block_on(Link::connect(options, "papan coordinator", &tell))?;
        let life = link.client.new_inbox().replace('.', "-");
        let (answers_in, answers) = mpsc::channel();
        let (outgoing, to_publish) = unbounded_channel();
        let (releases, to_release) = unbounded_channel();
        let id = run.id();
        let manifest: Bytes = serde_json::to_vec(run).expect("a run is plain data").into();
        let begin = || async {
            set_up(&link.js, terms.durability).await?;
            announce(&link.js, &id, manifest.clone()).await?;
            take_over(&link.js, &id).await
        };
        let ledger = runtime.block_on(patiently(begin, &tell))?;
        let shared = Arc::new(Shared {
            link,
            run: id,
            life,
            durability: terms.durability,
            plan: run.plan.clone(),
            manifest,
            ledger: Mutex::new(ledger),
            roll: Mutex::default(),
            outgoing: outgoing.clone(),
            republished: AtomicU32::new(1 << 16),
            last_arrival: Mutex::new(Instant::now()),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            tell,
        });
        runtime.spawn(publish::run(Arc::clone(&shared), to_publish));
        runtime.spawn(results::run(Arc::clone(&shared), answers_in));
        runtime.spawn(results::release(to_release));
        runtime.spawn(audit::run(Arc::clone(&shared), outgoing.clone()));
        let (source, name) = (Arc::clone(&shared), run.name.clone());
        let progress = move || status::Progress {
            done: source.done.load(Ordering::Relaxed),
            total: source.total.load(Ordering::Relaxed),
            out: source.ledger().open(),
        };
        let source = Arc::clone(&shared);
        let conduct = move || source.roll().workers();
        let told = status::tell_of_run(shared.link.clone(), shared.run.clone(), name, progress, conduct);
        runtime.spawn(told);
        Ok(Self { shared, outgoing, releases, answers, ahead: terms.ahead.max(1), runtime })
    }

    /// The run's name in subjects.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.shared.run
    }

    /// How many more jobs may be out now.
    #[must_use]
    pub fn room(&self) -> usize {
        self.ahead.saturating_sub(self.shared.ledger().open())
    }

    /// Gives out a job. The queue takes it as soon as a server is there.
    pub fn offer(&mut self, task: &Task) -> Result<(), String> {
        let payload: Bytes = serde_json::to_vec(task).expect("a task is plain data").into();
        if payload.len() > MOST_JOB {
            return Err(format!("job {} has {} bytes, {MOST_JOB} at most", task.id, payload.len()));
        }
        if self.shared.ledger().give(&task.id, payload.clone()) {
            let job = publish::Outgoing { id: task.id.clone(), payload, again: self.times(), after: Duration::ZERO };
            self.outgoing.send(job).map_err(|_| "the queue has stopped".to_owned())?;
        }
        Ok(())
    }

    /// A number of its own for each publication, so that the server does not
    /// take one for a repetition of another.
    fn times(&self) -> u32 {
        self.shared.republished.fetch_add(1 << 8, Ordering::Relaxed)
    }

    /// This result cannot be right: it is thrown away, counted against its
    /// worker, and the job is handed out again.
    pub fn refuse(&mut self, task: &Task, worker: &str, reason: &str) {
        self.shared.note_refusal(&task.id, worker, reason);
        let payload: Bytes = serde_json::to_vec(task).expect("a task is plain data").into();
        let again = self.times();
        let releases = self.shared.ledger().take_back(&task.id, payload.clone(), again);
        let _ = self.releases.send(releases);
        let _ = self.outgoing.send(publish::Outgoing { id: task.id.clone(), payload, again, after: REST });
    }

    /// Takes nothing more from a worker; false if that was so before.
    pub fn bar(&mut self, worker: &str) -> bool {
        self.shared.roll().bar(worker)
    }

    /// These results do not count after all; their jobs may be offered again.
    pub fn forget(&mut self, ids: &[String]) {
        self.shared.ledger().forget(ids);
    }

    /// How each worker of this run has done.
    #[must_use]
    pub fn conduct(&self) -> BTreeMap<String, Conduct> {
        self.shared.roll().workers()
    }

    /// The next result, `None` if there is none within `wait`.
    pub fn take(&mut self, wait: Duration) -> Result<Option<Taken>, String> {
        match self.answers.recv_timeout(wait) {
            Ok(answer) => Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the queue has stopped".to_owned()),
        }
    }

    /// These results are stored: the server need not keep them.
    pub fn settled(&mut self, ids: &[String]) {
        let releases = self.shared.ledger().settle(ids);
        // After the runtime has stopped there is nobody to tell.
        let _ = self.releases.send(releases);
    }

    /// Where to say how far it is.
    #[must_use]
    pub fn gauge(&self) -> Gauge {
        Gauge(Arc::clone(&self.shared))
    }

    /// Takes back the jobs that nobody has begun. Results stay where they are
    /// until the run goes on, or are thrown away if it is `over`.
    pub fn end(self, over: bool) {
        let Self { shared, runtime, releases, .. } = self;
        drop(releases);
        runtime.block_on(async {
            let run = &shared.run;
            let purge = async |stream: &str, filter: String| {
                if let Ok(stream) = shared.link.js.get_stream(stream).await {
                    let _ = stream.purge().filter(filter).await;
                }
            };
            purge(JOBS, Topic::Jobs.of_job(run, "*")).await;
            purge(STATUS, Topic::Coordinators.of(run)).await;
            if over {
                purge(RESULTS, Topic::Results.by_worker("*", run, "*")).await;
                purge(RUNS, Topic::Runs.of(run)).await;
                let _ = shared.link.js.delete_consumer_from_stream(run, RESULTS).await;
            }
            let _ = shared.link.client.flush().await;
        });
        runtime.shutdown_timeout(Duration::from_millis(500));
    }
}

/// Threads for what waits on the network.
pub(crate) fn runtime() -> Result<Runtime, LinkError> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(|error| LinkError::Wrong(error.to_string()))
}

async fn announce(js: &Context, run: &str, manifest: Bytes) -> Result<(), LinkError> {
    let message = PublishMessage::build().payload(manifest);
    let sent = js.send_publish(Topic::Runs.of(run), message).await;
    let unfit = |error: &dyn std::fmt::Display| LinkError::Unfit(format!("the run cannot be announced: {error}"));
    sent.map_err(|error| unfit(&error))?.await.map_err(|error| unfit(&error))?;
    Ok(())
}

/// What an earlier coordinator has left. The consumer of results is made anew,
/// so that what the earlier one held comes at once; the order matters: a job
/// that is done between the two looks is in the second.
async fn take_over(js: &Context, run: &str) -> Result<Ledger<Acker>, LinkError> {
    let unfit = |error: &dyn std::fmt::Display| LinkError::Unfit(format!("the queue cannot be read: {error}"));
    let given_before = jobs_in_queue(js, run).await.map_err(|error| unfit(&error))?;
    let _ = js.delete_consumer_from_stream(run, RESULTS).await;
    make_results_consumer(js, run).await.map_err(|error| unfit(&error))?;
    let results = js.get_stream(RESULTS).await.map_err(|error| unfit(&error))?;
    Ok(Ledger::new(given_before, results.cached_info().state.last_sequence))
}

async fn make_results_consumer(js: &Context, run: &str) -> Result<(), async_nats::Error> {
    let config = pull::Config {
        durable_name: Some(run.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(60),
        max_deliver: -1,
        max_ack_pending: 100_000,
        filter_subject: Topic::Results.by_worker("*", run, "*"),
        ..pull::Config::default()
    };
    js.create_consumer_on_stream(config, RESULTS).await?;
    Ok(())
}

/// The ids of a run's jobs that are in the queue, those in work included.
async fn jobs_in_queue(js: &Context, run: &str) -> Result<HashSet<String>, async_nats::Error> {
    let stream = js.get_stream(JOBS).await?;
    let subjects = stream.info_with_subjects(Topic::Jobs.of_job(run, "*")).await?;
    let subjects: Vec<(String, usize)> = subjects.try_collect().await?;
    Ok(subjects.iter().filter_map(|(subject, _)| Some(run_and_job(subject)?.1.to_owned())).collect())
}
