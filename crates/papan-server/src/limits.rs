//! How much anyone may ask of the server.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::door::DoorLimits;

/// The limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Messages a second on one socket, in the long run.
    pub messages_per_second: f64,
    /// Messages at once on one socket.
    pub message_burst: f64,
    /// Requests a second from one address that make or compute something.
    pub posts_per_second: f64,
    /// Such requests at once.
    pub post_burst: f64,
    /// Open sockets in all.
    pub sockets: usize,
    /// Requests a second from one address that look at searches or boards.
    pub looks_per_second: f64,
    /// Such requests at once.
    pub look_burst: f64,
    /// Any other request to the API a second from one address.
    pub reads_per_second: f64,
    /// Such requests at once.
    pub read_burst: f64,
    /// Searches that may wait in each lane.
    pub waiting_searches: usize,
    /// Searches of one visitor that may wait in each lane.
    pub waiting_each: usize,
    /// Threads of each lane that bots think in; 0 for as many as suit the
    /// cores.
    pub search_threads: usize,
    /// Connections, and how long they may be silent.
    pub door: DoorLimits,
    /// Bytes that all searches may hold together; a quarter of the machine's
    /// memory, 2 GiB at most, if left out.
    pub memory: Option<u64>,
    /// How long a search may think, whatever its lane usually gives, while
    /// another waits for its thread.
    pub least_time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            messages_per_second: 30.0,
            message_burst: 60.0,
            posts_per_second: 20.0,
            post_burst: 100.0,
            sockets: 10_000,
            looks_per_second: 50.0,
            look_burst: 200.0,
            reads_per_second: 100.0,
            read_burst: 200.0,
            waiting_searches: 1_000,
            waiting_each: 64,
            search_threads: 0,
            door: DoorLimits::default(),
            memory: None,
            least_time: None,
        }
    }
}

impl Limits {
    /// No rate is limited; sizes and numbers still are. For tests and for
    /// servers behind a proxy that limits rates itself.
    #[must_use]
    pub fn unlimited() -> Self {
        let many = f64::from(u32::MAX);
        Self {
            messages_per_second: many,
            message_burst: many,
            posts_per_second: many,
            post_burst: many,
            door: DoorLimits { socket_bytes: u64::MAX, ..DoorLimits::default() },
            looks_per_second: many,
            look_burst: many,
            reads_per_second: many,
            read_burst: many,
            ..Self::default()
        }
    }
}

/// The largest body of a request, in bytes.
pub(crate) const BODY_LIMIT: usize = 64 * 1024;
/// The largest message on a socket, in bytes.
pub(crate) const MESSAGE_LIMIT: usize = 4 * 1024;

/// A bucket that fills at a steady rate; each request takes one token out.
#[derive(Clone, Debug)]
pub(crate) struct TokenBucket {
    tokens: f64,
    capacity: f64,
    per_second: f64,
    filled_at: Instant,
}

impl TokenBucket {
    pub(crate) fn new(capacity: f64, per_second: f64, now: Instant) -> Self {
        Self { tokens: capacity, capacity, per_second, filled_at: now }
    }

    /// Takes a token; false if there is none.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled_at).as_secs_f64();
        self.tokens = (self.tokens + passed * self.per_second).min(self.capacity);
        self.filled_at = now;
        let enough = self.tokens >= 1.0;
        self.tokens -= f64::from(u8::from(enough));
        enough
    }

    /// Has nobody taken anything for long enough that it is full again?
    fn is_full(&self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled_at).as_secs_f64();
        self.tokens + passed * self.per_second >= self.capacity
    }
}

/// A bucket for each address.
#[derive(Debug)]
pub(crate) struct AddressLimiter {
    buckets: Mutex<HashMap<IpAddr, TokenBucket>>,
    capacity: f64,
    per_second: f64,
}

impl AddressLimiter {
    /// Beyond this many addresses the full buckets, which say nothing, go.
    const TIDY_ABOVE: usize = 10_000;

    pub(crate) fn new(capacity: f64, per_second: f64) -> Self {
        Self { buckets: Mutex::default(), capacity, per_second }
    }

    /// May this address ask now?
    pub(crate) fn allows(&self, address: IpAddr, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().expect("no holder panics");
        if buckets.len() > Self::TIDY_ABOVE {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        let fresh = || TokenBucket::new(self.capacity, self.per_second, now);
        buckets.entry(address).or_insert_with(fresh).take(now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let now = Instant::now();
        let mut bucket = TokenBucket::new(3.0, 10.0, now);
        let taken = (0..10).filter(|_| bucket.take(now)).count();
        assert_eq!(taken, 3);
        let later = now + Duration::from_millis(250);
        let taken = (0..10).filter(|_| bucket.take(later)).count();
        assert_eq!(taken, 2);
    }

    #[test]
    fn addresses_do_not_share_a_bucket() {
        let (limiter, now) = (AddressLimiter::new(1.0, 1.0), Instant::now());
        let [a, b] = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2])];
        assert!(limiter.allows(a, now));
        assert!(!limiter.allows(a, now));
        assert!(limiter.allows(b, now));
    }
}
