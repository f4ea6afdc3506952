//! The way to the end against an opponent whose replies are foreseen.
//!
//! With the replies known, only the own moves are to be chosen: a beam search. From each kept state the
//! moves that look best are tried, each with the foreseen reply; of all states after it the best by what was
//! earned and by the estimate are kept. The beam is made wider and wider; after that, beams with some noise in
//! the estimate look elsewhere. The best way is kept from move to move, and replies are worked out once.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use papan_core::Random;

use super::earnings::{earned, last_left};
use super::habits::Habit;
use super::worth::{UNIT, Windows, Worth};
use crate::adjacency::rule::{Cells, Four};

/// Own moves that are tried from a state.
const MOVES: usize = 16;
/// How many states the beams keep. Far from the end the time is over long before the last.
const WIDTHS: [usize; 9] = [1, 4, 12, 36, 96, 256, 768, 2304, 6912];
/// Beams with noise after those.
const NOISY_BEAMS: usize = 40;
/// How many states they keep.
const NOISY_WIDTH: usize = 256;
/// The most noise, in marks.
const NOISE: i32 = 3;
/// More replies than this are not kept: 100 MiB.
const MOST_REPLIES: usize = 4 << 20;

/// When planning ends at the latest.
#[derive(Clone, Copy)]
pub struct PlanLimits<'a> {
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
    /// Threads.
    pub threads: usize,
    /// A way that earns so much more than the other side is good enough.
    pub enough: i32,
}

impl PlanLimits<'_> {
    fn reached(&self) -> bool {
        self.stop.load(Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A way to the end, or as far as it has been followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Where it begins: the empty cells.
    empty: u64,
    /// What the own side will earn more than the other.
    pub earned: i32,
    /// The own moves.
    cells: Line,
}

impl Plan {
    /// The first move.
    #[must_use]
    pub fn cell(&self) -> u32 {
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
pub struct Planner {
    habit: Habit,
    replies: HashMap<u64, u32>,
    /// The best way that the game can still take.
    known: Option<Plan>,
    random: Random,
}

impl Planner {
    /// Nothing is worked out yet.
    #[must_use]
    pub fn new(habit: Habit) -> Self {
        Self { habit, replies: HashMap::new(), known: None, random: Random::new(1) }
    }

    /// Whose replies are foreseen.
    #[must_use]
    pub fn habit(&self) -> Habit {
        self.habit
    }

    /// The best way found; nothing if there was no time for any.
    pub fn plan(&mut self, worth: &Worth, empty: u64, limits: PlanLimits<'_>) -> Option<Plan> {
        if self.replies.len() > MOST_REPLIES {
            self.replies.clear();
        }
        let mut best = self.known.filter(|known| known.empty == empty);
        for (index, width) in WIDTHS.into_iter().chain([NOISY_WIDTH; NOISY_BEAMS]).enumerate() {
            if best.is_some_and(|best| best.earned >= limits.enough) {
                break;
            }
            let noise = if index < WIDTHS.len() { 0 } else { NOISE * UNIT };
            let Some(plan) = self.beam(worth, empty, width, noise, limits) else { break };
            if best.is_none_or(|best| plan.earned > best.earned) {
                best = Some(plan);
            }
        }
        self.known = best.and_then(|plan| self.followed(plan));
        best
    }

    /// The rest of a way after its first move and the foreseen reply.
    fn followed(&self, plan: Plan) -> Option<Plan> {
        let own = State { empty: plan.empty, earned: 0, line: Line::default() }.after(plan.cell());
        let answered = self.answered(own);
        let left = Plan { empty: answered.empty, earned: plan.earned - answered.earned, cells: plan.cells.rest() };
        (left.cells.len > 0).then_some(left)
    }

    fn beam(&mut self, worth: &Worth, empty: u64, width: usize, noise: i32, limits: PlanLimits<'_>) -> Option<Plan> {
        let mut states = vec![State { empty, earned: 0, line: Line::default() }];
        while states[0].empty != 0 {
            let moved = merged(states.iter().flat_map(|state| moves(worth, state)));
            self.foresee(&moved, limits)?;
            let next = merged(moved.into_iter().map(|state| self.answered(state)));
            let mut ranked: Vec<(i32, State)> = next.into_iter().map(|s| (s.rank(worth), s)).collect();
            if noise > 0 {
                ranked.iter_mut().for_each(|(rank, _)| *rank += self.random.below(noise as usize) as i32);
            }
            ranked.sort_by_key(|&(rank, state)| (-rank, state.empty));
            states = ranked.into_iter().take(width).map(|(_, state)| state).collect();
        }
        let State { earned, line, .. } = states[0];
        Some(Plan { empty, earned, cells: line })
    }

    fn answered(&self, state: State) -> State {
        let Some(cell) = self.replies.get(&state.empty) else { return state };
        let lost = earned::<Four>(last_left::<Four>(state.empty), *cell);
        State { empty: state.empty & !(1 << cell), earned: state.earned - lost, ..state }
    }

    /// Works out the replies to all of these states; nothing if there was no time for it.
    fn foresee(&mut self, states: &[State], limits: PlanLimits<'_>) -> Option<()> {
        let new = |set: &u64| *set != 0 && !self.replies.contains_key(set);
        let sets: Vec<u64> = states.iter().map(|state| state.empty).filter(new).collect();
        let habit = self.habit;
        let work = |part: &[u64]| -> Vec<(u64, u32)> {
            part.iter().take_while(|_| !limits.reached()).map(|&set| (set, habit.reply(set))).collect()
        };
        let share = sets.len().div_ceil(limits.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let mut parts = sets.chunks(share);
            let mine = parts.next().unwrap_or(&[]);
            let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
            self.replies.extend(work(mine));
            for other in others {
                self.replies.extend(other.join().expect("looking ahead does not panic"));
            }
        });
        (!limits.reached() && sets.iter().all(|set| self.replies.contains_key(set))).then_some(())
    }
}

impl State {
    /// After an own move.
    fn after(&self, cell: u32) -> Self {
        let gain = earned::<Four>(last_left::<Four>(self.empty), cell);
        Self { empty: self.empty & !(1 << cell), earned: self.earned + gain, line: self.line.and(cell) }
    }

    /// What was earned and will probably be, with the own side to move.
    fn rank(&self, worth: &Worth) -> i32 {
        let estimate = worth.of(&Windows::new(self.empty), self.empty.count_ones());
        UNIT * self.earned + if self.empty == 0 { 0 } else { estimate }
    }
}

/// The states after the own moves that look best; every first move is tried.
fn moves(worth: &Worth, state: &State) -> Vec<State> {
    let windows = Windows::new(state.empty);
    let left = state.empty.count_ones() - 1;
    let mut found: Vec<(i32, State)> = Cells(state.empty)
        .map(|cell| {
            let estimate = if left == 0 { 0 } else { worth.of(&windows.without(cell), left) };
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
    use crate::adjacency::filling::values::{SweepLimits, Values};
    use crate::adjacency::reference::{TestRandom, random_board};

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
        Cells(empty).map(value).max().unwrap_or(0)
    }

    #[test]
    fn a_plan_comes_true_against_the_habit_and_is_the_best_on_small_boards() {
        let mut random = TestRandom(15);
        let stop = AtomicBool::new(false);
        let limits = PlanLimits { stop: &stop, deadline: None, threads: 2, enough: i32::MAX };
        for index in 0..12 {
            let (own, opp) = random_board(&mut random, 5 + index % 4, false);
            let empty = !(own | opp);
            let habit = Habit::new(1 + index % 2, index % 3 == 0);
            let sweep = SweepLimits { stop: &stop, deadline: None, threads: 1 };
            let values = Values::sweep::<Four>(empty, sweep).expect("nothing stops the sweep");
            let mut planner = Planner::new(habit);
            let promised = planner.plan(Worth::built_in(), empty, limits).expect("nothing stops the plan").earned;
            assert!(promised >= values.of(empty), "the habit plays no better than best play");
            assert_eq!(promised, most(habit, empty));
            let mut state = State { empty, earned: 0, line: Line::default() };
            while state.empty != 0 {
                let plan = planner.plan(Worth::built_in(), state.empty, limits).expect("nothing stops the plan");
                assert_eq!(state.earned + plan.earned, promised);
                state = planner.answered(state.after(plan.cell()));
            }
            assert_eq!(state.earned, promised);
        }
    }
}
