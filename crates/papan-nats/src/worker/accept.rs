//! Whether a message is a job that may be done here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{AckKind, Message};

use super::Shop;
use super::hand::Pulse;
use super::post::publish;
use crate::names::{LOG, RUNS, Topic, run_and_job, worker_of};
use crate::wire::{Answer, LogEvent, LogLine, Run, Task};

/// Runs that are remembered.
const MOST_RUNS: usize = 64;

/// How long a job rests whose run is not announced yet, and how often that is
/// waited for.
const REST: Duration = Duration::from_secs(1);
const ANNOUNCED_WITHIN: i64 = 30;

/// A job that nobody can do is given up after so many times its deliveries,
/// those included after which a worker said that it could not.
const HOPELESS: i64 = 10;

/// A job that has been checked and is in hand.
pub(super) struct Accepted {
    pub(super) run_id: String,
    pub(super) run: Arc<Run>,
    pub(super) task: Task,
    pub(super) delivery: i64,
    /// Its number in hand.
    pub(super) number: u64,
    pub(super) pulse: Arc<Pulse>,
}

/// The runs that this worker knows.
#[derive(Default)]
pub(super) struct Runs(Mutex<HashMap<String, Arc<Run>>>);

impl Runs {
    fn known(&self, id: &str) -> Option<Arc<Run>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    fn remember(&self, id: &str, run: &Arc<Run>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_RUNS {
            known.clear();
        }
        known.insert(id.to_owned(), Arc::clone(run));
    }
}

/// Takes a job in hand, or answers the message right away.
pub(super) async fn accept(shop: &Shop, message: Message) -> Option<Accepted> {
    let delivery = message.info().map_or(1, |info| info.delivered);
    let (message, acker) = message.split();
    let subject = message.subject.as_str();
    // 1. Is it a job?
    let (task, run_id) = match (Task::read(subject, &message.payload), run_and_job(subject)) {
        (Ok(task), Some((run, _))) => (task, run.to_owned()),
        (Err(reason), _) => return refuse(shop, &acker, subject, &reason).await,
        (_, None) => return refuse(shop, &acker, subject, "a job of no run").await,
    };
    // 2. Does its run name it?
    let run = match find_run(shop, &run_id).await {
        Ok(run) => run,
        Err(reason) if delivery > ANNOUNCED_WITHIN => return refuse(shop, &acker, subject, &reason).await,
        Err(_) => {
            let _ = acker.ack_with(AckKind::Nak(Some(REST))).await;
            return None;
        }
    };
    if let Err(reason) = task.check(&run) {
        return refuse(shop, &acker, subject, &reason).await;
    }
    // 3. Has it been tried too often?
    if delivery > i64::from(run.deliveries)
        && let Some(log) = hopeless(shop, &run_id, &task.id, delivery, i64::from(run.deliveries)).await
    {
        (shop.tell)(&format!("job {} is given up after {} deliveries", task.id, delivery - 1));
        if publish(shop, &run_id, &task.id, Answer::GivenUp { log }).await {
            let _ = acker.ack().await;
        }
        return None;
    }
    let (number, pulse) = shop.hand.take(&task.id, acker);
    Some(Accepted { run_id, run, task, delivery, number, pulse })
}

/// Says why, and has the message thrown away.
async fn refuse(shop: &Shop, acker: &Acker, subject: &str, reason: &str) -> Option<Accepted> {
    (shop.tell)(&format!("refused: {reason} (on {})", subject.escape_debug()));
    let _ = acker.ack_with(AckKind::Term).await;
    None
}

/// A run by its id, which is the hash of what it says.
async fn find_run(shop: &Shop, id: &str) -> Result<Arc<Run>, String> {
    if let Some(run) = shop.runs.known(id) {
        return Ok(run);
    }
    let stream = shop.link.js.get_stream(RUNS).await.map_err(|error| error.to_string())?;
    let message = stream.get_last_raw_message_by_subject(&Topic::Runs.of(id)).await;
    let message = message.map_err(|_| "a job of a run that nobody has announced".to_owned())?;
    let run = Run::read(&message.payload)?;
    if run.id() != id {
        return Err("a run under another name than its own".to_owned());
    }
    let run = Arc::new(run);
    shop.runs.remember(id, &run);
    Ok(run)
}

/// Writes a line into the log of a job.
pub(super) async fn note(shop: &Shop, job: &Accepted, event: LogEvent, what: &str) {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let what = what.chars().take(2000).collect();
    let line = LogLine { time, worker: shop.name.clone(), delivery: job.delivery, event, what };
    let payload = serde_json::to_vec(&line).expect("a line is plain data");
    let message = PublishMessage::build().payload(payload.into());
    // Without a server there is no log either; the job is what matters.
    if let Ok(sent) =
        shop.link.js.send_publish(Topic::Log.by_worker(&shop.name, &job.run_id, &job.task.id), message).await
    {
        let _ = sent.await;
    }
}

/// The log of a job that is to be given up: it was begun as often as it may be,
/// and nothing came of it. One that only waited beside a job that killed its
/// worker was not begun, and one that was declined was not tried.
async fn hopeless(shop: &Shop, run: &str, id: &str, delivery: i64, limit: i64) -> Option<Vec<String>> {
    let lines = match shop.link.js.get_stream(LOG).await {
        Ok(stream) => read_log(&stream, &Topic::Log.by_worker("*", run, id)).await,
        Err(_) => Vec::new(),
    };
    let count = |event: LogEvent| lines.iter().filter(|line| line.event == event).count() as i64;
    // The first time is not in the log.
    let begun = 1 + count(LogEvent::Begun) - count(LogEvent::Declined);
    if begun < limit && delivery <= HOPELESS * limit {
        return None;
    }
    let mut log = vec![format!("given up after {} deliveries", delivery - 1)];
    log.extend(lines.iter().map(|line| {
        let LogLine { time, worker, delivery, what, .. } = line;
        format!("{time} delivery {delivery} to {worker}: {what}")
    }));
    Some(log)
}

async fn read_log(stream: &Stream, subject: &str) -> Vec<LogLine> {
    let (mut lines, mut next) = (Vec::new(), 1);
    while let Ok(message) = stream.raw_message_builder().sequence(next).next_by_subject(subject).send().await {
        next = message.sequence + 1;
        let line = serde_json::from_slice::<LogLine>(&message.payload).ok();
        lines.extend(line.filter(|line| worker_of(&message.subject) == Some(line.worker.as_str())));
    }
    lines
}
