//! Results on their way in.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::message::Acker;
use futures_util::StreamExt as _;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{sleep, timeout};

use super::ledger::Fate;
use super::{Shared, Taken};
use crate::names::{RESULTS, run_and_job, worker_of};
use crate::wire::{Answer, Report};

/// Results asked for at once, and how long the server collects them.
const BATCH: usize = 500;
const COLLECT: Duration = Duration::from_secs(1);

/// Between two looks while no server answers.
const RETRY: Duration = Duration::from_millis(300);

/// Takes in results until nobody wants them any more.
pub(super) async fn run(shared: Arc<Shared>, answers: Sender<Taken>) {
    loop {
        let consumer = shared.link.js.get_consumer_from_stream::<pull::Config, _, _>(&shared.run, RESULTS).await;
        if let Ok(consumer) = consumer
            && fetch(&shared, &consumer, &answers).await.is_err()
        {
            return;
        }
        sleep(RETRY).await;
    }
}

/// Fetches until something is wrong with the server; an error if nobody wants
/// results any more.
async fn fetch(shared: &Shared, consumer: &Consumer<pull::Config>, answers: &Sender<Taken>) -> Result<(), ()> {
    loop {
        let batch = consumer.batch().max_messages(BATCH).expires(COLLECT).messages();
        let Ok(Ok(mut batch)) = timeout(2 * COLLECT, batch).await else { return Ok(()) };
        loop {
            match timeout(2 * COLLECT, batch.next()).await {
                Ok(Some(Ok(message))) => {
                    if let Some(answer) = receive(shared, message).await {
                        answers.send(answer).map_err(|_| ())?;
                    }
                }
                Ok(None) => break,
                // The server has gone, or has forgotten the consumer.
                Ok(Some(Err(_))) | Err(_) => return Ok(()),
            }
        }
    }
}

/// A message that is a result, is new, and was asked for.
async fn receive(shared: &Shared, message: Message) -> Option<Taken> {
    let sequence = message.info().map_or(u64::MAX, |info| info.stream_sequence);
    let (message, acker) = message.split();
    let report = Report::read(&message.subject, &message.payload).and_then(|report| report.check(&shared.plan));
    let report = match report {
        Ok(report) => report,
        Err(reason) => {
            let subject = message.subject.escape_debug().to_string();
            (shared.tell)(&format!("refused: {reason} (on {subject})"));
            let _ = acker.ack().await;
            if let (Some(worker), Some((_, job))) = (worker_of(&message.subject), run_and_job(&message.subject)) {
                shared.roll().refused(worker);
                shared.hand_out_again(job);
            }
            return None;
        }
    };
    if shared.roll().is_barred(&report.worker) {
        let _ = acker.ack().await;
        shared.hand_out_again(&report.id);
        return None;
    }
    if matches!(report.answer, Answer::GivenUp { .. }) && !shared.roll().gives_up(&report.id, &report.worker) {
        let Report { id, worker, .. } = &report;
        (shared.tell)(&format!("{worker} gives up job {id}; another worker is asked"));
        let _ = acker.ack().await;
        shared.hand_out_again(id);
        return None;
    }
    let (fate, release) = shared.ledger().arrive(&report.id, sequence, acker);
    if fate == Fate::Unasked {
        let Report { id, worker, .. } = &report;
        (shared.tell)(&format!("refused: a result for job {id} from {worker:?}, which was never given"));
    }
    if let Some(release) = release {
        let _ = release.ack().await;
    }
    if fate != Fate::New {
        return None;
    }
    *shared.last_arrival.lock().expect("no holder panics") = Instant::now();
    shared.roll().took(&report.worker);
    Some(Taken { id: report.id, worker: report.worker, answer: report.answer })
}

/// Lets go of results that are stored. One whose word is lost comes again, and
/// is late.
pub(super) async fn release(mut stored: UnboundedReceiver<Vec<Acker>>) {
    while let Some(ackers) = stored.recv().await {
        for acker in ackers {
            let _ = acker.ack().await;
        }
    }
}
