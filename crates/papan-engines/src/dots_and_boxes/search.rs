//! Null-window search of quiet positions: strings and coins, whose values are the controlled values of the field
//! (Berlekamp and Scott, *Forcing Your Opponent to Stay in Control of a Loony Dots-and-Boxes Endgame*, 2002).

use super::canonical::{Key, Scratch};
use super::graph::{Graph, Move, Offer};
use super::loony_endgame;
use super::moves::each_move;
use super::transposition::TranspositionTable;
use crate::common::claims::Claims;
use crate::common::deadline::{Control, Deadline, Stopped};
use crate::common::solving::Bounds;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Nodes between two looks at stop flag and clock; fewer on large boards, where a node takes longer.
const CHECK_EVERY: u64 = 256;
const CHECK_EVERY_IF_LARGE: u64 = 32;
const LARGE_JOINTS: usize = 26;
/// Positions with fewer links than this are not shared out between threads.
const SHARING_LINKS: u8 = 10;
const CLAIM_SLOTS: usize = 1 << 10;
/// With more links than this the central lines come first, with fewer the moves that leave the fewest joints:
/// measured, 10 to 20 % fewer positions.
const CENTRE_FIRST_LINKS: u8 = 22;

/// Below every value.
const NOTHING_TRIED: i32 = -1000;
/// Fingerprints made between the request for a table line and its use.
const PROBE_DELAY: usize = 2;

/// What the threads of one test share.
pub(super) struct Shared<'a> {
    table: &'a TranspositionTable,
    pub(super) deadline: Deadline<'a>,
    /// The search stops when `nodes` gets here.
    most_nodes: Option<u64>,
    finished: AtomicBool,
    nodes: AtomicU64,
    claims: Claims,
}

impl<'a> Shared<'a> {
    /// `nodes` have been searched before.
    pub(super) fn new(table: &'a TranspositionTable, control: &Control<'a>, nodes: u64) -> Self {
        Self {
            table,
            deadline: control.deadline,
            most_nodes: control.nodes,
            finished: AtomicBool::new(false),
            nodes: AtomicU64::new(nodes),
            claims: Claims::new(CLAIM_SLOTS),
        }
    }

    /// Share of the table in use.
    pub(super) fn table_used(&self) -> f64 {
        self.table.used_of_full()
    }

    /// Nodes reported so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Lets all threads stop.
    pub(super) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Counts a node that may still be searched; fails if it is time to stop.
    pub(super) fn count_node(&self) -> Result<(), Stopped> {
        self.check()?;
        self.add_nodes(1);
        Ok(())
    }

    fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.deadline.progress.add_nodes(nodes);
    }

    /// Fails if it is time to stop.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        if self.is_over() { Err(Stopped) } else { Ok(()) }
    }

    fn is_over(&self) -> bool {
        self.finished.load(Relaxed)
            || self.most_nodes.is_some_and(|most| self.nodes() >= most)
            || self.deadline.is_over()
    }
}

/// A move with what is known of it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    offer: Offer,
    boxes: i8,
    links: u8,
    joints: u8,
    /// The value if there are no joints.
    ending: i8,
    settled: bool,
    /// An upper bound of the move's value that needs no look at what it leads to.
    most: i8,
    key: Key,
}

/// One thread's search over graphs of one capacity.
pub(super) struct Search<'a, const J: usize, const L: usize> {
    shared: &'a Shared<'a>,
    /// One slot per link of length 0 of the first position, in the order to try them.
    order: &'a [u16],
    stack: Vec<Child>,
    scratch: Scratch,
    nodes: u64,
    limit: u64,
    check_every: u64,
    share_out: bool,
    report: Option<&'a dyn Fn()>,
}

impl<const J: usize, const L: usize> Drop for Search<'_, J, L> {
    fn drop(&mut self) {
        self.shared.add_nodes(self.nodes % self.check_every);
    }
}

/// The most that a move's value can be when the value of what is left is in `bounds`.
fn most(offer: Offer, bounds: Bounds) -> i32 {
    let taken = i32::from(offer.taken);
    if offer.declined == 0 {
        return -taken - bounds.low;
    }
    let half = -i32::from(offer.declined) / 2;
    // The taker's best is least where both choices bring the same, or next to it if parity forbids.
    let nearest = if (bounds.low - half) & 1 == 0 { half } else { half + 1 };
    let rest = if bounds.low > half {
        bounds.low
    } else if bounds.high < half {
        bounds.high
    } else {
        nearest.clamp(bounds.low, bounds.high)
    };
    -offer.value_for_taker(rest)
}

/// The least that a move's value can be when the value of what is left is in `bounds`.
fn least(offer: Offer, bounds: Bounds) -> i32 {
    -offer.value_for_taker(bounds.high).max(offer.value_for_taker(bounds.low))
}

impl<'a, const J: usize, const L: usize> Search<'a, J, L> {
    pub(super) fn new(shared: &'a Shared<'a>, order: &'a [u16]) -> Self {
        Self {
            shared,
            order,
            stack: Vec::with_capacity(256),
            scratch: Scratch::new(),
            nodes: 0,
            limit: u64::MAX,
            // Where nodes are limited every one is counted at once.
            check_every: match shared.most_nodes {
                Some(_) => 1,
                None if J >= LARGE_JOINTS => CHECK_EVERY_IF_LARGE,
                None => CHECK_EVERY,
            },
            share_out: false,
            report: None,
        }
    }

    /// Stops after this many nodes.
    pub(super) fn with_limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Leaves to the other threads what they are searching already.
    pub(super) fn sharing(mut self) -> Self {
        self.share_out = true;
        self
    }

    /// Calls back now and then.
    pub(super) fn with_report(mut self, report: &'a dyn Fn()) -> Self {
        self.report = Some(report);
        self
    }

    fn count_node(&mut self) -> Result<(), Stopped> {
        if self.check_every == 1 && self.shared.is_over() {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(self.check_every) {
            self.shared.add_nodes(self.check_every);
            if let Some(report) = self.report {
                report();
            }
            if self.check_every > 1 && self.shared.is_over() {
                return Err(Stopped);
            }
        }
        if self.nodes >= self.limit { Err(Stopped) } else { Ok(()) }
    }

    /// The value if it lies from `low` to `high`, else a bound on the side where it lies.
    pub(super) fn value_within(&mut self, graph: &Graph<J, L>, low: i32, high: i32) -> Result<i32, Stopped> {
        let boxes = i32::from(graph.boxes);
        let key = self.scratch.key(graph);
        let (mut least, mut most) = (-boxes, boxes);
        while least < most {
            if least > high {
                return Ok(least);
            }
            if most < low {
                return Ok(most);
            }
            // Targets have the parity of the boxes and split what is open, close to the window's middle.
            let middle = (least.max(low) + most.min(high)) / 2;
            let target = (middle + ((middle ^ boxes) & 1)).clamp(least + 2, most);
            let bound = self.test_with_key(graph, key, target)?;
            if bound >= target {
                least = bound;
            } else {
                most = bound;
            }
        }
        Ok(least)
    }

    /// Whether the value is at least `target`: returns a lower bound that is, or an upper bound that is
    /// not. `target` has the parity of the boxes to come.
    pub(super) fn test(&mut self, graph: &Graph<J, L>, target: i32) -> Result<i32, Stopped> {
        let key = self.scratch.key(graph);
        self.test_with_key(graph, key, target)
    }

    fn test_with_key(&mut self, graph: &Graph<J, L>, key: Key, target: i32) -> Result<i32, Stopped> {
        // Step 1: positions without joints have a formula.
        if graph.joints == 0 {
            return Ok(loony_endgame::value(&graph.lone));
        }
        // Step 2: what is known already.
        let boxes = i32::from(graph.boxes);
        if target > boxes {
            return Ok(boxes);
        }
        if target <= -boxes {
            return Ok(-boxes);
        }
        let known = self.shared.table.probe(key, boxes);
        if known.low >= target {
            return Ok(known.low);
        }
        if known.high < target {
            return Ok(known.high);
        }
        self.count_node()?;
        // Step 3: try the moves.
        let base = self.stack.len();
        let outcome = self.try_moves(graph, base, target);
        self.stack.truncate(base);
        // Step 4: remember.
        let value = outcome?;
        let bounds = if value >= target {
            Bounds { low: value, high: known.high }
        } else {
            Bounds { low: known.low, high: value }
        };
        self.shared.table.store(key, boxes, graph.links as usize, bounds);
        Ok(value)
    }

    #[inline]
    fn push(&mut self, mv: Move, most: i8) {
        self.stack.push(Child {
            mv,
            offer: Offer::NOTHING,
            boxes: 0,
            links: 0,
            joints: 0,
            ending: 0,
            settled: false,
            most,
            key: Key::default(),
        });
    }

    /// Puts the moves on the stack, those that cannot reach `target` last; returns how many may reach it.
    fn generate(&mut self, graph: &Graph<J, L>, target: i32) -> usize {
        let base = self.stack.len();
        each_move(graph, self.order, |mv, most| self.push(mv, most));
        let mut hopeful = base;
        for index in base..self.stack.len() {
            if i32::from(self.stack[index].most) >= target {
                if index != hopeful {
                    self.stack.swap(index, hopeful);
                }
                hopeful += 1;
            }
        }
        hopeful - base
    }

    /// Upper bound of the moves that cannot reach the target.
    fn bound_hopeless(&mut self, graph: &Graph<J, L>, from: usize, mut best: i32) -> i32 {
        for index in from..self.stack.len() {
            if i32::from(self.stack[index].most) > best {
                self.fingerprint(graph, index);
                let child = self.stack[index];
                best = best.max(most(child.offer, self.known_of(&child)));
            }
        }
        best
    }

    fn try_moves(&mut self, graph: &Graph<J, L>, base: usize, target: i32) -> Result<i32, Stopped> {
        let hopeful = self.generate(graph, target);
        let mut best = NOTHING_TRIED;
        if hopeful > 0 {
            best = self.try_children(graph, base, base + hopeful, target)?;
        }
        if best < target {
            best = self.bound_hopeless(graph, base + hopeful, best);
        }
        Ok(best)
    }

    fn try_children(&mut self, graph: &Graph<J, L>, base: usize, end: usize, target: i32) -> Result<i32, Stopped> {
        // Step 1: the first move, before anything is spent on the others.
        let (next, offer) = graph.after(self.stack[base].mv);
        let key = self.scratch.key(&next);
        let mut best = self.try_move(&next, key, offer, target)?;
        if best >= target {
            return Ok(best);
        }
        self.stack[base].key = key;
        self.stack[base].offer = offer;
        // Step 2: fingerprints of the others; they may be known, which cuts off (enhanced transposition cut-off:
        // Schaeffer and Plaat 1996), or the same as each other. A probe
        // waits until the memory it needs has had time to arrive.
        for index in base + 1..end + PROBE_DELAY {
            if index < end {
                self.fingerprint(graph, index);
            }
            if index < base + 1 + PROBE_DELAY {
                continue;
            }
            let index = index - PROBE_DELAY;
            let child = self.stack[index];
            if self.stack[base..index].iter().any(|c| c.key == child.key && c.offer == child.offer) {
                self.stack[index].settled = true;
                continue;
            }
            let bounds = self.known_of(&child);
            let least = least(child.offer, bounds);
            if least >= target {
                return Ok(least);
            }
            let most = most(child.offer, bounds);
            if most < target {
                best = best.max(most);
                self.stack[index].settled = true;
            }
        }
        if graph.links <= CENTRE_FIRST_LINKS {
            self.stack[base + 1..end].sort_by_key(|child| child.joints);
        }
        // Step 3: search the rest; what another thread is searching right now comes last.
        for pass in 0..2 {
            for index in base + 1..end {
                let child = self.stack[index];
                if child.settled || (pass == 0 && self.is_claimed(&child)) {
                    continue;
                }
                self.stack[index].settled = true;
                let (next, offer) = graph.after(child.mv);
                let value = self.try_move(&next, child.key, offer, target)?;
                best = best.max(value);
                if best >= target {
                    return Ok(best);
                }
            }
        }
        Ok(best)
    }

    fn fingerprint(&mut self, graph: &Graph<J, L>, index: usize) {
        let (next, offer) = graph.after(self.stack[index].mv);
        let child = &mut self.stack[index];
        child.offer = offer;
        child.boxes = next.boxes;
        child.links = next.links;
        child.joints = next.joints.count_ones() as u8;
        child.key = self.scratch.key(&next);
        if next.joints == 0 {
            child.ending = loony_endgame::value(&next.lone) as i8;
        } else {
            self.shared.table.prefetch(child.key);
        }
    }

    fn known_of(&self, child: &Child) -> Bounds {
        if child.joints == 0 {
            let value = i32::from(child.ending);
            return Bounds { low: value, high: value };
        }
        self.shared.table.probe(child.key, i32::from(child.boxes))
    }

    fn is_claimed(&self, child: &Child) -> bool {
        self.share_out && child.links >= SHARING_LINKS && self.shared.claims.is_claimed(child.key.low, child.key.high)
    }

    /// A bound of the value of the move that leads to `next`, below or not below `target` like the value.
    fn try_move(&mut self, next: &Graph<J, L>, key: Key, offer: Offer, target: i32) -> Result<i32, Stopped> {
        let boxes = i32::from(next.boxes);
        let most = most(offer, Bounds { low: -boxes, high: boxes });
        if most < target {
            return Ok(most);
        }
        if !self.share_out || next.links < SHARING_LINKS {
            return self.try_move_alone(next, key, offer, target);
        }
        self.shared.claims.claim(key.low, key.high);
        let value = self.try_move_alone(next, key, offer, target);
        self.shared.claims.release(key.low);
        value
    }

    fn try_move_alone(&mut self, next: &Graph<J, L>, key: Key, offer: Offer, target: i32) -> Result<i32, Stopped> {
        let (taken, declined) = (i32::from(offer.taken), i32::from(offer.declined));
        // The move is good enough if the rest brings no more than `ceiling` to the taker, who must
        // not gain by declining either.
        let ceiling = -target - taken;
        let rest = self.test_with_key(next, key, ceiling + 2)?;
        if rest > ceiling || declined == 0 {
            return Ok(-taken - rest);
        }
        let floor = -declined - ceiling;
        let low = self.test_with_key(next, key, floor)?;
        if low < floor {
            return Ok(-taken + declined + low);
        }
        Ok(least(offer, Bounds { low, high: rest }))
    }
}
