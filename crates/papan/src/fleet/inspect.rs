//! What a coordinator does not believe. Every game that comes back is played
//! over by the rules; of those whose bots look at no clock a share is played
//! again here with our own bots, move by move.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use papan_arena::tournament::{Job, Outcome, Place, Supplier, check, perform_until, same_game};
use papan_core::table::Table;
use papan_core::{Random, StopToken};
use papan_nats::{Inspector, Objection};

use crate::contestant::{Cast, is_outside};

/// A game that takes longer here is not compared.
const LONGEST: Duration = Duration::from_secs(10);

/// What playing again may take of the time that has passed: a tenth, and so
/// much at the start.
const SHARE: u32 = 10;
const AT_ONCE: Duration = Duration::from_secs(5);

/// Games of one worker that differ from ours before nothing of it counts. One
/// could be a bot that is not as regular as it should be.
const DIFFERENT: u32 = 2;

/// Which share of what comes back is done again, in per cent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verify(pub(crate) u8);

/// Says of each thing whether it is done again. Nobody else can tell which.
pub(crate) struct Draw {
    random: Random,
    percent: u8,
}

impl Draw {
    pub(crate) fn new(Verify(percent): Verify) -> Self {
        Self { random: Random::new(RandomState::new().hash_one("papan")), percent }
    }

    pub(crate) fn next(&mut self) -> bool {
        self.random.below(100) < usize::from(self.percent)
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.random.below(count)
    }
}

/// Looks at every outcome of a tournament. `start` is a table at the game's
/// start.
pub(crate) fn of_games(start: Box<dyn Table>, cast: Cast, verify: Verify, stop: StopToken) -> Inspector {
    let mut replayer = Replayer {
        cast,
        draw: Draw::new(verify),
        stop,
        began: Instant::now(),
        spent: Duration::ZERO,
        different: HashMap::new(),
    };
    Box::new(move |job, outcome, worker| {
        let outside = [0, 1].map(|chair: usize| is_outside(&job.chairs[chair].bot));
        check(job, outcome, &*start, outside).map_err(Objection::Impossible)?;
        replayer.compare(job, outcome, worker)
    })
}

struct Replayer {
    cast: Cast,
    draw: Draw,
    stop: StopToken,
    began: Instant,
    spent: Duration,
    different: HashMap<String, u32>,
}

impl Replayer {
    fn compare(&mut self, job: &Job, outcome: &Outcome, worker: &str) -> Result<(), Objection> {
        let drawn = is_regular(job) && self.draw.next();
        if !drawn || self.spent > AT_ONCE + self.began.elapsed() / SHARE {
            return Ok(());
        }
        let started = Instant::now();
        // Twice, so that a bot that plays now one way, now another, is no
        // worker's fault.
        let differs = [0, 1].iter().all(|_| {
            let here = play(job, &self.cast, &self.stop);
            here.is_some_and(|here| !same_game(&here, outcome))
        });
        self.spent += started.elapsed();
        if !differs {
            return Ok(());
        }
        let times = self.different.entry(worker.to_owned()).or_default();
        *times += 1;
        let reason = "the same bots play another game here".to_owned();
        Err(if *times >= DIFFERENT { Objection::Forged(reason) } else { Objection::Impossible(reason) })
    }
}

/// Does every machine play this game alike?
fn is_regular(job: &Job) -> bool {
    let regular = |bot: &str| !is_outside(bot) && !bot.contains("threads=") && !bot.contains("time=");
    job.rules.limits.nodes.is_some() && !job.rules.is_timed() && job.chairs.iter().all(|chair| regular(&chair.bot))
}

/// The game as it is here; `None` if it takes too long.
fn play(job: &Job, supplier: &dyn Supplier, stop: &StopToken) -> Option<Outcome> {
    let (late, done) = (StopToken::new(), AtomicBool::new(false));
    thread::scope(|scope| {
        let watched = (late.clone(), stop.clone());
        let done = &done;
        let watcher = scope.spawn(move || {
            let (late, stop) = watched;
            let began = Instant::now();
            while !done.load(Ordering::Acquire) {
                if stop.is_stopped() || began.elapsed() > LONGEST {
                    late.stop();
                }
                thread::park_timeout(Duration::from_millis(100));
            }
        });
        let outcome = perform_until(job, supplier, Place::default(), &late).ok();
        done.store(true, Ordering::Release);
        watcher.thread().unpark();
        outcome.filter(|_| !late.is_stopped())
    })
}
