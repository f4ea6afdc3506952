//! The player on boards that will be full: exact values as soon as they can be had in time, a search
//! on the empty cells before.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use papan_core::{Decision, Exactness, MoveValue, Place, Score};

use super::earnings::settled_margin;
use super::evaluation::{UNIT, WindowEvaluation};
use super::habits::Habits;
use super::plan::{PlanLimits, Planner};
use super::search::FillSearcher;
use super::traps::hope_after;
use super::values::Values;
use crate::adjacency::answer::decision_of;
use crate::adjacency::bot::View;
use crate::adjacency::rule::{Eight, Four, Rule};
use crate::adjacency::search::{Found, SearchLimits};
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

/// MiB of the search's memory.
const MEMORY: usize = 64;
/// The most cells of a sweep while a game is played: 256 MiB.
const MOST_CELLS: u32 = 28;
/// Cells of the sweep that tells how fast this machine is just now.
const TRIAL_CELLS: u32 = 21;
const TRIALS: u32 = 3;
/// The least time for a move in which the speed is tried out.
const TRIAL_FROM: Duration = Duration::from_millis(80);
/// Subsets that a thread values in a second on a modest machine.
const MODEST_SPEED: f64 = 4e7;
/// The sweep is tried if it will probably need less than this share of the time. Larger sweeps need new memory,
/// so they are somewhat slower than the trial.
const SWEEP_BELOW: f64 = 0.4;
/// When so many cells of a sweep are filled, it is made again for what is left: a sixteenth of the work and memory.
const SHRINK_AFTER: u32 = 4;

/// Kept back when traps are looked for.
const TRAPS_RESERVE: Duration = Duration::from_millis(60);
/// A planned way that wins by so many marks is good enough.
const SAFE_MARGIN: i32 = 4;

/// What is kept from move to move of a game.
#[derive(Default)]
pub(in crate::adjacency) struct FillingPlayer {
    searcher: Option<FillSearcher>,
    values: Option<(bool, Values)>,
    /// Subsets valued in a second.
    speed: Option<f64>,
    habits: Habits,
    planner: Option<Planner>,
}

impl FillingPlayer {
    /// Forgets the game.
    pub(in crate::adjacency) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes note of the opponent's last reply; true if the next ones can be foreseen.
    pub(in crate::adjacency) fn foresees(&mut self, view: View) -> bool {
        self.habits.observe(view.empty());
        let trusted = self.habits.trusted();
        if self.planner.as_ref().map(Planner::habit) != trusted {
            self.planner = trusted.map(Planner::new);
        }
        trusted.is_some()
    }

    /// Takes note of the own move.
    pub(in crate::adjacency) fn moved(&mut self, view: View, place: Place) {
        self.habits.moved(view.empty(), u32::from(place.0));
    }

    /// Looks for a move that leads to more than `sound` against the foreseen replies, unless that wins for
    /// certain. The move's score is what best replies would leave of it, if that is known.
    pub(in crate::adjacency) fn exploit(
        &mut self,
        view: View,
        sound: Decision<Place>,
        deadline: Deadline<'_>,
        threads: usize,
    ) -> Decision<Place> {
        let is_exact = sound.exactness == Exactness::Exact;
        let Some(planner) = self.planner.as_mut().filter(|_| !(is_exact && sound.score.0 > 0)) else { return sound };
        let settled = settled_margin::<Four>(view.own, view.opp);
        let limits = PlanLimits { deadline, threads, enough: SAFE_MARGIN - settled };
        let Some(plan) = planner.plan(WindowEvaluation::built_in(), view.empty(), limits) else { return sound };
        let mv = Place(plan.cell() as u8);
        if settled + plan.earned <= sound.score.0 || mv == sound.mv {
            return sound;
        }
        let score = sound.per_move.iter().find(|m| m.mv == mv && is_exact).map_or(sound.score, |m| m.score);
        let exactness = if is_exact { Exactness::AtLeast } else { Exactness::Estimate };
        Decision { mv, score, exactness, pv: vec![mv], ..sound }
    }

    /// Whether a sweep will probably be done in the time.
    pub(in crate::adjacency) fn can_sweep(&mut self, view: View, time: Option<Duration>, threads: usize) -> bool {
        if self.knows(view) {
            return true;
        }
        let Some(time) = time.filter(|_| view.plies <= MOST_CELLS) else { return false };
        // A trial costs as much as a sweep of its size.
        let speed = if view.plies > TRIAL_CELLS && time >= TRIAL_FROM {
            *self.speed.get_or_insert_with(|| measured_speed(view.empty(), threads))
        } else {
            MODEST_SPEED * threads as f64
        };
        2f64.powi(view.plies as i32) < SWEEP_BELOW * speed * time.as_secs_f64()
    }

    /// Whether the exact values of a position are known already.
    pub(in crate::adjacency) fn knows(&self, view: View) -> bool {
        self.known(view).is_some()
    }

    fn known(&self, view: View) -> Option<&Values> {
        let (eight, values) = self.values.as_ref()?;
        (*eight == view.eight && values.cover(view.empty())).then_some(values)
    }

    /// The best move with the exact values of all; nothing if the time does not suffice. Until `choose_until`
    /// the best moves are compared by the traps that they set.
    pub(in crate::adjacency) fn exact(
        &mut self,
        view: View,
        deadline: Deadline<'_>,
        choose_until: Option<Instant>,
        threads: usize,
    ) -> Option<Decision<Place>> {
        let mut nodes = 0;
        let known = self.known(view).map(Values::cells);
        if known.is_none() {
            // The values of an earlier game would only take up memory.
            self.values = None;
        }
        if known.is_none_or(|cells| view.plies + SHRINK_AFTER <= cells) {
            let values = if view.eight {
                Values::sweep::<Eight>(view.empty(), deadline, threads)
            } else {
                Values::sweep::<Four>(view.empty(), deadline, threads)
            };
            self.values = values.map(|values| (view.eight, values)).or(self.values.take());
            nodes = 1 << view.plies;
        }
        let values = self.known(view)?;
        Some(Decision {
            nodes,
            ..if view.eight {
                exact_decision::<Eight>(view, values, deadline.until(choose_until))
            } else {
                exact_decision::<Four>(view, values, deadline.until(choose_until))
            }
        })
    }

    /// A search on the empty cells, for four neighbours.
    pub(in crate::adjacency) fn search(
        &mut self,
        view: View,
        limits: &SearchLimits<'_>,
        report: &mut dyn FnMut(&Found),
    ) -> Decision<Place> {
        let searcher = self.searcher.get_or_insert_with(|| FillSearcher::new(MEMORY));
        let settled = UNIT * settled_margin::<Four>(view.own, view.opp);
        let whole = |found: &Found| {
            let mut found = found.clone();
            found.moves.iter_mut().for_each(|m| m.score += settled);
            found
        };
        let found =
            searcher.search(WindowEvaluation::built_in(), view.empty(), limits, &mut |found| report(&whole(found)));
        decision_of(&whole(&found))
    }
}

/// Subsets valued in a second, by small sweeps of some of these cells: the fastest counts, since whatever held up
/// the others is over soon.
fn measured_speed(empty: u64, threads: usize) -> f64 {
    let some = SetBits(empty).take(TRIAL_CELLS as usize).fold(0, |set, cell| set | 1 << cell);
    let stop = AtomicBool::new(false);
    let trial = || {
        let started = Instant::now();
        let values = Values::sweep::<Four>(some, Deadline::until_stopped(&stop), threads);
        debug_assert!(values.is_some());
        started.elapsed()
    };
    let fastest = (0..TRIALS).map(|_| trial()).min().expect("there are trials");
    2f64.powi(TRIAL_CELLS as i32) / fastest.as_secs_f64()
}

/// Of these moves the one after which there is most hope. One reply is looked at first; then two, beginning
/// with the most hopeful moves, while there is time.
fn most_hopeful<R: Rule>(values: &Values, empty: u64, best: &[Place], deadline: Deadline<'_>) -> Place {
    let hope = |place: Place, replies| {
        deadline.progress.add_nodes(1);
        hope_after::<R>(values, empty, u32::from(place.0), replies)
    };
    let in_time = || deadline.at.is_none_or(|at| Instant::now() < at);
    let mut hopes: Vec<(f64, Place)> =
        best.iter().take_while(|_| in_time()).map(|&place| (hope(place, 1), place)).collect();
    hopes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut most, mut longest) = (None, Duration::ZERO);
    for &(_, place) in &hopes {
        let begun = Instant::now();
        // The next move may take longer to look at than those before it.
        if deadline.at.is_some_and(|at| begun + 2 * longest >= at) {
            break;
        }
        let deeper = hope(place, 2);
        if most.is_none_or(|(known, _)| deeper > known) {
            most = Some((deeper, place));
        }
        longest = longest.max(begun.elapsed());
    }
    most.or(hopes.first().copied()).map_or(best[0], |(_, place)| place)
}

/// All moves with their exact values. Of the best ones that is chosen which sets the most traps.
fn exact_decision<R: Rule>(view: View, values: &Values, deadline: Deadline<'_>) -> Decision<Place> {
    let empty = view.empty();
    let settled = settled_margin::<R>(view.own, view.opp);
    let mut per_move: Vec<MoveValue<Place>> = SetBits(empty)
        .map(|cell| MoveValue {
            mv: Place(cell as u8),
            score: Score(settled + values.after::<R>(empty, cell)),
            exactness: Exactness::Exact,
        })
        .collect();
    let value = settled + values.of(empty);
    let best: Vec<Place> = per_move.iter().filter(|m| m.score.0 == value).map(|m| m.mv).collect();
    // What one more move costs to look at, and some more, is kept back.
    let until = deadline.at.map(|at| at.checked_sub(TRAPS_RESERVE).unwrap_or(at));
    let chosen = most_hopeful::<R>(values, empty, &best, deadline.until(until));
    per_move.sort_by_key(|m| (std::cmp::Reverse(m.score), m.mv != chosen));
    let mut pv = vec![chosen];
    let mut left = empty & !(1 << chosen.0);
    while let Some(cell) = SetBits(left).find(|&cell| values.after::<R>(left, cell) == values.of(left)) {
        pv.push(Place(cell as u8));
        left &= !(1 << cell);
    }
    Decision { mv: chosen, score: Score(value), exactness: Exactness::Exact, depth: view.plies, nodes: 0, pv, per_move }
}

#[cfg(test)]
mod tests {
    use papan_core::Budget;

    use super::*;
    use crate::adjacency::reference::{PlainPosition, SplitMix, random_board};

    #[test]
    fn a_sweep_is_made_again_for_the_rest_and_kept_if_there_is_no_time_for_that() {
        let mut random = SplitMix::new(12);
        let (own, opp) = random_board(&mut random, 12, false);
        let mut player = FillingPlayer::default();
        let mut position = PlainPosition::new(own, opp, 12, false);
        let stopped_at = 4;
        for left in (1..=12).rev() {
            let (own, opp) = position.boards();
            let view = View { own, opp, plies: left, eight: false };
            let budget = Budget::unlimited();
            if left == stopped_at {
                budget.stop.stop();
            }
            let decision = player
                .exact(view, Deadline::of(&budget, None), None, 1)
                .expect("the values of the larger set are known");
            assert_eq!(decision.score.0, position.value());
            let swept = player.values.as_ref().map(|(_, values)| values.cells());
            let expected = if left > 8 {
                12
            } else if left > 3 {
                8
            } else {
                3
            };
            assert_eq!(swept, Some(expected), "{left} cells left");
            position = position.after(usize::from(decision.mv.0));
        }
    }
}
