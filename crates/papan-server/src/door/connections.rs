//! Every open connection: how long it has been silent and how far it came.
//! When there is no room, the one of least use goes; newcomers are let in.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};

use super::DoorLimits;

type Id = u64;

/// How far a connection came.
const NEW: u8 = 0;
const ASKED: u8 = 1;
const SOCKET: u8 = 2;

/// What is known of a connection without asking its task.
#[derive(Default)]
struct Signs {
    stage: AtomicU8,
    /// Requests whose answers have not begun.
    under_way: AtomicU32,
    /// When it last sent or took something, on the table's clock.
    heard_ms: AtomicU64,
    /// Since when it takes nothing of what it is sent; 0 if it does.
    stuck_ms: AtomicU64,
}

struct Entry {
    visitor: IpAddr,
    since_ms: u64,
    signs: Arc<Signs>,
    /// Dropped to close the connection.
    _open: oneshot::Sender<()>,
}

/// The table.
pub(super) struct Connections {
    limits: DoorLimits,
    began: Instant,
    table: Mutex<Table>,
    /// Descriptors held: entries, and those told to close that have not yet.
    held: AtomicUsize,
    freed: Notify,
}

#[derive(Default)]
struct Table {
    next: Id,
    entries: HashMap<Id, Entry>,
    of_visitor: HashMap<IpAddr, usize>,
}

/// Ready once the connection shall close.
pub(super) type Closed = oneshot::Receiver<()>;

/// A place in the table, given back when its last copy is dropped.
#[derive(Clone)]
pub(super) struct Ticket(Arc<Place>);

struct Place {
    id: Id,
    signs: Arc<Signs>,
    connections: Arc<Connections>,
}

/// A request whose answer has not begun.
pub(super) struct UnderWay(Ticket);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.0.signs.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Ticket {
    /// A whole head has come.
    pub(super) fn asked(&self) -> UnderWay {
        self.0.signs.stage.fetch_max(ASKED, Ordering::Relaxed);
        self.0.signs.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(self.clone())
    }

    /// It is a socket from now on.
    pub(super) fn upgraded(&self) {
        self.0.signs.stage.store(SOCKET, Ordering::Relaxed);
    }

    pub(super) fn is_socket(&self) -> bool {
        self.0.signs.stage.load(Ordering::Relaxed) == SOCKET
    }

    /// Something came or was taken.
    pub(super) fn heard(&self) {
        self.0.signs.heard_ms.store(self.now_ms(), Ordering::Relaxed);
    }

    /// Does it take what it is sent?
    pub(super) fn takes(&self, does: bool) {
        let stuck = &self.0.signs.stuck_ms;
        if does {
            stuck.store(0, Ordering::Relaxed);
            self.heard();
        } else if stuck.load(Ordering::Relaxed) == 0 {
            stuck.store(self.now_ms().max(1), Ordering::Relaxed);
        }
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.0.connections.now_ms()
    }

    pub(super) fn socket_bytes(&self) -> u64 {
        self.0.connections.limits.socket_bytes
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.table().remove(self.id);
        self.connections.held.fetch_sub(1, Ordering::Relaxed);
        self.connections.freed.notify_one();
    }
}

/// Who counts as one visitor: in IPv6 everybody has a whole network.
pub(crate) fn visitor(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

impl Connections {
    pub(super) fn new(limits: DoorLimits) -> Self {
        Self { limits, began: Instant::now(), table: Mutex::default(), held: AtomicUsize::new(0), freed: Notify::new() }
    }

    /// Takes a connection in; whoever is in the way is told to close.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> (Ticket, Closed) {
        let who = visitor(address);
        let (open, closed) = oneshot::channel();
        let (now, signs) = (self.now_ms(), Arc::<Signs>::default());
        signs.heard_ms.store(now, Ordering::Relaxed);
        let mut table = self.table();
        if !address.to_canonical().is_loopback() && table.count(who) >= self.limits.per_address {
            table.let_one_go(Some(who));
        }
        if table.entries.len() >= self.limits.connections {
            table.let_one_go(None);
        }
        let id = table.add(Entry { visitor: who, since_ms: now, signs: Arc::clone(&signs), _open: open });
        self.held.fetch_add(1, Ordering::Relaxed);
        (Ticket(Arc::new(Place { id, signs, connections: Arc::clone(self) })), closed)
    }

    pub(super) fn let_one_go(&self) {
        self.table().let_one_go(None);
    }

    /// Closes what has had its time.
    pub(super) fn sweep(&self) {
        let now = self.now_ms();
        let over = |since: u64, limit: Duration| now.saturating_sub(since) > limit.as_millis() as u64;
        let mut table = self.table();
        let late = |entry: &Entry| {
            let stuck = entry.signs.stuck_ms.load(Ordering::Relaxed);
            let is_new = entry.signs.stage.load(Ordering::Relaxed) == NEW;
            is_new && over(entry.since_ms, self.limits.head) || stuck > 0 && over(stuck, self.limits.stuck)
        };
        let late: Vec<Id> = table.entries.iter().filter(|(_, entry)| late(entry)).map(|(&id, _)| id).collect();
        for id in late {
            table.remove(id);
        }
    }

    /// Waits until no more descriptors are held than there may be connections.
    pub(super) async fn room(&self) {
        while self.held.load(Ordering::Relaxed) > self.limits.connections {
            self.freed.notified().await;
        }
    }

    /// Waits until everyone has gone.
    pub(super) async fn all_gone(&self) {
        while self.held.load(Ordering::Relaxed) > 0 {
            self.freed.notified().await;
        }
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn count(&self, visitor: IpAddr) -> usize {
        self.of_visitor.get(&visitor).copied().unwrap_or(0)
    }

    fn add(&mut self, entry: Entry) -> Id {
        let id = self.next;
        self.next += 1;
        *self.of_visitor.entry(entry.visitor).or_default() += 1;
        self.entries.insert(id, entry);
        id
    }

    fn remove(&mut self, id: Id) {
        let Some(entry) = self.entries.remove(&id) else { return };
        if let Some(count) = self.of_visitor.get_mut(&entry.visitor) {
            *count -= 1;
            if *count == 0 {
                self.of_visitor.remove(&entry.visitor);
            }
        }
    }

    /// Closes the connection of least use: one that never asked before one
    /// that waits, one that waits before one that is being answered, sockets
    /// last; among equals one of whoever has most, and of these the one that
    /// has been silent longest.
    fn let_one_go(&mut self, of: Option<IpAddr>) {
        let use_of = |(&id, entry): (&Id, &Entry)| {
            let Signs { stage, under_way, heard_ms, .. } = &*entry.signs;
            let answered = under_way.load(Ordering::Relaxed) > 0;
            let rank = 2 * stage.load(Ordering::Relaxed) + u8::from(answered);
            (rank, Reverse(self.count(entry.visitor)), heard_ms.load(Ordering::Relaxed), id)
        };
        let candidates = self.entries.iter().filter(|(_, entry)| of.is_none_or(|of| of == entry.visitor));
        let least = candidates.map(use_of).min();
        if let Some((.., id)) = least {
            self.remove(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(connections: usize, per_address: usize) -> Arc<Connections> {
        Arc::new(Connections::new(DoorLimits { connections, per_address, ..DoorLimits::default() }))
    }

    fn is_closed(closed: &mut Closed) -> bool {
        !matches!(closed.try_recv(), Err(oneshot::error::TryRecvError::Empty))
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn far(last: u8) -> IpAddr {
        IpAddr::from([203, 0, 113, last])
    }

    #[test]
    fn those_who_never_asked_go_first_and_sockets_last() {
        let connections = table(4, 100);
        let (socket, mut socket_closed) = connections.admit(HERE);
        socket.asked();
        socket.upgraded();
        let (waiting, mut waiting_closed) = connections.admit(HERE);
        drop(waiting.asked());
        let (busy, mut busy_closed) = connections.admit(HERE);
        let _answer = busy.asked();
        let (_silent, mut silent_closed) = connections.admit(HERE);
        let _newcomers: Vec<_> = (0..20).map(|_| connections.admit(HERE)).collect();
        assert!(is_closed(&mut silent_closed));
        assert!(![&mut socket_closed, &mut waiting_closed, &mut busy_closed].into_iter().any(is_closed));
    }

    #[test]
    fn one_address_has_its_share_and_this_machine_the_whole_room() {
        let connections = table(10, 3);
        let (_quiet, mut quiet) = connections.admit(far(1));
        let mut loud: Vec<_> = (0..5).map(|_| connections.admit(far(2))).collect();
        let open = loud.iter_mut().filter_map(|(_, closed)| (!is_closed(closed)).then_some(())).count();
        assert_eq!((open, is_closed(&mut quiet)), (3, false));
        let _here: Vec<_> = (0..9).map(|_| connections.admit(HERE)).collect();
        assert!(!is_closed(&mut quiet), "whoever has most gives way");
    }

    #[test]
    fn a_network_of_ipv6_is_one_visitor_and_mapped_addresses_are_plain_ones() {
        let v6 = |text: &str| visitor(text.parse().unwrap());
        assert_eq!(v6("2001:db8:1:2:3::4"), v6("2001:db8:1:2:ffff::9"));
        assert_ne!(v6("2001:db8:1:2::4"), v6("2001:db8:1:3::4"));
        assert_eq!(v6("::ffff:203.0.113.7"), far(7));
    }

    #[test]
    fn a_place_is_given_back_when_its_connection_is_dropped() {
        let connections = table(2, 2);
        for _ in 0..10 {
            drop(connections.admit(far(1)));
        }
        let table = connections.table();
        assert_eq!((table.entries.len(), table.of_visitor.len()), (0, 0));
        assert_eq!(connections.held.load(Ordering::Relaxed), 0);
    }
}
