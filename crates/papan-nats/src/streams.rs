//! The streams of a queue, made where they are missing.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{Context, ErrorCode, object_store};
use tokio::time::sleep;

use crate::link::{LinkError, Teller};
use crate::names::{BOTS, JOBS, LOG, RESULTS, RUNS, STATUS, Topic, WORKERS};
use crate::wire::{MOST_JOB, MOST_RESULT, MOST_RUN};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a cluster may take to agree, and between two attempts.
const AGREE: Duration = Duration::from_secs(30);
const RETRY: Duration = Duration::from_millis(500);

/// How long a stream knows the names of its messages.
const NAMES_KNOWN: Duration = Duration::from_secs(10 * 60);

/// How long a worker or coordinator is shown after its last word.
const LAST_WORD: Duration = Duration::from_secs(30);

/// Room for headers beside a message.
const HEADERS: usize = 2048;

/// Jobs that workers may hold at the same time, all together.
const MOST_HELD: i64 = 100_000;

/// How durable a queue is.
#[derive(Clone, Copy, Debug)]
pub struct Durability {
    /// Copies of each message; `None` is three where there is a cluster.
    pub replicas: Option<usize>,
    /// How long a job stays with a worker that says nothing.
    pub lease: Duration,
}

/// Tries until it succeeds: a cluster that has just been started, or has lost a
/// server, is given some time to agree.
pub(crate) async fn patiently<T, F: Future<Output = Result<T, LinkError>>>(
    attempt: impl Fn() -> F,
    tell: &Teller,
) -> Result<T, LinkError> {
    let began = Instant::now();
    let mut told = false;
    loop {
        match attempt().await {
            Err(error) if began.elapsed() < AGREE => {
                if !std::mem::replace(&mut told, true) {
                    tell(&format!("{error}; trying on"));
                }
                sleep(RETRY).await;
            }
            made => return made,
        }
    }
}

/// Makes the streams that are missing, and sets the lease.
pub(crate) async fn set_up(js: &Context, durability: Durability) -> Result<(), LinkError> {
    let mut replicas = durability.replicas.unwrap_or(3);
    for stream in [runs(), jobs(), results(), log(), status()] {
        if js.get_stream(&stream.name).await.is_ok() {
            continue;
        }
        let with = |replicas: usize| Config { num_replicas: replicas, ..stream.clone() };
        match js.create_stream(with(replicas)).await {
            Err(error) if durability.replicas.is_none() && replicas > 1 && is_alone(&error) => {
                replicas = 1;
                js.create_stream(with(1)).await.map_err(|error| unfit(&stream.name, &error))?;
            }
            made => drop(made.map_err(|error| unfit(&stream.name, &error))?),
        }
    }
    if js.get_object_store(BOTS).await.is_err() {
        let bucket = object_store::Config {
            bucket: BOTS.to_owned(),
            description: Some("programs of tournaments, by their hash".to_owned()),
            max_age: 90 * DAY,
            num_replicas: replicas,
            ..object_store::Config::default()
        };
        js.create_object_store(bucket).await.map_err(|error| unfit(BOTS, &error))?;
    }
    lease_jobs(js, durability.lease).await
}

/// The consumer that all workers share. Making it again changes its lease.
async fn lease_jobs(js: &Context, lease: Duration) -> Result<(), LinkError> {
    let config = pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        max_deliver: -1,
        max_ack_pending: MOST_HELD,
        max_waiting: 20_000,
        ..pull::Config::default()
    };
    let made = js.create_consumer_on_stream(config, JOBS).await;
    made.map(drop).map_err(|error| unfit(WORKERS, &error))
}

fn is_alone(error: &CreateStreamError) -> bool {
    matches!(error.kind(), CreateStreamErrorKind::JetStream(error)
        if error.error_code() == ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED)
}

fn unfit(what: &str, error: &dyn std::fmt::Display) -> LinkError {
    LinkError::Unfit(format!("{what}: {error}; is JetStream switched on (nats-server -js)?"))
}

fn runs() -> Config {
    Config {
        name: RUNS.to_owned(),
        subjects: vec![Topic::Runs.all()],
        max_messages_per_subject: 1,
        max_message_size: (MOST_RUN + HEADERS) as i32,
        max_age: 90 * DAY,
        ..Config::default()
    }
}

/// A job is there once, however often it is published, until it is done.
fn jobs() -> Config {
    Config {
        name: JOBS.to_owned(),
        subjects: vec![Topic::Jobs.all()],
        retention: RetentionPolicy::WorkQueue,
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_message_size: (MOST_JOB + HEADERS) as i32,
        duplicate_window: NAMES_KNOWN,
        ..Config::default()
    }
}

fn results() -> Config {
    Config {
        name: RESULTS.to_owned(),
        subjects: vec![Topic::Results.all()],
        retention: RetentionPolicy::WorkQueue,
        max_message_size: (MOST_RESULT + HEADERS) as i32,
        duplicate_window: NAMES_KNOWN,
        max_age: 30 * DAY,
        ..Config::default()
    }
}

fn log() -> Config {
    Config {
        name: LOG.to_owned(),
        subjects: vec![Topic::Log.all()],
        max_messages_per_subject: 200,
        max_message_size: (16 << 10) + HEADERS as i32,
        max_bytes: 256 << 20,
        max_age: 7 * DAY,
        ..Config::default()
    }
}

fn status() -> Config {
    Config {
        name: STATUS.to_owned(),
        subjects: vec![Topic::Workers.all(), Topic::Coordinators.all()],
        storage: StorageType::Memory,
        max_messages_per_subject: 1,
        max_message_size: 16 << 10,
        max_age: LAST_WORD,
        ..Config::default()
    }
}
