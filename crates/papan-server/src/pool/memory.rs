//! One budget of memory for all searches of a server. Whoever searches holds a
//! part of it until the bot is gone; bots that wait for their next move are
//! sent away, the one that has waited longest first, when memory is wanted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use papan_core::table::TableBot;

/// What one search, or one bot between two moves, holds.
pub(crate) struct Held {
    bytes: u64,
    of: Arc<Memory>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.of.state().held -= self.bytes;
    }
}

/// A bot with what it remembers and the memory that it counts for.
pub(crate) struct SeatedBot {
    pub(crate) bot: Box<dyn TableBot>,
    /// Does it choose in a moment?
    pub(crate) light: bool,
    pub(crate) _held: Held,
}

/// Which bot waits: one seat of one game.
pub(crate) type Seat = (String, usize);

/// The budget.
pub(crate) struct Memory {
    limit: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    held: u64,
    /// Bots between two moves, the one that has waited longest first.
    bench: VecDeque<(Seat, SeatedBot)>,
}

impl Memory {
    /// What so small a search needs is always there: the number of searches is
    /// limited already, and the simplest bots shall never wait.
    const SMALL: u64 = 4 << 20;

    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { limit, state: Mutex::default() })
    }

    /// What all searches together may hold.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// What they hold now.
    pub(crate) fn held(&self) -> u64 {
        self.state().held
    }

    /// A part of the budget, if it is there with no more than `share` of the
    /// whole in use.
    pub(crate) fn try_hold(self: &Arc<Self>, bytes: u64, share: f64) -> Option<Held> {
        let most = (self.limit as f64 * share) as u64;
        loop {
            let waiting = {
                let mut state = self.state();
                if bytes <= Self::SMALL || state.held + bytes <= most {
                    state.held += bytes;
                    return Some(Held { bytes, of: Arc::clone(self) });
                }
                // Light bots hold next to nothing, and would begin anew with
                // the same random numbers.
                let oldest = state.bench.iter().position(|(_, seated)| !seated.light)?;
                state.bench.remove(oldest)?
            };
            // Dropped without the lock: it gives back what it held.
            drop(waiting);
        }
    }

    /// Lets a bot wait for its next move.
    pub(crate) fn seat(&self, seat: Seat, bot: SeatedBot) {
        let earlier = self.take(&seat);
        self.state().bench.push_back((seat, bot));
        drop(earlier);
    }

    /// The bot that waits there, if it has not been sent away.
    pub(crate) fn take(&self, seat: &Seat) -> Option<SeatedBot> {
        let mut state = self.state();
        let place = state.bench.iter().position(|(taken, _)| taken == seat)?;
        state.bench.remove(place).map(|(_, bot)| bot)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder panics")
    }
}

/// A quarter of this machine's memory, 2 GiB at most.
pub(crate) fn usual_limit() -> u64 {
    const MOST: u64 = 2 << 30;
    const LEAST: u64 = 512 << 20;
    let physical = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    physical.map_or(MOST, |kilobytes| (kilobytes * 1024 / 4).clamp(LEAST, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster;

    const BIG: u64 = 40 << 20;

    fn seated(held: Held) -> SeatedBot {
        SeatedBot { bot: roster::bot("othello", "random").unwrap(), light: false, _held: held }
    }

    #[test]
    fn what_is_held_comes_back_and_never_exceeds_the_limit() {
        let memory = Memory::new(100 << 20);
        let (first, second) = (memory.try_hold(BIG, 1.0).unwrap(), memory.try_hold(BIG, 1.0).unwrap());
        assert!(memory.try_hold(BIG, 1.0).is_none());
        assert!(memory.try_hold(1 << 20, 1.0).is_some(), "the small are never turned away");
        drop(first);
        assert!(memory.try_hold(BIG, 0.5).is_none(), "others have a share only");
        let third = memory.try_hold(BIG, 1.0).unwrap();
        drop((second, third));
        assert_eq!(memory.held(), 0);
    }

    #[test]
    fn bots_that_wait_make_room_the_oldest_first() {
        let memory = Memory::new(100 << 20);
        let seat = |number| ("game".to_owned(), number);
        for number in 0..2 {
            let held = memory.try_hold(BIG, 1.0).unwrap();
            memory.seat(seat(number), seated(held));
        }
        let small = SeatedBot { light: true, ..seated(memory.try_hold(0, 1.0).unwrap()) };
        memory.seat(seat(2), small);
        let held = memory.try_hold(BIG, 1.0).expect("the oldest goes");
        assert!(memory.try_hold(2 * BIG, 1.0).is_none());
        assert!(memory.take(&seat(2)).is_some(), "light bots stay");
        assert!(memory.take(&seat(0)).is_none());
        drop(held);
        assert!(memory.take(&seat(1)).is_none(), "it made room too, in vain");
        assert_eq!(memory.held(), 0);
    }
}
