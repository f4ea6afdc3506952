//! The chess clock of one game. Time is handed in, so that tests need none.

use std::time::{Duration, Instant};

use papan_core::Player;
use serde::{Deserialize, Serialize};

/// How long the players may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum ClockSpec {
    /// As long as they like.
    #[default]
    None,
    /// So long for each move.
    Move {
        /// Milliseconds.
        ms: u64,
    },
    /// So long for the whole game, and a little more with each move.
    Game {
        /// Milliseconds at the start.
        ms: u64,
        /// Milliseconds added after each move.
        #[serde(default)]
        increment_ms: u64,
    },
}

impl ClockSpec {
    /// A day: more is no limit, and sums of such times never overflow.
    const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;
    /// Less than this cannot be met by anyone.
    const SHORTEST_MS: u64 = 100;

    /// Is this a clock that a game can be played with?
    pub(crate) fn is_sensible(self) -> bool {
        let sensible = Self::SHORTEST_MS..=Self::LONGEST_MS;
        match self {
            Self::None => true,
            Self::Move { ms } => sensible.contains(&ms),
            Self::Game { ms, increment_ms } => sensible.contains(&ms) && increment_ms <= Self::LONGEST_MS,
        }
    }

    /// What each player has at the start.
    pub(crate) const fn start_ms(self) -> [u64; 2] {
        match self {
            Self::None => [0, 0],
            Self::Move { ms } | Self::Game { ms, .. } => [ms, ms],
        }
    }
}

/// What watchers see of a clock.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ClockView {
    #[serde(flatten)]
    pub(crate) spec: ClockSpec,
    pub(crate) remaining_ms: [u64; 2],
    pub(crate) running: Option<Player>,
    pub(crate) limit_ms: Option<u64>,
}

/// A clock that may be running for one of the players.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    spec: ClockSpec,
    left: [Duration; 2],
    running: Option<(Player, Instant)>,
}

impl Clock {
    /// A stopped clock that shows `left_ms`.
    pub(crate) fn new(spec: ClockSpec, left_ms: [u64; 2]) -> Self {
        Self { spec, left: left_ms.map(Duration::from_millis), running: None }
    }

    pub(crate) const fn spec(&self) -> ClockSpec {
        self.spec
    }

    const fn counts(&self) -> bool {
        !matches!(self.spec, ClockSpec::None)
    }

    /// Starts `player`'s time unless it is running already; the other's stops.
    pub(crate) fn start(&mut self, player: Player, now: Instant) {
        if self.counts() && self.running.is_none_or(|(running, _)| running != player) {
            self.stop(now);
            self.running = Some((player, now));
        }
    }

    /// Stops the clock in the middle of a move: what was used is gone.
    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some((player, since)) = self.running.take() {
            let left = &mut self.left[player.index()];
            *left = left.saturating_sub(now.saturating_duration_since(since));
        }
    }

    /// `player` has moved: stops the clock and gives what a move earns.
    pub(crate) fn moved(&mut self, player: Player, now: Instant) {
        self.stop(now);
        let left = &mut self.left[player.index()];
        match self.spec {
            ClockSpec::None => {}
            ClockSpec::Move { ms } => *left = Duration::from_millis(ms),
            ClockSpec::Game { increment_ms, .. } => *left += Duration::from_millis(increment_ms),
        }
    }

    /// Stops the clock and sets it back to what it showed earlier.
    pub(crate) fn set(&mut self, left_ms: [u64; 2]) {
        *self = Self::new(self.spec, left_ms);
    }

    /// When the running time will be used up.
    pub(crate) fn falls_at(&self) -> Option<Instant> {
        let (player, since) = self.running?;
        since.checked_add(self.left[player.index()])
    }

    /// Whose time is used up, if anyone's.
    pub(crate) fn fallen(&self, now: Instant) -> Option<Player> {
        let (player, _) = self.running?;
        (self.falls_at()? <= now).then_some(player)
    }

    /// The time `player` has left; `None` without a limit.
    pub(crate) fn left(&self, player: Player, now: Instant) -> Option<Duration> {
        let left = self.left[player.index()];
        let used = match self.running {
            Some((running, since)) if running == player => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        self.counts().then(|| left.saturating_sub(used))
    }

    /// Both players' milliseconds.
    pub(crate) fn left_ms(&self, now: Instant) -> [u64; 2] {
        Player::BOTH.map(|player| self.left(player, now).map_or(0, |left| left.as_millis() as u64))
    }

    pub(crate) fn view(&self, now: Instant) -> ClockView {
        ClockView {
            spec: self.spec,
            remaining_ms: self.left_ms(now),
            running: self.running.map(|(player, _)| player),
            limit_ms: match self.spec {
                ClockSpec::None => None,
                ClockSpec::Move { ms } | ClockSpec::Game { ms, .. } => Some(ms),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use Player::{First, Second};

    use super::*;

    fn after(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    #[test]
    fn a_game_clock_counts_down_and_earns_increments() {
        let spec = ClockSpec::Game { ms: 1000, increment_ms: 100 };
        let (mut clock, now) = (Clock::new(spec, spec.start_ms()), Instant::now());
        clock.start(First, now);
        clock.moved(First, after(now, 300));
        assert_eq!(clock.left_ms(after(now, 900)), [800, 1000]);
        clock.start(Second, after(now, 300));
        assert_eq!(clock.left_ms(after(now, 900)), [800, 400]);
        assert_eq!(clock.fallen(after(now, 1299)), None);
        assert_eq!(clock.fallen(after(now, 1300)), Some(Second));
    }

    #[test]
    fn a_move_clock_begins_again_with_each_move_but_not_with_a_pause() {
        let spec = ClockSpec::Move { ms: 1000 };
        let (mut clock, now) = (Clock::new(spec, spec.start_ms()), Instant::now());
        clock.start(First, now);
        clock.stop(after(now, 600));
        clock.start(First, after(now, 5000));
        assert_eq!(clock.falls_at(), Some(after(now, 5400)));
        clock.moved(First, after(now, 5100));
        clock.start(First, after(now, 5100));
        assert_eq!(clock.falls_at(), Some(after(now, 6100)));
    }

    #[test]
    fn no_clock_never_falls() {
        let mut clock = Clock::new(ClockSpec::None, [0, 0]);
        let now = Instant::now();
        clock.start(First, now);
        assert_eq!((clock.fallen(after(now, 1 << 40)), clock.left(First, now)), (None, None));
    }

    #[test]
    fn senseless_clocks_are_told_apart() {
        assert!(ClockSpec::Move { ms: 5000 }.is_sensible());
        assert!(!ClockSpec::Move { ms: 0 }.is_sensible());
        assert!(!ClockSpec::Game { ms: 1000, increment_ms: u64::MAX }.is_sensible());
    }
}
