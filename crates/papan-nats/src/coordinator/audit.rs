//! When nothing comes back for a while: is everything that is out still in the
//! queue? A server that lost its disk has lost jobs, too; they are published
//! again.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::sleep;

use super::publish::Outgoing;
use super::{Shared, announce, jobs_in_queue, make_results_consumer};
use crate::names::{JOBS, RESULTS, Topic, WORKERS};
use crate::streams::set_up;

/// The shortest time of silence after which to look.
const SILENCE: Duration = Duration::from_secs(3);

/// Looks until the coordinator is gone. A job must be missing in two looks, a
/// result that is on its way in being in neither place for a moment.
pub(super) async fn run(shared: Arc<Shared>, outgoing: UnboundedSender<Outgoing>) {
    let silence = (2 * shared.durability.lease).max(SILENCE);
    let mut missing_before = HashSet::new();
    while !outgoing.is_closed() {
        sleep(silence / 2).await;
        let quiet = shared.last_arrival.lock().expect("no holder panics").elapsed() > silence;
        if !quiet || shared.ledger().open() == 0 {
            missing_before.clear();
            continue;
        }
        // While no server answers there is nothing to be known.
        let Ok(missing) = missing(&shared).await else { continue };
        for id in missing.iter().filter(|id| missing_before.contains(*id)) {
            let Some((payload, again)) = shared.ledger().again(id) else { continue };
            (shared.tell)(&format!("job {id} was lost by the queue; published again"));
            let _ = outgoing.send(Outgoing { id: id.clone(), payload, again, after: Duration::ZERO });
        }
        missing_before = missing;
    }
}

/// The jobs that are out and will never come back.
async fn missing(shared: &Shared) -> Result<HashSet<String>, async_nats::Error> {
    let (js, run) = (&shared.link.js, &shared.run);
    // 1. The queue itself may be gone.
    set_up(js, shared.durability).await?;
    announce(js, run, shared.manifest.clone()).await?;
    make_results_consumer(js, run).await?;
    // 2. Results that wait for us are not missing.
    let results = js.get_consumer_from_stream::<pull::Config, _, _>(run, RESULTS).await?;
    if results.cached_info().num_pending > 0 {
        return Ok(HashSet::new());
    }
    // 3. Neither is what lies in the queue, unless the workers' consumer has
    //    nothing more to hand out: then it has lost count of it.
    let mut lying = jobs_in_queue(js, run).await?;
    let workers = js.get_consumer_from_stream::<pull::Config, _, _>(WORKERS, JOBS).await?;
    let info = workers.cached_info();
    if info.num_pending == 0 && info.num_ack_pending == 0 && !lying.is_empty() {
        let stream = js.get_stream(JOBS).await?;
        for id in lying.drain() {
            stream.purge().filter(Topic::Jobs.of_job(run, &id)).await?;
        }
    }
    Ok(shared.ledger().open_ids().into_iter().filter(|id| !lying.contains(id)).collect())
}
