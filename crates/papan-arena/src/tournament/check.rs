//! Whether an outcome that came from elsewhere can be what came of its job:
//! the game is played over by the rules, and everything must fit.

use std::time::Duration;

use papan_core::table::Table;
use papan_core::{Player as Side, Random};

use super::job::{Job, Outcome};
use crate::matches::Opening;
use crate::referee::{Clocks, Fault, Penalty, Verdict};

/// What a busy machine may add to a time between an answer and the look at the
/// watch.
const SLACK: Duration = Duration::from_secs(10);

/// Bytes of a fault's words and of last words at most: 2,000 bytes of output
/// may become three times as many where they are no text.
const MOST_DETAIL: usize = 4096;
const MOST_WORDS: usize = 8192;

/// Is `outcome` a possible end of `job`? `start` is a table at the game's
/// start; `outside` says which chairs have programs on them.
///
/// # Errors
/// What does not fit, on one line.
pub fn check(job: &Job, outcome: &Outcome, start: &dyn Table, outside: [bool; 2]) -> Result<(), String> {
    if outcome.id != job.id || outcome.version != Job::VERSION {
        return Err("it is of another game".to_owned());
    }
    if outcome.moves.len() != outcome.times_us.len() {
        return Err(format!("{} moves and {} times", outcome.moves.len(), outcome.times_us.len()));
    }
    let opening = Opening::read(start, &job.opening).map_err(|_| "its opening is not legal".to_owned())?;
    let replay = Replay { job, outside, clocks: job.rules.clock.map(Clocks::new), random: None };
    replay.run(outcome, opening.table)
}

/// A game that is played over.
struct Replay<'a> {
    job: &'a Job,
    outside: [bool; 2],
    clocks: Option<Clocks>,
    /// What random penalty moves are drawn from.
    random: Option<Random>,
}

impl Replay<'_> {
    fn run(mut self, outcome: &Outcome, mut table: Box<dyn Table>) -> Result<(), String> {
        // 1. Each move, with the fault that it was made for, if there was one.
        let mut faults = outcome.faults.iter().peekable();
        for (ply, (mv, &micros)) in outcome.moves.iter().zip(&outcome.times_us).enumerate() {
            if table.is_over() {
                return Err(format!("move {} comes after the end", ply + 1));
            }
            let side = table.to_move();
            let fault = faults.next_if(|fault| fault.ply == ply);
            if let Some(fault) = fault {
                self.fault(fault, side)?;
                if fault.penalty != Penalty::Random {
                    return Err(format!("the fault at move {} ends the game, and it goes on", ply + 1));
                }
                self.random_move(mv, &*table)?;
            }
            self.time(side, ply, Duration::from_micros(micros.into()), fault.is_some())?;
            let before = table.ply();
            table.play(mv).map_err(|_| format!("move {} is not legal", ply + 1))?;
            if table.moves()[before] != *mv {
                return Err(format!("move {} is not in its usual spelling", ply + 1));
            }
        }
        // 2. The end: by the rules, or by one last fault.
        let last = faults.next();
        if faults.next().is_some() || last.is_some_and(|fault| fault.ply != outcome.moves.len()) {
            return Err("a fault at a place that the game does not have".to_owned());
        }
        let (verdict, counts, winner) = match last {
            None if !table.is_over() => return Err("the game is not over after its last move".to_owned()),
            None => (Verdict::Finished, true, table.margin().leader()),
            Some(_) if table.is_over() => return Err("a fault after the end".to_owned()),
            Some(fault) => {
                self.fault(fault, table.to_move())?;
                match fault.penalty {
                    Penalty::Random => return Err("the game is not over after a forgiven fault".to_owned()),
                    Penalty::Skip => (fault.verdict, false, None),
                    Penalty::Lose => (fault.verdict, true, Some(fault.side.other())),
                }
            }
        };
        // 3. What is said of it.
        let said = (outcome.verdict, outcome.counts, outcome.winner);
        if said != (verdict, counts, winner) {
            return Err("its verdict or winner is not that of its moves".to_owned());
        }
        if outcome.score != table.points() {
            return Err(format!("its points are {:?}, by its moves {:?}", outcome.score, table.points()));
        }
        self.words(outcome)
    }

    /// Can this player have done that, and does it cost what it should?
    fn fault(&self, fault: &Fault, side: Side) -> Result<(), String> {
        let place = fault.ply + 1;
        if fault.side != side {
            return Err(format!("the fault at move {place} is not of whoever was to move"));
        }
        let timed = self.job.rules.is_timed();
        let possible = match fault.verdict {
            Verdict::Finished | Verdict::GivenUp => false,
            Verdict::Timeout => timed || self.outside[side.index()],
            // A bot of ours that panics may do so anywhere.
            Verdict::Crash => true,
            Verdict::Illegal | Verdict::OutputLimit | Verdict::Garbage | Verdict::Protocol => {
                self.outside[side.index()]
            }
        };
        if !possible {
            return Err(format!("{} at move {place} cannot have been", fault.verdict));
        }
        if fault.penalty != self.job.rules.policies.penalty(fault.verdict) {
            return Err(format!("the fault at move {place} costs something else by the rules"));
        }
        if fault.detail.len() > MOST_DETAIL {
            return Err(format!("the fault at move {place} has {} bytes of words", fault.detail.len()));
        }
        Ok(())
    }

    /// A random move for a fault is drawn from the game's seed.
    fn random_move(&mut self, mv: &str, table: &dyn Table) -> Result<(), String> {
        let random = self.random.get_or_insert_with(|| Random::new(self.job.rules.seed));
        let legal = table.legal_moves();
        if legal[random.below(legal.len())] == mv {
            Ok(())
        } else {
            Err(format!("move {} is not the one that was drawn for a fault", table.ply() + 1))
        }
    }

    /// No move without a fault is late.
    fn time(&mut self, side: Side, ply: usize, used: Duration, faulty: bool) -> Result<(), String> {
        let rules = &self.job.rules;
        let clock = self.clocks.as_ref().map(|clocks| clocks.left[side.index()]);
        let limit = [rules.limits.time, clock].into_iter().flatten().min();
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(side.index(), used);
        }
        match limit {
            Some(limit) if !faulty && used > limit + rules.margin + SLACK => Err(format!(
                "move {} took {} ms of {} ms, and no fault is noted",
                ply + 1,
                used.as_millis(),
                limit.as_millis()
            )),
            _ => Ok(()),
        }
    }

    /// Last words are of programs that did something wrong, and short.
    fn words(&self, outcome: &Outcome) -> Result<(), String> {
        for side in Side::BOTH {
            let Some(words) = &outcome.last_words[side.index()] else { continue };
            let faulty = outcome.faults.iter().any(|fault| fault.side == side);
            if !faulty || !self.outside[side.index()] || words.len() > MOST_WORDS {
                return Err("last words of a bot that has none, or too many".to_owned());
            }
        }
        Ok(())
    }
}

/// Were these the same game? Times and words are of the machine.
#[must_use]
pub fn same_game(one: &Outcome, other: &Outcome) -> bool {
    let game = |outcome: &Outcome| {
        let faults: Vec<_> = outcome.faults.iter().map(|fault| (fault.ply, fault.side, fault.verdict)).collect();
        (outcome.moves.clone(), outcome.verdict, outcome.counts, outcome.winner, outcome.score, faults)
    };
    game(one) == game(other)
}
