//! Jobs on their way into the queue, many at a time.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::PublishMessage;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::sleep;

use super::Shared;
use crate::names::Topic;

/// Jobs that wait for the server's word at the same time.
const IN_FLIGHT: usize = 1024;

/// Between two attempts while no server takes jobs.
const RETRY: Duration = Duration::from_millis(300);

/// A job to be published, for the `again`-th time under another name.
pub(super) struct Outgoing {
    pub(super) id: String,
    pub(super) payload: Bytes,
    pub(super) again: u32,
    /// How long it rests before: whoever answered wrongly may still be about
    /// to say that the job is done.
    pub(super) after: Duration,
}

/// Publishes what comes until the coordinator is gone.
pub(super) async fn run(shared: Arc<Shared>, mut incoming: UnboundedReceiver<Outgoing>) {
    let mut flying = FuturesUnordered::new();
    loop {
        tokio::select! {
            job = incoming.recv(), if flying.len() < IN_FLIGHT => match job {
                Some(job) => flying.push(publish(&shared, job)),
                None => break,
            },
            Some(()) = flying.next(), if !flying.is_empty() => {}
        }
    }
    while flying.next().await.is_some() {}
}

/// Publishes until the server has the job. Each attempt has the same name, so
/// that one whose answer was lost is not taken twice. Another coordinator of
/// the same run has other names: what it publishes is new unless the job is
/// still there.
async fn publish(shared: &Shared, job: Outgoing) {
    let subject = Topic::Jobs.of_job(&shared.run, &job.id);
    let name = format!("{}.{}.{}.{}", shared.run, job.id, shared.life, job.again);
    let mut attempts = 0u32;
    sleep(job.after).await;
    loop {
        let message = PublishMessage::build().payload(job.payload.clone()).message_id(&name);
        let sent = async { shared.link.js.send_publish(subject.clone(), message).await?.await };
        match sent.await {
            Ok(_) => return,
            Err(error) if is_there_already(&error) => return,
            Err(error) => {
                attempts += 1;
                if attempts.is_multiple_of(10) {
                    (shared.tell)(&format!("job {} cannot be published yet: {}", job.id, reason(&error)));
                }
            }
        }
        sleep(RETRY).await;
    }
}

/// The stream has a job of this name: an earlier coordinator published it.
fn is_there_already(error: &PublishError) -> bool {
    reason(error).contains("maximum messages per subject exceeded")
}

/// The server's own words, which are below the client's.
fn reason(error: &PublishError) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}
