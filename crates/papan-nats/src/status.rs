//! Who is there and how far it is: the last word of each worker and of each
//! coordinator.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull;
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::coordinator::{Conduct, runtime};
use crate::link::{Link, LinkError, QueueOptions, Teller};
use crate::names::{JOBS, STATUS, Topic, WORKERS};

/// Between two words.
const EVERY: Duration = Duration::from_secs(2);

/// Rates are over this time.
const WINDOW: Duration = Duration::from_secs(30);

/// Workers whose conduct is told of.
const SHOWN: usize = 64;

/// Questions to the server at the same time.
const ASK: usize = 64;

/// A worker, in its own words.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Jobs it does at the same time.
    pub jobs: usize,
    /// Jobs it has in hand.
    pub in_hand: usize,
    /// Jobs it has done since it was started.
    pub done: u64,
    /// Jobs a second of late.
    pub rate: f64,
    /// Seconds since it was started.
    pub up: u64,
    /// Has it taken its leave?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// A run, in its coordinator's words.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// What people call it.
    pub name: String,
    /// Its id.
    pub run: String,
    /// Jobs that are done.
    pub done: u64,
    /// Jobs in all, as far as is known.
    pub total: u64,
    /// Jobs that are out.
    pub out: usize,
    /// Jobs a second of late.
    pub rate: f64,
    /// Seconds to the end at this rate.
    pub left: Option<f64>,
    /// How workers have done in it; of very many those that come first.
    #[serde(default)]
    pub workers: BTreeMap<String, Conduct>,
}

/// Everything there is to know of a queue.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Status {
    /// Who works, by name.
    pub workers: Vec<WorkerStatus>,
    /// What is worked on.
    pub runs: Vec<RunStatus>,
    /// Jobs in the queue, those in work included.
    pub queued: u64,
    /// Jobs in work.
    pub in_work: usize,
    /// Jobs a second of late, of all workers.
    pub rate: f64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) out: usize,
}

/// A count and its rate over the last half minute.
#[derive(Default)]
pub(crate) struct Meter(Vec<(Instant, u64)>);

impl Meter {
    pub(crate) fn rate(&mut self, now: Instant, count: u64) -> f64 {
        // A count that falls back is of another beginning.
        if self.0.last().is_some_and(|&(_, last)| last > count) {
            self.0.clear();
        }
        self.0.push((now, count));
        let old = self.0.iter().rposition(|&(then, _)| now.duration_since(then) >= WINDOW).unwrap_or(0);
        self.0.drain(..old);
        let (then, first) = self.0[0];
        let seconds = now.duration_since(then).as_secs_f64();
        if seconds > 0.0 { (count - first) as f64 / seconds } else { 0.0 }
    }
}

/// Tells of a run every two seconds, for as long as it is polled.
pub(crate) async fn tell_of_run(
    link: Link,
    run: String,
    name: String,
    progress: impl Fn() -> Progress,
    conduct: impl Fn() -> BTreeMap<String, Conduct>,
) {
    let mut meter = Meter::default();
    loop {
        let Progress { done, total, out } = progress();
        let rate = meter.rate(Instant::now(), done);
        let left = (rate > 0.0).then(|| total.saturating_sub(done) as f64 / rate);
        // Those whose results were refused first: a word is not long.
        let mut workers: Vec<_> = conduct().into_iter().collect();
        workers.sort_by_key(|(_, conduct)| std::cmp::Reverse(conduct.refused));
        let workers = workers.into_iter().take(SHOWN).collect();
        let status = RunStatus { name: name.clone(), run: run.clone(), done, total, out, rate, left, workers };
        say(&link, Topic::Coordinators.of(&run), &status).await;
        sleep(EVERY).await;
    }
}

/// Tells of a worker every two seconds, for as long as it is polled.
pub(crate) async fn tell_of_worker(link: Link, status: impl Fn() -> WorkerStatus) {
    let mut meter = Meter::default();
    loop {
        let mut status = status();
        status.rate = meter.rate(Instant::now(), status.done);
        say(&link, Topic::Workers.of(&status.name), &status).await;
        sleep(EVERY).await;
    }
}

/// A word that need not arrive: the next one comes soon.
async fn say(link: &Link, subject: String, status: &impl Serialize) {
    let payload = serde_json::to_vec(status).expect("a status is plain data");
    let _ = link.client.publish(subject, payload.into()).await;
}

/// A worker that goes says so, and is no longer shown.
pub(crate) async fn take_leave(link: &Link, name: &str) {
    let gone = WorkerStatus { name: name.to_owned(), jobs: 0, in_hand: 0, done: 0, rate: 0.0, up: 0, gone: true };
    say(link, Topic::Workers.of(name), &gone).await;
}

/// Asks a queue how it is.
pub fn read_status(options: &QueueOptions) -> Result<Status, LinkError> {
    let quiet: Teller = std::sync::Arc::new(|_| {});
    runtime()?.block_on(async {
        let link = Link::connect(options, "papan status", &quiet).await?;
        read(&link).await.map_err(|error| LinkError::Unfit(format!("its state cannot be read: {error}")))
    })
}

async fn read(link: &Link) -> Result<Status, async_nats::Error> {
    // A queue that nobody has used yet has no streams.
    let Ok(stream) = link.js.get_stream(STATUS).await else { return Ok(Status::default()) };
    let mut workers: Vec<WorkerStatus> = last_words(&stream, Topic::Workers).await?;
    workers.retain(|worker| !worker.gone);
    let mut runs: Vec<RunStatus> = last_words(&stream, Topic::Coordinators).await?;
    workers.sort_by(|a, b| a.name.cmp(&b.name));
    runs.sort_by(|a, b| a.name.cmp(&b.name));
    let jobs = link.js.get_stream(JOBS).await?;
    let consumer = link.js.get_consumer_from_stream::<pull::Config, _, _>(WORKERS, JOBS).await?;
    Ok(Status {
        rate: workers.iter().fold(0.0, |sum, worker| sum + worker.rate),
        workers,
        runs,
        queued: jobs.cached_info().state.messages,
        in_work: consumer.cached_info().num_ack_pending,
    })
}

async fn last_words<T: DeserializeOwned>(
    stream: &async_nats::jetstream::stream::Stream,
    topic: Topic,
) -> Result<Vec<T>, async_nats::Error> {
    let subjects: Vec<(String, usize)> = stream.info_with_subjects(topic.all()).await?.try_collect().await?;
    let asked = subjects.iter().map(|(subject, _)| stream.get_last_raw_message_by_subject(subject));
    let answers: Vec<_> = futures_util::stream::iter(asked).buffer_unordered(ASK).collect().await;
    // One that has just gone, or whose words are not ours, is not shown.
    Ok(answers.into_iter().flatten().filter_map(|message| serde_json::from_slice(&message.payload).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_of_late() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut meter = Meter::default();
        assert_eq!(meter.rate(start, 0), 0.0);
        assert_eq!(meter.rate(at(10), 50), 5.0);
        // Nothing for a long time: what was before is forgotten.
        for seconds in (20..100).step_by(10) {
            meter.rate(at(seconds), 50);
        }
        assert_eq!(meter.rate(at(100), 50), 0.0);
        assert_eq!(meter.rate(at(110), 3), 0.0, "it began anew");
    }
}
