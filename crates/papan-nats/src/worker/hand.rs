//! The jobs that a worker has in hand, and their leases.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::Acker;
use tokio::time::sleep;

use super::Shop;

/// When a job last made progress.
#[derive(Debug)]
pub struct Pulse {
    start: Instant,
    // Milliseconds from `start` to the last beat; 0 before the first.
    last: AtomicU64,
}

impl Pulse {
    fn new() -> Self {
        Self { start: Instant::now(), last: AtomicU64::new(0) }
    }

    /// There is progress.
    pub fn beat(&self) {
        self.last.store(self.start.elapsed().as_millis().max(1) as u64, Ordering::Relaxed);
    }

    /// How long there has been none; nothing before the first beat, since the
    /// job has not begun.
    fn silence(&self) -> Duration {
        match self.last.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            last => self.start.elapsed().saturating_sub(Duration::from_millis(last)),
        }
    }
}

/// A job in hand.
struct Item {
    acker: Arc<Acker>,
    pulse: Arc<Pulse>,
    name: String,
}

/// All jobs in hand, by a number that each delivery has of its own.
pub(super) struct Hand {
    patience: Duration,
    items: Mutex<Items>,
}

struct Items {
    by_number: HashMap<u64, Item>,
    next: u64,
    empty_since: Instant,
}

impl Hand {
    pub(super) fn new(patience: Duration) -> Self {
        let items = Items { by_number: HashMap::new(), next: 0, empty_since: Instant::now() };
        Self { patience, items: Mutex::new(items) }
    }

    fn items(&self) -> MutexGuard<'_, Items> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a job; from now on its lease is renewed.
    pub(super) fn take(&self, name: &str, acker: Acker) -> (u64, Arc<Pulse>) {
        let mut items = self.items();
        items.next += 1;
        let (number, pulse) = (items.next, Arc::new(Pulse::new()));
        let item = Item { acker: Arc::new(acker), pulse: Arc::clone(&pulse), name: name.to_owned() };
        items.by_number.insert(number, item);
        (number, pulse)
    }

    /// What a job is answered with, if it is still in hand.
    pub(super) fn acker(&self, number: u64) -> Option<Arc<Acker>> {
        self.items().by_number.get(&number).map(|item| Arc::clone(&item.acker))
    }

    /// The job is done, or somebody else's.
    pub(super) fn put_down(&self, number: u64) {
        let mut items = self.items();
        items.by_number.remove(&number);
        if items.by_number.is_empty() {
            items.empty_since = Instant::now();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items().by_number.len()
    }

    /// How long there has been nothing in hand.
    pub(super) fn idle(&self) -> Duration {
        let items = self.items();
        if items.by_number.is_empty() { items.empty_since.elapsed() } else { Duration::ZERO }
    }

    /// Every job goes back at once, to be done by somebody else.
    pub(super) async fn give_back(&self) {
        let items: Vec<Item> = self.items().by_number.drain().map(|(_, item)| item).collect();
        for item in items {
            let _ = item.acker.ack_with(AckKind::Nak(None)).await;
        }
    }

    /// Those whose lease is to be renewed, and the names of those that have
    /// stood still for too long: they are put down.
    fn sort(&self) -> (Vec<Arc<Acker>>, Vec<String>) {
        let mut items = self.items();
        let (mut alive, mut still) = (Vec::new(), Vec::new());
        items.by_number.retain(|_, item| {
            let moves = item.pulse.silence() <= self.patience;
            if moves {
                alive.push(Arc::clone(&item.acker));
            } else {
                still.push(item.name.clone());
            }
            moves
        });
        (alive, still)
    }
}

/// Renews leases, three times in each.
pub(super) async fn renew(shop: Arc<Shop>) {
    loop {
        sleep(shop.lease() / 3).await;
        let (alive, still) = shop.hand.sort();
        for name in still {
            (shop.tell)(&format!("job {name} stands still; left to another worker"));
        }
        for acker in alive {
            let _ = acker.ack_with(AckKind::Progress).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_has_not_begun_is_not_silent() {
        let pulse = Pulse::new();
        std::thread::sleep(Duration::from_millis(3));
        assert_eq!(pulse.silence(), Duration::ZERO);
        pulse.beat();
        std::thread::sleep(Duration::from_millis(3));
        assert!(pulse.silence() >= Duration::from_millis(2));
    }
}
