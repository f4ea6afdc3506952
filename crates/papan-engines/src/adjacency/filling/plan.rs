//! The way to the end against an opponent whose replies are foreseen.
//!
//! With the replies known, only the own moves are to be chosen.
//!
//! 1. Beam search: from each kept state the moves that look best are tried, each with the foreseen reply; of all
//!    states after it the best by what was earned and by the estimate are kept. The beam is made wider and wider,
//!    near the end until it holds everything.
//! 2. Far from the end the estimate tells little, and wide beams keep much of the same. There the best way is
//!    changed instead: from somewhere along it a narrow beam with some noise in the estimate looks for another
//!    end, which takes its place unless it is worse.
//!
//! Each thread searches on its own. The best way is kept from move to move, and replies are worked out once.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use papan_core::Random;

use super::earnings::{earned, last_left};
use super::evaluation::{UNIT, WindowEvaluation, Windows};
use super::habits::Habit;
use crate::adjacency::rule::Four;
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

/// Own moves that are tried from a state.
const MOVES: usize = 16;
/// How many states the beams keep.
const WIDTHS: [usize; 9] = [1, 4, 12, 36, 96, 256, 768, 2304, 6912];
/// So many of them come before the best way is changed, and all if at most so many cells are empty.
const FIRST_WIDTHS: usize = 4;
const ALL_WIDTHS_UP_TO: u32 = 18;
/// Changes of the best way, at most.
const CHANGES: usize = 4_000;
/// The widest beam that changes a way.
const CHANGE_WIDTH: usize = 12;
/// The most noise in its estimates, in marks.
const NOISE: i32 = 2;
/// More replies than this are not kept by a thread: 50 MiB.
const MOST_REPLIES: usize = 2 << 20;

/// When planning ends at the latest.
#[derive(Clone, Copy)]
pub(crate) struct PlanLimits<'a> {
    /// When to stop at the latest.
    pub(crate) deadline: Deadline<'a>,
    /// Threads.
    pub(crate) threads: usize,
    /// A way that earns so much more than the other side is good enough.
    pub(crate) enough: i32,
}

/// A way to the end, or as far as it has been followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// Where it begins: the empty cells.
    empty: u64,
    /// What the own side will earn more than the other.
    pub(crate) earned: i32,
    /// The own moves.
    cells: Line,
}

impl Plan {
    /// The first move.
    #[must_use]
    pub(crate) fn cell(&self) -> u32 {
        u32::from(self.cells.cells[0])
    }
}

/// The own moves to the end: at most 32, since 64 cells are shared by two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Line {
    cells: [u8; 32],
    len: usize,
}

impl Line {
    fn and(mut self, cell: u32) -> Self {
        self.cells[self.len] = cell as u8;
        self.len += 1;
        self
    }

    fn rest(&self) -> Self {
        self.cells[1..self.len].iter().fold(Self::default(), |line, &cell| line.and(u32::from(cell)))
    }
}

#[derive(Clone, Copy)]
struct State {
    empty: u64,
    earned: i32,
    line: Line,
}

/// What has been worked out for a habit.
pub(crate) struct Planner {
    habit: Habit,
    /// One for each thread.
    scouts: Vec<Scout>,
    /// The best way that the game can still take.
    known: Option<Plan>,
}

impl Planner {
    /// Nothing is worked out yet.
    #[must_use]
    pub(crate) fn new(habit: Habit) -> Self {
        Self { habit, scouts: Vec::new(), known: None }
    }

    /// Whose replies are foreseen.
    #[must_use]
    pub(crate) fn habit(&self) -> Habit {
        self.habit
    }

    /// The best way found; nothing if there was no time for any.
    pub(crate) fn plan(&mut self, evaluation: &WindowEvaluation, empty: u64, limits: PlanLimits<'_>) -> Option<Plan> {
        for index in self.scouts.len()..limits.threads.max(1) {
            self.scouts.push(Scout::new(self.habit, index));
        }
        let known = self.known.filter(|known| known.empty == empty);
        let enough = AtomicBool::new(false);
        let found: Vec<Option<Plan>> = std::thread::scope(|scope| {
            let search = |scout: &mut Scout| Search { evaluation, limits, enough: &enough }.run(scout, empty, known);
            let (first, others) = self.scouts.split_first_mut().expect("there is a thread");
            let others: Vec<_> = others.iter_mut().map(|scout| scope.spawn(move || search(scout))).collect();
            let mine = search(first);
            let joined = others.into_iter().map(|other| other.join().expect("planning does not panic"));
            std::iter::once(mine).chain(joined).collect()
        });
        // The first of equally good ways.
        let best = found.into_iter().flatten().reduce(|best, plan| if plan.earned > best.earned { plan } else { best });
        self.known = best.and_then(|plan| followed(self.habit, plan));
        best
    }
}

/// The rest of a way after its first move and the foreseen reply.
fn followed(habit: Habit, plan: Plan) -> Option<Plan> {
    let own = State::start(plan.empty).after(plan.cell());
    let left = own.answered((own.empty != 0).then(|| habit.reply(own.empty)));
    let cells = plan.cells.rest();
    (cells.len > 0).then_some(Plan { empty: left.empty, earned: plan.earned - left.earned, cells })
}

/// What one thread has worked out.
struct Scout {
    habit: Habit,
    replies: HashMap<u64, u32>,
    random: Random,
    /// The first thread begins without noise.
    is_first: bool,
}

impl Scout {
    fn new(habit: Habit, index: usize) -> Self {
        Self { habit, replies: HashMap::new(), random: Random::new(1 + index as u64), is_first: index == 0 }
    }

    /// After the foreseen reply.
    fn answered(&mut self, state: State) -> State {
        let habit = self.habit;
        let mut reply = |set| *self.replies.entry(set).or_insert_with(|| habit.reply(set));
        state.answered((state.empty != 0).then(|| reply(state.empty)))
    }

    /// Somewhere along a way.
    fn midway(&mut self, plan: &Plan) -> State {
        let moves = self.random.below(plan.cells.len);
        let start = State::start(plan.empty);
        plan.cells.cells[..moves].iter().fold(start, |state, &cell| self.answered(state.after(u32::from(cell))))
    }
}

/// One thread's search for a way.
#[derive(Clone, Copy)]
struct Search<'a> {
    evaluation: &'a WindowEvaluation,
    limits: PlanLimits<'a>,
    /// Set by the thread that has found a way that is good enough.
    enough: &'a AtomicBool,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.enough.load(Relaxed) || self.limits.deadline.is_over()
    }

    fn run(self, scout: &mut Scout, empty: u64, known: Option<Plan>) -> Option<Plan> {
        if scout.replies.len() > MOST_REPLIES {
            scout.replies.clear();
        }
        let count = if empty.count_ones() <= ALL_WIDTHS_UP_TO { WIDTHS.len() } else { FIRST_WIDTHS };
        let mut widths = WIDTHS[..if scout.is_first { count } else { 0 }].iter();
        let mut best = known;
        for _ in 0..count + CHANGES {
            if best.is_some_and(|best| best.earned >= self.limits.enough) {
                self.enough.store(true, Relaxed);
            }
            let (from, width, noise) = match (widths.next(), best) {
                (Some(&width), _) => (State::start(empty), width, 0),
                (None, None) => (State::start(empty), CHANGE_WIDTH, NOISE * UNIT),
                (None, Some(best)) => (scout.midway(&best), 1 + scout.random.below(CHANGE_WIDTH), NOISE * UNIT),
            };
            let Some(State { earned, line, .. }) = self.beam(scout, from, width, noise) else { break };
            if best.is_none_or(|best| earned >= best.earned) {
                best = Some(Plan { empty, earned, cells: line });
            }
        }
        best
    }

    /// The best end that a beam finds; nothing if there was no time for it.
    fn beam(&self, scout: &mut Scout, from: State, width: usize, noise: i32) -> Option<State> {
        let mut states = vec![from];
        while states[0].empty != 0 {
            let mut next = Vec::new();
            for state in merged(states.iter().flat_map(|state| moves(self.evaluation, state))) {
                if self.is_over() {
                    return None;
                }
                self.limits.deadline.progress.add_nodes(1);
                next.push(scout.answered(state));
            }
            let mut ranked: Vec<(i32, State)> =
                merged(next.into_iter()).into_iter().map(|state| (state.rank(self.evaluation), state)).collect();
            if noise > 0 {
                ranked.iter_mut().for_each(|(rank, _)| *rank += scout.random.below(noise as usize) as i32);
            }
            ranked.sort_by_key(|&(rank, state)| (-rank, state.empty));
            states = ranked.into_iter().take(width).map(|(_, state)| state).collect();
        }
        // At the end the rank is what was earned, but for the noise.
        states.into_iter().reduce(|best, state| if state.earned > best.earned { state } else { best })
    }
}

impl State {
    fn start(empty: u64) -> Self {
        Self { empty, earned: 0, line: Line::default() }
    }

    /// After a reply, if there is one.
    fn answered(self, reply: Option<u32>) -> Self {
        let Some(cell) = reply else { return self };
        let lost = earned::<Four>(last_left::<Four>(self.empty), cell);
        Self { empty: self.empty & !(1 << cell), earned: self.earned - lost, ..self }
    }

    /// After an own move.
    fn after(&self, cell: u32) -> Self {
        let gain = earned::<Four>(last_left::<Four>(self.empty), cell);
        Self { empty: self.empty & !(1 << cell), earned: self.earned + gain, line: self.line.and(cell) }
    }

    /// What was earned and will probably be, with the own side to move.
    fn rank(&self, evaluation: &WindowEvaluation) -> i32 {
        let estimate = evaluation.of(&Windows::new(self.empty), self.empty.count_ones());
        UNIT * self.earned + if self.empty == 0 { 0 } else { estimate }
    }
}

/// The states after the own moves that look best; every first move is tried.
fn moves(evaluation: &WindowEvaluation, state: &State) -> Vec<State> {
    let windows = Windows::new(state.empty);
    let left = state.empty.count_ones() - 1;
    let mut found: Vec<(i32, State)> = SetBits(state.empty)
        .map(|cell| {
            let estimate = if left == 0 { 0 } else { evaluation.of(&windows.without(cell), left) };
            let next = state.after(cell);
            (estimate - UNIT * next.earned, next)
        })
        .collect();
    found.sort_by_key(|&(rank, state)| (rank, state.empty));
    if state.line.len > 0 {
        found.truncate(MOVES);
    }
    found.into_iter().map(|(_, state)| state).collect()
}

/// Of states with the same cells the one that earned most. Sorted, so that the same game is always answered in
/// the same way.
fn merged(states: impl Iterator<Item = State>) -> Vec<State> {
    let mut best: BTreeMap<u64, State> = BTreeMap::new();
    for state in states {
        let known = best.entry(state.empty).or_insert(state);
        if state.earned > known.earned {
            *known = state;
        }
    }
    best.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::filling::values::Values;
    use crate::adjacency::reference::{SplitMix, random_board};

    /// The most that can be earned against a habit: every own move tried.
    fn most(habit: Habit, empty: u64) -> i32 {
        let gain = |set: u64, cell: u32| earned::<Four>(last_left::<Four>(set), cell);
        let value = |cell: u32| {
            let moved = empty & !(1 << cell);
            if moved == 0 {
                return gain(empty, cell);
            }
            let reply = habit.reply(moved);
            gain(empty, cell) - gain(moved, reply) + most(habit, moved & !(1 << reply))
        };
        SetBits(empty).map(value).max().unwrap_or(0)
    }

    #[test]
    fn a_plan_comes_true_against_the_habit_and_is_the_best_on_small_boards() {
        let mut random = SplitMix::new(15);
        let stop = AtomicBool::new(false);
        for index in 0..14 {
            // On the larger boards one thread alone could lose again what the widest beam has found.
            let (threads, empties) = if index < 12 { (2, 5 + index % 4) } else { (1, 13) };
            let deadline = Deadline::until_stopped(&stop);
            let limits = PlanLimits { deadline, threads, enough: i32::MAX };
            let (own, opp) = random_board(&mut random, empties, false);
            let empty = !(own | opp);
            let habit = Habit::new(1 + index % 2, index % 3 == 0);
            let values = Values::sweep::<Four>(empty, deadline, 1).expect("nothing stops the sweep");
            let mut planner = Planner::new(habit);
            let promised =
                planner.plan(WindowEvaluation::built_in(), empty, limits).expect("nothing stops the plan").earned;
            assert!(promised >= values.of(empty), "the habit plays no better than best play");
            assert_eq!(promised, most(habit, empty));
            let mut state = State::start(empty);
            while state.empty != 0 {
                let plan =
                    planner.plan(WindowEvaluation::built_in(), state.empty, limits).expect("nothing stops the plan");
                assert_eq!(state.earned + plan.earned, promised);
                let own = state.after(plan.cell());
                state = own.answered((own.empty != 0).then(|| habit.reply(own.empty)));
            }
            assert_eq!(state.earned, promised);
        }
    }
}
