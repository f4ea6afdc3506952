//! What a game is played under: limits, clocks, and what each fault costs.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

#[cfg(any(test, feature = "processes"))]
use papan_core::Player as Side;
use papan_core::{Budget, StopToken};
use serde::{Deserialize, Serialize};

use super::record::Verdict;

/// What each player may spend on a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Time per move.
    #[serde(with = "milliseconds::optional")]
    pub time: Option<Duration>,
    /// Positions per move.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
}

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// What each player starts with.
    #[serde(with = "milliseconds")]
    pub initial: Duration,
    /// What is added after each move.
    #[serde(with = "milliseconds")]
    pub increment: Duration,
}

/// What a fault costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Penalty {
    /// The game is lost.
    Lose,
    /// A random legal move is made instead, and the game goes on.
    Random,
    /// The game ends and does not count.
    Skip,
}

impl Penalty {
    /// Reads `lose`, `random` or `skip`.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        match word {
            "lose" => Some(Self::Lose),
            "random" => Some(Self::Random),
            "skip" => Some(Self::Skip),
            _ => None,
        }
    }
}

/// The penalty of each kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policies {
    /// No answer in time.
    pub timeout: Penalty,
    /// A move that is not legal.
    pub illegal: Penalty,
    /// The program ended.
    pub crash: Penalty,
    /// Too much output.
    pub output_limit: Penalty,
    /// Output that is not text of the protocol.
    pub garbage: Penalty,
    /// Words of the protocol in the wrong place.
    pub protocol: Penalty,
}

impl Policies {
    /// The same penalty for every fault.
    #[must_use]
    pub const fn all(penalty: Penalty) -> Self {
        Self {
            timeout: penalty,
            illegal: penalty,
            crash: penalty,
            output_limit: penalty,
            garbage: penalty,
            protocol: penalty,
        }
    }

    /// What `verdict` costs.
    #[must_use]
    pub const fn penalty(&self, verdict: Verdict) -> Penalty {
        match verdict {
            Verdict::Timeout => self.timeout,
            Verdict::Illegal => self.illegal,
            Verdict::Crash => self.crash,
            Verdict::OutputLimit => self.output_limit,
            Verdict::Garbage => self.garbage,
            Verdict::Protocol | Verdict::Finished | Verdict::GivenUp => self.protocol,
        }
    }
}

impl Default for Policies {
    /// Every fault loses the game.
    fn default() -> Self {
        Self::all(Penalty::Lose)
    }
}

/// What a game is played under. As text, without what is local to a machine:
/// where standard error goes, and the core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// What each player may spend on a move.
    pub limits: Limits,
    /// Time for the whole game, instead of or beside a time per move.
    pub clock: Option<Clock>,
    /// Added to every time limit before an answer counts as late: what the
    /// machine itself may need.
    #[serde(with = "milliseconds")]
    pub margin: Duration,
    /// How long a program may take to answer `hello`.
    #[serde(with = "milliseconds")]
    pub start_up: Duration,
    /// How long an outside program may be silent where no time is limited.
    #[serde(with = "milliseconds")]
    pub patience: Duration,
    /// What each fault costs.
    pub policies: Policies,
    /// May outside programs think while their opponent is to move? Only where
    /// each has a core of its own: see [`Rules::allows_pondering`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// What players and random penalty moves draw from.
    pub seed: u64,
    /// Where the standard error of outside programs goes, if it is kept: a
    /// folder for files named after [`Rules::label`], the side and the program.
    #[serde(skip)]
    pub stderr_folder: Option<PathBuf>,
    /// The game's name among its kin: the start of file names.
    #[serde(skip, default = "usual_label")]
    pub label: String,
    /// The core that outside programs are bound to, so that games at the same
    /// time take nothing from each other.
    #[serde(skip)]
    pub core: Option<usize>,
    /// The core of the second player's program, if it has one of its own.
    #[serde(skip)]
    pub second_core: Option<usize>,
}

fn usual_label() -> String {
    "game".to_owned()
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            clock: None,
            margin: Duration::from_millis(200),
            start_up: Duration::from_secs(10),
            patience: Duration::from_secs(600),
            policies: Policies::default(),
            ponder: false,
            seed: 0,
            stderr_folder: None,
            label: usual_label(),
            core: None,
            second_core: None,
        }
    }
}

impl Rules {
    /// What the limits allow for a move.
    pub(crate) fn budget(&self, stop: &StopToken) -> Budget {
        let Limits { time, nodes, depth } = self.limits;
        Budget { time, nodes, depth, stop: stop.clone(), ..Budget::default() }
    }

    /// The core that the program on `side` is bound to.
    #[cfg(any(test, feature = "processes"))]
    pub(crate) fn core_of(&self, side: Side) -> Option<usize> {
        if side == Side::Second { self.second_core.or(self.core) } else { self.core }
    }

    /// Are programs left running while their opponent is to move? Only if that
    /// is wanted and takes nothing from the opponent: each side is bound to a
    /// core of its own.
    #[must_use]
    pub fn allows_pondering(&self) -> bool {
        self.ponder && self.core.is_some() && self.second_core.is_some() && self.core != self.second_core
    }

    /// Does time count? Then games at the same time must not share a core.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.limits.time.is_some() || self.clock.is_some()
    }

    /// The rules with the fault policy of this name: a [`Penalty`] for every
    /// fault, or [`Rules::adjacency_report`] as `report-adjacency` (`seed` in
    /// old files).
    #[must_use]
    pub fn with_faults(word: &str) -> Option<Self> {
        match word {
            "report-adjacency" | "seed" => Some(Self::adjacency_report()),
            _ => Some(Self { policies: Policies::all(Penalty::read(word)?), ..Self::default() }),
        }
    }

    /// The rules of the Adjacency report's program (2023): 5 s a move, a random
    /// move for a late one; an illegal move, or anything worse, loses.
    #[must_use]
    pub fn adjacency_report() -> Self {
        Self {
            limits: Limits { time: Some(Duration::from_secs(5)), ..Limits::default() },
            policies: Policies { timeout: Penalty::Random, ..Policies::default() },
            ..Self::default()
        }
    }

    /// Where the standard error of the `program` on `side` goes.
    #[cfg(feature = "processes")]
    pub(crate) fn stderr_file(&self, side: Side, program: &str) -> Option<PathBuf> {
        let side = if side == Side::First { "first" } else { "second" };
        self.stderr_folder.as_ref().map(|folder| folder.join(format!("{}-{side}-{program}.stderr", self.label)))
    }
}

/// Times as whole milliseconds.
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    fn count(time: Duration) -> u64 {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
    }

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(count(*time))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        Ok(Duration::from_millis(u64::deserialize(deserializer)?))
    }

    pub(super) mod optional {
        use super::{Deserializer, Duration, Serializer, count};

        pub(crate) fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
            serde::Serialize::serialize(&time.map(count), serializer)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
            Ok(<Option<u64> as serde::Deserialize>::deserialize(deserializer)?.map(Duration::from_millis))
        }
    }
}

/// The clocks of a game under way, and what they allow the next move.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    pub(crate) left: [Duration; 2],
    increment: Duration,
}

impl Clocks {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { left: [clock.initial; 2], increment: clock.increment }
    }

    #[cfg(feature = "processes")]
    pub(crate) fn increment(&self) -> Duration {
        self.increment
    }

    /// Takes a move's time off; the flag has fallen if it used more than it had.
    pub(crate) fn spend(&mut self, side: usize, used: Duration) {
        self.left[side] = self.left[side].saturating_sub(used) + self.increment;
    }

    /// What a bot that knows only a time per move should use: a share of the
    /// rest that lasts for some 25 more moves.
    fn share(&self, side: usize) -> Duration {
        (self.left[side] / 25 + self.increment * 4 / 5).min(self.left[side])
    }
}

/// What one move may take.
pub(crate) struct Turn<'a> {
    pub(crate) side: usize,
    pub(crate) rules: &'a Rules,
    pub(crate) clocks: Option<&'a Clocks>,
    /// What the limits allow: made once for a game, since its stop token is
    /// on the heap.
    pub(crate) budget: &'a Budget,
}

impl Turn<'_> {
    /// The most that the move may take, the margin not included.
    pub(crate) fn hard_limit(&self) -> Option<Duration> {
        let clock = self.clocks.map(|clocks| clocks.left[self.side]);
        match (self.rules.limits.time, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The budget of a bot in this process.
    pub(crate) fn budget(&self) -> Cow<'_, Budget> {
        match self.clocks {
            Some(clocks) => Cow::Owned(self.budget.capped(Some(clocks.share(self.side)), None, None)),
            None => Cow::Borrowed(self.budget),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_down_and_is_wound_up_by_the_increment() {
        let second = Duration::from_secs(1);
        let mut clocks = Clocks::new(Clock { initial: 10 * second, increment: second });
        clocks.spend(0, 4 * second);
        assert_eq!(clocks.left, [7 * second, 10 * second]);
        clocks.spend(0, 9 * second);
        assert_eq!(clocks.left[0], second, "never below nothing");
        assert!(clocks.share(1) <= clocks.left[1]);
    }

    #[test]
    fn the_lower_of_two_limits_counts() {
        let rules = Rules::adjacency_report();
        let clocks = Clocks::new(Clock { initial: Duration::from_secs(3), increment: Duration::ZERO });
        let budget = rules.budget(&StopToken::new());
        let turn = Turn { side: 0, rules: &rules, clocks: Some(&clocks), budget: &budget };
        assert_eq!(turn.hard_limit(), Some(Duration::from_secs(3)));
        assert!(turn.budget().time < Some(Duration::from_secs(3)), "a share of the clock");
        let turn = Turn { side: 0, rules: &rules, clocks: None, budget: &budget };
        assert_eq!(turn.hard_limit(), Some(Duration::from_secs(5)));
    }

    #[test]
    fn pondering_takes_a_core_for_each_side() {
        let wanted = Rules { ponder: true, core: Some(3), ..Rules::default() };
        assert!(!wanted.allows_pondering());
        assert!(!Rules { second_core: Some(3), ..wanted.clone() }.allows_pondering());
        let both = Rules { second_core: Some(4), ..wanted };
        assert!(both.allows_pondering() && !Rules { ponder: false, ..both.clone() }.allows_pondering());
        assert_eq!((both.core_of(Side::First), both.core_of(Side::Second)), (Some(3), Some(4)));
        let text = serde_json::to_string(&Rules::default()).unwrap();
        assert!(!text.contains("ponder"), "programs of before this key read the rules too: {text}");
    }

    #[test]
    fn the_adjacency_report_forgives_lateness_only() {
        let rules = Rules::with_faults("report-adjacency").unwrap();
        assert_eq!(rules, Rules::adjacency_report());
        assert_eq!(Rules::with_faults("seed").unwrap(), rules, "its old name");
        assert_eq!(rules.policies.penalty(Verdict::Timeout), Penalty::Random);
        assert_eq!(rules.policies.penalty(Verdict::Illegal), Penalty::Lose);
        assert_eq!(rules.policies.penalty(Verdict::Crash), Penalty::Lose);
    }
}
