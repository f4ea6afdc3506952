//! Results on their way out. A job is done when a server has its result.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::PublishMessage;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::sleep;

use super::accept::{Accepted, note};
use super::{Shop, Trouble};
use crate::names::Topic;
use crate::wire::{Answer, LogEvent, MOST_RESULT, Report, VERSION};

/// Results that wait for the server's word at the same time.
const IN_FLIGHT: usize = 1024;

/// Between two attempts while no server takes results.
const RETRY: Duration = Duration::from_millis(300);

/// How long a job that went wrong here, or that cannot be done here, rests.
const REST: Duration = Duration::from_secs(1);

/// A job that has left its lane.
pub(super) struct Finished {
    pub(super) job: Accepted,
    pub(super) result: Result<Answer, Trouble>,
}

/// Posts what comes, many at a time.
pub(super) async fn run(shop: Arc<Shop>, mut incoming: UnboundedReceiver<Finished>) {
    let mut flying = FuturesUnordered::new();
    loop {
        tokio::select! {
            finished = incoming.recv(), if flying.len() < IN_FLIGHT => match finished {
                Some(finished) => flying.push(post(&shop, finished)),
                None => return,
            },
            Some(()) = flying.next(), if !flying.is_empty() => {}
        }
    }
}

async fn post(shop: &Shop, Finished { job, result }: Finished) {
    let answer = match result {
        Ok(answer) => answer,
        Err(trouble) => {
            let (event, what) = match trouble {
                Trouble::Declined(what) => (LogEvent::Declined, what),
                Trouble::Failed(what) => (LogEvent::Failed, what),
            };
            (shop.tell)(&format!("job {}: {what}", job.task.id));
            note(shop, &job, event, &what).await;
            answer_with(shop, job.number, AckKind::Nak(Some(REST))).await;
            return;
        }
    };
    if publish(shop, &job.run_id, &job.task.id, answer).await {
        shop.done.fetch_add(1, Ordering::Relaxed);
        answer_with(shop, job.number, AckKind::Ack).await;
    }
}

/// Answers for a job in hand, and puts it down.
async fn answer_with(shop: &Shop, number: u64, kind: AckKind) {
    if let Some(acker) = shop.hand.acker(number) {
        let _ = acker.ack_with(kind).await;
    }
    shop.hand.put_down(number);
}

/// Publishes a result until a server has it; false if we are told to stop
/// before. Attempts have one name, so that one whose answer was lost is not
/// taken twice. Nobody can guess it: whoever could would have the server throw
/// the result away as a repetition.
pub(super) async fn publish(shop: &Shop, run: &str, id: &str, answer: Answer) -> bool {
    let report = Report { version: VERSION, id: id.to_owned(), worker: shop.name.clone(), answer };
    let mut payload: Bytes = serde_json::to_vec(&report).expect("a report is plain data").into();
    if payload.len() > MOST_RESULT {
        let log = vec![format!("its result has {} bytes, {MOST_RESULT} at most", payload.len())];
        let report = Report { answer: Answer::GivenUp { log }, ..report };
        payload = serde_json::to_vec(&report).expect("a report is plain data").into();
    }
    let subject = Topic::Results.by_worker(&shop.name, run, id);
    let name = shop.link.client.new_inbox();
    while !shop.stop.is_stopped() {
        let message = PublishMessage::build().payload(payload.clone()).message_id(&name);
        let sent = async { shop.link.js.send_publish(subject.clone(), message).await?.await };
        if sent.await.is_ok() {
            return true;
        }
        sleep(RETRY).await;
    }
    false
}
